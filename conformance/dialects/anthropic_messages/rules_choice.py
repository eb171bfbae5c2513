"""The tool choice of a Messages request, docs/contract/anthropic-messages.md, ANT-Q."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit


@rule(
    "messages-tool-choice-undeclared",
    scope="request",
    cites="ANT-Q-008",
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
