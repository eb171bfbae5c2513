"""Relations about what every dialect has: the neutral transcript, and the messages of HTTP.

The places of `transcript` lead through what a dialect reads of its wire (`conformance.model.transcript`):

    /replies/*      the turns of the reply: `role`, `stop`, `stop_wire`; `asked`, with `choice` and `parallel`; and
      /parts/*      each with its `part` (`text`, `reasoning`, `call`, `result`, `unknown`), and its own members
      /calls/*      those that the client answers, with the `tool` of this name, and whether the arguments are an
                    `object`; `more_calls` are all but the first
    /history/*      the turns before the reply, as those of the reply
    /answered/*     the turns of the history with calls: `pairs`, each a `call` and its `result`; `again`, those of a
                    call that has another result; `alone` if the turn has no other call
    /tools/*        the tools of the request: `name`, `description`, `parameters`, `strict`, `kind`

Those of `http` lead through the messages themselves:

    /sent       the request: `method`, `query` by parameter, `headers` by name in lower case; `ok` if it was accepted
    /failed     the response, if its status is 400 or more: `status`, and `body`, its JSON

A finding is where the wire has this: at a turn's stop reason, a part, a tool, or in the body of a failure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

from conformance.judge.pairing import Pairing
from conformance.judge.relations.forms import Form
from conformance.judge.relations.places import Place, Root, all_places, path, select
from conformance.judge.relations.rows import Sided
from conformance.judge.relations.scan import scan_of
from conformance.judge.rule import Scope
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.pointer import split
from conformance.model.transcript import Choice, Part, Reasoning, Text, ToolCall, ToolDefinition, ToolResult, Turn

_KINDS: dict[type, str] = {Text: "text", Reasoning: "reasoning", ToolCall: "call", ToolResult: "result"}


_MEMBERS: dict[Any, frozenset[str]] = {}
"""The members of each kind of what the transcript consists of, but their places."""


def _names(of: Any) -> frozenset[str]:
    kind = type(of)
    if kind not in _MEMBERS:
        known = fields(kind) if is_dataclass(kind) else ()
        _MEMBERS[kind] = frozenset(each.name for each in known) - {"pointer"}
    return _MEMBERS[kind]


class _Told(dict[str, Any]):
    """An object of the transcript as one of JSON, whose members are read when they are asked for.

    `at` is its place on the wire, `own` are those of members that have another one; `made` has members of our own.
    """

    __slots__ = ("_made", "_of", "at", "own")

    def __init__(self, of: Any, made: Mapping[str, Callable[[], Any]] | None = None, **own: str) -> None:
        super().__init__()
        self._of = of
        self._made = made or {}
        self.at: str = getattr(of, "pointer", "")
        self.own = own

    def __contains__(self, name: object) -> bool:
        return name in self._made or name in _names(self._of)

    def __getitem__(self, name: str) -> Any:
        return self._made[name]() if name in self._made else getattr(self._of, name)

    def get(self, name: str, default: Any = None) -> Any:
        return self[name] if self.__contains__(name) else default


@dataclass(frozen=True, slots=True, init=False)
class _Telling:
    """Each value at the place has relations between its fields; without a form, there is no such value.

    `wrong`: what is wrong, in words, with members of the value such as `{name}`; `wanted`: what there may be. Not
    `unless` there is something at those places of the wire.
    """

    at: str
    forms: tuple[Form, ...]
    wrong: str
    wanted: str
    unless: str

    def __init__(self, at: str, *forms: Form, wrong: str, wanted: str, unless: str = "") -> None:
        given = {"at": at, "forms": forms, "wrong": wrong, "wanted": wanted, "unless": unless}
        for name, value in given.items():
            object.__setattr__(self, name, value)

    def found(self, view: View, told: Any) -> Iterator[Hit]:
        """Where what is told of an exchange breaks it."""
        if self.unless and scan_of(view).first(self.unless) is not None:
            return
        for value, at in select(told, path(self.at)):
            name = value.get("name") if isinstance(value, dict) else None
            alone = [] if self.forms else [Hit(at, self.wrong, actual=name)]
            for hit in (*alone, *(hit for form in self.forms for hit in form.hits(value, at))):
                message = self.wrong.format_map(value) if isinstance(value, dict) else self.wrong
                yield Hit(hit.pointer, message, self.wanted, hit.actual)


class Transcript(_Telling):
    """A relation about the neutral transcript."""

    __slots__ = ()

    @property
    def scope(self) -> Scope:
        return "reply" if self._is_of_reply else "request"

    @property
    def _is_of_reply(self) -> bool:
        return self.at.startswith("/replies")

    @property
    def places(self) -> Sequence[Place]:
        return all_places("response | event" if self._is_of_reply else "request", self.unless)

    @property
    def begins(self) -> Sequence[str]:
        return ("response | event" if self._is_of_reply else "request",)

    def hits(self, view: View) -> Iterator[Sided]:
        root: Root = ("response" if view.events is None else "event") if self._is_of_reply else "request"
        section = split(self.at)[0]
        told = {section: _section(view, section)}
        for hit in self.found(view, told):
            yield root, replace(hit, pointer=_on_wire(told, hit.pointer or ""))


class Http(_Telling):
    """A relation about the messages of HTTP."""

    __slots__ = ()

    @property
    def scope(self) -> Scope:
        return "request" if self.at.startswith("/sent") else "failure"

    @property
    def places(self) -> Sequence[Place]:
        return all_places("header", self.unless)

    @property
    def begins(self) -> Sequence[str]:
        return ("header",)

    def hits(self, view: View) -> Iterator[Sided]:
        sent = view.exchange.request
        root: Root = "header" if self.scope == "request" else "response"
        told = {
            "sent": {"method": sent.method, "query": sent.query, "headers": _headers(view), "ok": view.ok},
            "failed": {"status": view.exchange.response.status, "body": view.response} if root == "response" else None,
        }
        for hit in self.found(view, told):
            yield root, replace(hit, pointer=(hit.pointer or "").partition("/body")[2])


def _headers(view: View) -> dict[str, str]:
    return {name.lower(): view.exchange.request.headers.get(name) or "" for name, _ in view.exchange.request.headers}


def _on_wire(told: Any, pointer: str) -> str:
    """The place on the wire of what a pointer leads to in the transcript: that of the last object that has one."""
    found = ""
    for token in split(pointer):
        if isinstance(told, _Told):
            found = told.own.get(token, found)
        told = told[int(token)] if isinstance(told, list) else told.get(token) if isinstance(told, dict) else None
        found = told.at if isinstance(told, _Told) else found
    return found


_SECTIONS: Mapping[str, Callable[[View], list[Any]]] = {
    "replies": lambda view: [_turn(view, each) for each in view.replies],
    "history": lambda view: [_turn(view, each) for each in view.history],
    "answered": lambda view: [_answers(view, turn, pairing) for turn, _, pairing in view.answered],
    "tools": lambda view: [_tool(each) for each in view.ask.tools or ()],
}


def _section(view: View, name: str) -> list[Any]:
    """A section of the transcript. Of the history, a view can have the end only, beside what is found in all of it."""
    if name not in ("replies", "tools"):
        return _SECTIONS[name](view)
    if (Transcript, name) not in view.found:
        view.found[Transcript, name] = _SECTIONS[name](view)
    found: list[Any] = view.found[Transcript, name]
    return found


def _answers(view: View, turn: Turn, pairing: Pairing) -> dict[str, Any]:
    def told(pairs: Sequence[tuple[ToolCall, ToolResult]]) -> list[Any]:
        return [{"call": _part(view, call), "result": _part(view, result)} for call, result in pairs]

    return {"pairs": told(pairing.pairs), "again": told(pairing.repeated), "alone": len(turn.calls) == 1}


def _tool(tool: ToolDefinition) -> _Told:
    return _Told(tool, {"description": (tool.description or "").strip})  # a blank one is none


def _turn(view: View, turn: Turn) -> _Told:
    stop = turn.stop_pointer or turn.pointer
    made = {
        "parts": lambda: [_part(view, each) for each in turn.parts],
        "calls": lambda: [_part(view, each) for each in turn.calls],
        "more_calls": lambda: [_part(view, each) for each in turn.calls[1:]],
        "asked": lambda: _asked(view),
    }
    return _Told(turn, made, stop=stop, stop_wire=stop)


def _part(view: View, part: Part) -> _Told:
    kind = next((name for each, name in _KINDS.items() if isinstance(part, each)), "unknown")
    made: dict[str, Callable[[], Any]] = {"part": lambda: kind}
    if isinstance(part, ToolCall):
        made["object"] = lambda: isinstance(part.arguments, dict)
        made["tool"] = lambda: None if (tool := view.ask.tool(part.name)) is None else _tool(tool)
    return _Told(part, made)


def _asked(view: View) -> _Told:
    return _Told(None, {"choice": lambda: _choice(view.ask.choice), "parallel": lambda: view.ask.parallel})


def _choice(choice: Choice | None) -> dict[str, Any]:
    return {} if choice is None else {"mode": choice.mode, "names": list(choice.names)}
