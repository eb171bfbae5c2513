"""The violations of strings, numbers and booleans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from conformance.contract import wording
from conformance.contract.citation import UNDOCUMENTED, WHOLE_FRACTION
from conformance.contract.nodes import Flag, Number, Others, Text
from conformance.contract.violation import Fault, Frame, Violation
from conformance.errors import closest
from conformance.model.finding import Severity
from conformance.model.jsontext import brief

DIGITS = r"-?[0-9]+"
DECIMAL = r"-?[0-9]+(\.[0-9]+)?([eE][+-]?[0-9]+)?"
_MISSPELLED = 0.75
"""How similar a word must be to a known one to be a misspelling of it: providers add words that only begin alike."""


def text_violations(node: Text, value: str, at: str, frame: Frame) -> Iterator[Violation]:
    """The violations of a string: of its length, its pattern, or its list of known words."""
    name, size = wording.subject(at), len(value)
    if node.words and not node.lists(value):
        yield from unlisted(value, node.words, at, frame, node.others)
        return
    if not size and node.least:
        fault = Fault(f"{name} is empty", "a string that is not empty", '""', f"fill {name} in, or leave it out")
        yield from frame.report("empty", at, fault)
    elif node.pattern and not _compiled(node.pattern).fullmatch(value):
        fix = f"change {name} so that it matches {node.pattern}"
        yield from frame.report(
            "pattern", at, Fault(f"{name} is malformed", f"a match of {node.pattern}", brief(value), fix)
        )
    elif size < node.least or (node.most is not None and size > node.most):
        wanted = wording.amount(node.least, node.most, "character")
        fix = f"shorten {name} to {node.most} characters" if size >= node.least else f"lengthen {name}"
        fault = Fault(
            f"{name} is {wording.counted(size, 'character')} long", wanted, wording.counted(size, "character"), fix
        )
        yield from frame.report("length", at, fault)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


def unlisted(value: str, words: tuple[str, ...], at: str, frame: Frame, others: Others) -> Iterator[Violation]:
    """The violations of a string outside the list. An empty string is never an unknown new word."""
    refused = others == "refused"
    if not value and not refused:
        name = wording.subject(at)
        fault = Fault(f"{name} is empty", wording.listed(words), '""', f"fill {name} in, or leave it out")
        yield from frame.report("empty", at, fault)
        return
    if others == "silent":
        return
    near = closest(value, words, cutoff=_MISSPELLED)
    fix = f'write "{near}"' if near else f"use {wording.listed(words)}"
    what = "which is not an allowed value" if refused else "which is not a documented value"
    fault = Fault(f"{wording.subject(at)} is {brief(value)}, {what}", wording.listed(words), brief(value), fix)
    yield from frame.report("value", at, fault, Severity.ERROR if refused else UNDOCUMENTED[frame.side])


def number_violations(node: Number, found: float | str, at: str, frame: Frame) -> Iterator[Violation]:
    """The violations of a number: of its spelling, or its bounds."""
    name = wording.subject(at)
    value = unquoted(found) if isinstance(found, str) else found
    if node.whole and isinstance(value, float):
        fault = Fault(f"{name} is written as {brief(value)}", "only digits", brief(value), f"write {int(value)}")
        yield from frame.report("type", at, fault, WHOLE_FRACTION)
    if node.breaks(value):
        wanted = wording.ranged(node)
        fault = Fault(f"{name} is {brief(value)}", wanted, brief(value), f"choose a value {wanted}")
        yield from frame.report("range", at, fault)


def is_quoted(node: Number, value: str) -> bool:
    """Whether a string is a number in the form that protocol buffers may write."""
    return node.quoted and _compiled(DIGITS if node.whole else DECIMAL).fullmatch(value) is not None


def unquoted(value: str) -> float:
    """The number that a string contains."""
    return int(value) if _compiled(DIGITS).fullmatch(value) else float(value)


def flag_violations(node: Flag, value: bool, at: str, frame: Frame) -> Iterator[Violation]:  # noqa: FBT001
    """The violation of a boolean with only one allowed value."""
    if node.only is not None and value is not node.only:
        wanted = wording.described(node)
        fault = Fault(f"{wording.subject(at)} is {brief(value)}", wanted, brief(value), f"set it to {wanted}")
        yield from frame.report("value", at, fault)
