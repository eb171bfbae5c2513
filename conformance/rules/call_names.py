"""Names of the calls in a reply: they can be sent back, and declared."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.transcript import calls_of

_LEGAL = re.compile(r"[A-Za-z0-9_.:/-]+")
"""The characters that some dialect allows in a name; which of them, its request's rules say."""


@rule(
    "tool-call-name-invalid",
    severity=Severity.ERROR,
    scope="reply",
    cites=["ANY-127 property of this suite"],
    opt_in=True,
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
