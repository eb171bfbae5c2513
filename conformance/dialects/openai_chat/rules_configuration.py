"""Changes of settings within a conversation: `configuration_update`, which OpenRouter has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.values import get, list_of

_UPDATE = "configuration_update"


@rule("chat-configuration-update-misplaced", scope="conversation", cites="OAC-Q-040")
def configuration_update_misplaced(view: View) -> Iterator[Hit]:
    """`configuration_update` must be in a message without content, before a user message, in all later requests.

    Elsewhere it changes the settings of another turn, and the prompt cache does not match.
    """
    messages = _messages(view)
    for number in _updates(messages):
        message, following = messages[number], (*messages[number + 1 : number + 2], {})[0]
        at = f"/messages/{number}"
        if message.get("content"):
            yield Hit(f"{at}/content", f"a message with `{_UPDATE}` has content", '""', brief(message["content"]))
        if not isinstance(following, dict) or following.get("role") != "user":
            last = not isinstance(following, dict) or "role" not in following
            found = "the end of the request" if last else brief(following["role"])
            yield Hit(f"{at}/{_UPDATE}", "no user message follows this", "user", found)
    yield from _moved(view, messages)


def _moved(view: View, messages: list[Any]) -> Iterator[Hit]:
    """The updates of the request that this one continues which are not where they were."""
    before = _messages(view.earlier[view.continues.earlier]) if view.continues is not None else []
    for number in _updates(before):
        now = messages[number] if number < len(messages) else None
        was, found = before[number][_UPDATE], now.get(_UPDATE) if isinstance(now, dict) else None
        if number < len(messages) and found != was:
            yield Hit(
                f"/messages/{number}", f"the earlier request has another `{_UPDATE}` here", brief(was), brief(found)
            )


def _updates(messages: list[Any]) -> list[int]:
    """The numbers of the messages with an update."""
    return [
        number
        for number, each in enumerate(messages)
        if isinstance(each, dict) and _UPDATE in each and each[_UPDATE] is not None
    ]


def _messages(view: View) -> list[Any]:
    return list_of(get(view.request, "messages"))
