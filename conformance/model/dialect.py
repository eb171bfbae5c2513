"""A dialect: one wire grammar, as the functions that read it and the facts that differ from grammar to grammar."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any, Literal, NamedTuple, cast

from conformance.model import sse
from conformance.model.exchange import Exchange, Request
from conformance.model.frozen import dataclass
from conformance.model.lazy import lazy
from conformance.model.sse import Event
from conformance.model.tool_limits import NARROWEST, ToolLimits
from conformance.model.transcript import Ask, StreamEvent, Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class ContractHeaders:
    """The HTTP header fields that a dialect's contract is about, besides the content type and credentials.

    Attributes:
        version: The field of a request that names the version of the API.
        options: Further fields that name a version, or switch parts of the API on.
        checked: Further fields of a request that its rules check.
    """

    version: str | None = None
    options: tuple[str, ...] = ()
    checked: tuple[str, ...] = ()


NO_HEADERS = ContractHeaders()


@dataclass(frozen=True, slots=True)
class History:
    """The array of a request's body that holds its turns, where their reading can be taken up in the middle.

    Attributes:
        key: That of the array: `messages`.
        read: The turns from an item on that begins one, as `read_request` would read them; it is given the body and
            the number of the item. None where they cannot be read without those before.
    """

    key: str
    read: Callable[[Any, int], Sequence[Turn] | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """The functions that read one wire grammar. They are total: unknown input becomes an `Unknown` part, and none of
    them raises.

    Attributes:
        read_request: The neutral request; the second argument is the JSON value of the body, of any type.
        read_reply: The model's turns in a successful body: one for each choice or candidate.
        read_stream: The same turns, from the events of a stream.
        stream_events: The same stream in neutral events: what each server-sent event adds to the turns.
        sse_events: The server-sent events of a response, or None where it was not streamed.
        history: Where the turns of its requests lie, so that those that a request repeats are not read again; None
            where each request is read as a whole.
        normalise_key: The one spelling of a request's keys if two are valid, else None.
        called_off: Whether the client no longer waits for an answer to the request of a `View`: it may get none.
    """

    read_request: Callable[[Request, Any], Ask]
    read_reply: Callable[[Any], tuple[Turn, ...]]
    read_stream: Callable[[Sequence[Event]], tuple[Turn, ...]]
    stream_events: Callable[[Sequence[Event]], Iterator[StreamEvent]]
    sse_events: Callable[[Exchange], tuple[Event, ...] | None]
    history: History | None = None
    normalise_key: Callable[[str], str] | None = None
    called_off: Callable[[Any], bool] | None = None

    def replies(self, body: Any, events: Sequence[Event] | None) -> tuple[Turn, ...]:
        """The model's turns in a successful answer: in its body, or in the events of a stream."""
        return self.read_reply(body) if events is None else self.read_stream(events)


USUAL_RULES = frozenset(
    {
        "argument-markup-leaked",
        "call-arguments-leaked",
        "new-call-id-reused",
        "tool-call-name-invalid",
        "tool-declaration-misplaced",
        "tool-description-missing",
    }
)
"""The optional rules that hold in every dialect with tools and calls of its own."""


class Endpoint(NamedTuple):
    """An endpoint beside the main one, which has contracts of its own: its name, the method, the end of its path.

    `path` is a regular expression. Such exchanges hold no turns: contracts, transport and relations judge them.
    `frame` is the type of the frame, for one over a WebSocket; `delivers` is whether its reply is the model's answer to
    an earlier request. `owned` is whether a request is for this dialect, where others have the same path. `file` is the
    side whose body is a file, of any content. `asks` is the end of the main endpoint's path, if the history in a
    request has to be whole as in one to that.
    """

    name: str
    method: str
    path: str
    frame: str | None = None
    delivers: bool = False
    owned: Callable[[Request], bool] | None = None
    file: Literal["request", "response"] | None = None
    asks: str | None = None


