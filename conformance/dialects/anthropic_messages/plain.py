"""What plain Messages traffic looks like, where the rules that check single members have nothing to say."""

from __future__ import annotations

from typing import Any

from conformance.judge.plain import Plain, any_of, array_of, closed, one_of, open_, request_of, text
from conformance.judge.view import View

_NULL = {"type": "null"}
_OBJECT = {"type": "object"}
_FILLED = text(minLength=1)
_MAYBE_OBJECT = {"type": ["object", "null"]}
_COUNT = {"type": "integer", "minimum": 0}
_MAYBE_COUNT = {"type": ["integer", "null"], "minimum": 0}
_CACHE = {"cache_control": _MAYBE_OBJECT}
_NEVER: dict[str, Any] = {"not": {}}


def _block(kind: str, needed: dict[str, Any], **more: Any) -> dict[str, Any]:
    return closed({"type": one_of(kind), **needed, **more}, "type", *needed)


def _messages() -> Any:
    said = _block("text", {"text": _FILLED}, **_CACHE, citations={"type": ["array", "null"]})
    image = _block("image", {"source": _OBJECT}, **_CACHE)
    thinking = _block("thinking", {"thinking": text(), "signature": text()})
    call = _block(
        "tool_use",
        {"id": text(pattern="^[a-zA-Z0-9_-]+$"), "name": _FILLED, "input": _OBJECT},
        caller=_MAYBE_OBJECT,
        **_CACHE,
    )
    inner = any_of(text(), array_of(any_of(_block("text", {"text": text()}, **_CACHE), image)))
    result = _block(
        "tool_result", {"tool_use_id": _FILLED}, content=inner, is_error={"type": ["boolean", "null"]}, **_CACHE
    )
    user, assistant = any_of(said, image, result), any_of(said, thinking, call)
    return array_of(
        any_of(
            *(
                open_(
                    {"role": one_of(role), "content": any_of(_FILLED, array_of(block, minItems=1))}, "role", "content"
                )
                for role, block in (("user", user), ("assistant", assistant))
            )
        )
    )


def _tools() -> Any:
    schema = open_({"type": one_of("object")}, "type")
    schema["properties"].update(dict.fromkeys(("anyOf", "oneOf", "allOf"), _NEVER))
    fields = {"name": text(pattern="^[a-zA-Z0-9_-]{1,64}$"), "input_schema": schema}
    more = {"description": text(), "type": one_of("custom"), **_CACHE}
    return array_of(closed({**fields, **more}, *fields))


def _usage(more: dict[str, Any], *required: str) -> Any:
    counts = dict.fromkeys(("cache_creation_input_tokens", "cache_read_input_tokens"), _MAYBE_COUNT)
    objects = dict.fromkeys(("cache_creation", "server_tool_use"), _MAYBE_OBJECT)
    totals = dict.fromkeys(("total_tokens", "prompt_tokens", "completion_tokens"), _NEVER)
    tier = {"service_tier": {"type": ["string", "null"]}}
    return open_({"output_tokens": _COUNT, **counts, **objects, **totals, **tier, **more}, "output_tokens", *required)


def _message(content: Any, **more: Any) -> Any:
    fields = {
        "id": _FILLED,
        "type": one_of("message"),
        "role": one_of("assistant"),
        "model": _FILLED,
        "content": content,
        "stop_reason": {"type": ["string", "null"]},
        "stop_sequence": {"type": ["string", "null"]},
        "usage": _usage({"input_tokens": _COUNT}, "input_tokens"),
    }
    objects = dict.fromkeys(("container", "stop_details", "context_management"), _MAYBE_OBJECT)
    return open_({**fields, **more, **objects}, *fields)


def _blocks(words: Any, arguments: Any) -> Any:
    """The blocks of a reply that the server itself does not run."""
    call = {"id": _FILLED, "name": _FILLED, "input": arguments}
    return any_of(
        open_({"type": one_of("text"), "text": words, "citations": {"type": ["array", "null"]}}, "type", "text"),
        open_({"type": one_of("thinking"), "thinking": words, "signature": words}, "type", "thinking", "signature"),
        open_({"type": one_of("tool_use"), **call, "caller": _MAYBE_OBJECT}, "type", *call),
    )


def _answers() -> Any:
    usage = _usage({"input_tokens": _MAYBE_COUNT})
    start = _message(array_of({}, maxItems=0), stop_reason=_NULL, stop_sequence=_NULL)
    block = _blocks(one_of(""), closed({}))
    ending = open_({"stop_reason": {"type": ["string", "null"]}})
    events = any_of(
        open_({"type": one_of("content_block_delta")}, "type"),
        open_({"type": one_of("content_block_start"), "content_block": block}, "type", "content_block"),
        open_({"type": one_of("message_start"), "message": start}, "type", "message"),
        open_({"type": one_of("message_delta"), "delta": ending, "usage": usage}, "type", "delta", "usage"),
        open_({"type": one_of("content_block_stop", "message_stop", "ping")}, "type"),
    )
    reply = _message(array_of(_blocks(text(), _OBJECT)))
    return any_of(closed({"reply": reply}), closed({"events": array_of(events)}))


def _answer(view: View) -> Any:
    return {"reply": view.response} if view.events is None else {"events": [event.json for event in view.events]}


PLAIN = {
    Plain(request_of, lambda: open_({"messages": _messages()}, "messages")): (
        "messages-block-malformed",
        "messages-block-role-wrong",
        "messages-block-member-unknown",
        "messages-message-malformed",
        "messages-text-empty",
        "messages-tool-use-id-invalid",
    ),
    Plain(request_of, lambda: open_({"tools": any_of(_NULL, _tools())})): (
        "messages-server-tool-name-missing",
        "messages-tool-malformed",
        "messages-tool-schema-union-unsupported",
    ),
    Plain(_answer, _answers): (
        "messages-block-start-content-unexpected",
        "messages-event-unknown",
        "messages-reply-block-malformed",
        "messages-reply-block-unknown",
        "messages-reply-field-wrong-type",
        "messages-stream-start-content-unexpected",
        "messages-usage-malformed",
    ),
}
