"""Changes of settings within a conversation: `configuration_update`, which OpenRouter has."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief

_UPDATE = "configuration_update"


@rule("chat-configuration-update-misplaced", scope="conversation", cites="OAC-Q-040")
def configuration_update_misplaced(view: View) -> Iterator[Hit]:
    """`configuration_update` must be in a message without content, before a user message, in all later requests.

    Elsewhere it changes the settings of another turn, and the prompt cache does not match.
    """
    messages = _messages(view)
    for number, (message, following) in enumerate(pairwise([*messages, {}])):
        if message.get(_UPDATE) is None:
            continue
        at = f"/messages/{number}"
        if message.get("content"):
            yield Hit(f"{at}/content", f"a message with `{_UPDATE}` has content", '""', brief(message["content"]))
        if following.get("role") != "user":
            found = brief(following["role"]) if "role" in following else "the end of the request"
            yield Hit(f"{at}/{_UPDATE}", "no user message follows this", "user", found)
    yield from _moved(view, messages)


def _moved(view: View, messages: list[dict[str, Any]]) -> Iterator[Hit]:
    """The updates of the request that this one continues which are not where they were."""
    before = _messages(view.earlier[view.continues.earlier]) if view.continues is not None else []
    for was, now, number in zip(before, messages, range(len(messages)), strict=False):
        if was.get(_UPDATE) is not None and now.get(_UPDATE) != was[_UPDATE]:
            message = f"the earlier request has another `{_UPDATE}` here"
            yield Hit(f"/messages/{number}", message, brief(was[_UPDATE]), brief(now.get(_UPDATE)))


def _messages(view: View) -> list[dict[str, Any]]:
    found = view.request.get("messages") if isinstance(view.request, dict) else None
    return [each if isinstance(each, dict) else {} for each in found] if isinstance(found, list) else []
