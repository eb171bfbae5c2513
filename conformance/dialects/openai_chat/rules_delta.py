"""Calls of Chat replies in fields that no client reads, OAC-R and OAC-S."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from conformance.dialects.openai_chat.stream import choice_entries
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.pointer import join
from conformance.profiles.documented import documented

_MEMBER = re.compile(r"(?:reply /choices/\*/message|chunk /choices/\*/delta)/(\w+)")
_KNOWN = frozenset({"role", "content", "refusal", "tool_calls", "function_call", "audio", "annotations"})


@rule(
    "chat-tool-call-misplaced",
    scope="reply",
    cites=["OAC-R-007", "OAC-S-016"],
    severity=Severity.WARNING,
    because="the field is one of the server's own, which no document forbids",
)
def tool_call_misplaced(view: View) -> Iterator[Hit]:
    """Calls must be in `tool_calls`, not in a field of the server's own.

    Clients read only the fields of the contract: they see a message that ends for calls but has none.
    """
    reported: set[str] = set()
    known = _KNOWN | _documented(view.provider)
    for message, at in _messages(view):
        for key, value in message.items():
            if key not in known and key not in reported and _holds_call(value):
                reported.add(key)
                yield Hit(join(at, key), "a call is in a field that is not in the contract", "tool_calls", key)


@cache
def _documented(provider: str | None) -> frozenset[str]:
    """The members of a message, or of a delta, that a provider's own document has."""
    own = documented(provider) if provider else None
    places = (row["at"] for row in own.rows.get("openai-chat", ())) if own else ()
    return frozenset(found[1] for each in places if (found := _MEMBER.fullmatch(each)))


def _messages(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """The messages of a plain reply, or the deltas of a streamed one, each with its pointer."""
    if view.events is not None:
        placed = ((entry, at, "delta") for event in view.events for entry, at in choice_entries(event))
    else:
        choices = view.response.get("choices") if isinstance(view.response, dict) else None
        listed = enumerate(choices if isinstance(choices, list) else ())
        placed = ((entry, join("/choices", number), "message") for number, entry in listed if isinstance(entry, dict))
    for entry, at, key in placed:
        if isinstance(entry.get(key), dict):
            yield entry[key], join(at, key)


def _holds_call(value: Any) -> bool:
    """Whether the value is a call, or a list with one: a name, and arguments by one of their names."""
    if isinstance(value, list):
        return any(map(_holds_call, value))
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("function"), dict):
        return _holds_call(value["function"])
    return isinstance(value.get("name"), str) and not value.keys().isdisjoint({"arguments", "parameters", "input"})
