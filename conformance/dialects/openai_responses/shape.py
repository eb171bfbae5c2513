"""The JSON types that the contract fixes, as tables, and one reader for all of them.

A field's kinds are written `string` or `string|null`; a `!` in front says that the field has to be there.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.dialects.openai_responses.items import TEXTS, list_of, type_of
from conformance.model import jsontext
from conformance.model.finding import Hit
from conformance.model.pointer import join

Table = Mapping[str, str]

REQUEST: Table = {
    "model": "string",
    "input": "string|array",
    "instructions": "string|array|null",
    "tools": "array|null",
    "tool_choice": "string|object|null",
    "parallel_tool_calls": "boolean|null",
    "stream": "boolean|null",
    "stream_options": "object|null",
    "store": "boolean|null",
    "include": "array|null",
    "previous_response_id": "string|null",
    "conversation": "string|object|null",
    "max_output_tokens": "integer|null",
    "temperature": "number|null",
    "top_p": "number|null",
    "reasoning": "object|null",
    "text": "object|null",
    "metadata": "object|null",
    "prompt": "object|null",
}
TOOL: Table = {
    "name": "!string",
    "description": "string|null",
    "parameters": "!object|null",
    "strict": "boolean|null",
}
INPUT_ITEMS: Mapping[str, Table] = {
    "message": {"role": "!string", "content": "!string|array", "status": "string|null"},
    "function_call": {
        "call_id": "!string",
        "name": "!string",
        "arguments": "!string",
        "id": "string|null",
        "status": "string|null",
    },
    "custom_tool_call": {"call_id": "!string", "name": "!string", "input": "!string", "id": "string|null"},
    "function_call_output": {"call_id": "!string", "output": "!string|array"},
    "custom_tool_call_output": {"call_id": "!string", "output": "!string|array"},
    "reasoning": {"summary": "!array", "encrypted_content": "string|null", "id": "string|null"},
    "item_reference": {"id": "!string"},
}

RESPONSE_REQUIRED: Table = {
    "id": "!string",
    "object": "!string",
    "created_at": "!number",
    "model": "!string",
    "output": "!array",
    "error": "!object|null",
    "incomplete_details": "!object|null",
    "instructions": "!string|array|null",
    "metadata": "!object|null",
    "parallel_tool_calls": "!boolean",
    "temperature": "!number|null",
    "tool_choice": "!string|object",
    "tools": "!array",
    "top_p": "!number|null",
}
"""What the contract requires of a response object."""

RESPONSE_OPTIONAL: Table = {
    "status": "string",
    "usage": "object|null",
    "previous_response_id": "string|null",
    "store": "boolean|null",
    "max_output_tokens": "integer|null",
    "reasoning": "object|null",
    "text": "object|null",
    "background": "boolean|null",
}
OUTPUT_ITEMS: Mapping[str, Table] = {
    "message": {"id": "!string", "role": "!string", "status": "!string", "content": "!array"},
    "function_call": {
        "id": "!string",
        "call_id": "!string",
        "name": "!string",
        "arguments": "!string",
        "status": "!string",
    },
    "custom_tool_call": {"id": "!string", "call_id": "!string", "name": "!string", "input": "!string"},
    "reasoning": {"id": "!string", "summary": "!array", "encrypted_content": "string|null", "content": "array|null"},
}
# fmt: off
OUTPUT_TYPES = frozenset((
    "message", "reasoning", "compaction", "program", "program_output", "item_reference", "function_call",
    "function_call_output", "custom_tool_call", "custom_tool_call_output", "file_search_call",
    "web_search_call", "image_generation_call", "code_interpreter_call", "computer_call",
    "computer_call_output", "local_shell_call", "local_shell_call_output", "shell_call", "shell_call_output",
    "apply_patch_call", "apply_patch_call_output", "mcp_call", "mcp_list_tools", "mcp_approval_request",
    "mcp_approval_response", "tool_search_call", "tool_search_output", "additional_tools",
))
# fmt: on
"""The types of items that the installed SDK knows."""

OUTPUT_PARTS: Mapping[str, Table] = {
    "output_text": {"text": "!string", "annotations": "!array", "logprobs": "array|null"},
    "refusal": {"refusal": "!string"},
}
_TEXT: Table = {"text": "!string"}
USAGE: Table = {
    "input_tokens": "!integer",
    "input_tokens_details": "!object",
    "output_tokens": "!integer",
    "output_tokens_details": "!object",
    "total_tokens": "!integer",
}

_ITEM: Table = {"output_index": "!integer", "item": "!object"}
_DELTA: Table = {"delta": "!string", "logprobs": "array|null"}
_DONE_TEXT: Table = {"text": "!string", "logprobs": "array|null"}
_PART: Table = {"part": "!object", "content_index": "!integer"}
EVENTS: Mapping[str, Table] = {
    "response.created": {"response": "!object"},
    "response.in_progress": {"response": "!object"},
    "response.completed": {"response": "!object"},
    "response.incomplete": {"response": "!object"},
    "response.failed": {"response": "!object"},
    "response.output_item.added": _ITEM,
    "response.output_item.done": _ITEM,
    "response.content_part.added": _PART,
    "response.content_part.done": _PART,
    "response.output_text.delta": {**_DELTA, "content_index": "!integer"},
    "response.output_text.done": {**_DONE_TEXT, "content_index": "!integer"},
    "response.refusal.delta": {**_DELTA, "content_index": "!integer"},
    "response.function_call_arguments.delta": _DELTA,
    "response.function_call_arguments.done": {"arguments": "!string"},
    "response.custom_tool_call_input.delta": _DELTA,
    "response.custom_tool_call_input.done": {"input": "!string"},
    "response.reasoning_summary_part.added": {"part": "!object", "summary_index": "!integer"},
    "response.reasoning_summary_part.done": {"part": "!object", "summary_index": "!integer"},
    "response.reasoning_summary_text.delta": {**_DELTA, "summary_index": "!integer"},
    "response.reasoning_summary_text.done": {**_DONE_TEXT, "summary_index": "!integer"},
}
"""What each event of a stream holds beside its type."""


def is_kind(value: Any, kinds: str) -> bool:
    """Whether the value is of one of the kinds; every integer is a number too."""
    for kind in kinds.split("|"):
        if kind == "integer":
            if isinstance(value, int) and not isinstance(value, bool):
                return True
        elif jsontext.kind(value) == kind:
            return True
    return False


def misfits(value: Mapping[str, Any], table: Table, pointer: str, what: str) -> Iterator[Hit]:
    """A hit for each field of the table that is missing or of another kind."""
    for name, wanted in table.items():
        kinds = wanted.removeprefix("!")
        if name not in value:
            if wanted.startswith("!"):
                yield Hit(pointer, f"{what} has no `{name}`", kinds.replace("|", " or "), "nothing")
        elif not is_kind(value[name], kinds):
            yield Hit(
                join(pointer, name),
                f"`{name}` of {what} is of the wrong type",
                kinds.replace("|", " or "),
                jsontext.kind(value[name]),
            )


def part_misfits(parts: Any, pointer: str, *, sent_back: bool = False) -> Iterator[Hit]:
    """Hits for the parts of a message's `content` or of a reasoning's `summary`.

    A client that sends a reply back may leave out what belongs to replies alone.
    """
    for number, part in enumerate(list_of(parts)):
        yield from part_misfit(part, join(pointer, number), sent_back=sent_back)


def part_misfit(part: Any, pointer: str, *, sent_back: bool = False) -> Iterator[Hit]:
    """Hits for one such part."""
    if not isinstance(part, dict) or not isinstance(part.get("type"), str):
        yield Hit(pointer, "a part has no type", "an object with a type", jsontext.brief(part))
    elif part["type"] in TEXTS:
        table = OUTPUT_PARTS.get(part["type"], _TEXT)
        if sent_back and "annotations" not in part:
            table = {name: kinds for name, kinds in table.items() if name != "annotations"}
        yield from misfits(part, table, pointer, f"a part of type {part['type']}")


def output_item_misfits(item: Any, pointer: str) -> Iterator[Hit]:
    """Hits for one item of a reply: its own fields, and those of its parts."""
    kind = type_of(item)
    if kind is None or not isinstance(item.get("type"), str):
        yield Hit(pointer, "an output item has no type", "an object with a type", jsontext.brief(item))
        return
    if kind in OUTPUT_ITEMS:
        yield from misfits(item, OUTPUT_ITEMS[kind], pointer, f"the {kind} item")
    if kind == "message":
        if isinstance(item.get("role"), str) and item["role"] != "assistant":
            yield Hit(join(pointer, "role"), "an output message is not the assistant's", "assistant", item["role"])
        yield from part_misfits(item.get("content"), join(pointer, "content"))
    elif kind == "reasoning":
        yield from part_misfits(item.get("summary"), join(pointer, "summary"))
