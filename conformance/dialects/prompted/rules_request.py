"""The client's text: the tools and the form of a call in the system message, and a record for each result."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from conformance.dialects.prompted.claims import native_tools, system_texts
from conformance.dialects.prompted.parse import RECORD, Block, read_block, scan, shown_format
from conformance.dialects.prompted.request import listed
from conformance.dialects.prompted.tags import CLOSE, OPEN
from conformance.dialects.text.host_texts import history_texts
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, same
from conformance.model.transcript import Malformed, ToolCall

_PROMPT = "ThinkInAIxyz/deepchat src/main/provider/baseProvider.ts"
_PROTOCOL = "ThinkInAIxyz/deepchat src/main/provider/aiSdk/toolProtocol.ts"

_JSON = re.compile(r"\s*(?:\[\s*)?(?:\{\s*[\"}]|\[?\s*\Z|\[\s*\])")
"""The beginning of a list that should be JSON."""


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


@rule(
    "prompted-format-missing",
    scope="request",
    cites="PFC-Q-001",
)
def prompted_format_missing(view: View) -> Iterator[Hit]:
    """The system message must show the form of a call: the tags, with name and arguments between them.

    Otherwise the model invents a form, which no parser expects.
    """
    texts = list(system_texts(view.request))
    if texts and not any(shown_format(text) for text, _ in texts):
        wanted = f"{OPEN} with name and arguments, closed"
        yield Hit(texts[0][1], "the system message does not show the form of a call", wanted, "a mention of the tag")


@rule(
    "prompted-tool-list-invalid",
    scope="request",
    cites="PFC-Q-001",
)
def prompted_tool_list_invalid(view: View) -> Iterator[Hit]:
    """A tool list in JSON must be an array, or an object on each line; each tool must have a name and a schema.

    If the model cannot read a tool, it calls it wrongly, or invents one.
    """
    for text, pointer in system_texts(view.request):
        written, value = listed(text)
        if written and not _JSON.match(written):
            continue  # XML or prose, which a model can read too
        if written is None:
            continue
        if isinstance(value, Malformed) or not isinstance(value, list):
            found = value.reason if isinstance(value, Malformed) else brief(value)
            yield Hit(
                pointer, "the tool list is not valid JSON", "a JSON array of tools, or one object per line", found
            )
            continue
        tools = view.ask.tools or ()
        bad = next((tool for tool in tools if not tool.name or not isinstance(tool.parameters, dict)), None)
        if bad is not None:
            yield Hit(pointer, "a tool in the list has no name or no schema", "name and parameters", bad.name or "")


@rule(
    "prompted-tool-list-missing",
    scope="request",
    needs_complete=True,
    cites="PFC-Q-001",
    severity=Severity.WARNING,
    because="the tools may be named in a message of another role, or in words without a name to recognise",
)
def prompted_tool_list_missing(view: View) -> Iterator[Hit]:
    """The system message must name the tools that can be called.

    The model knows the form but not the tools, and invents them.
    """
    texts = list(system_texts(view.request))
    if texts and view.ask.tools is None and any(shown_format(text) for text, _ in texts):
        yield Hit(
            texts[0][1], "the system message shows the form of a call but names no tool", "the tools by name", "none"
        )


def _records(view: View) -> Iterator[tuple[dict[str, Any], str]]:
    """The records in the user's turns, each with its pointer."""
    for part in history_texts(view, "user"):
        for piece in scan(part.text) if RECORD in part.text else ():
            found = None if isinstance(piece, str) else read_block(piece).record
            if found is not None:
                yield found, part.pointer


@rule(
    "prompted-record-incomplete",
    scope="request",
    cites="PFC-C-001",
)
def prompted_record_incomplete(view: View) -> Iterator[Hit]:
    """Every record of a call must have the tool's name, the arguments and the response.

    Without ids, only the name ties a result to its call.
    """
    for found, pointer in _records(view):
        if not isinstance(found.get("name"), str) or not {"arguments", "response"} <= found.keys():
            yield Hit(pointer, "a record lacks name, arguments or response", "name, arguments, response", brief(found))


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
    """Every result of a tool must be in a record, apart from the text of the user and the model.

    The model cannot tell whether a bare sentence is the user's, its own, or the tool's.
    """
    places = {pointer for _, pointer in _records(view)}
    for turn in view.ask.history:
        for result in turn.results:
            if result.name is None and result.pointer not in places:
                yield Hit(result.pointer, "a result is not in a record", f"a {RECORD} block", brief(result.content))


@rule(
    "prompted-history-block-malformed",
    scope="request",
    cites="PFC-R-002",
    severity=Severity.WARNING,
    because="the statement is about what a model writes; DeepChat keeps a block that it cannot read as text",
)
def prompted_history_block_malformed(view: View) -> Iterator[Hit]:
    """Every block of earlier turns must be closed and contain a readable call or record.

    The model imitates the calls in its history, and may miss the result.
    """
    records = [part for part in history_texts(view, "user") if RECORD in part.text]
    for part in (*history_texts(view, "assistant"), *records):
        broken = next(filter(None, map(_fault, scan(part.text))), None)
        if broken is not None:
            yield Hit(part.pointer, "a block in the history is malformed", "a closed block with a call", broken)


def _fault(piece: str | Block) -> str | None:
    if isinstance(piece, str):
        return "a closing tag without an opening tag" if CLOSE in piece else None
    nested = "opened twice" if piece.nested else None
    return read_block(piece).fault or nested or (None if piece.closed else "not closed")
