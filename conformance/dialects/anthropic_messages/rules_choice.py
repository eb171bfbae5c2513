"""The tool choice of a Messages request, docs/contract/anthropic-messages.md, ANT-Q."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.example import example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity

_CALL = "anthropic-messages/call"
_CHOICE = "/0/request/body/tool_choice"


@rule(
    "messages-tool-choice-undeclared",
    severity=Severity.ERROR,
    scope="request",
    basis="sdk-type",
    cites=["ANT-Q-008 anthropic 2.11 types/tool_choice_tool_param.py"],
    conforming=[example("anthropic-messages/named-serial")],
    violating=[example(_CALL, put(_CHOICE, {"type": "tool", "name": "get_time"}), at="0 request /tool_choice/name")],
    part="settings",
)
def tool_choice_undeclared(view: View) -> Iterator[Hit]:
    """A tool choice of type tool must name a declared tool.

    The server refuses a choice of an undeclared tool.
    """
    choice, tools = view.ask.choice, view.ask.tools
    if choice is None or choice.mode != "named" or tools is None:
        return
    declared = [tool.name for tool in tools]
    for name in choice.names:
        if name not in declared:
            yield Hit(
                "/tool_choice/name", f"the choice names {name}, which is not declared", f"one of {declared}", name
            )
