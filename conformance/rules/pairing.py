"""Calls and results belong together: every call is answered once, every result answers a call."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.example import change, drop, example, insert, put, swap
from conformance.judge.pairing import pair
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity

_RESULT = {"role": "tool", "tool_call_id": "call_m3N4o5P6q7R8s9T0u1V2w3X4", "content": "17.9"}


@rule(
    "tool-call-unanswered",
    severity=Severity.ERROR,
    scope="request",
    basis="observed",
    cites=[
        "OAC-C-001 aliasrobotics/cai#111",
        "ANT-C-001 anthropics/claude-code#1237",
        "GEM-C-001 google-gemini/gemini-cli#16415",
        "GEM-C-002 recorded traffic 8/8",
        "OAR-C-001 continuedev/continue#11785",
        "LLA-C-001 meta-llama/llama-models models/llama3_1/prompt_format.md",
        "QWE-C-002 QwenLM/Qwen-Agent qwen_agent/llm/fncall_prompts/nous_fncall_prompt.py",
        "PFC-C-001 ThinkInAIxyz/deepchat src/main/provider/aiSdk/toolProtocol.ts",
        "LCB-C-001 requests of langchain-openai 1.7.3",
        "MAP-010 aliasrobotics/cai#111",
        "REA-C-001 QwenLM/Qwen-Agent qwen_agent/agents/react_chat.py",
    ],
    bugs=[
        "anthropics/claude-code#8612",
        "All-Hands-AI/OpenHands#7512",
        "anthropics/claude-code#6575",
        "mlflow/mlflow#24296",
        "anomalyco/opencode#41445",
        "agno-agi/agno#6890",
        "req_llm#250",
        "microsoft/semantic-kernel#14073",
    ],
    conforming=[
        example("gemini/answer"),
        example("gemini/unmerged"),
        example("openai-chat/answer"),
        example("anthropic-messages/answer"),
        example(
            "anthropic-messages/answer",
            insert(
                "/0/request/body/messages/2",
                {
                    "role": "user",
                    "content": [
                        {"type": "tool_result", "tool_use_id": "toolu_01A1b2C3d4E5f6G7h8I9j0K1", "content": "14.2"}
                    ],
                },
            ),
            drop("/0/request/body/messages/3/content/0"),
        ),
        example("openai-responses/answer"),
        example("openai-responses/run-previous"),
        example("llama3-json/run"),
        example("llama3-builtin/search-run"),
        example("prompted/answer"),
        example("prompted/split-records"),
        example("qwen3/answer"),
        example("react/answer"),
        example("react/turns"),
    ],
    violating=[
        example(
            "gemini/answer", drop("/0/request/body/contents/2/parts/1"), at="0 request /contents/1/parts/1/functionCall"
        ),
        example(
            "openai-chat/answer",
            drop("/0/request/body/messages/3"),
            at="0 request /messages/1/tool_calls/1",
        ),
        example(
            "anthropic-messages/answer",
            drop("/0/request/body/messages/2/content/1"),
            at="0 request /messages/1/content/2",
        ),
        example("openai-responses/answer", drop("/0/request/body/input/4"), at="0 request /input/2"),
        example("openai-responses/run-previous", drop("/1/request/body/input/1"), at="1 request /previous_response_id"),
        example("llama3-json/run", change("/1/request/body/prompt", ">ipython<", ">user<"), at="1 request /prompt"),
        example("prompted/split-records", drop("/0/request/body/messages/4"), at="0 request /messages/2/content"),
        example(
            "qwen3/answer",
            change("/0/request/body/prompt", "</tool_response>\n<tool_response>\n", ""),
            at="0 request /prompt",
        ),
        example("react/turns", put("/0/request/body/messages/3/content", "And?"), at="0 request /messages/2/content"),
    ],
)
def tool_call_unanswered(view: View) -> Iterator[Hit]:
    """Every tool call in the history has its result in the next turn.

    Providers refuse the whole request with a 400 when one call is left open, so the conversation is stuck. Gemini
    counts the responses of a turn that has some; a turn of text alone it has been seen to accept.
    """
    for _, following, pairing in view.answered:
        if following is None and not view.dialect.answers_last_call:
            continue
        answers = following.results if following else ()
        accepted = not answers and getattr(view.dialect, "accepts_unanswered_calls", False)
        for call in pairing.unanswered:
            yield Hit(
                call.pointer,
                f"tool call {call.id or '(no id)'} ({call.name}) has no result",
                "a tool result in the next turn",
                f"results for {[each.call_id or each.name for each in answers]}" if following else "the history ends",
                severity=Severity.WARNING if accepted else None,
            )


@rule(
    "tool-result-orphaned",
    severity=Severity.ERROR,
    scope="request",
    basis="observed",
    cites=[
        "OAC-C-002 miurla/morphic#136",
        "ANT-C-003 anthropics/claude-code#13460",
        "GEM-C-006 langchain-ai/langchain#27799",
        "GEM-C-001 google-gemini/gemini-cli#16415",
        "OAR-C-002 james-6-23/codex2api#414",
        "QWE-C-002 QwenLM/Qwen-Agent qwen_agent/llm/fncall_prompts/nous_fncall_prompt.py",
    ],
    bugs=[
        "anthropics/claude-code#13460",
        "pipecat-ai/pipecat#3420",
        "mlflow/mlflow#24296",
        "anomalyco/opencode#41445",
        "agno-agi/agno#6890",
        "req_llm#250",
        "microsoft/semantic-kernel#14073",
        "router-for-me/CLIProxyAPI#5692",
    ],
    conforming=[
        example("gemini/answer"),
        example("openai-chat/answer"),
        example("anthropic-messages/answer"),
        example("anthropic-messages/error-result"),
        example("openai-responses/answer"),
        example("openai-responses/run-previous"),
        example("llama3-custom/run"),
        example("prompted/answer"),
        example("qwen3/answer"),
        example("react/turns"),
    ],
    violating=[
        example(
            "gemini/answer",
            put("/0/request/body/contents/2/parts/0/functionResponse/id", "nobodys"),
            at="0 request /contents/2/parts/0/functionResponse",
        ),
        example(
            "openai-chat/answer",
            put("/0/request/body/messages/2/tool_call_id", "call_of_nobody"),
            at="0 request /messages/2",
        ),
        example(
            "openai-chat/answer",
            insert("/0/request/body/messages/1", {"role": "tool", "tool_call_id": "call_1", "content": "x"}),
            at="0 request /messages/1",
        ),
        example(
            "anthropic-messages/answer",
            put("/0/request/body/messages/2/content/0/tool_use_id", "toolu_01nobody"),
            at="0 request /messages/2/content/0",
        ),
        example(
            "openai-responses/answer", put("/0/request/body/input/3/call_id", "call_of_nobody"), at="0 request /input/3"
        ),
        example(
            "llama3-custom/answer",
            change("/0/request/body/prompt", "<function=get_weather>", "Calling get_weather: "),
            at="0 request /prompt",
        ),
        example(
            "qwen3/answer",
            change("/0/request/body/prompt", "17.9}", "17.9}\n</tool_response>\n<tool_response>\n1"),
            at="0 request /prompt",
        ),
        example("react/turns", drop("/0/request/body/messages/2"), at="0 request /messages/2/content"),
    ],
)
def tool_result_orphaned(view: View) -> Iterator[Hit]:
    """Every tool result answers a call of the turn before it.

    A result that answers nothing is refused with a 400, or taken for the answer to another call.
    """
    history = view.history
    for number, turn in enumerate(history):
        if not turn.results or (number == 0 and view.partial):  # the server keeps the calls, we can not see them
            continue
        calls = history[number - 1].calls if number else ()
        for result in pair(calls, turn.results).orphans:
            yield Hit(
                result.pointer,
                f"tool result for {result.call_id or result.name or '(no id)'} answers no call of the turn before",
                f"one of {[call.id or call.name for call in calls]}" if calls else "a turn with tool calls before it",
                result.call_id or result.name,
            )


@rule(
    "tool-result-duplicate",
    severity=Severity.WARNING,
    scope="request",
    basis="observed",
    cites=[
        "OAC-C-003 unverified: no source states it, no recording breaks it",
        "ANT-C-007 unverified: no source states it, no recording breaks it",
        "GEM-C-001 google-gemini/gemini-cli#16415",
    ],
    bugs=["diegosouzapw/OmniRoute#13334"],
    conforming=[
        example("gemini/answer"),
        example("openai-chat/answer"),
        example("anthropic-messages/answer"),
        example("openai-responses/answer"),
    ],
    violating=[
        example(
            "gemini/answer",
            insert(
                "/0/request/body/contents/2/parts/2",
                {"functionResponse": {"id": "j80tal12", "name": "get_weather", "response": {}}},
            ),
            at="0 request /contents/2/parts/2/functionResponse",
        ),
        example("openai-chat/answer", insert("/0/request/body/messages/4", _RESULT), at="0 request /messages/4"),
        example(
            "anthropic-messages/answer",
            put("/0/request/body/messages/2/content/1/tool_use_id", "toolu_01A1b2C3d4E5f6G7h8I9j0K1"),
            at="0 request /messages/2/content/1",
        ),
        example(
            "openai-responses/answer",
            insert(
                "/0/request/body/input/5",
                {"type": "function_call_output", "call_id": "call_m3N4o5P6q7R8s9T0u1V2w3X4", "output": "17.9"},
            ),
            at="0 request /input/5",
        ),
    ],
)
def tool_result_duplicate(view: View) -> Iterator[Hit]:
    """Every tool call has one result, not several.

    A call that a client ran or reported twice leaves the model with two truths, and some servers refuse it.
    """
    for _, _, pairing in view.answered:
        for call, result in pairing.repeated:
            yield Hit(
                result.pointer,
                f"tool call {call.id or call.name} is answered a second time",
                "one result for each call",
                result.call_id or result.name,
            )


@rule(
    "tool-result-out-of-order",
    severity={"": Severity.WARNING, "gemini": Severity.INFO},
    scope="request",
    basis="observed",
    cites=[
        "OAC-C-004 recorded traffic 129/129",
        "ANT-C-008 recorded traffic 158/158",
        "GEM-C-003 recorded traffic 113/113",
        "QWE-C-001 QwenLM/Qwen3 chat template",
        "PFC-C-001 ThinkInAIxyz/deepchat src/main/provider/aiSdk/toolProtocol.ts",
    ],
    conforming=[
        example("gemini/answer"),
        example("openai-chat/answer"),
        example("anthropic-messages/answer"),
        example("openai-responses/answer"),
    ],
    violating=[
        example(
            "gemini/answer",
            swap("/0/request/body/contents/2/parts/0", "/0/request/body/contents/2/parts/1"),
            at="0 request /contents/2/parts/1/functionResponse",
        ),
        example(
            "openai-chat/answer",
            swap("/0/request/body/messages/2", "/0/request/body/messages/3"),
            at="0 request /messages/3",
        ),
        example(
            "anthropic-messages/answer",
            swap("/0/request/body/messages/2/content/0", "/0/request/body/messages/2/content/1"),
            at="0 request /messages/2/content/1",
        ),
        example(
            "openai-responses/answer",
            swap("/0/request/body/input/3", "/0/request/body/input/4"),
            at="0 request /input/4",
        ),
    ],
)
def tool_result_out_of_order(view: View) -> Iterator[Hit]:
    """Tool results come in the order of their calls.

    Servers that pair by position, and chat templates that drop ids, give each result to the wrong call.
    """
    for turn, _, pairing in view.answered:
        places = {id(call): number for number, call in enumerate(turn.calls)}
        furthest = -1
        for call, result in pairing.pairs:
            place = places[id(call)]
            if place < furthest:
                yield Hit(
                    result.pointer,
                    f"the result of {call.id or call.name} comes after that of a later call",
                    f"result {place} of the turn",
                    "a later place",
                )
                break
            furthest = place


@rule(
    "tool-result-name-mismatch",
    severity={"": Severity.WARNING, "gemini": Severity.ERROR},
    scope="request",
    basis="observed",
    cites=[
        "GEM-C-003 recorded traffic 113/113",
        "PFC-C-001 ThinkInAIxyz/deepchat src/main/provider/aiSdk/toolProtocol.ts",
    ],
    conforming=[
        example("gemini/answer"),
        example("openai-chat/answer", put("/0/request/body/messages/2/name", "get_weather")),
        example("prompted/split-records"),
    ],
    violating=[
        example(
            "gemini/answer",
            put("/0/request/body/contents/2/parts/0/functionResponse/name", "get_time"),
            at="0 request /contents/2/parts/0/functionResponse",
        ),
        example(
            "openai-chat/answer",
            put("/0/request/body/messages/2/name", "get_time"),
            at="0 request /messages/2",
        ),
    ],
)
def tool_result_name_mismatch(view: View) -> Iterator[Hit]:
    """A tool result that names its tool names the tool of the call it answers.

    The id says one call and the name another: whichever the server believes, the other half is wrong.
    """
    for _, _, pairing in view.answered:
        for call, result in pairing.pairs:
            if result.name and call.name and result.name != call.name:
                yield Hit(
                    result.pointer,
                    f"the result of {call.id or call.name} names another tool",
                    call.name,
                    result.name,
                )
