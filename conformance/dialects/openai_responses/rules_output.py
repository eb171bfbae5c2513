"""The output of Responses replies, streamed or not, docs/contract/openai-responses.md, OAR-R."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_responses.chain import delivered, output_of
from conformance.dialects.openai_responses.items import list_of, type_of
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.pointer import join

_CALL, _ANSWER = "openai-responses/call", "openai-responses/answer"
_BODY = "/0/response/body"


@rule(
    "responses-output-item-id-duplicate",
    scope="reply",
    basis="observed",
    cites=["OAR-R-003 recorded traffic 73/73"],
    conforming=[example(_CALL), example(_ANSWER), example("openai-responses/reasoning-run")],
    violating=[example(_CALL, put(f"{_BODY}/output/1/id", "fc_0a1b2c3d4e5f60710001"))],
)
def output_item_id_duplicate(view: View) -> Iterator[Hit]:
    """Output items must have unique ids.

    Clients keep the items by their ids, and lose one of two with the same id.
    """
    ids: set[str] = set()
    for response, at in delivered(view):
        for number, item in enumerate(list_of(response.get("output"))):
            item_id = item.get("id") if isinstance(item, dict) else None
            if isinstance(item_id, str) and item_id:
                if item_id in ids:
                    where = join(at, "output", number, "id")
                    yield Hit(where, "an earlier item has this id", "a unique id", item_id)
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
        if response.get("output") == [] and not output_of(view):
            yield Hit(join(at, "output"), "the completed response has no output", "at least one item", "none")
        for number, item in enumerate(list_of(response.get("output"))):
            if type_of(item) == "message" and item.get("content") == []:
                where = join(at, "output", number, "content")
                yield Hit(where, "the message has no content", "at least one part", "none")
