"""What rules see of an exchange whose source contains only parts of it: none of them can accuse on what it lacks.

A rule that reads something which is absent, and which the source would lack even if it had been sent, ends with
`NotRecordedError`: a side, the status, a header, a member of a body, a setting of the request, a stop reason. What is
there can be read. `conformance.inputs` states what each source contains (`Exchange.lacks`, `Exchange.members`).
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from dataclasses import fields, replace
from functools import cache
from typing import Any, Final, TypeVar, cast
from weakref import ref

from conformance.judge.view import View, held
from conformance.model.exchange import Lack, Response, succeeded
from conformance.model.lazy import lazy
from conformance.model.transcript import Ask, Part, Reasoning, ToolCall, Turn

_HIDING: Final[frozenset[Lack]] = frozenset({"request", "members", "status"})
"""What needs a view of its own. Headers are read through `is_evidence` and by the scan of relations."""
_KNOWN: Final[frozenset[str]] = frozenset({"history", "model", "resumable", "tool"})
"""What a neutral request has whatever its source: the messages, and what is known of them. An unknown model is None."""
T = TypeVar("T")
_Places = dict[str, Any]
"""Names of members, or `*` for all of them, each with the places in it; without any, everything in it is contained."""


class NotRecordedError(Exception):
    """A rule needs what the source does not contain: it cannot run."""


class Excerpt(dict[str, Any]):
    """An object whose source contains only the members at some places: the absence of others cannot be read.

    Of all members (`*`), it does not contain those that are `hidden`.
    """

    __slots__ = ("_hidden", "_places")

    def __init__(self, value: Mapping[str, Any], places: _Places, hidden: frozenset[str] = frozenset()) -> None:
        super().__init__((key, _excerpt(each, _below(places, key))) for key, each in value.items())
        self._places = places
        self._hidden = hidden

    def _checked(self, key: object) -> bool:
        """Whether the object has the member.

        Raises:
            NotRecordedError: it has not, and its source would not contain it.
        """
        if super().__contains__(key):
            return True
        if key in self._hidden or (key not in self._places and "*" not in self._places):
            raise NotRecordedError
        return False

    def __contains__(self, key: object) -> bool:
        return self._checked(key)

    def __getitem__(self, key: str) -> Any:
        self._checked(key)
        return super().__getitem__(key)

    def get(self, key: str, default: Any = None) -> Any:
        return super().get(key, default) if self._checked(key) else default


def _below(places: _Places, key: str) -> _Places:
    found: _Places | None = places.get(key)
    return places["*"] if found is None and "*" in places else found or {}


def _excerpt(value: Any, places: _Places) -> Any:
    """A value of which the source contains only what is at some places; all of it if there are none."""
    if not places:
        return value
    if isinstance(value, dict):
        return Excerpt(value, places)
    return [_excerpt(each, _below(places, "*")) for each in value] if isinstance(value, list) else value


@cache
def _places(pointers: tuple[str, ...]) -> _Places:
    """The tree of some places."""
    found: _Places = {}
    for pointer in pointers:
        here = found
        for name in pointer.split("/")[1:]:
            here = here.setdefault(name, {})
    return found


class _PartialAsk:
    """A neutral request whose source does not contain every setting: the absence of one cannot be read."""

    def __init__(self, ask: Ask, contained: frozenset[str]) -> None:
        self._ask = ask
        self._contained = contained

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._ask, name)
        if name in _KNOWN or name in self._contained:
            return value
        if name == "extra":
            return Excerpt({key: each for key, each in value.items() if each}, {})
        if not value:
            raise NotRecordedError
        return value


@cache
def _kind_without(kind: Any, names: tuple[str, ...]) -> type[Any]:
    """A subclass of a dataclass, of which some members cannot be read."""

    def read(self: Any, name: str) -> Any:
        if name in names:
            raise NotRecordedError
        return object.__getattribute__(self, name)

    members: dict[str, Any] = {"__getattribute__": read}
    if kind is Response:
        members["ok"] = property(lambda self: succeeded(self.__dict__["status"]))
    return type(f"Partial{kind.__name__}", (kind,), members)


def _without(value: T, *names: str, **changed: Any) -> T:
    """The value without some members, and with others changed."""
    made: T = object.__new__(_kind_without(cast("Any", type(value)), names))
    for each in fields(cast("Any", value)):
        object.__setattr__(made, each.name, changed.get(each.name, getattr(value, each.name)))
    return made


def _partial_turn(turn: Turn, *, stops: bool, signs: bool) -> Turn:
    """A turn of which the source may lack the stop reason, and the signatures of its parts."""
    parts = turn.parts if signs else tuple(map(_unsigned, turn.parts))
    if stops and turn.stop is None:
        return _without(turn, "stop", "stop_wire", parts=parts)
    return turn if signs else replace(turn, parts=parts)


def _unsigned(part: Part) -> Part:
    return _without(part, "signature") if isinstance(part, (ToolCall, Reasoning)) and part.signature is None else part


_READ_AGAIN: Final = (
    "request",
    "ask",
    "model",
    "response",
    "replies",
    "history",
    "answered",
    "continues",
    "received",
    "_kept",
)


class _PartialView(View):
    """The view of an exchange whose source has only one side, or bodies that were built from messages."""

    def __init__(self, plain: View) -> None:
        self.__dict__.update(plain.__dict__)
        self.found, self.reuses, self._alone = {}, False, None
        self.snapshot = self.repeated = self._begun = self.tail = None
        for name in _READ_AGAIN:
            self.__dict__.pop(name, None)
        self._viewed = ref(plain)
        self._without_request = "request" in plain.exchange.lacks
        self._members = plain.exchange.members

    @property
    def plain(self) -> View:
        return held(self._viewed)

    @property
    def request(self) -> Any:
        if self._without_request:
            raise NotRecordedError
        return self._request

    @lazy
    def _request(self) -> Any:
        value = self.plain.request
        return value if self._members is None else _excerpt(value, _places(self._members.request))

    @property
    def ask(self) -> Any:
        if self._without_request:
            raise NotRecordedError
        return self.plain.ask if self._members is None else _PartialAsk(self.plain.ask, self._members.neutral)

    @lazy
    def response(self) -> Any:
        value = self.plain.response
        return value if self._members is None else _excerpt(value, _places(self._members.reply))

    @lazy
    def history(self) -> tuple[Turn, ...]:
        _ = self.ask.continues  # without it, turns may be missing
        first = next((turn for turn in self.plain.history if turn.role != "system"), None)
        if self._members is not None and first is not None and first.results:
            raise NotRecordedError  # so they are where a history begins with results: a setting says who keeps the rest
        return self._turns(self.plain.history, stops=False)

    @lazy
    def replies(self) -> tuple[Turn, ...]:
        return self._turns(self.plain.replies, stops=True)

    def _turns(self, turns: tuple[Turn, ...], *, stops: bool) -> tuple[Turn, ...]:
        if self._members is None:
            return turns
        signs = "signature" in self._members.neutral
        return tuple(_partial_turn(turn, stops=stops, signs=signs) for turn in turns)


def as_recorded(view: View) -> View:
    """The view that rules get: the view itself, or one of its own if its source lacks what rules may read."""
    lacks = view.exchange.lacks
    if not lacks & _HIDING:
        return view
    shown = view.excerpt
    if shown is None:
        shown = copy(view) if lacks.isdisjoint(("request", "members")) else _PartialView(view)
        shown.earlier = () if "request" in lacks else tuple(map(as_recorded, view.earlier))
        if "status" in lacks:
            response = _without(view.exchange.response, "status")
            shown.exchange = replace(view.exchange, response=response)
        view.excerpt = shown
    return shown


def freeze(view: View) -> None:
    """Releases what the views of an exchange keep of earlier ones, once it is judged."""
    view.freeze()
    shown = view.excerpt
    if shown is not None:
        shown.earlier, shown._run = (), None  # noqa: SLF001 - a view of the same exchange
