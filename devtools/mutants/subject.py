"""A subject: one conforming exchange in its run, parsed so that faults can be put in."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from conformance.judge.view import View
from conformance.model import eventstream, lines, sse
from conformance.model.exchange import Body, Exchange, Headers
from conformance.model.lazy import lazy
from conformance.model.registry import claimants
from conformance.model.transcript import Malformed, Reasoning, Text, ToolCall, ToolResult
from devtools.mutants.tree import Node, Token, Tree

_BLOCK_END = re.compile(r"(?<=\n\n)|(?<=\r\n\r\n)|(?<=\r\r)")
_OWN = (
    "args",
    "arguments",
    "input",
    "inputSchema",
    "input_schema",
    "outputSchema",
    "parameters",
    "parametersJsonSchema",
    "parameters_json_schema",
    "structuredContent",
)
"""Members whose objects are always the user's own: schemas of tools, arguments, results."""
_LINE_END = re.compile(r"(?<=\n)")
_DATA = re.compile(r"^data:.*(?:(?:\r\n|\n|\r)data:.*)*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Block:
    """One block of an event stream: its text, and the event that it dispatches, if any."""

    text: str
    event: sse.Event | None


class Subject:
    """`earlier` and `later` are the other exchanges of the run, in order.

    `envelope` names the dialect of the endpoint, `dialect` the innermost one: the same, unless it is a host.
    """

    def __init__(self, exchange: Exchange, earlier: Sequence[Exchange] = (), later: Sequence[Exchange] = ()) -> None:
        self.exchange = exchange
        self.earlier = tuple(earlier)
        self.later = tuple(later)
        self.layers = claimants(exchange.request)

    @property
    def envelope(self) -> str:
        return self.layers[0].name

    @property
    def dialect(self) -> str:
        return self.layers[-1].name

    @property
    def name(self) -> str:
        """The name of the exchange, for display and for the hash that chooses samples."""
        return f"{self.exchange.source}#{len(self.earlier)}"

    @lazy
    def view(self) -> View:
        """The exchange as its endpoint's dialect reads it, without its run."""
        return View(self.exchange, self.layers[0])

    @lazy
    def inner(self) -> View:
        """The exchange as the innermost dialect reads it."""
        return View(self.exchange, self.layers[-1])

    @lazy
    def trees(self) -> tuple[Tree, ...]:
        """The JSON values of the exchange: of the request, and of the response or its events."""
        found = []
        if self.request_json is not None:
            found.append(Tree("request", "", "", self.request_json, self.with_request))
        if self.blocks:
            found.extend(self._event_trees())
        elif self.response_json is not None:
            found.append(Tree("response", "", "", self.response_json, self.with_response))
        return tuple(found)

    @lazy
    def nodes(self) -> tuple[Node, ...]:
        """Every place of every JSON value."""
        return tuple(node for tree in self.trees for node in tree.nodes())

    @lazy
    def own_values(self) -> frozenset[int]:
        """The objects whose content no contract covers because it is the user's own: tool schemas, arguments, results.

        By identity: these are the same objects that the dialect found in the bodies.
        """
        found: list[Any] = [tool.parameters for tool in self.view.ask.tools or ()]
        for turn in (*self.view.ask.history, *self.view.replies):
            for part in turn.parts:
                if isinstance(part, ToolCall):
                    found.append(part.arguments)
                elif isinstance(part, ToolResult):
                    found.append(part.content)
        named = [node.value for node in self.nodes if node.key in _OWN and isinstance(node.value, dict)]
        return frozenset(id(value) for value in (*found, *named) if isinstance(value, (dict, list)))

    @lazy
    def contract(self) -> tuple[Node, ...]:
        """The places that a contract covers: all except those inside the user's own values."""
        inside: set[tuple[str, tuple[Token, ...]]] = set()
        found = []
        for node in self.nodes:
            here = (node.tree.label + node.tree.place, node.tokens)
            if (here[0], node.tokens[:-1]) in inside:
                inside.add(here)
                continue
            if id(node.value) in self.own_values:
                inside.add(here)
            found.append(node)
        return tuple(found)

    @lazy
    def said(self) -> frozenset[tuple[str, str]]:
        """The free texts: each with the event that contains it, empty for a text in a body."""
        found = set()
        for moment in self.layers[0].readers.stream_events(self.view.events or ()):
            event = "/".join(moment.pointer.split("/")[:2])
            found |= {(event, text) for text in (moment.text, moment.arguments_chunk) if text}
        for turn in (*self.view.ask.history, *(() if self.blocks else self.view.replies)):
            found |= {("", part.text) for part in turn.parts if isinstance(part, (Text, Reasoning)) and part.text}
            found |= {("", part.content) for part in turn.results if isinstance(part.content, str)}
        return frozenset(found)

    @property
    def request_json(self) -> Any:
        """The request's JSON object or array; None if it has none."""
        return _container(self.exchange.request.body.json)

    @property
    def response_json(self) -> Any:
        """The JSON object or array of a response that is not streamed; None if it has none."""
        return None if self.exchange.response.is_stream else _container(self.exchange.response.body.json)

    @lazy
    def blocks(self) -> tuple[Block, ...]:
        """The blocks of a streamed response; empty if it is not streamed."""
        response = self.exchange.response
        if response.body.framed:
            messages = list(eventstream.split(response.body.content))
            return tuple(
                Block(one.decode("latin-1"), event) for one, event in zip(messages, response.events, strict=True)
            )
        if not response.is_stream:
            return ()
        found = []
        number = 0
        read, end = (lines.events, _LINE_END) if response.is_lines else (sse.events, _BLOCK_END)
        for text in filter(None, end.split(response.body.text or "")):
            dispatches = next(read(text), None) is not None
            found.append(Block(text, response.events[number] if dispatches else None))
            number += dispatches
        return tuple(found)

    @lazy
    def labels(self) -> Mapping[int, str]:
        """A label for each event, by its number: its type, and what it adds to the turn."""
        said: dict[int, list[str]] = {}
        for moment in self.layers[0].readers.stream_events(self.view.events or ()):
            kinds = said.setdefault(int(moment.pointer.split("/")[1]), [])
            if moment.kind not in kinds:
                kinds.append(moment.kind)
        return {block.event.number: _label(block.event, said) for block in self.blocks if block.event is not None}

    def _event_trees(self) -> list[Tree]:
        found = []
        for place, block in enumerate(self.blocks):
            if block.event is None or _container(block.event.json) is None:
                continue
            label = f"event/{self.labels[block.event.number]}"

            def rebuilt(value: Any, place: int = place) -> Exchange:
                return self.with_data(place, text_of(value))

            found.append(Tree("stream", block.event.pointer, label, block.event.json, rebuilt))
        return found

    def with_request(self, value: Any) -> Exchange:
        """The exchange with another JSON value in its request."""
        return self.with_request_text(text_of(value))

    def with_request_text(self, text: str) -> Exchange:
        """The exchange with another text in its request."""
        return replace(self.exchange, request=replace(self.exchange.request, body=Body(text)))

    def with_response(self, value: Any) -> Exchange:
        """The exchange with another JSON value in its response."""
        return self.with_response_text(text_of(value))

    def with_response_text(self, text: str) -> Exchange:
        """The exchange with another text in its response."""
        return replace(self.exchange, response=replace(self.exchange.response, body=Body(text)))

    def with_data(self, place: int, data: str) -> Exchange:
        """The exchange with other data in one block of its stream."""
        old = self.blocks[place].text
        if self.exchange.response.body.framed:
            text = eventstream.of_text(data).decode("latin-1")
        elif self.exchange.response.is_lines:
            text = f"{data}\n"
        else:
            text = _DATA.sub(lambda _: f"data: {data}", old, count=1)
        return self.with_blocks([text if number == place else each.text for number, each in enumerate(self.blocks)])

    def changed(self, block: Block, old: str, new: str) -> str:
        """The text of a block with other words in its data."""
        if self.exchange.response.body.framed and block.event is not None:
            return eventstream.of_text(block.event.data.replace(old, new)).decode("latin-1")
        return block.text.replace(old, new)

    def nameless(self, block: Block) -> str:
        """The text of a message of a binary stream without the header that names it; empty for other streams."""
        if not self.exchange.response.body.framed:
            return ""
        frame = next(eventstream.frames(block.text.encode("latin-1")))
        rest = {name: value for name, value in frame.headers.items() if value != (block.event and block.event.name)}
        return eventstream.frame_of(rest, frame.payload or b"").decode("latin-1")

    def with_blocks(self, texts: Sequence[str]) -> Exchange:
        """The exchange with other blocks in its stream."""
        text = "".join(texts)
        if self.exchange.response.body.framed:
            return replace(self.exchange, response=replace(self.exchange.response, body=Body(text.encode("latin-1"))))
        return self.with_response_text(text)

    def with_headers(self, side: str, headers: Headers) -> Exchange:
        """The exchange with other header fields on one side."""
        if side == "request":
            return replace(self.exchange, request=replace(self.exchange.request, headers=headers))
        return replace(self.exchange, response=replace(self.exchange.response, headers=headers))


def text_of(value: Any) -> str:
    """A JSON value as text."""
    return json.dumps(value, ensure_ascii=False)


def _container(value: Any) -> Any:
    return value if isinstance(value, (dict, list)) else None


def _label(event: sse.Event, said: Mapping[int, Sequence[str]]) -> str:
    kind = event.json.get("type") if isinstance(event.json, dict) else None
    if isinstance(event.json, dict) and list(event.json) == [event.name]:
        kind = event.name
    names = [kind] if isinstance(kind, str) else []
    names += said.get(event.number, ())
    if isinstance(event.json, Malformed):
        names.append("terminator")
    return "+".join(names) or "other"
