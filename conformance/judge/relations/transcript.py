"""Relations about what every dialect has: the neutral transcript, and the messages of HTTP.

The places of `transcript` lead through what a dialect reads of its wire (`conformance.model.transcript`):

    /replies/*      the turns of the reply: `role`, `stop`, `stop_wire`; the request's `choice` and `parallel`; and
      /parts/*      each with its `part` (`text`, `reasoning`, `call`, `result`, `unknown`), and its own members
      /calls/*      those that the client answers, with the `tool` of this name, and whether the arguments are an
                    `object`; `more_calls` are all but the first
    /history/*      the turns before the reply, with the same, but what the request asks for, and the tools of calls
    /answered/*     the turns of the history with calls: `pairs`, each a `call` and its `result`; `again`, those of a
                    call that has another result; `alone` if the turn has no other call
    /tools/*        the tools of the request: `name`, `description`, `parameters`, `strict`, `kind`

Those of `http` lead through the messages themselves:

    /sent       the request: `method`, `query` by parameter, `headers` by name in lower case
    /accepted   the same, if it was accepted; /refused: if it was not
    /failed     the response, if its status is 400 or more: `status`, and `body`, its JSON

A finding is where the wire has this: at a turn's stop reason, a part, a tool, or in the body of a failure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from conformance.judge.relations.forms import Form
from conformance.judge.relations.places import Place, Root, all_places
from conformance.judge.relations.rows import Sided
from conformance.judge.relations.scan import scan_of
from conformance.judge.relations.sections import place_on_wire, section
from conformance.judge.rule import Scope
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.transcript import UNNAMED

_SCOPES: Final[Mapping[str, Scope]] = {"replies": "reply", "failed": "failure"}
"""The scopes of sections that are not of the request."""
_READ: Final[Mapping[str, str]] = {
    "replies": "response | event",
    **dict.fromkeys(("sent", "accepted", "refused", "failed"), "header"),
}
"""What is read of the wire for a section, if not the request's body."""
_SECTION = re.compile(r"/([a-z]+)")


@dataclass(frozen=True, slots=True, init=False)
class Transcript:
    """Each value at the place has relations between its fields; without a form, there is no such value.

    `wrong`: what is wrong, in words, with members of the value such as `{name}`; `wanted`: what there may be. Not
    `unless` there is something at those places of the wire.
    """

    at: str
    forms: tuple[Form, ...]
    wrong: str
    wanted: str
    unless: str
    section: str
    """The section that the place lies in."""
    written: str
    """The pattern of the place, whose root is the section."""

    def __init__(self, at: str, *forms: Form, wrong: str, wanted: str, unless: str = "") -> None:
        found = _SECTION.match(at)
        section = "" if found is None else found[1]
        given = {"at": at, "forms": forms, "wrong": wrong, "wanted": wanted, "unless": unless}
        given |= {"section": section, "written": f"{section} {at[1 + len(section) :]}".rstrip()}
        for name, value in given.items():
            object.__setattr__(self, name, value)

    @property
    def scope(self) -> Scope:
        return _SCOPES.get(self.section, "request")

    @property
    def places(self) -> Sequence[Place]:
        return all_places(_READ.get(self.section, "request"), self.unless)

    @property
    def begins(self) -> Sequence[str]:
        return (self.written,)

    def hits(self, view: View) -> Iterator[Sided]:
        scan = scan_of(view)
        found = scan.at(self.written)
        if not found or (self.unless and scan.first(self.unless) is not None):
            return
        root = _root_of(self.section, view)
        for _, value, at in found:
            for hit in self._hits(value, at):
                yield root, replace(hit, pointer=place_on_wire(section(view, self.section), hit.pointer or ""))

    def _hits(self, value: Any, at: str) -> Iterator[Hit]:
        found = [hit for form in self.forms for hit in form.hits(value, at)]
        if not self.forms:
            found = [Hit(at, "", actual=value.get("name") if isinstance(value, dict) else None)]
        for hit in found:
            message = self.wrong
            if isinstance(value, dict):
                message = message.format_map({**value, "name": value.get("name") or UNNAMED})
            yield Hit(hit.pointer, message, self.wanted, hit.actual)


def _root_of(section: str, view: View) -> Root:
    """The root of what a section is read from."""
    if section == "replies":
        return "response" if view.events is None else "event"
    return "response" if section == "failed" else "header" if section in ("sent", "accepted", "refused") else "request"


def http(at: str, *forms: Form, wrong: str, wanted: str, unless: str = "") -> Transcript:
    """The same about the messages of HTTP."""
    return Transcript(at, *forms, wrong=wrong, wanted=wanted, unless=unless)
