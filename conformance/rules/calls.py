"""Tool calls in a reply: they name a declared tool, and nothing of the model's own markup leaks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from conformance.judge.example import change, drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit, Severity
from conformance.model.transcript import Malformed, Text, ToolCall, calls_of

_MESSAGE = "/0/response/body/choices/0/message"
_FUNCTION = f"{_MESSAGE}/tool_calls/0/function"
_CALL = "0 response /choices/0/message/tool_calls/0"
_MARKUP = (
    "<tool_call>",
    "</tool_call>",
    "<tool_calls>",
    "<function_call>",
    "</function_call>",
    "<function=",
    "<invoke name=",
    "<|python_tag|>",
    "<|python_start|>",
    "<|tool_call",
    "<|channel|>",
    "<|eom_id|>",
    "<|eot_id|>",
    "<|im_start|>",
    "<|im_end|>",
    "<｜tool",  # noqa: RUF001 - DeepSeek's tokens are spelled with a full-width bar
    "[TOOL_CALLS]",
    "[/TOOL_CALLS]",
    "[ARGS]",
    "[TOOL_REQUEST]",
)
"""How models spell calls before a server has parsed them."""
_OBJECT = re.compile(r"\{\s*\"")
_DECODER = json.JSONDecoder()


@rule(
    "tool-call-undeclared",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[
        "OAC-R-012 openai 2.54 types/chat/chat_completion_message_function_tool_call.py",
        "ANT-R-007 recorded traffic 122/122",
        "GEM-R-006 google-genai 2.34 google/genai/types.py FunctionDeclaration",
        "OAR-R-006 openai/openai-openapi openapi.json#/components/schemas/FunctionTool",
        "LLA-R-005 meta-llama/llama-models models/llama3_1/prompt_format.md",
        "QWE-R-006 QwenLM/Qwen3 chat template",
        "PFC-R-005 ThinkInAIxyz/deepchat src/main/provider/baseProvider.ts",
        "REA-R-007 QwenLM/Qwen-Agent qwen_agent/agents/react_chat.py",
    ],
    bugs=["NousResearch/hermes-agent#3468"],
    conforming=[
        example("gemini/call"),
        example("openai-chat/call"),
        example("openai-chat/stream-call"),
        example("anthropic-messages/call"),
        example("anthropic-messages/stream-server-tool"),
        example("openai-responses/call"),
        example("llama3-builtin/search"),
        example("llama3-builtin/code"),
        example("prompted/call"),
        example("qwen3/call"),
        example("react/call"),
    ],
    violating=[
        example(
            "gemini/call",
            put("/0/response/body/candidates/0/content/parts/0/functionCall/name", "get_wether"),
            at="0 response /candidates/0/content/parts/0/functionCall",
        ),
        example("openai-chat/call", put(f"{_FUNCTION}/name", "get_wether"), at=_CALL),
        example(
            "openai-chat/stream-call",
            put("/0/response/events/1/data/choices/0/delta/tool_calls/0/function/name", "get_weatherget_weather"),
            at="0 response event/1/choices/0/delta/tool_calls/0",
        ),
        example(
            "anthropic-messages/call", put("/0/response/body/content/1/name", "get_time"), at="0 response /content/1"
        ),
        example(
            "openai-responses/call", put("/0/response/body/output/0/name", "get_wether"), at="0 response /output/0"
        ),
        example(
            "llama3-json/call",
            change("/0/response/body/choices/0/text", "get_weather", "get_wether"),
            at="0 response /choices/0/text",
        ),
        example(
            "llama3-builtin/search",
            change("/0/response/body/choices/0/text", "brave_search", "wolfram_alpha"),
            at="0 response /choices/0/text",
        ),
        example(
            "prompted/call",
            change("/0/response/body/choices/0/message/content", "get_weather", "get_wether"),
            at="0 response /choices/0/message/content",
        ),
        example(
            "qwen3/call",
            change("/0/response/body/choices/0/text", "get_weather", "get_wether"),
            at="0 response /choices/0/text",
        ),
        example(
            "react/call",
            change("/0/response/body/choices/0/message/content", "get_weather", "get_wether"),
            at="0 response /choices/0/message/content",
        ),
    ],
)
def tool_call_undeclared(view: View) -> Iterator[Hit]:
    """Every call names a tool that the request declared.

    No client can run it. The name is often a declared one that a parser has doubled, cut or decorated.
    """
    tools = view.ask.tools
    if (tools is None and not view.complete) or any(tool.kind == "toolset" for tool in tools or ()):
        return  # one toolset declares tools whose names the request does not spell out
    declared = [tool.name for tool in tools or ()]
    for call in calls_of(view.replies):
        if call.name and call.name not in declared:
            yield Hit(call.pointer, f"{call.name} is not a declared tool", f"one of {declared}", call.name)


@rule(
    "tool-call-name-missing",
    severity=Severity.ERROR,
    scope="reply",
    basis="schema",
    cites=[
        "OAC-R-009 openai/openai-openapi openapi.json#/components/schemas/ChatCompletionMessageToolCall",
        "OAC-S-009 recorded traffic 105/105",
        "ANT-R-004 anthropic 2.11 types/tool_use_block.py",
        "GEM-R-003 google-genai 2.34 google/genai/types.py FunctionCall",
        "OAR-R-003 openai/openai-openapi openapi.json#/components/schemas/FunctionToolCallResource",
        "LLA-R-003 meta-llama/llama-models models/llama3/tool_utils.py",
        "QWE-R-002 QwenLM/Qwen-Agent qwen_agent/llm/fncall_prompts/nous_fncall_prompt.py",
    ],
    conforming=[
        example("gemini/call"),
        example("openai-chat/call"),
        example("anthropic-messages/call"),
        example("openai-responses/call"),
        example("llama3-json/call"),
    ],
    violating=[
        example(
            "gemini/call",
            put("/0/response/body/candidates/0/content/parts/1/functionCall/name", ""),
            at="0 response /candidates/0/content/parts/1/functionCall",
        ),
        example("openai-chat/call", put(f"{_FUNCTION}/name", ""), at=_CALL),
        example(
            "anthropic-messages/stream-call",
            drop("/0/response/events/6/data/content_block/name"),
            at="0 response event/6/content_block",
        ),
        example("openai-responses/call", put("/0/response/body/output/0/name", ""), at="0 response /output/0"),
        example(
            "llama3-json/call",
            change("/0/response/body/choices/0/text", '"name": "get_weather", ', ""),
            at="0 response /choices/0/text",
        ),
    ],
)
def tool_call_name_missing(view: View) -> Iterator[Hit]:
    """Every call in a reply names its tool.

    A call without a name can neither be run nor be sent back.
    """
    for call in calls_of(view.replies):
        if not call.name:
            yield Hit(call.pointer, f"tool call {call.id or '(no id)'} has no name", "a tool's name", "no name")


@rule(
    "history-call-name-missing",
    severity=Severity.ERROR,
    scope="request",
    basis="observed",
    cites=[
        "OAC-Q-016 continuedev/continue#11645",
        "ANT-Q-014 anthropic 2.11 types/tool_use_block_param.py",
        "GEM-Q-013 google-genai 2.34 google/genai/types.py FunctionCall",
        "OAR-Q-007 openai/openai-openapi openapi.json#/components/schemas/FunctionToolCall",
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
            put("/0/request/body/contents/1/parts/0/functionCall/name", ""),
            put("/0/request/body/contents/2/parts/0/functionResponse/name", "x"),
            at="0 request /contents/1/parts/0/functionCall",
        ),
        example(
            "openai-chat/answer",
            put("/0/request/body/messages/1/tool_calls/0/function/name", ""),
            at="0 request /messages/1/tool_calls/0",
        ),
        example(
            "anthropic-messages/answer",
            drop("/0/request/body/messages/1/content/1/name"),
            at="0 request /messages/1/content/1",
        ),
        example("openai-responses/answer", put("/0/request/body/input/1/name", ""), at="0 request /input/1"),
    ],
)
def history_call_name_missing(view: View) -> Iterator[Hit]:
    """Every call that a history repeats names its tool.

    Servers refuse the request with a 400, and every later one that carries the same history.
    """
    for call in calls_of(view.history):
        if not call.name:
            yield Hit(call.pointer, f"tool call {call.id or '(no id)'} has no name", "a tool's name", "no name")


@rule(
    "call-replacement-character-unexpected",
    severity=Severity.ERROR,
    scope="reply",
    basis="observed",
    cites=[
        "OAC-S-012 openclaw/openclaw#110642",
        "ANT-S-007 openclaw/openclaw#110642",
        "GEM-R-003 openclaw/openclaw#110642",
        "OAR-S-009 openclaw/openclaw#110642",
    ],
    bugs=["openclaw/openclaw#110642", "openclaw/openclaw#115536", "kekzl/imp#1554", "eliza#30904"],
    conforming=[
        example("gemini/call"),
        example("openai-chat/call"),
        example(
            "openai-chat/call",
            put(f"{_FUNCTION}/arguments", '{"latitude":37.57,"longitude":126.98,"place":"서울 \\ufffd"}'),
            put("/0/request/body/messages/0/content", "What does \ufffd mean?"),
        ),
        example("openai-responses/call"),
    ],
    violating=[
        example(
            "gemini/call",
            put("/0/response/body/candidates/0/content/parts/0/functionCall/args/place", "서\ufffd"),
            at="0 response /candidates/0/content/parts/0/functionCall",
        ),
        example(
            "openai-chat/call",
            put(f"{_FUNCTION}/arguments", '{"latitude":37.57,"longitude":126.98,"place":"서\ufffd\ufffd"}'),
            at=_CALL,
        ),
        example(
            "openai-responses/call",
            put("/0/response/body/output/0/arguments", '{"latitude":37.57,"longitude":126.98,"place":"\ufffd"}'),
            at="0 response /output/0",
        ),
    ],
)
def call_replacement_character_unexpected(view: View) -> Iterator[Hit]:
    """No U+FFFD stands in a call's name or arguments, unless the request held one.

    It is what is left of a character whose bytes were cut apart between two chunks: the tool gets a broken value.
    """
    for turn in view.replies:
        for call in turn.calls:
            if _broken(call.name) or _broken(call.wire) or _broken(call.arguments):
                if "\ufffd" in _asked(view):
                    return
                whole = turn.stop not in ("length", "filter")
                yield Hit(
                    call.pointer,
                    f"the call of {call.name} holds a broken character",
                    "the character that was cut",
                    jsontext.brief(call.arguments),
                    severity=None if whole else Severity.WARNING,
                )


def _broken(value: Any) -> bool:
    if isinstance(value, Malformed):
        value = value.text
    if isinstance(value, str):
        return "\ufffd" in value
    return isinstance(value, (dict, list)) and "\ufffd" in _dumped(value)


def _asked(view: View) -> str:
    """The request's values as text in which characters stand for themselves."""
    return view.request.text if isinstance(view.request, Malformed) else _dumped(view.request)


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


