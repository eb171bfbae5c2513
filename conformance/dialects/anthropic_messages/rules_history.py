"""The messages of a Messages request, block by block, docs/contract/anthropic-messages.md, ANT-Q."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from conformance.dialects.anthropic_messages.block import KIND_OF_REASONING, is_call, is_result, kind_of
from conformance.dialects.anthropic_messages.shape import Shape, extra, misshapen
from conformance.judge.example import drop, example, put, swap
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, kind
from conformance.model.pointer import join

_ANSWER = "anthropic-messages/answer"
_THINKING = "anthropic-messages/thinking-run"
_MESSAGES = "/0/request/body/messages"
_ID = re.compile(r"[a-zA-Z0-9_-]+")

_SHAPES: dict[str, Shape] = {
    "text": {"text": "string", "cache_control": "?object|null", "citations": "?array|null"},
    "image": {"source": "object"},
    "document": {"source": "object"},
    "search_result": {"source": "string", "title": "string", "content": "array"},
    "thinking": {"thinking": "string", "signature": "string"},
    "redacted_thinking": {"data": "string"},
    "tool_use": {"id": "string+", "name": "string", "input": "object", "cache_control": "?object|null"},
    "tool_result": {
        "tool_use_id": "string+",
        "content": "?string|array|null",
        "is_error": "?boolean|null",
        "cache_control": "?object|null",
    },
    "server_tool_use": {"id": "string+", "name": "string+", "input": "object"},
    "mcp_tool_use": {"id": "string+", "name": "string+", "server_name": "string", "input": "object"},
}
_OTHERS = frozenset({"container_upload", "compaction", "fallback", "mcp_tool_listing", "tool_addition", "tool_removal"})
_MEMBERS = {
    "tool_use": frozenset({"type", "id", "name", "input", "caller", "toolset_name", "cache_control"}),
    "tool_result": frozenset({"type", "tool_use_id", "content", "is_error", "cache_control", "toolset_name"}),
    "text": frozenset({"type", "text", "cache_control", "citations"}),
}
_IN_RESULTS = ("text", "image", "document", "search_result", "tool_reference", "browser_state")
_ONLY_ASSISTANT = frozenset({"tool_use", "server_tool_use", "mcp_tool_use", *KIND_OF_REASONING})
Placed = tuple[Any, str]


def messages(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """The messages that are objects, each with its pointer."""
    listed = view.request.get("messages") if isinstance(view.request, dict) else None
    for number, message in enumerate(listed if isinstance(listed, list) else ()):
        if isinstance(message, dict):
            yield message, join("/messages", number)


def blocks(message: dict[str, Any], pointer: str) -> Iterator[Placed]:
    """The blocks of a message, of any JSON type, each with its pointer."""
    content = message.get("content")
    for number, block in enumerate(content if isinstance(content, list) else ()):
        yield block, join(pointer, "content", number)


def _all_blocks(view: View) -> Iterator[Placed]:
    return (placed for message, at in messages(view) for placed in blocks(message, at))


@rule(
    "messages-message-malformed",
    scope="request",
    basis="sdk-type",
    cites=["ANT-Q-011 anthropic 2.11 types/message_param.py"],
    conforming=[example(_ANSWER), example(_ANSWER, put(f"{_MESSAGES}/0/role", "system"))],
    violating=[
        example(_ANSWER, put(f"{_MESSAGES}/2/role", "tool")),
        example(_ANSWER, drop(f"{_MESSAGES}/0/role")),
        example(_ANSWER, drop(f"{_MESSAGES}/0/content")),
        example(_ANSWER, put(f"{_MESSAGES}/0/content", None)),
        example(_ANSWER, put(f"{_MESSAGES}/0", "How warm is it?")),
    ],
)
def message_malformed(view: View) -> Iterator[Hit]:
    """Every message must have the role user or assistant, and content: text, or an array of blocks.

    The server refuses the request; the role `tool` of other dialects does not exist here.
    """
    listed = view.request.get("messages") if isinstance(view.request, dict) else None
    for number, message in enumerate(listed if isinstance(listed, list) else ()):
        if not isinstance(message, dict):
            yield Hit(join("/messages", number), "the message is not an object", "an object", kind(message))
    for message, at in messages(view):
        yield from misshapen(message, {"role": "string", "content": "string|array"}, at)
        role = message.get("role")
        if isinstance(role, str) and role not in ("user", "assistant", "system"):
            yield Hit(join(at, "role"), f"{role} is not a role of Messages", "user or assistant", role)


@rule(
    "messages-block-malformed",
    scope="request",
    basis="sdk-type",
    cites=[
        "ANT-Q-012 anthropic 2.11 types/tool_result_block_param.py",
        "ANT-Q-013 anthropics/claude-code#6695",
        "ANT-C-009 anthropic 2.11 types/thinking_block_param.py",
    ],
    bugs=["anthropics/claude-code#6695"],
    conforming=[
        example(_ANSWER),
        example(_ANSWER, drop(f"{_MESSAGES}/2/content/0/content")),
        example("anthropic-messages/error-result"),
    ],
    violating=[
        example(_ANSWER, put(f"{_MESSAGES}/1/content/1/input", "")),
        example(_ANSWER, drop(f"{_MESSAGES}/1/content/1/input")),
        example(_ANSWER, drop(f"{_MESSAGES}/2/content/0/tool_use_id")),
        example(_ANSWER, put(f"{_MESSAGES}/2/content/0/content", 14.2)),
        example(_ANSWER, put(f"{_MESSAGES}/2/content/1/content/0", "x")),
        example(_THINKING, drop("/1/request/body/messages/1/content/0/signature")),
        example(_ANSWER, put(f"{_MESSAGES}/2/content/0/type", "tool_response")),
    ],
)
def block_malformed(view: View) -> Iterator[Hit]:
    """Every content block must have a known type and the members of that type.

    The server refuses the request. Typical faults are arguments as text, or results under another name, if a client
    was written for another dialect.
    """
    for block, at in _all_blocks(view):
        yield from _broken(block, at)
        if kind_of(block) == "tool_result" and isinstance(block.get("content"), list):
            for number, inner in enumerate(block["content"]):
                yield from _broken(inner, join(at, "content", number), _IN_RESULTS)


def _broken(block: Any, at: str, among: tuple[str, ...] = ()) -> Iterator[Hit]:
    wire = kind_of(block)
    if not isinstance(block, dict) or "type" not in block:
        yield Hit(at, "the block has no type", "an object with a type", kind(block))
    elif wire is None:
        yield Hit(join(at, "type"), "the type is not a string", "a block type", brief(block["type"]))
    elif among and wire not in among:
        where = join(at, "type")
        yield Hit(where, f"{wire} is not allowed in a tool result", ", ".join(among), wire, severity=Severity.WARNING)
    elif wire in _SHAPES:
        yield from misshapen(block, _SHAPES[wire], at)
    elif is_result(wire):
        yield from misshapen(block, {"tool_use_id": "string+"}, at)
    elif not among and not is_call(wire) and wire not in _OTHERS:
        # New types come without notice, so an unknown one is most likely, and not surely, wrong.
        known = "a type that the dialect knows"
        yield Hit(join(at, "type"), f"{wire} is not a known block type", known, wire, severity=Severity.WARNING)


@rule(
    "messages-block-member-unknown",
    scope="request",
    basis="observed",
    cites=[
        "ANT-Q-012 langchain-ai/langchain#31208",
        "ANT-Q-014 langchain-ai/langchain#31208",
        "ANT-Q-014 anthropic 2.11 types/tool_use_block_param.py",
    ],
    bugs=["langchain-ai/langchain#31208"],
    conforming=[example(_ANSWER), example(_ANSWER, put(f"{_MESSAGES}/1/content/1/caller", {"type": "direct"}))],
    violating=[
        example(_ANSWER, put(f"{_MESSAGES}/1/content/1/index", 0)),
        example(_ANSWER, put(f"{_MESSAGES}/2/content/0/result", 14)),
    ],
)
def block_member_unknown(view: View) -> Iterator[Hit]:
    """A text, call or result in a request must have only documented members.

    The server refuses the request: extra inputs are not permitted. Clients that send back what they assembled
    from a stream leave an `index` in it.
    """
    for block, at in _all_blocks(view):
        wire = kind_of(block)
        if wire in _MEMBERS:
            for key in extra(block, _MEMBERS[wire]):
                yield Hit(join(at, key), f"{wire} has no member {key}", ", ".join(sorted(_MEMBERS[wire])), key)


@rule(
    "messages-tool-use-id-invalid",
    severity=Severity.WARNING,
    scope="request",
    basis="observed",
    cites=["ANT-Q-015 platform.claude.com/docs/en/api/messages"],
    violating=[
        example(
            _ANSWER,
            put(f"{_MESSAGES}/1/content/1/id", "call:1"),
            put(f"{_MESSAGES}/2/content/0/tool_use_id", "call:1"),
            at="0 request /messages/1/content/1/id",
        )
    ],
)
def tool_use_id_invalid(view: View) -> Iterator[Hit]:
    """The id of a call in a request must consist of letters, digits, underscores and hyphens.

    Ids of other providers contain colons and dots; the server is believed to refuse them.
    """
    for block, at in _all_blocks(view):
        name = block.get("id") if is_call(kind_of(block)) else None
        if isinstance(name, str) and name and not _ID.fullmatch(name):
            yield Hit(
                join(at, "id"),
                "the id has characters that are not allowed",
                f"an id that matches {_ID.pattern}",
                brief(name),
            )


@rule(
    "messages-block-role-wrong",
    scope="request",
    basis="documented",
    cites=["ANT-Q-016 anthropic 2.11 types/message_create_params.py"],
    conforming=[example(_ANSWER), example("anthropic-messages/pause-run")],
    violating=[
        example(
            _ANSWER,
            swap(f"{_MESSAGES}/1/content/2", f"{_MESSAGES}/2/content/1"),
            drop(f"{_MESSAGES}/2/content/1"),
            at="0 request /messages/1/content/2",
        ),
        example(
            "anthropic-messages/call",
            put(f"{_MESSAGES}/0/content", [{"type": "tool_use", "id": "toolu_1", "name": "get_weather", "input": {}}]),
            at="0 request /messages/0/content/0",
        ),
    ],
)
def block_role_wrong(view: View) -> Iterator[Hit]:
    """Results must be in messages of the user, calls and thinking in messages of the assistant.

    The server refuses the request.
    """
    for message, pointer in messages(view):
        role = message.get("role")
        for block, at in blocks(message, pointer):
            wire = kind_of(block)
            if (role == "assistant" and wire == "tool_result") or (role == "user" and wire in _ONLY_ASSISTANT):
                where = "user" if wire == "tool_result" else "assistant"
                yield Hit(at, f"{wire} in a message of the {role}", f"a message of the {where}", role)


@rule(
    "messages-text-empty",
    severity=Severity.WARNING,
    scope="request",
    basis="observed",
    cites=["ANT-Q-018 platform.claude.com/docs/en/api/messages"],
    violating=[
        example(_ANSWER, put(f"{_MESSAGES}/1/content/0/text", "")),
        example(_ANSWER, put(f"{_MESSAGES}/0/content", "")),
        example(_ANSWER, put(f"{_MESSAGES}/0/content", [])),
    ],
)
def text_empty(view: View) -> Iterator[Hit]:
    """Text blocks and messages must not be empty.

    The server is believed to refuse empty text. Clients send it when a reply had calls and no text.
    """
    for message, pointer in messages(view):
        if message.get("content") in ("", []):
            yield Hit(join(pointer, "content"), "the message is empty", "text or blocks", brief(message["content"]))
        for block, at in blocks(message, pointer):
            if kind_of(block) == "text" and block.get("text") == "":
                yield Hit(join(at, "text"), "the text is empty", "some text, or no block", '""')
