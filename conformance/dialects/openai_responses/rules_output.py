"""The output of Responses replies, streamed or not, docs/contract/openai-responses.md, OAR-R."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_responses.chain import delivered, output_of
from conformance.dialects.openai_responses.items import type_of
from conformance.dialects.openai_responses.request import prepares
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.pointer import join
from conformance.model.values import list_of


@rule(
    "responses-output-empty",
    scope="reply",
    cites="OAR-R-001",
    severity=Severity.WARNING,
    because="every member is present, and the document allows an empty array",
)
def output_empty(view: View) -> Iterator[Hit]:
    """A completed response must have at least one output item, and a message at least one part.

    The run ends without an answer and without an error. A request that only prepares a response wants no output.
    """
    for response, at in delivered(view):
        if response.get("status") != "completed":
            continue
        if response.get("output") == [] and not output_of(view) and not prepares(view.request):
            yield Hit(join(at, "output"), "the completed response has no output", "at least one item", "none")
        for number, item in enumerate(list_of(response.get("output"))):
            if type_of(item) == "message" and item.get("content") == []:
                where = join(at, "output", number, "content")
                yield Hit(where, "the message has no content", "at least one part", "none")
