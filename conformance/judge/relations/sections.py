"""What every dialect has, as values of JSON that paths lead through: the neutral transcript, the messages of HTTP."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from functools import cache, partial
from itertools import pairwise
from operator import attrgetter
from typing import Any, Final

from conformance.judge.dates import read_date
from conformance.judge.pairing import Pairing
from conformance.judge.recorded import Excerpt, NotRecordedError
from conformance.judge.relations.uploads import form_of, lines_of
from conformance.judge.view import View
from conformance.model.exchange import Response
from conformance.model.pointer import split
from conformance.model.transcript import Choice, Part, Reasoning, Text, ToolCall, ToolDefinition, ToolResult, Turn

_KINDS: Final[Mapping[type, str]] = {Text: "text", Reasoning: "reasoning", ToolCall: "call", ToolResult: "result"}
_ANY: Final[dict[str, dict[str, Any]]] = {"*": {}}
_NUMBER: Final = re.compile(r"[0-9]{1,18}")
"""A longer one is no number that anybody counts with, and Python refuses to read thousands of digits."""


class Placed(dict[str, Any]):
    """An object with its place on the wire, `at`, and those of members that have another one, `own`."""

    at: str
    own: Mapping[str, str]


class _Excerpted(Excerpt, Placed):
    """One whose source does not contain some members."""


def section(view: View, name: str) -> Any:
    """A section of an exchange, by its name."""
    if (section, name) not in view.found:
        view.found[section, name] = SECTIONS[name](view)
    return view.found[section, name]


def place_on_wire(value: Any, pointer: str) -> str:
    """The place on the wire of what a pointer leads to in a section: that of the last object that has one.

    Of a failure, it is the place in the body.
    """
    if not isinstance(value, list):
        return pointer.partition("/body")[2]
    found = ""
    for token in split(pointer):
        if isinstance(value, Placed):
            found = value.own.get(token, found)
        value = value[int(token)] if isinstance(value, list) else value.get(token) if isinstance(value, dict) else None
        found = value.at if isinstance(value, Placed) else found
    return found


def _placed(of: Any, made: Mapping[str, Any], hidden: frozenset[str] = frozenset(), **own: str) -> Placed:
    """An object with the members of another one and with those that are made, without the hidden."""
    names, read = _reader(of.__class__)
    try:
        members = dict(zip(names, read(of), strict=True))
    except NotRecordedError:
        members, lacking = _recorded({name: partial(getattr, of, name) for name in names})
        hidden |= lacking
    members.update(made)
    found = _Excerpted(members, _ANY, hidden) if hidden else Placed(members)
    found.at, found.own = of.pointer, own
    return found


def _recorded(members: Mapping[str, Callable[[], Any]]) -> tuple[dict[str, Any], frozenset[str]]:
    """Those of some members that the source contains, and the names of the others."""
    found: dict[str, Any] = {}
    for name, read in members.items():
        with suppress(NotRecordedError):
            found[name] = read()
    return found, frozenset(members.keys() - found.keys())


@cache
def _reader(kind: Any) -> tuple[tuple[str, ...], Callable[[Any], tuple[Any, ...]]]:
    """The names of the members of a class, of which there are several, and the function that reads all of them."""
    names = tuple(each.name for each in fields(kind))
    return names, attrgetter(*names)


def _replies(view: View) -> list[Placed]:
    """The turns of the reply, each with what the request asks for, and each call with its tool."""
    asked, hidden = _recorded({"choice": lambda: _choice(view.ask.choice), "parallel": lambda: view.ask.parallel})

    def tool_of(call: ToolCall) -> Placed | None:
        tool = view.ask.tool(call.name, call.namespace)
        return None if tool is None else _tool(tool)

    return [_turn(each, asked, hidden, tool_of) for each in view.replies]


def _history(view: View) -> list[Placed]:
    return [_turn(each) for each in view.history]


def _answered(view: View) -> list[dict[str, Any]]:
    return [_answers(turn, pairing) for turn, _, pairing in view.answered]


def _tools(view: View) -> list[Placed]:
    return [_tool(each) for each in view.ask.tools or ()]


def _answers(turn: Turn, pairing: Pairing) -> dict[str, Any]:
    def pairs(found: Sequence[tuple[ToolCall, ToolResult]]) -> list[Any]:
        return [{"call": _part(call), "result": _part(result)} for call, result in found]

    return {"pairs": pairs(pairing.pairs), "again": pairs(pairing.repeated), "alone": len(turn.calls) == 1}


def _tool(tool: ToolDefinition) -> Placed:
    whole = tool.name if tool.namespace is None else f"{tool.namespace}.{tool.name}"
    return _placed(tool, {"description": (tool.description or "").strip(), "whole": whole})  # a blank one is none


def _turn(
    turn: Turn,
    asked: Mapping[str, Any] | None = None,
    hidden: frozenset[str] = frozenset(),
    tool_of: Callable[[ToolCall], Placed | None] | None = None,
) -> Placed:
    """A turn, with members that say what the request asks for; `tool_of` gives the tool of a call."""
    parts = [_part(each, tool_of) for each in turn.parts]
    by_part = dict(zip(map(id, turn.parts), parts, strict=True))
    calls = [by_part[id(each)] for each in turn.calls]
    made = {**(asked or {}), "parts": parts, "calls": calls, "more_calls": calls[1:]}
    stop = turn.stop_pointer or turn.pointer
    return _placed(turn, made, hidden, stop=stop, stop_wire=stop)


def _part(part: Part, tool_of: Callable[[ToolCall], Placed | None] | None = None) -> Placed:
    kind = next((name for each, name in _KINDS.items() if isinstance(part, each)), "unknown")
    if not isinstance(part, ToolCall):
        return _placed(part, {"part": kind})
    made = {"part": kind, "object": isinstance(part.arguments, dict)}
    if tool_of is None:
        return _placed(part, made)
    more, hidden = _recorded({"tool": lambda: tool_of(part)})
    return _placed(part, {**made, **more}, hidden)


def _choice(choice: Choice | None) -> dict[str, Any]:
    return {} if choice is None else {"mode": choice.mode, "names": list(choice.names) or None}


def _sent(view: View) -> dict[str, Any]:
    sent = view.exchange.request
    headers = {name.lower(): sent.headers.get(name) or "" for name, _ in sent.headers}
    return {"method": sent.method, "query": sent.query, "headers": headers}


def _failed(view: View) -> dict[str, Any] | None:
    response = view.exchange.response
    return {"status": response.status, "body": view.response} if response.status >= 400 else None


def whole(view: View) -> dict[str, Any]:
    """An exchange as one value: where it went, the body that was `sent`, or its form, and the `reply` or its `events`.

    Of the URL, it has the `path`, in which each segment leads to the next one (`/responses/resp_1`: from `responses` to
    `resp_1`), the `last` segment, the `resource` (`files/a`), and the `query` by parameter, with numbers as such, and
    arrays (`ids[]=1`) by their name alone. A colon separates segments, too.
    `endpoint` is the name of one beside the main one, `time` that of the answer, `line` what a batch file has beside.
    """
    request, response = view.exchange.request, view.exchange.response
    segments = re.split("[/:]", request.path.strip("/"))
    resource = "/".join(request.path.partition(":")[0].strip("/").split("/")[-2:])
    found: dict[str, Any] = {
        "endpoint": view.endpoint,
        "path": dict(pairwise(segments)),
        "last": segments[-1],
        "resource": resource,
    }
    found["query"] = {
        name.removesuffix("[]"): int(each) if _NUMBER.fullmatch(each) else each for name, each in request.query.items()
    }
    if "url" in view.exchange.lacks:
        found.clear()
    if view.exchange.line is not None:
        found["line"] = view.exchange.line
    if (answered := read_date(response.headers.get("date") or "")) is not None:
        found["time"] = answered.isoformat()
    sent, hidden = _recorded({"sent": lambda: form_of(request) if view.file == "request" else view.request})
    found |= sent
    if view.ok and response.body.note is None:
        shown = view.response if view.file != "response" else _downloaded(response)
        found |= {"reply": shown} if view.events is None else {"events": [each.json for each in view.events]}
    lacking = hidden | ({"endpoint", "path", "last", "resource", "query"} if "url" in view.exchange.lacks else set())
    return Excerpt(found, _ANY, lacking) if lacking else found


def _downloaded(response: Response) -> dict[str, Any]:
    lines = lines_of(response.body.text or "")
    return {"lines": lines} if lines else {}


SECTIONS: Final[Mapping[str, Callable[[View], Any]]] = {
    "replies": _replies,
    "history": _history,
    "answered": _answered,
    "tools": _tools,
    "sent": _sent,
    "accepted": lambda view: _sent(view) if view.ok else None,
    "refused": lambda view: None if view.ok else _sent(view),
    "failed": _failed,
}
"""The sections, by their names, which are roots of places."""
