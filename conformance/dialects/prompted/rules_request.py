"""The client's text: the tools and the form of a call in the system message, and a record for each result."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from conformance.dialects.prompted.examples import CALLS, RECORDS, SYSTEM, record
from conformance.dialects.prompted.parse import CLOSE, OPEN, RECORD, Block, read_block, scan
from conformance.dialects.prompted.request import listed, native_tools, shown_format, system_texts
from conformance.dialects.text.host_texts import history_texts
from conformance.judge.example import example, insert, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief, same
from conformance.model.transcript import Malformed, ToolCall

_PROMPT = "ThinkInAIxyz/deepchat src/main/provider/baseProvider.ts"
_PROTOCOL = "ThinkInAIxyz/deepchat src/main/provider/aiSdk/toolProtocol.ts"
_MESSAGES = "/0/request/body/messages"
_TOOL = {"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object", "properties": {}}}}

_JSON = re.compile(r"\s*(?:\[\s*)?(?:\{\s*[\"}]|\[?\s*\Z|\[\s*\])")
"""The beginning of a list that should be JSON."""


@rule(
    "prompted-native-tools-unexpected",
    scope="request",
    basis="documented",
    cites=[f"PFC-Q-002 {_PROMPT}"],
    conforming=[example("prompted/call"), example("prompted/run")],
    violating=[example("prompted/call", put("/0/request/body/tools", [_TOOL]))],
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
    basis="documented",
    cites=[f"PFC-Q-001 {_PROMPT}"],
    conforming=[
        example("prompted/call"),
        example(
            "prompted/call",
            put(f"{_MESSAGES}/0/content", SYSTEM.replace('{"function_call": {', "{").replace('"}}}', '"}}')),
        ),
    ],
    violating=[example("prompted/call", put(f"{_MESSAGES}/0/content", SYSTEM.replace('"arguments"', '"input"')))],
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
    basis="documented",
    cites=[f"PFC-Q-001 {_PROMPT}"],
    violating=[
        example("prompted/call", put(f"{_MESSAGES}/0/content", SYSTEM.replace('"required"', "required", 1))),
        example("prompted/call", put(f"{_MESSAGES}/0/content", SYSTEM.replace('"parameters"', '"params"'))),
        example("prompted/call", put(f"{_MESSAGES}/0/content", SYSTEM.replace("<tool_list>", ""))),
        example("prompted/call", put(f"{_MESSAGES}/0/content", SYSTEM.replace('"get_weather"', '""'))),
    ],
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
    severity=Severity.WARNING,
    scope="request",
    basis="documented",
    needs_complete=True,
    cites=[f"PFC-Q-001 {_PROMPT}"],
    conforming=[
        example("prompted/call"),
        example(
            "prompted/call",
            put(f"{_MESSAGES}/0/content", f"function get_weather(latitude, longitude)\n{SYSTEM.split('list>')[-1]}"),
        ),
    ],
    violating=[example("prompted/answer", put(f"{_MESSAGES}/0/content", SYSTEM.split("list>")[-1]))],
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
    basis="documented",
    cites=[f"PFC-C-001 {_PROTOCOL}"],
    conforming=[example("prompted/answer"), example("prompted/split-records")],
    violating=[
        example("prompted/split-records", put(f"{_MESSAGES}/3/content", RECORDS[0].replace('"name"', '"tool"'))),
        example("prompted/split-records", put(f"{_MESSAGES}/4/content", RECORDS[1].replace('"response"', '"result"'))),
    ],
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
    severity=Severity.WARNING,
    scope="request",
    basis="documented",
    cites=[f"PFC-C-001 {_PROTOCOL}"],
    conforming=[example("prompted/answer"), example("prompted/split-records")],
    violating=[
        example(
            "prompted/split-records",
            put(f"{_MESSAGES}/3/content", record({"latitude": 38, "longitude": 126.98}, {"temperature": 14.2})),
        )
    ],
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
    severity=Severity.WARNING,
    scope="request",
    basis="documented",
    cites=[f"PFC-C-002 {_PROTOCOL}"],
    conforming=[example("prompted/answer"), example("prompted/split-records")],
    violating=[
        example(
            "prompted/answer",
            put(f"{_MESSAGES}/2/content", CALLS.split("\n<")[0] + "</function_call>"),
            put(f"{_MESSAGES}/3/content", "The function returned 14.2."),
        ),
        example(
            "prompted/answer",
            put(f"{_MESSAGES}/2/content", f"{CALLS}\nResult: 14.2 and 17.9"),
            put(f"{_MESSAGES}/3/content", "Go on."),
            at="0 request /messages/2/content",
        ),
    ],
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
    severity=Severity.WARNING,
    scope="request",
    basis="documented",
    cites=[f"PFC-R-002 {_PROTOCOL}"],
    violating=[
        example("prompted/answer", put(f"{_MESSAGES}/2/content", CALLS.replace("37.57", "37.57,,"))),
        example("prompted/answer", put(f"{_MESSAGES}/3/content", "\n".join(RECORDS).removesuffix("</function_call>"))),
        example(
            "prompted/answer",
            insert(f"{_MESSAGES}/2", {"role": "assistant", "content": "<function_call>\nget_weather"}),
            at="0 request /messages/2/content",
        ),
    ],
)
def prompted_history_block_malformed(view: View) -> Iterator[Hit]:
    """Every block of earlier turns must be closed and contain a readable call or record.

    The model imitates the calls in its history, and may miss the result.
    """
    told = [part for part in history_texts(view, "user") if RECORD in part.text]
    for part in (*history_texts(view, "assistant"), *told):
        broken = next(filter(None, map(_fault, scan(part.text))), None)
        if broken is not None:
            yield Hit(part.pointer, "a block in the history is malformed", "a closed block with a call", broken)


def _fault(piece: str | Block) -> str | None:
    if isinstance(piece, str):
        return "a closing tag without an opening tag" if CLOSE in piece else None
    nested = "opened twice" if piece.nested else None
    return read_block(piece).fault or nested or (None if piece.closed else "not closed")
