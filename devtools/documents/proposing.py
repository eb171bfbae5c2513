"""Which relation a field probably has, by its name and type, as tools that test an API find producers and consumers."""

from __future__ import annotations

import re

from devtools.documents.walking import Place

_SUSPECT = re.compile(
    r"^(id|ids|name|names|index|cursor|.*_ids?|.*Ids?|.*_index|.*Index|.*_tokens?|.*TokenCount|.*_count|.*Count"
    r"|.*_?[sS]chema|start_.*|end_.*|start[A-Z].*|end[A-Z].*|.*_name|.*Name|.*Token|nextCursor)$"
)
_PROPOSALS: tuple[tuple[str, str], ...] = (
    (r"^(start|end)(_|[A-Z]).*", "range of"),
    (r".*(_index|Index)$|^index$", "index into"),
    (r"^total_tokens$|^totalTokenCount$|.*(_tokens|TokenCount|Tokens)$", "count of"),
    (r".*(_count|Count)$|^count$", "count of"),
    (r".*[sS]chema$|^parameters$", "schema for"),
    (r"^(arguments|args)$", "instance of"),
    (r"^id$", "introduces"),
    (r".*(_ids?|Ids?)$|^cursor$", "refers to"),
)


def needs_reason(place: Place) -> bool:
    """Whether the name of a field suggests a relation, so that it is free only with a reason."""
    return bool(_SUSPECT.match(place.field))


def proposal(place: Place) -> str:
    """The relation that a field probably has; `free` where the name suggests none, empty where it suggests nothing."""
    kind = next((kind for pattern, kind in _PROPOSALS if re.fullmatch(pattern, place.field)), "")
    if not kind:
        return "" if needs_reason(place) else "free"
    return f"{kind} {_what(kind, place)}"


def _what(kind: str, place: Place) -> str:
    if kind == "introduces":
        return place.group.partition("[")[2].rstrip("]") or place.group
    words = re.sub(r"(_ids?|Ids?|_index|Index|_count|Count|_?[sS]chema|^(start|end)_?)$", "", place.field)
    return words or place.group
