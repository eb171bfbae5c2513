"""Calls and results belong together: every call is answered, every result answers a call."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.example import drop, example, put
from conformance.finding import Hit, Severity
from conformance.pairing import pair
from conformance.rule import rule
from conformance.view import View


@rule(
    "unanswered-tool-call",
    severity=Severity.ERROR,
    scope="request",
    basis="observed",
    cites=[
        "OAC-C-001 aliasrobotics/cai#111",
        "ANT-C-001 anthropics/claude-code#1237",
        "GEM-C-001 google-gemini/gemini-cli#16415",
    ],
    bugs=["anthropics/claude-code#8612", "All-Hands-AI/OpenHands#7512"],
    conforming=[example("openai-chat/answer")],
    violating=[
        example(
            "openai-chat/answer",
            drop("/0/request/body/messages/3"),
            at="0 request /messages/1/tool_calls/1",
        ),
    ],
)
def unanswered_tool_call(view: View) -> Iterator[Hit]:
    """Every tool call in the history has its result in the next turn.

    Providers refuse the whole request with a 400 when one call is left open, so the conversation is stuck.
    """
    history = view.history
    for number, turn in enumerate(history):
        if not turn.calls:
            continue
        last = number + 1 == len(history)
        if last and not view.dialect.answers_last_call:
            continue
        answers = () if last else history[number + 1].results
        for call in pair(turn.calls, answers).unanswered:
            yield Hit(
                call.pointer,
                f"tool call {call.id or '(no id)'} ({call.name}) has no result",
                "a tool result in the next turn",
                "the history ends here" if last else f"results for {[each.call_id or each.name for each in answers]}",
            )


@rule(
    "orphan-tool-result",
    severity=Severity.ERROR,
    scope="request",
    basis="observed",
    cites=[
        "OAC-C-002 miurla/morphic#136",
        "ANT-C-003 anthropics/claude-code#13460",
        "GEM-C-006 langchain-ai/langchain#27799",
    ],
    bugs=["anthropics/claude-code#13460"],
    conforming=[example("openai-chat/answer")],
    violating=[
        example(
            "openai-chat/answer",
            put("/0/request/body/messages/2/tool_call_id", "call_of_nobody"),
            at="0 request /messages/2",
        ),
    ],
)
def orphan_tool_result(view: View) -> Iterator[Hit]:
    """Every tool result answers a call of the turn before it.

    A result that answers nothing is refused with a 400, or taken for the answer to another call.
    """
    history = view.history
    for number, turn in enumerate(history):
        if not turn.results:
            continue
        calls = history[number - 1].calls if number else ()
        for result in pair(calls, turn.results).orphans:
            yield Hit(
                result.pointer,
                f"tool result for {result.call_id or result.name or '(no id)'} answers no call of the turn before",
                f"one of {[call.id or call.name for call in calls]}" if calls else "a turn with tool calls before it",
                result.call_id or result.name,
            )