class Bodies(NamedTuple):
    """What shows a dialect where a source has bodies without their URL.

    Attributes:
        path: That of its main endpoint; of a body, where that names the model.
        request: Whether a request's body, by its members, can be no other dialect's.
        reply: The same of a reply's body, or of the data of one event of a stream.
        shared: Whether requests of other dialects look like its own, so that all others are asked first.
    """

    path: str | Callable[[Mapping[str, Any]], str]
    request: Callable[[Mapping[str, Any]], bool]
    reply: Callable[[Mapping[str, Any]], bool]
    shared: bool = False

    def path_of(self, body: Mapping[str, Any]) -> str:
        """The path for a body of its own."""
        return self.path if isinstance(self.path, str) else self.path(body)


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """One wire grammar: which requests belong to it, and facts about it. `readers`, which read it, load on first use.

    Attributes:
        name: As users write it: `openai-chat`.
        prefix: That of its numbered statements (`OAC`); it selects the citation of a neutral rule.
        package: The package that holds its `readers`, and whatever else only some uses need: rules, examples, `render`.
        claims: Whether a request belongs to this dialect, by its path and the keys of its body.
        bodies: What its bodies are recognised by without a URL; None for a dialect in the text of another one.
        host: The dialect in whose text this one is written (such as tags in the text of a plain chat); None for a
            dialect that has an endpoint of its own.
        other_hosts: Further dialects in whose text this one may be written.
        announced: For such a dialect, whether the JSON body of a request to one of them asks for it.
        path: What its URLs have after the base URL: `/chat/completions`.
        answers_last_call: Whether a request may not end in calls without results.
        accepts_unanswered_calls: Whether providers accept calls that are followed by a turn without any result.
        alternates_calls: Whether calls and results are items of their own, which may alternate (call, result, call,
            result) and whose results may come in any order.
        plans_ahead: Whether the model writes all calls of a task in one turn, before any of them has run. What is asked
            of it after that is the answer, without tools; the ids of the calls are those of the one plan.
        named_choice_stops_normally: Whether the reply to a named tool choice has the stop reason of a normal end.
        server_chooses_streaming: Whether the server decides if it streams, because requests do not state it.
        streams_lines: Whether its streams are newline-delimited JSON, not server-sent events.
        optional_ids: Whether a call and its result may go back without the id that the reply gave the call.
        optional_rules: The neutral rules that judge only the dialects that name them here.
        tool_limits: What it accepts as the name and the schema of a tool; the narrowest limits for one that carries
            tools as text and enforces nothing.
        headers: The HTTP header fields that its contract is about.
        lacks: Missing features, each with the reason: `tool-choice`, or a word of a scenario's `exercise`. The
            scenarios that need it do not apply to the dialect.
        reference_model: The model that requests to the reference server name; None for a dialect that no driver speaks.
        line_marks: For a grammar of lines, the regular expression of what they begin with: `(Thought|Action):`.
        line_end: The regular expression of what follows the last line of such a grammar; None if nothing does.
        endpoints: Its endpoints beside the main one; the module `contract.endpoints` has their contracts.
    """

    name: str
    prefix: str
    package: str
    claims: Callable[[Request], bool]
    bodies: Bodies | None = None
    host: str | None = None
    other_hosts: tuple[str, ...] = ()
    announced: Callable[[Any], bool] | None = None
    path: str = ""
    answers_last_call: bool = False
    accepts_unanswered_calls: bool = False
    alternates_calls: bool = False
    plans_ahead: bool = False
    named_choice_stops_normally: bool = False
    server_chooses_streaming: bool = False
    streams_lines: bool = False
    optional_ids: bool = False
    optional_rules: frozenset[str] = frozenset()
    tool_limits: ToolLimits = NARROWEST
    headers: ContractHeaders = NO_HEADERS
    lacks: Mapping[str, str] = field(default_factory=dict)
    reference_model: str | None = None
    line_marks: str | None = None
    line_end: str | None = None
    endpoints: tuple[Endpoint, ...] = ()

    @lazy
    def readers(self) -> Readers:
        """The `READERS` of the package, or of its module `readers`."""
        home = importlib.import_module(self.package)
        found = getattr(home, "READERS", None) or importlib.import_module(f"{self.package}.readers").READERS
        return cast("Readers", found)


def sse_events_of(exchange: Exchange, *, asked: bool | None = None) -> tuple[Event, ...] | None:
    """The usual `sse_events`: server-sent events, or a recorder's list of them if the request asked for a stream.

    Unless `asked` is given, the body of the request decides.
    """
    if exchange.response.is_event_stream:
        return exchange.response.events
    asked = asks_for_stream(exchange) if asked is None else asked
    body = exchange.response.body
    if asked and (body.parsed_by_recorder or body.framed) and isinstance(body.json, list):
        return tuple(sse.from_values(body.json))
    return None


def asks_for_stream(exchange: Exchange) -> bool:
    """Whether the body of the request has `"stream": true`."""
    body = exchange.request.body.json
    return isinstance(body, dict) and body.get("stream") is True
