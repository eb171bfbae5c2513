"""What plain Responses traffic looks like, where the rules that check single fields have nothing to say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.dialects.openai_responses import shape
from conformance.dialects.openai_responses.chain import delivered
from conformance.dialects.openai_responses.items import TEXTS
from conformance.dialects.openai_responses.stream import TERMINAL
from conformance.judge.plain import Plain, any_of, array_of, one_of, open_, request_of, text
from conformance.judge.view import View

_FILLED = text(minLength=1)
_MAYBE_OBJECT = {"type": ["object", "null"]}


def _plain(table: shape.Table, **fields: Any) -> dict[str, Any]:
    """The schema of a table of `shape`, with some fields narrowed."""
    kinds = {name: {"type": kinds.removeprefix("!").split("|")} for name, kinds in table.items()}
    return open_({**kinds, **fields}, *(name for name, kinds in table.items() if kinds.startswith("!")))


def _typed(kind: str, schema: dict[str, Any], **fields: Any) -> dict[str, Any]:
    """The schema of an object that names its type."""
    properties = {**schema["properties"], **fields, "type": one_of(kind)}
    return open_(properties, "type", *schema.get("required", ()))


def _parts(tables: Mapping[str, shape.Table]) -> Any:
    return array_of(any_of(*(_typed(kind, _plain(tables.get(kind, {"text": "!string"}))) for kind in TEXTS)))


_PARTS = {"output_text": shape.OUTPUT_PARTS["output_text"], "refusal": {"refusal": "!string"}}
_SENT_PARTS = {"output_text": {"text": "!string"}, "refusal": {"refusal": "!string"}}


def _response() -> Any:
    table = {**shape.RESPONSE_REQUIRED, **shape.RESPONSE_OPTIONAL}
    return _plain(table, id=_FILLED, object=one_of("response"), output=array_of({"type": "object"}))


def _delivered(view: View) -> Any:
    return [view.response] if view.events is None else [response for response, _ in delivered(view)]


def _events(view: View) -> Any:
    return None if view.events is None else [event.json for event in view.events]


def _stream() -> Any:
    begun = _plain({**shape.RESPONSE_OPTIONAL, **shape.RESPONSE_REQUIRED, "status": "!string"})
    part = _parts(_PARTS)["items"]
    kinds = []
    for kind, table in shape.EVENTS.items():
        fields = {"part": part} if "part" in table else {}
        if "response" in table and kind not in TERMINAL:
            fields = {"response": begun}
        kinds.append(_typed(kind, _plain(table), **fields))
    return array_of(any_of(*kinds))


def _request() -> Any:
    items = shape.INPUT_ITEMS
    said = any_of(text(), _parts(_SENT_PARTS))
    message = _plain(items["message"], content=said)
    plain = any_of(
        _typed("message", message),
        open_({**message["properties"], "type": {"not": {}}}, "role", "content"),
        _typed("function_call", _plain(items["function_call"])),
        _typed("function_call_output", _plain(items["function_call_output"]), output=said),
        _typed("reasoning", _plain(items["reasoning"]), summary=_parts(_SENT_PARTS)),
        _typed("item_reference", _plain(items["item_reference"])),
    )
    return open_({"model": _FILLED, "input": any_of(_FILLED, array_of(plain, minItems=1))}, "model", "input")


def _tools() -> Any:
    kinds = {name: kinds for name, kinds in shape.TOOL.items() if name != "parameters"}
    function = _typed("function", _plain(kinds), parameters=_MAYBE_OBJECT, function={"not": {"type": "object"}})
    return open_({"tools": array_of(function)})


PLAIN = {
    Plain(request_of, _request): ("responses-input-item-malformed",),
    Plain(request_of, _tools): ("responses-tool-malformed", "responses-tool-fields-misplaced"),
    Plain(request_of, lambda: _plain(shape.REQUEST, model=_FILLED) | {"required": ["model", "input"]}): (
        "responses-request-field-wrong-type",
    ),
    Plain(_delivered, lambda: array_of(_response())): ("responses-response-malformed",),
    Plain(_events, _stream): ("responses-event-malformed",),
}
