"""The meaning of a contract's rule id in words: given for its own ids, derived from the kind for others.

A dialect's folder has those of its own ids in `rules.yaml`; an entry for a generic id is more specific than the derived
words. The file is read for explanations and lists, and never to judge.

    chat-messages-empty:
      requirement: A request must have at least one message.
      consequence: The provider refuses it.
      also: [MAP-003]
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from conformance.contract.brief import folder_of
from conformance.contract.citation import DEFECTS, Kind, Side
from conformance.model.data_files import read_data
from conformance.model.frozen import dataclass

FILE = "rules.yaml"


@dataclass(frozen=True, slots=True)
class Requirement:
    """What must hold, in one sentence, and what breaks in practice.

    `also` are the numbers of further statements that the rule checks, beside those that its rows cite; `because` states
    why their severity is another one.
    """

    text: str
    consequence: str
    also: tuple[str, ...] = ()
    because: str = ""


@cache
def requirements_of(package: str) -> Mapping[str, Requirement]:
    """The requirements of a package's own rule ids."""
    folder = folder_of(package)
    if folder is None or not (folder / FILE).is_file():
        return {}
    return {
        name: Requirement(
            each["requirement"], each["consequence"], tuple(each.get("also", ())), each.get("because", "")
        )
        for name, each in read_data(folder / FILE).items()
    }


def generic(kind: Kind, side: Side, prefix: str, subject: str) -> Requirement:
    """The requirement of a kind of violation under its generic id."""
    what = f"{prefix.upper() if len(prefix) <= 3 else prefix.capitalize()} {_plural(subject)}"
    return Requirement(_TEXTS[kind].format(what), _CONSEQUENCES.get((kind, side)) or _CONSEQUENCE[side])


def _plural(subject: str) -> str:
    return f"{subject[:-1]}ies" if subject.endswith("y") else f"{subject}s"


_TEXTS: Mapping[Kind, str] = {
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
_CONSEQUENCE: Mapping[Side, str] = {
    "request": "The provider refuses the request, or ignores the field.",
    "reply": "Typed clients fail to parse it, or continue with a default instead of the value.",
}
_CONSEQUENCES: Mapping[tuple[Kind, Side], str] = {
    ("missing", "reply"): "Typed clients fail to parse it; others read the missing field and fail far from the cause.",
    ("null", "reply"): "Clients in typed languages follow the documents and fail on the null.",
    ("null", "request"): "Some servers read null as a value, and refuse it.",
    ("value", "reply"): "Clients that decide by the value do not handle it.",
    ("deprecated", "request"): "A provider removes deprecated fields, and refuses them from then on.",
    ("unknown", "request"): "The provider refuses the request, or ignores the field: the setting has no effect.",
}

KINDS: Mapping[str, Kind] = {defect: kind for kind, defect in DEFECTS.items()}
"""The kind of a generic id, by its defect."""
