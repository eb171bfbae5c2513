"""Edits of a value: what a path describes is made there, taken away, or changed."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from conformance.judge.proofs.edit import Edit
from conformance.judge.relations.places import Found, Key, Step, Test, path, select
from conformance.model.pointer import join, split
from conformance.profiles.tool_schema import Allowance, NotExercisedError, misfits

Planted = tuple[str, tuple[Edit, ...]]
"""What was done, and the edits that do it."""
UNKNOWN = "x_x"


def found_at(value: Any, where: str, at: str) -> list[Found]:
    """The values at a path."""
    return list(select(value, path(where), at))


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def other(value: Any) -> Any:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, list):
        return [*value, UNKNOWN]
    if isinstance(value, dict):
        return {**value, UNKNOWN: UNKNOWN}
    return f"{value}{UNKNOWN}" if isinstance(value, str) else value + 1 if is_number(value) else UNKNOWN


def put(pointer: str, value: Any) -> Edit:
    return Edit("put", pointer, value)


def renamed(steps: Sequence[Step], pointer: str, value: Any) -> Edit:
    """Another value at the end of some steps, which may lead to the keys of an object."""
    keys = [each for each in steps if isinstance(each, Key)]
    if keys and keys[-1].name == "@":
        return put(join(pointer.rpartition("/")[0], str(value)), UNKNOWN)
    return put(pointer, value)


def taken(where: str, value: Any, at: str) -> tuple[Edit, ...]:
    """Takes away all that is at a path."""
    return dropped(select(value, path(where), at), path(where))


def dropped(found: Iterable[Found], steps: Sequence[Step]) -> tuple[Edit, ...]:
    """Takes away what was found at the end of some steps: of the first item of an array, all its items."""
    last = next((each for each in reversed(steps) if isinstance(each, Key)), None)
    if last is not None and last.name in ("first", "last"):
        return tuple(put(pointer.rpartition("/")[0], []) for _, pointer in found)
    return tuple(Edit("drop", pointer) for _, pointer in reversed(list(found)))


def grown(value: Any, steps: Sequence[Step], at: str, leaf: Any = UNKNOWN) -> tuple[Edit, ...]:
    """Makes the steps lead somewhere: with as many of them as lead somewhere already, the rest is built."""
    for length in range(len(steps), -1, -1):
        found = list(select(value, tuple(steps[:length]), at))
        if found:
            return _grown(*found[-1], steps[length:], leaf)
    return ()


def _grown(value: Any, pointer: str, steps: Sequence[Step], leaf: Any) -> tuple[Edit, ...]:
    if not steps:
        return ()
    step, *rest = steps
    if isinstance(step, Test):
        where = join(pointer, *step.path)
        if step.absent:
            edit = put(where, UNKNOWN) if step.values else Edit("drop", where)
        elif not step.path:
            return (put(pointer, _typed(step.values[0]) if step.values else leaf),)
        else:
            edit = put(where, _typed(step.values[0]) if step.values else leaf)
        return (edit, *grown(_edited(value, step, edit), rest, pointer, leaf))
    if isinstance(value, list) and step.name in ("*", "first", "last"):
        return (Edit("insert", f"{pointer}/{len(value)}", built(rest, leaf)),)
    if isinstance(value, dict):
        name = UNKNOWN if step.name in ("*", "@") else step.name
        if name not in value:
            return (put(join(pointer, name), built(rest, leaf)),)
        if value[name] is None or not isinstance(value[name], (dict, list)):
            return (put(join(pointer, name), built(rest, leaf)),)
    return ()


def _edited(value: Any, test: Test, edit: Edit) -> Any:
    """The value as it is after an edit of a member that a test reads."""
    if not isinstance(value, dict):
        return value
    key, *inner = test.path
    if not inner:
        rest = {name: each for name, each in value.items() if name != key}
        return rest if edit.action == "drop" else {**rest, key: edit.value}
    return {**value, key: _edited(value.get(key, {}), replace(test, path=tuple(inner)), edit)}


def built(steps: Sequence[Step], leaf: Any = UNKNOWN) -> Any:
    """A value in which the steps lead somewhere."""
    if not steps:
        return leaf
    step, *rest = steps
    if isinstance(step, Key):
        if step.name == "@":
            return {UNKNOWN: UNKNOWN}
        return [built(rest, leaf)] if step.name in ("*", "first", "last") else {step.name: built(rest, leaf)}
    inner = built(rest, leaf)
    if step.absent:
        return inner if rest or not step.path else {}
    if not step.path:
        return _typed(step.values[0]) if step.values else inner
    inner = inner if isinstance(inner, dict) else {}
    wanted: Any = _typed(step.values[0]) if step.values else leaf
    holder = inner
    for key in step.path[:-1]:
        if not isinstance(holder.get(key), dict):
            holder[key] = {}
        holder = holder[key]
    if step.values or step.path[-1] not in holder:
        holder[step.path[-1]] = wanted
    return inner


def _typed(text: str) -> Any:
    """The value that a test writes as this text."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def misfit(value: Any, schema: dict[str, Any]) -> Any:
    """The value with one change after which it is invalid under a schema; None if there is no such change."""
    for changed in _changed(value):
        try:
            if next(misfits(changed, schema, Allowance()), None) is not None:
                return changed
        except NotExercisedError:
            continue
    return None


def _changed(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for key in value:
            rest = {name: each for name, each in value.items() if name != key}
            yield from ({**rest, key: each} for each in _changed(value[key]))
            yield rest
        yield {**value, UNKNOWN: UNKNOWN}
    elif isinstance(value, list) and value:
        yield from ([each, *value[1:]] for each in _changed(value[0]))
    yield from (each for each in ({"x": 1}, ["x"], UNKNOWN, 10**9) if type(each) is not type(value))
    yield UNKNOWN


def again(value: Any, pointer: str) -> Edit | None:
    """Repeats the item of an array that a place lies in; `value` is what the pointer leads through, from the root."""
    tokens = split(pointer)
    best: Edit | None = None
    for number, token in enumerate(tokens):
        if isinstance(value, list) and token.isdecimal() and int(token) < len(value):
            best = Edit("insert", join("", *tokens[: number + 1]), value[int(token)])
            value = value[int(token)]
        elif isinstance(value, dict) and token in value:
            value = value[token]
        else:
            break
    return best
