"""What exactly does not fit a schema: the innermost faults, each at its own place, in plain words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from conformance.model import jsontext
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.wire.schemas import schema_of

_CHOICES = ("anyOf", "oneOf")


@cache
def _validator(dialect: str, kind: str) -> Draft202012Validator:
    return Draft202012Validator(schema_of(dialect, kind))


def faults(dialect: str, kind: str, value: Any) -> Iterator[tuple[str, str]]:
    """Each fault of the value as (JSON pointer, what is wrong), in the order of the places, each once."""
    try:
        found = {
            (tuple(error.absolute_path), text)
            for each in _validator(dialect, kind).iter_errors(value)
            for error, text in _leaves(each)
        }
    except RecursionError:
        found = {((), "is nested too deeply to be read")}
    for path, text in sorted(found, key=lambda each: ([(str(type(step)), step) for step in each[0]], each[1])):
        yield join("", *path), text


def _leaves(error: ValidationError) -> Iterator[tuple[ValidationError, str]]:
    """The faults within an error: of a choice, those of the branch whose JSON type the value has."""
    if error.validator not in _CHOICES:
        yield error, _message(error)
        return
    branches: dict[Any, list[ValidationError]] = {}
    for each in error.context or ():
        branches.setdefault(each.schema_path[0], []).append(each)
    fitting = [branch for branch in branches.values() if not any(_is_of_another_type(each) for each in branch)]
    if fitting:
        for each in min(fitting, key=len):
            yield from _leaves(each)
    else:
        wanted = [
            type_
            for branch in branches.values()
            for each in branch
            if _is_of_another_type(each)
            for type_ in _wanted(each)
        ]
        yield error, f"is {_named(jsontext.kind(error.instance))}, must be {_listed(wanted)}"


def _is_of_another_type(error: ValidationError) -> bool:
    """Whether the fault is that the value itself, and nothing within it, has another JSON type than the branch."""
    return error.validator == "type" and not error.relative_path


def _wanted(error: ValidationError) -> list[str]:
    """The JSON types that a fault of type asks for."""
    types: Any = error.validator_value
    return [types] if isinstance(types, str) else list(types)


def _message(error: ValidationError) -> str:
    if error.validator == "type":
        return f"is {_named(jsontext.kind(error.instance))}, must be {_listed(_wanted(error))}"
    if error.validator == "required":
        required: Any = error.validator_value
        missing = next((name for name in required if f"'{name}' is" in error.message), "a field")
        return f"lacks `{missing}`"
    if error.validator in ("const", "enum"):
        return f"is {brief(error.instance)}, must be {brief(error.validator_value)}"
    if error.validator == "pattern":
        return f"is {brief(error.instance)}, must match {error.validator_value}"
    if error.validator == "minLength" and error.validator_value == 1:
        return "is empty"
    if error.validator == "not":
        return "is of a form that is not allowed here"
    return error.message[:200]


def _listed(types: Iterable[str]) -> str:
    *most, last = dict.fromkeys(_named(each) for each in types)
    return f"{', '.join(most)} or {last}" if most else last


def _named(type_: str) -> str:
    if type_ == "null":
        return "null"
    return f"an {type_}" if type_[0] in "aeiou" else f"a {type_}"
