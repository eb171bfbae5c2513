"""The meaning of a contract's rule id in words: given for its own ids, derived from the kind for others.

A dialect's contract package names its own in `STATEMENTS`, a mapping of rule ids; an entry for a generic id is more
specific than the derived words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from conformance.judge.contract.tell import DEFECTS, Kind, Side
from conformance.judge.example import Example


@dataclass(frozen=True, slots=True)
class Statement:
    """The requirement in one sentence, and `why`: what breaks in practice.

    `cites` are added to those of the rows: `ID source`. Missing examples are derived from the rows.
    """

    says: str
    why: str
    cites: tuple[str, ...] = ()
    basis: Literal["documented", "schema", "sdk-type", "observed"] = "schema"
    bugs: tuple[str, ...] = ()
    violating: tuple[Example, ...] = ()
    conforming: tuple[Example, ...] = ()


def source_of(cite: str, document: str, statement: Statement | None) -> str:
    """A row's citation with its source: the statement's source for the number, or else the document."""
    if " " in cite:
        return cite
    known = (each for each in (statement.cites if statement else ()) if each.startswith(f"{cite} "))
    return next(known, f"{cite} {document.partition(' ')[2]}")


def generic(kind: Kind, side: Side, prefix: str, subject: str) -> Statement:
    """The statement of a kind of violation under its generic id."""
    what = f"{prefix.upper() if len(prefix) <= 3 else prefix.capitalize()} {_plural(subject)}"
    return Statement(_SAYS[kind].format(what), _WHY_EACH.get((kind, side)) or _WHY[side])


def _plural(subject: str) -> str:
    return f"{subject[:-1]}ies" if subject.endswith("y") else f"{subject}s"


_SAYS: Mapping[Kind, str] = {
    "missing": "{} must have every required field.",
    "type": "Every field of {} must have its documented JSON type.",
    "null": "A field of {} should be null only where null is documented.",
    "value": "A field of {} with a list of allowed values must have one of them.",
    "range": "Numbers in {} must be within their documented range.",
    "empty": "Strings and arrays in {} that need content must not be empty.",
    "length": "Strings in {} must have a documented length.",
    "pattern": "Strings in {} must match their documented patterns.",
    "count": "Arrays and maps in {} must have a documented number of entries.",
    "duplicate": "Arrays in {} with unique items must not have an item twice.",
    "unknown": "{} must not have fields that the provider does not accept there, such as those of another API.",
    "deprecated": "{} should not use deprecated fields.",
    "conflict": "{} must not combine fields that exclude each other.",
    "dependency": "Fields of {} must come together with the fields that they need.",
}
_WHY: Mapping[Side, str] = {
    "request": "The provider refuses the request, or ignores the field.",
    "reply": "Typed clients fail to parse it, or continue with a default instead of the value.",
}
_WHY_EACH: Mapping[tuple[Kind, Side], str] = {
    ("missing", "reply"): "Typed clients fail to parse it; others read the missing field and fail far from the cause.",
    ("null", "reply"): "Clients in typed languages follow the documents and fail on the null.",
    ("null", "request"): "Some servers read null as a value, and refuse it.",
    ("value", "reply"): "Clients that decide by the value do not handle it.",
    ("deprecated", "request"): "A provider removes deprecated fields, and refuses them from then on.",
    ("unknown", "request"): "The provider refuses the request, or ignores the field: the setting has no effect.",
}

KINDS: Mapping[str, Kind] = {defect: kind for kind, defect in DEFECTS.items()}
"""The kind of a generic id, by its defect."""
