"""Neutral turns as Llama text: the prompt in the form of the model's template, the reply in the form of the model."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from conformance.dialects.llama3.definitions import QUESTION
from conformance.dialects.llama3.frame import framed, opening
from conformance.dialects.llama3.names import Asked
from conformance.dialects.llama3.parse import read_reply
from conformance.dialects.llama3.reading import CLOSE, OPEN
from conformance.dialects.llama3.tokens import BEGIN, BUILT_IN, EOM, EOT, TAG, harmless
from conformance.dialects.text.reading import CUT
from conformance.model import jsontext
from conformance.model.stream_events import argument_text
from conformance.model.transcript import Malformed, Text, ToolCall, ToolDefinition, ToolResult, Turn

_DATES = "Cutting Knowledge Date: December 2023\nToday Date: 26 July 2024"
_ASSISTANT = "You are a helpful assistant."
_RESULTS = "When a tool call has been answered, use its output to answer the question that the user asked first."
_JSON = (
    "These functions can be called. Where one of them helps, answer with the JSON of one call and nothing else, in "
    'the form {"name": function name, "parameters": dictionary of argument name and its value}. Use no variables.'
)
_CUSTOM = f"""\
To call a function, reply with nothing but one line of this form, its arguments as a JSON object:
{OPEN}example_function_name>{{"example_name": "example_value"}}{CLOSE}
Call one function at a time, and give every required argument."""


def write_prompt(form: Asked, system: str | None, tools: Sequence[ToolDefinition], history: Sequence[Turn]) -> str:
    """The whole prompt, up to the header of the model's open message."""
    functions = [tool for tool in tools if not (form == "builtin" and _is_built_in(tool))]
    framed_system = framed("system", _system(form, system, tools, functions), EOT)
    messages = [framed_system]
    listed = functions if form != "custom" else []
    for turn in history:
        if turn.role == "user" and listed:
            messages.append(framed("user", f"{_listed(listed)}\n\n{QUESTION}{turn.text}", EOT))
            listed = []
        else:
            messages.extend(_messages(form, turn))
    return f"{BEGIN}{''.join(messages)}{opening('assistant')}"


def _is_built_in(tool: ToolDefinition) -> bool:
    """Whether the tool's name is enough for the prompt: it is a built-in tool with the built-in parameters."""
    schema = tool.parameters if isinstance(tool.parameters, dict) else {}
    properties = schema.get("properties")
    return tool.name in BUILT_IN and isinstance(properties, dict) and properties.keys() == {"query"}


def _system(
    form: Asked, system: str | None, tools: Sequence[ToolDefinition], functions: Sequence[ToolDefinition]
) -> str:
    paragraphs = [_DATES]
    if form == "builtin":
        offered = [str(tool.name) for tool in tools if tool not in functions] or BUILT_IN
        paragraphs = [f"Environment: ipython\nTools: {', '.join(offered)}\n{_DATES}"]
    if form == "custom" and functions:
        uses = (f"Use the function '{tool.name}' to: {tool.description}\n{_function(tool)}" for tool in functions)
        paragraphs += ["You have access to the following functions:", *uses, _CUSTOM]
    if tools:
        paragraphs.append(_RESULTS)
    return "\n\n".join([*paragraphs, system or _ASSISTANT])


def _listed(functions: Sequence[ToolDefinition]) -> str:
    entries = ({"type": "function", "function": _described(tool)} for tool in functions)
    return "\n\n".join([_JSON, *(harmless(json.dumps(entry, ensure_ascii=False, indent=4)) for entry in entries)])


def _function(tool: ToolDefinition) -> str:
    return harmless(json.dumps(_described(tool), ensure_ascii=False))


def _described(tool: ToolDefinition) -> dict[str, Any]:
    schema = tool.parameters if tool.parameters is not None else {"type": "object", "properties": {}}
    return {"name": tool.name, "description": tool.description or "", "parameters": schema}


def _messages(form: Asked, turn: Turn) -> Iterator[str]:
    if turn.results:
        for result in turn.results:
            yield framed("ipython", _result_text(result), EOT)
    elif turn.role == "assistant":
        body = write_reply(form, turn)
        yield framed("assistant", body, EOM if form == "builtin" and read_reply(body).calls else EOT)
    else:
        yield framed("system" if turn.role == "system" else "user", turn.text, EOT)


def _result_text(result: ToolResult) -> str:
    """A result as text; JSON has its tokens escaped."""
    if not isinstance(result.content, str):
        return harmless(json.dumps(result.content, ensure_ascii=False))
    is_json = not isinstance(jsontext.parse(result.content), Malformed)
    return harmless(result.content) if is_json else result.content


def write_reply(form: Asked, turn: Turn) -> str:
    """The model's output with its end token: text, or calls without text. A truncated one has no end token."""
    if not turn.calls:
        text = "".join(part.text for part in turn.parts if isinstance(part, Text))
        return framed_end(text, None if turn.stop in CUT else EOT)
    calls = (
        "; ".join(_spoken(form, call) for call in turn.calls)
        if form != "custom"
        else "".join(_spoken(form, call) for call in turn.calls)
    )
    tag = TAG if form == "builtin" or any(call.kind == "custom" for call in turn.calls) else ""
    return framed_end(tag + calls, None if turn.stop in CUT else EOM if tag else EOT)


def framed_end(text: str, end: str | None) -> str:
    """The text with its end token, unless it has one already or must not have one."""
    return text if end is None or text.endswith((EOM, EOT)) else text + end


def _spoken(form: Asked, call: ToolCall) -> str:
    if call.kind == "custom":
        return str(call.arguments)
    given = harmless(argument_text(call)) if not _is_python(call) else harmless(json.dumps(call.arguments))
    whole = not isinstance(call.arguments, Malformed)
    if form == "builtin" and _by_query(call):
        return f'{call.name}.call(query="{call.arguments["query"]}")'
    if form == "custom":
        return f"{OPEN}{call.name}>{given.replace(chr(10), ' ')}{CLOSE if whole else ''}"
    return f'{{"name": {json.dumps(call.name, ensure_ascii=False)}, "parameters": {given}{"}" if whole else ""}'


def _is_python(call: ToolCall) -> bool:
    """Whether the call's own text is Python and not JSON."""
    return (
        isinstance(call.arguments, dict) and call.wire is not None and isinstance(jsontext.parse(call.wire), Malformed)
    )


def _by_query(call: ToolCall) -> bool:
    """Whether Python syntax can express the call: it has one string, without quotes and tokens."""
    if call.name not in BUILT_IN or not isinstance(call.arguments, dict) or call.arguments.keys() != {"query"}:
        return False
    query = call.arguments["query"]
    return isinstance(query, str) and '"' not in query and "<|" not in query
