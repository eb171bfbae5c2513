"""Names of the calls in a reply: the client must be able to declare them and to send them back."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.transcript import calls_of

_LEGAL = re.compile(r"[A-Za-z0-9_.:/-]+")
"""The characters that at least one dialect allows in a name; the rules of its requests are stricter."""


@rule(
    "tool-call-name-invalid",
    scope="reply",
    cites="ANY-127",
    opt_in=True,
    about="calls",
)
def tool_call_name_invalid(view: View) -> Iterator[Hit]:
    """The name of a call in a reply must consist of characters that are allowed in tool names.

    Other characters are the model's markup or part of its arguments: no tool has such a name, and the
    provider rejects a history with it.
    """
    declared = {tool.name for tool in view.ask.tools or ()}
    for call in calls_of(view.replies):
        if call.name and call.name not in declared and not _LEGAL.fullmatch(call.name):
            yield Hit(
                call.pointer,
                "the name contains characters that are not allowed in tool names",
                "letters, digits, underscores, hyphens",
                brief(call.name),
            )
