"""What the request said about the model's freedom to call is what the reply does."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.example import example, insert, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.transcript import Choice, ToolCall, Turn

_CHOICE = "/0/request/body/tool_choice"
_CUT = (None, "length", "filter", "pause", "error")
"""How a turn ends that might have called, had it gone on."""


@rule(
    "tool-choice-ignored",
    severity={"": Severity.ERROR, "gemini": Severity.WARNING},
    scope="reply",
    basis="documented",
    cites=[
        "OAC-R-014 openai 2.54 types/chat/completion_create_params.py",
        "ANT-R-008 anthropic 2.11 types/tool_choice_any_param.py",
        "GEM-R-006 google-genai 2.34 google/genai/types.py FunctionCallingConfig",
        "OAR-R-008 openai/openai-openapi openapi.json#/components/schemas/ToolChoiceParam",
    ],
    conforming=[
        example("gemini/forced-call"),
        example("openai-chat/call", put(_CHOICE, "required")),
        example("openai-chat/answer", put(_CHOICE, "none")),
        example("anthropic-messages/required"),
        example("anthropic-messages/named-serial"),
        example("anthropic-messages/none"),
        example(
            "anthropic-messages/stream-server-tool",
            put("/0/request/body/tool_choice", {"type": "tool", "name": "web_search"}),
        ),
        example("openai-responses/answer"),
    ],
    violating=[
        example(
            "gemini/forced-call",
            put("/0/response/body/candidates/0/content/parts", [{"text": "Warm."}]),
            at="0 response /candidates/0",
        ),
        example("openai-chat/answer", put(_CHOICE, "required"), at="0 response /choices/0"),
        example(
            "openai-chat/call",
            put(_CHOICE, "none"),
            put(
                "/0/response/body/choices/0/message/tool_calls",
                [{"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": "{}"}}],
            ),
            at="0 response /choices/0/message/tool_calls/0",
        ),
        example(
            "openai-chat/call",
            put(_CHOICE, {"type": "function", "function": {"name": "get_weather"}}),
            put("/0/response/body/choices/0/message/tool_calls/1/function/name", "get_time"),
            at="0 response /choices/0/message/tool_calls/1",
        ),
        example(
            "anthropic-messages/answer",
            put("/0/request/body/tool_choice", {"type": "any"}),
            at="0 response /content",
        ),
        example(
            "anthropic-messages/none",
            insert(
                "/0/response/body/content/1", {"type": "tool_use", "id": "toolu_01", "name": "get_weather", "input": {}}
            ),
            at="0 response /content/1",
        ),
        example("openai-responses/answer", put("/0/request/body/tool_choice", "required"), at="0 response /output"),
    ],
)
def tool_choice_ignored(view: View) -> Iterator[Hit]:
    """A reply obeys the tool choice: none gives no call, required at least one, a named tool only that tool.

    Callers force a choice to get structured output, or forbid it to end a run; both break when it is ignored.
    """
    choice = view.ask.choice
    if choice is None:
        return
    for turn in view.replies:
        calls = [part for part in turn.parts if isinstance(part, ToolCall)]
        if choice.mode == "none":
            for call in turn.calls:
                yield Hit(call.pointer, f"{call.name} is called although the tool choice is none", "no call", call.name)
            continue
        yield from _forced(choice, turn, calls)


def _forced(choice: Choice, turn: Turn, calls: list[ToolCall]) -> Iterator[Hit]:
    if choice.mode in ("required", "named") and not calls and turn.stop not in _CUT:
        wanted = f"a call of {' or '.join(choice.names)}" if choice.names else "a tool call"
        yield Hit(turn.pointer, f"no call although the tool choice is {choice.mode}", wanted, "no call")
    for call in turn.calls:
        if choice.names and call.name and call.name not in choice.names:
            yield Hit(
                call.pointer,
                f"{call.name} is called, which the tool choice does not allow",
                " or ".join(choice.names),
                call.name,
            )


@rule(
    "parallel-calls-unexpected",
    severity=Severity.ERROR,
    scope="reply",
    basis="documented",
    cites=[
        "OAC-R-013 openai/openai-openapi openapi.json#/components/schemas/ParallelToolCalls",
        "ANT-R-008 anthropic 2.11 types/tool_choice_auto_param.py",
        "OAR-R-008 openai/openai-openapi openapi.json#/components/schemas/ParallelToolCalls",
    ],
    bugs=["vllm-project/vllm#9451", "vllm-project/vllm#26233", "sgl-project/sglang#9696", "OrcaRouter-Lite#124"],
    conforming=[
        example("openai-chat/call", put("/0/request/body/parallel_tool_calls", True)),
        example("openai-chat/answer", put("/0/request/body/parallel_tool_calls", False)),
        example("anthropic-messages/named-serial"),
        example("openai-responses/answer"),
    ],
    violating=[
        example(
            "openai-chat/call",
            put("/0/request/body/parallel_tool_calls", False),
            at="0 response /choices/0/message/tool_calls/1",
        ),
        example(
            "anthropic-messages/required",
            put("/0/request/body/tool_choice/disable_parallel_tool_use", True),
            at="0 response /content/1",
        ),
        example("openai-responses/call", put("/0/request/body/parallel_tool_calls", False), at="0 response /output/1"),
    ],
)
def parallel_calls_unexpected(view: View) -> Iterator[Hit]:
    """A reply holds at most one call where the request switched parallel calls off.

    Callers switch them off because their tools must run one after the other.
    """
    if view.ask.parallel is not False:
        return
    for turn in view.replies:
        if len(turn.calls) > 1:
            yield Hit(
                turn.calls[1].pointer,
                f"{len(turn.calls)} calls although parallel calls are switched off",
                "at most one call",
                f"{len(turn.calls)} calls",
            )
