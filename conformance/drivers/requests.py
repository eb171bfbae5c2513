"""The requests that a driver of a dialect sends, whether an SDK sends them or nobody else's code does."""

from __future__ import annotations

from abc import ABC
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from conformance.drivers import DriverInput, ReadCall, arguments_of, result_text
from conformance.drivers.loop import LoopDriver, Reply, Result
from conformance.model.transcript import ToolDefinition

_OPENAI_CHOICES = ("auto", "none", "required")
_ANTHROPIC_CHOICES = {"auto": "auto", "none": "none", "required": "any"}
_NO_PARAMETERS = {"type": "object", "properties": {}}
IMAGE = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mP4z8CAFTEMLQkAKP8/wc53yE8AAAAASUVORK5CYII="
"""A red square, as PNG in base64."""
IMAGE_TYPE = "image/png"


def system_parts(inputs: DriverInput) -> list[str]:
    """The system's words: one text, or each paragraph for itself."""
    system = inputs.system or ""
    return system.split("\n\n") if inputs.options.in_parts else [system]


def _texts(texts: Sequence[str], kind: str = "text", *, in_parts: bool) -> Any:
    """A text, or parts of this type."""
    return [{"type": kind, "text": each} for each in texts] if in_parts else texts[0]


def _content(result: Result, kind: str = "text") -> Any:
    # A part ends where JSON may have white space, so that parts may be joined with a new line, too.
    key, _, value = (text := result_text(result.outcome)).partition(": ")
    return _texts([f"{key}:", value] if result.in_parts and value else [text], kind, in_parts=result.in_parts)


def _answer(inputs: DriverInput) -> dict[str, Any]:
    """The strict schema of an answer, with the name that OpenAI asks for."""
    return {"name": "answer", "schema": inputs.options.output, "strict": True}


def _data_url() -> str:
    return f"data:{IMAGE_TYPE};base64,{IMAGE}"


class ChatRequests(LoopDriver, ABC):
    """Chat Completions: the system's message is the first one, each result a message."""

    dialect = "openai-chat"

    def opening(self, inputs: DriverInput) -> list[Any]:
        words = _texts(system_parts(inputs), in_parts=inputs.options.in_parts)
        system = [{"role": "system", "content": words}] if inputs.system else []
        asked: Any = inputs.user
        if inputs.options.image:
            asked = [{"type": "text", "text": asked}, {"type": "image_url", "image_url": {"url": _data_url()}}]
        return [*system, {"role": "user", "content": asked}]

    def body(self, inputs: DriverInput, history: list[Any], turn: int) -> dict[str, Any]:
        """The body of a request."""
        body: dict[str, Any] = {
            "model": inputs.model,
            "messages": history,
            "max_completion_tokens": inputs.options.max_tokens,
            **inputs.options.sampling(temperature="temperature", top_p="top_p", stop="stop"),
        }
        if inputs.stream:
            body |= {"stream": True, "stream_options": {"include_usage": True}}
        if inputs.tools:
            strict = {"strict": True} if inputs.options.strict else {}
            body["tools"] = [{"type": "function", "function": {**_function(tool), **strict}} for tool in inputs.tools]
        if inputs.options.search:
            body["web_search_options"] = {}
        choice = inputs.tool_choice(turn)
        if choice is not None:
            named = {"type": "function", "function": {"name": choice}}
            body["tool_choice"] = choice if choice in _OPENAI_CHOICES else named
        if inputs.options.parallel_tool_calls is not None:
            body["parallel_tool_calls"] = inputs.options.parallel_tool_calls
        if inputs.options.output is not None:
            body["response_format"] = {"type": "json_schema", "json_schema": _answer(inputs)}
        return body

    def answers(self, results: Sequence[Result]) -> Sequence[Any]:
        return [{"role": "tool", "tool_call_id": result.call.id, "content": _content(result)} for result in results]


def _function(tool: ToolDefinition) -> Mapping[str, Any]:
    function = tool.heading
    return function if tool.parameters is None else {**function, "parameters": tool.parameters}


