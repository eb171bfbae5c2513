"""What plain Chat traffic looks like, where the rules that check single fields have nothing to say."""

from __future__ import annotations

from typing import Any

from conformance.dialects.openai_chat import shape
from conformance.dialects.openai_chat.reply import STOPS
from conformance.dialects.openai_chat.stream import choice_entries
from conformance.judge.plain import Passable, Plain, Without, any_of, array_of, closed, one_of, open_, request_of, text
from conformance.judge.view import View

_NULL = {"type": "null"}
_NONE = {"type": ["array", "null"], "maxItems": 0}
_MAYBE_TEXT = {"type": ["string", "null"]}
_NO_CALLS = {"tool_calls": _NULL}
_TEXTS = ("content", "refusal", "reasoning_content", "reasoning")
_INDEX = {"type": "integer", "minimum": 0}
_NAME = text(pattern="^[a-zA-Z0-9_-]{1,64}$")


def _plain(table: shape.Shape, **fields: Any) -> dict[str, Any]:
    """The schema of a table of `shape`, with some fields narrowed."""
    kinds = {
        name: {"type": list(field.kinds), **({"minLength": 1} if field.filled else {})} for name, field in table.items()
    }
    return open_({**kinds, **fields}, *(name for name, field in table.items() if field.required))


_SCALAR = {"type": ["string", "number", "boolean", "null"]}
"""What an unknown field may hold: no call hides in it."""
_DETAIL = dict.fromkeys(("type", "text", "summary", "data", "format", "index", "id", "signature"), _SCALAR)
_DETAILS = any_of(_NULL, array_of(closed(_DETAIL)))
"""How OpenRouter shows reasoning."""


def _answer(view: View) -> Any:
    """The chunks of a stream without its end mark, or the reply."""
    if view.events is None:
        return {"reply": view.response}
    return {"chunks": [event.json for event in view.events if event.data != "[DONE]"]}


def _answers() -> Any:
    usage = any_of(_NULL, _plain(shape.USAGE))
    return any_of(closed({"chunks": array_of(_chunk(usage))}), closed({"reply": _completion(usage)}))


def _chunk(usage: Any) -> Any:
    fragment = _plain(shape.FRAGMENT, index=_INDEX, type=one_of("function"), function=_plain(shape.FRAGMENT_FUNCTION))
    fragment["required"] = ["index"]
    calls = array_of({**fragment, "not": {"required": ["custom"]}}, minItems=1, maxItems=1)
    fields = {**dict.fromkeys(_TEXTS, _MAYBE_TEXT), "reasoning_details": _DETAILS, "tool_calls": any_of(_NONE, calls)}
    delta = {**open_({"role": text(), **fields}), "additionalProperties": _SCALAR}
    choice = _plain(shape.CHUNK_CHOICE, delta=delta)
    chunk = _plain(
        shape.CHUNK, object=one_of("chat.completion.chunk"), choices=array_of(choice, maxItems=1), usage=usage
    )
    chunk["properties"]["error"] = {"not": {}}
    nobodys = {name: one_of("") for name in ("id", "object", "model")}
    return any_of(chunk, _plain(shape.CHUNK, **nobodys, choices=array_of({}, maxItems=0), usage=usage))


def _completion(usage: Any) -> Any:
    call = _plain(shape.CALL, type=one_of("function"), function=_plain(shape.FUNCTION, name=text(minLength=1)))
    call["required"] = ["id", "type", "function"]
    calls = {"type": ["array", "null"], "items": call}
    texts = {name: _MAYBE_TEXT for name in _TEXTS if name != "content"} | {"reasoning_details": _DETAILS}
    message = _plain(shape.MESSAGE, role=one_of("assistant"), tool_calls=calls, function_call=_NULL, **texts)
    message["additionalProperties"] = _SCALAR
    choice = _plain(shape.CHOICE, message=message, finish_reason=one_of(*STOPS))
    choices = array_of(choice, minItems=1)
    return _plain(shape.COMPLETION, object=one_of("chat.completion"), choices=choices, usage=usage)


def _request() -> Any:
    said = any_of(text(), array_of(open_({"type": text()}, "type"), minItems=1))
    function = _plain(shape.FUNCTION, name=text(minLength=1))
    call = _plain(shape.CALL, id=text(minLength=1, maxLength=40), type=one_of("function"), function=function)
    call["required"] = ["id", "type", "function"]
    calls = array_of(call, minItems=1)
    messages = any_of(
        open_({"role": one_of("system", "developer", "user"), "content": said, **_NO_CALLS}, "role", "content"),
        open_({"role": one_of("assistant"), "content": said, **_NO_CALLS}, "role", "content"),
        open_({"role": one_of("assistant"), "content": any_of(_NULL, said), "tool_calls": calls}, "role", "tool_calls"),
        open_(
            {"role": one_of("tool"), "content": said, "tool_call_id": text(minLength=1), **_NO_CALLS},
            *("role", "content", "tool_call_id"),
        ),
    )
    parameters = open_({"type": one_of("object")}, "type")
    tool = open_(
        {
            "type": one_of("function"),
            "function": open_({"name": _NAME, "parameters": any_of(_NULL, parameters)}, "name"),
        },
        *("type", "function"),
    )
    named = open_(
        {"type": one_of("function"), "function": open_({"name": text(minLength=1)}, "name")}, "type", "function"
    )
    request = _plain(
        shape.REQUEST,
        messages=array_of(messages, minItems=1),
        tools=array_of(tool, minItems=1, maxItems=128),
        tool_choice=any_of(one_of("auto", "none", "required"), named),
        functions=_NULL,
        function_call=_NULL,
    )
    return {**request, "required": ["messages"]}  # the model may stand in the path


def _fragments(view: View) -> bool:
    """Whether some delta has the key of calls."""
    entries = (entry for event in view.events or () for entry, _ in choice_entries(event))
    return any(isinstance(entry.get("delta"), dict) and "tool_calls" in entry["delta"] for entry in entries)


PLAIN: dict[Passable, tuple[str, ...]] = {
    Without(_fragments): ("chat-delta-field-null", "chat-delta-tool-calls-empty"),
    Plain(request_of, _request): (
        "chat-assistant-message-empty",
        "chat-content-wrong-type",
        "chat-functions-deprecated",
        "chat-history-call-incomplete",
        "chat-history-tool-calls-empty",
        "chat-messages-empty",
        "chat-request-field-wrong-type",
        "chat-role-unknown",
        "chat-tool-call-id-too-long",
        "chat-tool-choice-unknown",
        "chat-tool-message-id-missing",
        "chat-tool-name-invalid",
        "chat-tool-fields-misplaced",
        "chat-tool-parameters-wrong-type",
        "chat-tools-empty",
        "chat-tools-too-many",
    ),
    Plain(_answer, _answers): (
        "chat-tool-call-misplaced",
        "chat-chunk-field-missing",
        "chat-chunk-field-wrong-type",
        "chat-chunk-object-wrong",
        "chat-fragment-duplicate",
        "chat-message-role-wrong",
        "chat-object-wrong",
        "chat-reply-field-missing",
        "chat-reply-field-wrong-type",
        "chat-choices-empty",
        "chat-stream-error-malformed",
        "chat-tool-call-index-missing",
    ),
}
