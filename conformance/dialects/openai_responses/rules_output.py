"""The output of Responses replies, streamed or not, docs/contract/openai-responses.md, OAR-R."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_responses.chain import delivered
from conformance.dialects.openai_responses.items import list_of, type_of
from conformance.dialects.openai_responses.shape import (
    OUTPUT_TYPES,
    output_item_misfits,
)
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import kind
from conformance.model.pointer import join

_CALL, _ANSWER = "openai-responses/call", "openai-responses/answer"
_STREAM = "openai-responses/stream-call"
_BODY = "/0/response/body"
_FINAL = "/0/response/events/12/data/response"
_SPEC = "openai/openai-openapi openapi.json#/components/schemas"


@rule(
    "responses-output-item-malformed",
    scope="reply",
    basis="schema",
    cites=[f"OAR-R-003 {_SPEC}/FunctionToolCallResource", "OAR-R-003 recorded traffic 73/73"],
    bugs=["ggml-org/llama.cpp#24882", "theopenco/llmgateway#2287"],
    conforming=[example(_CALL), example(_ANSWER), example("openai-responses/reasoning-run")],
    violating=[
        example(_CALL, drop(f"{_BODY}/output/0/call_id")),
        example(_CALL, drop(f"{_BODY}/output/1/id")),
        example(_CALL, put(f"{_BODY}/output/0/arguments", {"latitude": 1})),
        example(_ANSWER, put(f"{_BODY}/output/0/content", "14.2")),
        example(_ANSWER, drop(f"{_BODY}/output/0/content/0/annotations")),
        example(_STREAM, drop(f"{_FINAL}/output/0/call_id")),
        example(_CALL, put(f"{_BODY}/output/0/call_id", "")),
        example(_CALL, put(f"{_BODY}/output/1/id", "fc_0a1b2c3d4e5f60710001")),
    ],
)
def output_item_malformed(view: View) -> Iterator[Hit]:
    """Every output item must have the fields that its type requires, with the right types.

    A call without a `call_id` cannot be answered; an item without an `id` cannot be followed through a stream.
    """
    ids: set[str] = set()
    for response, at in delivered(view):
        for number, item in enumerate(list_of(response.get("output"))):
            if not isinstance(item, dict):
                continue
            place = join(at, "output", number)
            yield from output_item_misfits(item, place)
            for key in ("id", "call_id"):
                if item.get(key) == "":
                    yield Hit(join(place, key), f"`{key}` is empty", "an id", '""')
            item_id = item.get("id")
            if isinstance(item_id, str) and item_id:
                if item_id in ids:
                    yield Hit(join(place, "id"), "an earlier item has this id", "a unique id", item_id)
                ids.add(item_id)


@rule(
    "responses-output-empty",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    cites=["OAR-R-001 recorded traffic"],
    violating=[example(_ANSWER, drop(f"{_BODY}/output/0"), at="0 response /output")],
)
def output_empty(view: View) -> Iterator[Hit]:
    """A completed response must have at least one output item, and a message at least one part.

    The run ends without an answer and without an error.
    """
    for response, at in delivered(view):
        if response.get("status") != "completed":
            continue
        if response.get("output") == []:
            yield Hit(join(at, "output"), "the completed response has no output", "at least one item", "none")
        for number, item in enumerate(list_of(response.get("output"))):
            if type_of(item) == "message" and item.get("content") == []:
                where = join(at, "output", number, "content")
                yield Hit(where, "the message has no content", "at least one part", "none")


@rule(
    "responses-type-unknown",
    severity=Severity.INFO,
    scope="reply",
    basis="sdk-type",
    cites=["OAR-R-003 openai 2.54 types/responses/response_output_item.py"],
    violating=[
        example(_CALL, put(f"{_BODY}/output/0/type", "function_cal")),
        example(_ANSWER, put(f"{_BODY}/output/0/content/0/type", "text")),
    ],
)
def type_unknown(view: View) -> Iterator[Hit]:
    """Output items and message parts should have documented types.

    New types are not an error, but clients ignore those that they do not know.
    """
    for response, at in delivered(view):
        for number, item in enumerate(list_of(response.get("output"))):
            kind_of_item = type_of(item)
            if kind_of_item is not None and kind_of_item not in OUTPUT_TYPES:
                yield Hit(join(at, "output", number, "type"), "undocumented type", None, kind_of_item)
            if kind_of_item != "message":
                continue
            for place, part in enumerate(list_of(item.get("content"))):
                part_kind = part.get("type") if isinstance(part, dict) else None
                if isinstance(part_kind, str) and part_kind not in ("output_text", "refusal"):
                    where = join(at, "output", number, "content", place, "type")
                    yield Hit(where, "undocumented type", "output_text or refusal", part_kind)


@rule(
    "responses-output-text-unexpected",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    cites=["OAR-R-010 recorded traffic 253/253"],
    violating=[example(_ANSWER, put(f"{_BODY}/output_text", "14.2 °C"))],
)
def output_text_unexpected(view: View) -> Iterator[Hit]:
    """`output_text` must not be on the wire.

    SDKs compute it from the items. A client that reads it from one server gets nothing from all others.
    """
    for response, at in delivered(view):
        if "output_text" in response:
            yield Hit(
                join(at, "output_text"),
                "output_text is computed by SDKs, not sent",
                "no such field",
                kind(response["output_text"]),
            )
