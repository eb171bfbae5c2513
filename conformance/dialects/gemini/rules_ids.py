"""The ids of Gemini's calls, which only some models write. docs/contract/gemini.md, GEM-C-004."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.gemini.chunks import chunks
from conformance.dialects.gemini.wire import candidate_parts, candidates
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.pointer import MISSING, join


def _calls(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    for body, pointer in chunks(view):
        for candidate, where in candidates(body, pointer):
            for part, place in candidate_parts(candidate, where):
                call = part.get("functionCall")
                if isinstance(call, dict) and ("name" in call or "id" in call):
                    yield call, join(place, "functionCall")


@rule(
    "gemini-call-ids-incomplete",
    scope="reply",
    cites="GEM-C-004",
    severity=Severity.WARNING,
    because="ids dropped on the call and the response alike were accepted",
)
def call_ids_incomplete(view: View) -> Iterator[Hit]:
    """Either all calls of a reply must have an id or none, and no id may be empty.

    Clients match results by id, or by order if there are no ids; a mixture cannot be matched either way.
    """
    found = list(_calls(view))
    some = any(call.get("id") for call, _ in found)
    for call, pointer in found:
        if call.get("id", MISSING) == "":
            yield Hit(join(pointer, "id"), "the id is empty", "an id, or no `id` at all", '""')
        elif some and call.get("id") is None:
            yield Hit(pointer, "this call has no id, but others of the reply have one", "an id", "none")
