"""Bodies in two recordings, field by field: fields that the neutral turn does not have are compared as JSON.

Of an answer, the parts that were read as turns are cut out and compared part by part, each with its partner; what
is left around them is compared as a whole. So an extra text block moves nothing that stands behind it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from conformance.diff.ids import Renaming
from conformance.diff.notes import Notes
from conformance.diff.places import Differing, differing
from conformance.judge.pairing import matched
from conformance.model.exchange import Body
from conformance.model.jsontext import same
from conformance.model.pointer import MISSING, get, join, split
from conformance.model.transcript import Malformed, Part, Reasoning, Text, ToolCall, Turn

_PART = "\u27e8part\u27e9"
"""Replaces a part that has been cut out."""


def compare_answers(notes: Notes, old: Body, new: Body, old_turns: Sequence[Turn], new_turns: Sequence[Turn]) -> None:
    """Notes the differences in two successful answers without streaming, besides those of their turns."""
    if old.text == new.text and old.text is not None:
        return
    one, other = old.json, new.json
    if isinstance(one, Malformed) or isinstance(other, Malformed):
        return  # if one of them is not JSON, that is a new finding, and nothing else can be compared
    if same(one, other):
        notes.fact("bytes", "response")
        return
    for before, after in zip(old_turns, new_turns, strict=False):
        for pair in _pairs(before, after):
            _compare_parts(notes, one, other, *pair)
    parts = [part for turn in old_turns for part in turn.parts], [part for turn in new_turns for part in turn.parts]
    for found in differing(*(_without(body, cut) for body, cut in zip((one, other), parts, strict=True))):
        if not (_holds_part(found.old) or _holds_part(found.new)):
            notes.place("response", found)


def _pairs(old: Turn, new: Turn) -> Iterable[tuple[Part, Part]]:
    calls = [[part for part in turn.parts if isinstance(part, ToolCall)] for turn in (old, new)]
    yield from matched(*calls)[0]
    for kind in (Text, Reasoning):
        parts = [[part for part in turn.parts if isinstance(part, kind)] for turn in (old, new)]
        yield from zip(*parts, strict=False)


def _compare_parts(notes: Notes, old: Any, new: Any, before: Part, after: Part) -> None:
    one, other = get(old, before.pointer), get(new, after.pointer)
    if not isinstance(one, dict) or not isinstance(other, dict):
        return  # a text that stands there itself
    for found in differing(one, other):
        at = before.pointer + found.old_pointer, after.pointer + found.new_pointer
        notes.place("response", Differing(found.how, *at, found.old, found.new))


def _without(body: Any, parts: Sequence[Part]) -> Any:
    """The body with each part replaced by a mark, and every array that then holds nothing else, too."""
    body = copy.deepcopy(body)
    for part in parts:
        steps = split(part.pointer)
        holder = get(body, join("", *steps[:-1])) if steps else MISSING
        if isinstance(holder, dict) and steps[-1] in holder:
            holder[steps[-1]] = _PART
        elif isinstance(holder, list) and steps[-1].isdecimal() and int(steps[-1]) < len(holder):
            holder[int(steps[-1])] = _PART
    return _folded(body)


def _folded(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _folded(each) for key, each in value.items()}
    if isinstance(value, list):
        items = [_folded(each) for each in value]
        return _PART if items and all(map(_holds_part, items)) and not _stand_apart(items) else items
    return value


def _stand_apart(items: Sequence[Any]) -> bool:
    """Whether the items are more than their parts: choices, candidates, which have fields of their own."""
    return all(isinstance(each, dict) and any(isinstance(value, dict) for value in each.values()) for each in items)


def _holds_part(value: Any) -> bool:
    if isinstance(value, dict):
        return any(map(_holds_part, value.values()))
    if isinstance(value, list):
        return any(map(_holds_part, value))
    return isinstance(value, str) and value == _PART


def compare_failures(notes: Notes, old: Body, new: Body) -> None:
    """Notes what differs in two refusals."""
    one, other = old.json, new.json
    if isinstance(one, Malformed) or isinstance(other, Malformed):
        if old.text != new.text:
            texts = (body.text if isinstance(body.json, Malformed) else body.json for body in (old, new))
            before, after = texts
            if isinstance(before, str) and isinstance(after, str):
                notes.fact("text-wording", "response")
            else:
                notes.place("response", Differing("type", "", "", before, after), ok=False)
        return
    for found in differing(one, other):
        notes.place("response", found, ok=False)


def compare_requests(
    notes: Notes,
    old: Any,
    new: Any,
    echoes: Callable[[Differing], bool],
    *,
    fold: Callable[[str], str] | None = None,
) -> None:
    """Notes the differences in the bodies of two requests, with ids renamed as in the answers.

    `echoes` tests whether a place only repeats an earlier answer that differed. `fold` is for a dialect whose keys
    may be spelled in two ways.
    """
    if isinstance(old, Malformed) or isinstance(new, Malformed):
        if isinstance(old, Malformed) != isinstance(new, Malformed):
            notes.place("request", Differing("type", "", "", old, new))
        return
    renamed = _renamed(old, notes.ids)
    if fold is not None:
        renamed, new = _respelled(renamed, fold), _respelled(new, fold)
    for found in differing(renamed, new):
        if echoes(found):
            notes.fact("echo", "request", found.old_pointer, found.new_pointer)
        else:
            notes.place("request", found)


def _renamed(value: Any, ids: Renaming) -> Any:
    if isinstance(value, dict):
        return {key: _renamed(each, ids) for key, each in value.items()}
    if isinstance(value, list):
        return [_renamed(each, ids) for each in value]
    return ids.of(value) if isinstance(value, str) else value


def _respelled(value: Any, fold: Callable[[str], str]) -> Any:
    """The value with the keys of the wire in one spelling; the user's own keys are not changed."""
    if isinstance(value, Mapping):
        own = ("args", "response", "properties", "parametersJsonSchema")
        return {fold(key): each if fold(key) in own else _respelled(each, fold) for key, each in value.items()}
    if isinstance(value, list):
        return [_respelled(each, fold) for each in value]
    return value
