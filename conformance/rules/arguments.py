"""Arguments of tool calls: a JSON object that fits the schema which the tool declared."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.example import change, drop, example, put
from conformance.judge.rule import rule
from conformance.judge.tool_schema import misfits
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit, Severity
from conformance.model.transcript import Malformed, ToolCall, Turn, calls_of

_ARGUMENTS = "/0/response/body/choices/0/message/tool_calls/0/function/arguments"
_CALL = "/choices/0/message/tool_calls/0"


def _severity(view: View, turn: Turn, call: ToolCall) -> Severity:
    """How bad broken arguments are.

    Where arguments are text, a model can write it wrongly by itself, unless the tool is strict; a stream of
    fragments that do not add up is the server's doing. A reply that was cut off may end anywhere.
    """
    if turn.stop in ("length", "filter"):
        return Severity.WARNING
    tool = view.ask.tool(call.name)
    strict = tool is not None and tool.strict
    joined = view.streamed and view.dialect.host is None
    return Severity.ERROR if joined or strict or call.wire is None else Severity.WARNING


def _judged(view: View) -> Iterator[tuple[Turn, ToolCall]]:
    """The calls of the reply whose arguments are JSON."""
    for turn in view.replies:
        for call in turn.calls:
            if call.kind == "function":
                yield turn, call


@rule(
    "arguments-malformed",
    severity=Severity.ERROR,
    scope="reply",
    basis="observed",
    cites=[
        "OAC-R-011 openai 2.54 types/chat/chat_completion_message_function_tool_call.py",
        "OAC-S-012 recorded traffic 105/105",
        "ANT-S-007 recorded traffic 21/21",
        "OAR-R-005 recorded traffic 73/73",
        "PFC-R-002 ThinkInAIxyz/deepchat src/main/provider/aiSdk/toolProtocol.ts",
        "REA-R-006 QwenLM/Qwen-Agent qwen_agent/agents/react_chat.py",
    ],
    bugs=[
        "vllm-project/vllm#51697",
        "sgl-project/sglang#32167",
        "vllm-project/vllm#47907",
        "sudocode#576",
        "vllm-project/vllm#41739",
        "vllm-project/vllm#42167",
        "vllm-project/vllm#24509",
        "vllm-project/vllm#32152",
        "vllm-project/vllm#47901",
        "vllm-project/vllm#47137",
        "sgl-project/sglang#37634",
        "sgl-project/sglang#35564",
        "open-webui/open-webui#22235",
    ],
    conforming=[
        example("openai-chat/call"),
        example("openai-chat/stream-call"),
        example("openai-chat/call", put(_ARGUMENTS, ' {\n "latitude": 1, "longitude": 2e1 }\n')),
        example("anthropic-messages/stream-call"),
        example("anthropic-messages/stream-no-arguments"),
        example("openai-responses/call"),
        example("prompted/call"),
        example("qwen3/call"),
        example("react/call"),
    ],
    violating=[
        example("openai-chat/call", put(_ARGUMENTS, '{"latitude":'), at=f"0 response {_CALL}"),
        example(
            "openai-chat/stream-call",
            drop("/0/response/events/3"),
            at="0 response event/1/choices/0/delta/tool_calls/0",
        ),
        example("anthropic-messages/stream-call", drop("/0/response/events/9"), at="0 response event/6/content_block"),
        example(
            "openai-responses/call",
            put("/0/response/body/output/0/arguments", '{"latitude":'),
            at="0 response /output/0",
        ),
        example(
            "react/call",
            change("/0/response/body/choices/0/message/content", "126.98}", "126.98"),
            at="0 response /choices/0/message/content",
        ),
    ],
)
def arguments_malformed(view: View) -> Iterator[Hit]:
    """The arguments of every call in a reply are JSON text that parses.

    A client can not run the call; one that repairs the text by guessing runs something the model did not ask for.
    """
    for turn, call in _judged(view):
        if isinstance(call.arguments, Malformed) and call.wire is not None:
            yield Hit(
                call.pointer,
                f"arguments of {call.name} do not parse: {call.arguments.reason}",
                "a JSON object",
                jsontext.brief(call.wire),
                severity=_severity(view, turn, call),
            )


@rule(
    "arguments-wrong-type",
    severity=Severity.ERROR,
    scope="reply",
    basis="observed",
    cites=[
        "OAC-R-011 openai 2.54 types/chat/chat_completion_message_function_tool_call.py",
        "OAC-S-012 recorded traffic 105/105",
        "ANT-R-004 recorded traffic 122/122",
        "GEM-R-003 google-genai 2.34 google/genai/types.py FunctionCall",
        "OAR-R-005 recorded traffic 73/73",
        "LLA-R-003 meta-llama/llama-models models/llama3/tool_utils.py",
        "QWE-R-002 QwenLM/Qwen-Agent qwen_agent/llm/fncall_prompts/nous_fncall_prompt.py",
    ],
    conforming=[
        example("gemini/call"),
        example("openai-chat/call"),
        example("openai-chat/call", put(_ARGUMENTS, "{}")),
        example("anthropic-messages/call"),
        example("anthropic-messages/stream-no-arguments"),
        example("openai-responses/call"),
        example("llama3-json/call"),
    ],
    violating=[
        example(
            "gemini/call",
            put("/0/response/body/candidates/0/content/parts/0/functionCall/args", "37.57"),
            at="0 response /candidates/0/content/parts/0/functionCall",
        ),
        example("openai-chat/call", put(_ARGUMENTS, "[37.57,126.98]"), at=f"0 response {_CALL}"),
        example("openai-chat/call", put(_ARGUMENTS, '"{\\"latitude\\":1}"'), at=f"0 response {_CALL}"),
        example("anthropic-messages/call", put("/0/response/body/content/1/input", "{}"), at="0 response /content/1"),
        example(
            "anthropic-messages/stream-call",
            drop("/0/response/events/9"),
            put("/0/response/events/8/data/delta/partial_json", "[1]"),
            at="0 response event/6/content_block",
        ),
        example("openai-responses/call", put("/0/response/body/output/0/arguments", "[1]"), at="0 response /output/0"),
        example(
            "llama3-json/call",
            change("/0/response/body/choices/0/text", '{"latitude": 37.57, "longitude": 126.98}', "[37.57, 126.98]"),
            at="0 response /choices/0/text",
        ),
    ],
)
def arguments_wrong_type(view: View) -> Iterator[Hit]:
    """The arguments of every call in a reply are one JSON object.

    Tools take named arguments. A string here is often an object that was encoded twice.
    """
    for turn, call in _judged(view):
        if not isinstance(call.arguments, (dict, Malformed)):
            yield Hit(
                call.pointer,
                f"arguments of {call.name} are no object",
                "an object",
                jsontext.brief(call.arguments),
                severity=_severity(view, turn, call),
            )


@rule(
    "arguments-schema-mismatch",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[
        "OAC-R-012 openai 2.54 types/chat/chat_completion_message_function_tool_call.py",
        "ANT-R-007 anthropic 2.11 types/tool_param.py",
        "GEM-R-006 google-genai 2.34 google/genai/types.py FunctionDeclaration",
        "OAR-R-006 openai/openai-openapi openapi.json#/components/schemas/FunctionTool",
        "LLA-R-006 meta-llama/llama-models models/llama3_1/prompt_format.md",
        "LLA-R-007 meta-llama/llama-models models/llama3_1/prompt_format.md",
        "QWE-R-006 QwenLM/Qwen3 chat template",
        "PFC-R-005 ThinkInAIxyz/deepchat src/main/provider/baseProvider.ts",
        "REA-R-006 QwenLM/Qwen-Agent qwen_agent/agents/react_chat.py",
    ],
    bugs=["vllm-project/vllm#49316", "BerriAI/litellm#25836", "BerriAI/litellm#25390", "BerriAI/litellm#25561"],
    conforming=[
        example("gemini/call"),
        example("openai-chat/call"),
        example("anthropic-messages/call"),
        example(
            "anthropic-messages/cut-off",
            put("/0/response/body/content/0/input", {"latitude": 37.57, "longitude": 126.98}),
        ),
        example("openai-responses/call"),
        example("llama3-json/call"),
        example("prompted/call"),
        example("qwen3/call"),
        example("react/call"),
    ],
    violating=[
        example(
            "gemini/call",
            drop("/0/response/body/candidates/0/content/parts/1/functionCall/args/longitude"),
            at="0 response /candidates/0/content/parts/1/functionCall",
        ),
        example("openai-chat/call", put(_ARGUMENTS, '{"latitude":37.57}'), at=f"0 response {_CALL}"),
        example(
            "openai-chat/call", put(_ARGUMENTS, '{"latitude":"37.57","longitude":126.98}'), at=f"0 response {_CALL}"
        ),
        example(
            "anthropic-messages/call", drop("/0/response/body/content/1/input/longitude"), at="0 response /content/1"
        ),
        example(
            "openai-responses/call",
            put("/0/response/body/output/0/arguments", '{"latitude":37.57}'),
            at="0 response /output/0",
        ),
        example(
            "llama3-custom/call",
            change("/0/response/body/choices/0/text", "37.57", '"37.57"'),
            at="0 response /choices/0/text",
        ),
        example(
            "llama3-json/call",
            change("/0/response/body/choices/0/text", ', "longitude": 126.98', ""),
            at="0 response /choices/0/text",
        ),
        example(
            "prompted/call",
            change("/0/response/body/choices/0/message/content", "37.57", "null"),
            at="0 response /choices/0/message/content",
        ),
        example(
            "qwen3/call", change("/0/response/body/choices/0/text", "37.57", "null"), at="0 response /choices/0/text"
        ),
        example(
            "react/call",
            change("/0/response/body/choices/0/message/content", "37.57", "null"),
            at="0 response /choices/0/message/content",
        ),
    ],
)
def arguments_schema_mismatch(view: View) -> Iterator[Hit]:
    """The arguments of every call fit the schema that the request declared for the tool.

    A strict tool promises it. For others a misfit is the model's slip, or a parser that lost or retyped a value.
    """
    for turn, call in _judged(view):
        tool = view.ask.tool(call.name)
        if tool is None or not isinstance(tool.parameters, dict) or not isinstance(call.arguments, dict):
            continue
        found = next(misfits(call.arguments, tool.parameters), None)
        if found is not None:
            where, what = found
            whole = turn.stop not in ("length", "filter")
            yield Hit(
                call.pointer,
                f"arguments of {call.name} break its schema at {where or 'the top'}: {what}",
                "arguments that fit the declared schema",
                jsontext.brief(call.arguments),
                severity=Severity.ERROR if tool.strict and whole else None,
            )


@rule(
    "argument-key-duplicate",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=["OAC-R-011 RFC 8259 section 4", "ANT-S-007 RFC 8259 section 4", "OAR-R-005 RFC 8259 section 4"],
    conforming=[
        example("openai-chat/call"),
        example("openai-responses/call"),
    ],
    violating=[
        example(
            "openai-chat/call",
            put(_ARGUMENTS, '{"latitude":37.57,"longitude":126.98,"latitude":35.18}'),
            at=f"0 response {_CALL}",
        ),
        example(
            "openai-responses/call",
            put("/0/response/body/output/0/arguments", '{"latitude":37.57,"longitude":126.98,"latitude":35.18}'),
            at="0 response /output/0",
        ),
    ],
)
def argument_key_duplicate(view: View) -> Iterator[Hit]:
    """No object in the arguments text holds one key twice.

    Parsers keep the first, the last or none of the values, so two clients run two different calls.
    """
    for _, call in _judged(view):
        keys = jsontext.duplicate_keys(call.wire) if call.wire else []
        if keys:
            yield Hit(call.pointer, f"arguments of {call.name} hold a key twice", "each key once", ", ".join(keys))


@rule(
    "history-arguments-malformed",
    severity=Severity.WARNING,
    scope="request",
    basis="observed",
    cites=[
        "OAC-R-011 openai 2.54 types/chat/chat_completion_message_function_tool_call.py",
        "OAR-R-005 recorded traffic 73/73",
    ],
    bugs=["QwenLM/Qwen3#1894"],
    conforming=[
        example("openai-chat/answer"),
        example("openai-responses/answer"),
    ],
    violating=[
        example(
            "openai-chat/answer",
            put("/0/request/body/messages/1/tool_calls/0/function/arguments", '{"latitude":'),
            at="0 request /messages/1/tool_calls/0",
        ),
        example(
            "openai-responses/answer", put("/0/request/body/input/1/arguments", '{"latitude":'), at="0 request /input/1"
        ),
    ],
)
def history_arguments_malformed(view: View) -> Iterator[Hit]:
    """The arguments of every call that a history repeats are one JSON object.

    Servers that render the history through a chat template parse them, and fail on what does not parse.
    """
    for call in calls_of(view.history):
        if call.kind != "function" or call.wire is None or isinstance(call.arguments, dict):
            continue
        yield Hit(
            call.pointer, f"arguments of {call.name} are no JSON object", "a JSON object", jsontext.brief(call.wire)
        )