class ResponsesRequests(LoopDriver, ABC):
    """Responses, stateless: each request has all earlier items, and the server keeps nothing of it."""

    dialect = "openai-responses"
    cut_off = ("incomplete",)
    native = True

    def opening(self, inputs: DriverInput) -> list[Any]:
        asked: Any = inputs.user
        if inputs.options.image:
            image = {"type": "input_image", "image_url": _data_url(), "detail": "auto"}
            asked = [{"type": "input_text", "text": asked}, image]
        return [{"role": "user", "content": asked}]

    def body(self, inputs: DriverInput, history: list[Any], turn: int) -> dict[str, Any]:
        """The body of a request."""
        body: dict[str, Any] = {
            "model": inputs.model,
            "input": history,
            "max_output_tokens": inputs.options.max_tokens,
            "store": inputs.options.stored,
            "include": ["reasoning.encrypted_content"],
            **inputs.options.sampling(temperature="temperature", top_p="top_p"),
        }
        if inputs.stream:
            body["stream"] = True
        if inputs.options.reasoning:
            body["reasoning"] = {"effort": "low", "summary": "auto"}
        if inputs.system:
            body["instructions"] = inputs.system
        if inputs.tools:
            body["tools"] = [
                {
                    "type": "function",
                    **tool.heading,
                    "parameters": tool.parameters if tool.parameters is not None else _NO_PARAMETERS,
                    "strict": inputs.options.strict,
                }
                for tool in inputs.tools
            ]
        if inputs.options.search:
            body["tools"] = [*body.get("tools", ()), {"type": "web_search"}]
        if inputs.native is not None:
            more = inputs.native.request
            tools = [*body.get("tools", ()), *more.get("tools", ())]
            body |= {**more, **({"tools": tools} if tools else {})}
        choice = inputs.tool_choice(turn)
        if choice is not None:
            body["tool_choice"] = choice if choice in _OPENAI_CHOICES else {"type": "function", "name": choice}
        if inputs.options.parallel_tool_calls is not None:
            body["parallel_tool_calls"] = inputs.options.parallel_tool_calls
        if inputs.options.output is not None:
            body["text"] = {"format": {"type": "json_schema", **_answer(inputs)}}
        return body

    def reply(self, inputs: DriverInput, items: Sequence[dict[str, Any]], text: str, stop: str | None) -> Reply:
        """The turn in the items of an output, which go back as they came."""
        native = inputs.native
        answers = [] if native is None else [native.answer(item) for item in items]
        calls = [
            ReadCall(item["call_id"], item["name"], _given(item), native=bool(answer))
            for item, answer in zip_longest(items, answers)
            if item["type"] in ("function_call", "custom_tool_call")
        ]
        return Reply(text, calls, items, stop, [each for each in answers if each is not None])

    def answers(self, results: Sequence[Result]) -> Sequence[Any]:
        return [
            {"type": "function_call_output", "call_id": each.call.id, "output": _content(each, "input_text")}
            for each in results
        ]


def _given(item: Mapping[str, Any]) -> Any:
    return item["input"] if item["type"] == "custom_tool_call" else arguments_of(item["arguments"])


class MessagesRequests(LoopDriver, ABC):
    """Anthropic Messages: the system's words have a field of their own, all results are in one message."""

    dialect = "anthropic-messages"
    cut_off = ("max_tokens",)

    def opening(self, inputs: DriverInput) -> list[Any]:
        asked: Any = inputs.user
        if inputs.options.image:
            source = {"type": "base64", "media_type": IMAGE_TYPE, "data": IMAGE}
            asked = [{"type": "text", "text": asked}, {"type": "image", "source": source}]
        return [{"role": "user", "content": asked}]

    def body(self, inputs: DriverInput, history: list[Any], turn: int) -> dict[str, Any]:
        """The body of a request."""
        body: dict[str, Any] = {
            "model": inputs.model,
            "max_tokens": inputs.options.max_tokens,
            "messages": history,
            **inputs.options.sampling(temperature="temperature", top_p="top_p", stop="stop_sequences"),
        }
        if inputs.stream:
            body["stream"] = True
        if inputs.options.reasoning:
            body["thinking"] = {"type": "adaptive"}
        if inputs.system:
            body["system"] = _texts(system_parts(inputs), in_parts=inputs.options.in_parts)
        if inputs.options.output is not None:
            body["output_config"] = {"format": {"type": "json_schema", "schema": inputs.options.output}}
        if inputs.tools:
            body["tools"] = [
                {
                    **tool.heading,
                    "input_schema": tool.parameters if tool.parameters is not None else {"type": "object"},
                    **({"strict": True} if inputs.options.strict else {}),
                }
                for tool in inputs.tools
            ]
        if inputs.options.search:
            body["tools"] = [*body.get("tools", ()), {"type": "web_search_20250305", "name": "web_search"}]
        choice = inputs.tool_choice(turn)
        parallel = inputs.options.parallel_tool_calls
        if choice is not None or parallel is not None:
            kind = _ANTHROPIC_CHOICES.get(choice or "auto")
            wanted: dict[str, Any] = {"type": kind} if kind else {"type": "tool", "name": choice}
            if parallel is not None and kind != "none":
                wanted["disable_parallel_tool_use"] = not parallel
            body["tool_choice"] = wanted
        return body

    def answers(self, results: Sequence[Result]) -> Sequence[Any]:
        return [{"role": "user", "content": [_result_block(result) for result in results]}]


def _result_block(result: Result) -> Mapping[str, Any]:
    block = {"type": "tool_result", "tool_use_id": result.call.id, "content": _content(result)}
    return {**block, "is_error": True} if result.outcome.is_error else block
