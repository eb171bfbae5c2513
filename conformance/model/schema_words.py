"""Errors of a JSON Schema in words for people who write YAML: what is wrong, and what to write."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, NamedTuple

from conformance.errors import closest, did_you_mean

_KINDS = {
    "string": "a text",
    "array": "a list",
    "object": "a mapping (`key: value`)",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "null": "null",
}
_FORMS = {"id": "begin with a lower-case letter; then lower-case letters, digits and `-`"}


_ALIKE = 0.6
"""How similar a word must be to count as a misspelling; below, words have a few letters in common by chance."""
_SHORTEST = 3


class Wording(NamedTuple):
    """A message and a hint for an error at `steps`; `key` means that the key there is wrong, not its value."""

    steps: list[str | int]
    message: str
    hint: str
    key: bool = False


def nearest(word: str, known: Iterable[str], otherwise: str) -> str:
    """A hint that names the nearest of the known words: a misspelling, or a longer one that begins with the word."""
    words = [each for each in known if isinstance(each, str)]
    longer = [each for each in words if len(word) >= _SHORTEST and each.startswith(word)]
    hint = f"did you mean `{longer[0]}`?" if longer else otherwise
    return did_you_mean(word, words, hint, cutoff=_ALIKE, form="`{}`")


def near(word: str, known: Iterable[str]) -> bool:
    """Whether the word is probably a misspelling of a known one."""
    return closest(word, known, cutoff=0.7) is not None


def worded(error: Any, otherwise: str) -> Wording:
    """An error of `jsonschema` in words. `otherwise` is the hint if there is no better one."""
    steps, value, wanted = list(error.absolute_path), error.instance, error.validator_value
    name = _name(steps)
    if error.validator == "additionalProperties" and isinstance(value, dict):
        known = list(error.schema.get("properties", {}))
        wrong = next(str(key) for key in value if key not in known)
        hint = nearest(wrong, known, f"valid keys here are {', '.join(sorted(known))}")
        return Wording([*steps, wrong], f"unknown key `{wrong}`", hint, key=True)
    if error.validator == "required" and isinstance(value, dict):
        missing = next(key for key in wanted if key not in value)
        return Wording(steps, f"the key `{missing}` is missing", f"add `{missing}:`")
    if error.validator == "oneOf":
        return _one_of(error, steps, otherwise)
    if error.validator == "type":
        kinds = [wanted] if isinstance(wanted, str) else wanted
        return Wording(steps, *_type(name, value, kinds))
    if error.validator == "enum":
        valid = ", ".join(f"`{each}`" for each in wanted)
        return Wording(
            steps, f"{_brief(value)} is not valid here", nearest(str(value), wanted, f"choose one of {valid}")
        )
    if error.validator == "pattern":
        return Wording(steps, f"{_brief(value)} is not valid here", _FORMS.get(str(name), f"it must match {wanted}"))
    if error.validator in ("minItems", "minLength", "minProperties"):
        return Wording(steps, f"`{name}` is empty" if value in ("", [], {}) else error.message[:160], "write its value")
    if error.validator in ("minimum", "maximum", "exclusiveMinimum"):
        side = "at most" if error.validator == "maximum" else "at least"
        return Wording(steps, f"{_brief(value)} is out of range", f"write a number of {side} {wanted}")
    if error.validator == "uniqueItems":
        return Wording(steps, f"`{name}` has an item twice", "remove one of them")
    return Wording(steps, error.message[:160], otherwise)


def _name(steps: list[str | int]) -> str | None:
    return next((step for step in reversed(steps) if isinstance(step, str)), None)


def _brief(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, default=str)[:80]


def _type(name: str | None, value: Any, kinds: list[str]) -> tuple[str, str]:
    subject = f"`{name}`" if name is not None else "the file"
    wanted = " or ".join(_KINDS.get(kind, kind) for kind in kinds)
    if value is None:
        return f"{subject} is empty", f"write {wanted}"
    if "string" in kinds and isinstance(value, (bool, int, float)):
        return f"{_brief(value)} is not a text", f'write "{_brief(value)}"'
    if "string" in kinds and isinstance(value, dict):
        return f"{subject} is a mapping, not a text", "put text that begins with `{` or contains `: ` in quotes"
    if "array" in kinds:
        hint = "begin each item with `- `" if isinstance(value, (dict, list)) else f"write `[{value}]`"
        return f"{subject} is not a list", hint
    if isinstance(value, list):
        return f"{subject} is a list, not {wanted}", "remove the `- ` or the brackets"
    return f"{_brief(value)} is not {wanted}", f"write {wanted}"


def _one_of(error: Any, steps: list[str | int], otherwise: str) -> Wording:
    value = error.instance
    ways = [way["required"] for way in error.validator_value if "required" in way]
    if not ways or not isinstance(value, dict):
        return Wording(steps, error.message[:160], otherwise)
    keys = [" and ".join(f"`{key}`" for key in way) for way in ways]
    there = [way for way in ways if all(key in value for key in way)]
    if len(there) > 1:
        return Wording([*steps, there[1][0]], f"{' and '.join(keys)} exclude each other", "keep one of them", key=True)
    begun = next((way for way in ways if any(key in value for key in way)), None)
    lacking = [key for key in begun if key not in value] if begun else []
    hint = f"add `{lacking[0]}:`" if lacking else "add one of them"
    return Wording(steps, f"{' or '.join(keys)} is required", hint)
