"""One way to call, and a record for each result, with the arguments of its call."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.prompted.parse import RECORD, read_block, scan
from conformance.dialects.prompted.passages import texts_with_records
from conformance.dialects.prompted.request import tagged
from conformance.dialects.text.raw import native_tools
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, same
from conformance.model.transcript import Malformed, ToolCall


@rule(
    "prompted-native-tools-unexpected",
    scope="request",
    cites="PFC-Q-002",
)
def prompted_native_tools_unexpected(view: View) -> Iterator[Hit]:
    """A request that describes its tools in the text must not declare native tools.

    The model has two ways to call, and the client reads only one of them.
    """
    if native_tools(view.request):
        key = "tools" if view.request.get("tools") else "functions"
        yield Hit(f"/{key}", "the tools are declared natively and in the text", "one way to call", key)


def _records(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """The records in the user's turns, each with its pointer."""
    for part in texts_with_records(view):
        for piece in scan(part.text):
            found = None if isinstance(piece, str) else read_block(piece).record
            if found is not None:
                yield found, part.pointer


@rule(
    "prompted-record-mismatch",
    scope="request",
    cites="PFC-C-001",
    severity=Severity.WARNING,
    because="the statement demands result, order and name, which are there; it does not mention the arguments",
)
def prompted_record_mismatch(view: View) -> Iterator[Hit]:
    """A record must repeat the arguments of its call.

    Otherwise the model gets the result of a call that it did not make.
    """
    calls: dict[int, ToolCall] = {}
    for _, _, pairing in view.answered:
        calls |= {id(result): call for call, result in pairing.pairs}
    records = list(_records(view))
    places = {pointer for _, pointer in records}
    results = [result for turn in view.history for result in turn.results if result.pointer in places]
    for (found, pointer), result in zip(records, results, strict=False):
        call = calls.get(id(result))
        if call is None or "arguments" not in found or isinstance(call.arguments, Malformed):
            continue
        if call.name == found.get("name") and not same(found["arguments"], call.arguments):
            yield Hit(
                pointer,
                f"the arguments in the record of {call.name} differ from the call's",
                brief(call.arguments),
                brief(found["arguments"]),
            )


@rule(
    "prompted-result-record-missing",
    scope="request",
    cites="PFC-C-002",
)
def prompted_result_record_missing(view: View) -> Iterator[Hit]:
    """Every result of a tool must be in a record, or in tags, apart from the text of the user and the model.

    The model cannot tell whether a bare sentence is the user's, its own, or the tool's.
    """
    places = {pointer for _, pointer in _records(view)}
    for turn in view.ask.history:
        for result in turn.results:
            in_tags = isinstance(result.content, str) and tagged(result.content)
            if result.pointer not in places and not in_tags:
                yield Hit(result.pointer, "a result is not in a record", f"a {RECORD} block", brief(result.content))
