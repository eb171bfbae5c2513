"""The blocks of Messages replies, streamed or not, docs/contract/anthropic-messages.md, ANT-R."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.anthropic_messages.answer import blocks_of
from conformance.dialects.anthropic_messages.block import is_call, is_result, kind_of
from conformance.dialects.anthropic_messages.shape import Shape, misshapen
from conformance.judge.example import drop, example, insert, put, swap
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, kind
from conformance.model.pointer import join
from conformance.model.transcript import Reasoning, Text, ToolCall, ToolResult

_CALL = "anthropic-messages/call"
_STREAM, _THINKING = "anthropic-messages/stream-call", "anthropic-messages/thinking-run"
_BODY = "/0/response/body"
_TEXT = {"type": "text", "text": "Done."}
_SHAPES: dict[str, Shape] = {
    "text": {"text": "string", "citations": "?array|null"},
    "thinking": {"thinking": "string", "signature": "string"},
    "redacted_thinking": {"data": "string"},
    "tool_use": {"id": "string+", "caller": "?object|null"},
    "server_tool_use": {"id": "string+", "name": "string+", "input": "object"},
    "mcp_tool_use": {"id": "string+", "name": "string+", "server_name": "string", "input": "object"},
}
_OTHERS = frozenset({"container_upload", "compaction", "fallback", "mcp_tool_listing"})


@rule(
    "messages-reply-block-malformed",
    scope="reply",
    basis="sdk-type",
    cites=[
        "ANT-R-004 anthropic 2.11 types/tool_use_block.py",
        "ANT-S-006 recorded traffic 21/21",
        "ANT-R-001 anthropic 2.11 types/content_block.py",
    ],
    conforming=[example(_CALL), example(_STREAM), example(_THINKING), example("anthropic-messages/stream-server-tool")],
    violating=[
        example(_CALL, drop(f"{_BODY}/content/1/id")),
        example(_CALL, put(f"{_BODY}/content/1/id", "")),
        example(_CALL, put(f"{_BODY}/content/0", "I will look up both.")),
        example(_THINKING, drop("/0/response/body/content/0/signature")),
        example("anthropic-messages/pause-run", put(f"{_BODY}/content/1/input", "{}")),
        example(_STREAM, drop("/0/response/events/6/data/content_block/id")),
    ],
)
def reply_block_malformed(view: View) -> Iterator[Hit]:
    """Every block of the reply must have a type and the members of that type; calls must have an id.

    A call without an id cannot be answered, thinking without a signature cannot be sent back.
    """
    for block, at in blocks_of(view):
        wire = kind_of(block)
        if wire is None:
            yield Hit(at, "the block has no type", "an object with a type", kind(block))
        elif is_result(wire):
            yield from misshapen(block, {"tool_use_id": "string+"}, at)
        else:
            shape = dict(_SHAPES.get(wire, {}))
            if view.events is not None:
                shape.pop("input", None)
                # Older streams leave the signature to its delta.
                shape.pop("signature", None)
            yield from misshapen(block, shape, at)
    for turn in view.replies:
        for part in turn.parts:
            if isinstance(part, ToolCall) and part.kind == "server" and part.wire is not None:
                whole = turn.stop not in ("length", "filter")
                if whole and not isinstance(part.arguments, dict):
                    yield Hit(part.pointer, f"the input of {part.name} is not an object", "an object", brief(part.wire))


@rule(
    "messages-reply-block-unknown",
    severity=Severity.INFO,
    scope="reply",
    basis="sdk-type",
    cites=["ANT-S-012 platform.claude.com/docs/en/api/versioning"],
    conforming=[example(_CALL), example("anthropic-messages/stream-server-tool")],
    violating=[example(_CALL, put(f"{_BODY}/content/0/type", "texts"))],
)
def reply_block_unknown(view: View) -> Iterator[Hit]:
    """Every block of the reply should be of a type known to this suite.

    New types come without a new version, so this is not an error; but such a block is not checked further.
    """
    for block, at in blocks_of(view):
        wire = kind_of(block)
        if (
            wire  # an empty one is not a word at all: the schema's to say
            and wire not in _SHAPES
            and wire not in _OTHERS
            and not is_call(wire)
            and not is_result(wire)
        ):
            yield Hit(join(at, "type"), f"{wire} is not a known block type", "a known type", wire)


@rule(
    "messages-tool-use-misplaced",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    cites=["ANT-R-005 recorded traffic 108/108"],
    conforming=[example(_CALL), example(_STREAM)],
    violating=[
        example(_CALL, insert(f"{_BODY}/content/3", _TEXT)),
        example(_CALL, swap(f"{_BODY}/content/0", f"{_BODY}/content/1"), at="0 response /content/1"),
    ],
)
def tool_use_misplaced(view: View) -> Iterator[Hit]:
    """Calls must be the last blocks of a reply.

    A client that sends such a reply back unchanged is refused, because text comes after a call.
    """
    for turn in view.replies:
        calling = False
        for part in turn.parts:
            calling = calling or part in turn.calls
            if calling and isinstance(part, (Text, Reasoning)):
                yield Hit(part.pointer, "text or thinking comes after a call", "calls last")


@rule(
    "messages-server-result-orphaned",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    cites=["ANT-R-006 recorded traffic 58/58"],
    conforming=[example("anthropic-messages/pause-run"), example("anthropic-messages/stream-server-tool")],
    violating=[
        example(
            "anthropic-messages/pause-run",
            put(f"{_BODY}/content/2/tool_use_id", "srvtoolu_01nobody"),
            at="0 response /content/2",
        )
    ],
)
def server_result_orphaned(view: View) -> Iterator[Hit]:
    """The result of a server tool must answer a call before it, in the reply or in the history.

    The client shows sources for a search that did not happen, and the provider refuses the reply in the history.
    """
    known = {part.id for turn in (*view.history, *view.replies) for part in turn.parts if isinstance(part, ToolCall)}
    for turn in view.replies:
        for part in turn.parts:
            if isinstance(part, ToolResult) and part.call_id and part.call_id not in known:
                yield Hit(part.pointer, "a server tool's result answers no call", "the id of a call", part.call_id)