@rule(
    "call-markup-leaked",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    cites=[
        "OAC-R-007 ggml-org/llama.cpp#14101",
        "QWE-S-001 vllm-project/vllm vllm/tool_parsers/hermes_tool_parser.py",
    ],
    bugs=[
        "ggml-org/llama.cpp#14101",
        "vllm-project/vllm#45167",
        "vllm-project/vllm#16214",
        "minpeter#297",
        "odysseus#4522",
        "mlxcel#654",
        "movieclaw#224",
        "jundot/omlx#2143",
        "ml-explore/mlx-lm#1867",
        "Rapid-MLX#579",
        "jundot/omlx#3153",
    ],
    conforming=[
        example("openai-chat/call"),
        example("openai-chat/answer"),
        example(
            "openai-chat/answer",
            put(f"{_MESSAGE}/content", "Hermes models write <tool_call> around it."),
            put("/0/request/body/messages/0/content", "What is <tool_call>?"),
        ),
    ],
    violating=[
        example(
            "openai-chat/call",
            put(f"{_MESSAGE}/content", '<tool_call>\n{"name": "get_weather", "arguments": {}}\n</tool_call>'),
            at="0 response /choices/0/message/content",
        ),
        example(
            "openai-chat/answer",
            put(f"{_MESSAGE}/content", '{"name": "get_weather", "parameters": {"latitude": 1, "longitude": 2}}'),
            at="0 response /choices/0/message/content",
        ),
        example(
            "openai-chat/call",
            put(f"{_MESSAGE}/content", '; {"name": "get_weather", "parameters": {"latitude": 1, "longitude": 2}}'),
            at="0 response /choices/0/message/content",
        ),
        example("openai-chat/call", put(f"{_FUNCTION}/name", "get_weather<|channel|>commentary"), at=_CALL),
    ],
)
def call_markup_leaked(view: View) -> Iterator[Hit]:
    """A reply to a request with tools holds no unparsed call in its text, and no markup in a tool's name.

    The server's parser missed a call: the client shows the markup to its user, and the tool never runs.
    """
    tools = view.ask.tools
    if not tools:
        return
    names = {tool.name for tool in tools}
    for turn in view.replies:
        for part in turn.parts:
            leak = _leak(part, names)
            if leak and not (leak in _MARKUP and leak in _asked(view)):
                yield Hit(part.pointer, "a call stands unparsed in the reply", "a parsed tool call", leak)


def _leak(part: object, names: set[str | None]) -> str | None:
    """What of a call's own spelling shows in the part."""
    text = part.text if isinstance(part, Text) else part.name if isinstance(part, ToolCall) else None
    found = next((mark for mark in _MARKUP if text and mark in text), None)
    return _spelled(part.text, names) if found is None and isinstance(part, Text) else found


def _spelled(text: str, names: set[str | None]) -> str | None:
    """The declared tool that the text calls in plain JSON, wherever the object stands in it."""
    if '"name"' not in text or not ('"arguments"' in text or '"parameters"' in text):
        return None
    for start in _OBJECT.finditer(text):
        try:
            value, _ = _DECODER.raw_decode(text, start.start())
        except (ValueError, RecursionError):
            continue
        name = value.get("name")
        if isinstance(name, str) and name in names and ("arguments" in value or "parameters" in value):
            return name
    return None
