"""The state that a run has reached with a server: revision, session, capabilities, lists.

The state passes from exchange to exchange, so a long run keeps the content of its first exchanges.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import field, replace
from typing import Any
from weakref import WeakKeyDictionary

from conformance.dialects.mcp.listing import LISTS, Listing, changed, listed
from conformance.dialects.mcp.messages import Message, answered, received, sent
from conformance.judge.view import View
from conformance.model.frozen import dataclass
from conformance.model.grown import Grown
from conformance.model.jsontext import canonical

_Id = tuple[str, Any]
_ADDED = frozenset({"_meta", "inputResponses", "requestState"})
_ASKED_AT_ONCE = 64
"""How many unanswered requests of a side are kept."""


@dataclass(frozen=True, slots=True)
class Session:
    """What is settled with one server. `opened`: it answered `initialize`; `version` is then the agreed revision, `id`
    the session's, where the server gave one, and `begun` the number of that exchange. `early` is the first method that
    came before the next step of the handshake, where nothing shows that an earlier handshake took place. `capabilities`
    are the server's, `client` are the client's; `supported` are the revisions that the server discovers. `questions`
    are the server's requests and `waiting` the client's by their ids, until they are answered; `asked` are the ids of
    all the server's requests, and `replied` those that the client has answered, as JSON; `cancelled` are those of its
    own requests that it cancelled. `inputs` are results that ask for input, by their requests. `subscribed` are the
    resources, `level` is that of log messages.
    """

    opened: bool = False
    initialized: bool = False
    version: str | None = None
    id: str | None = None
    begun: int | None = None
    capabilities: dict[str, Any] | None = None
    supported: Any = None
    client: dict[str, Any] | None = None
    used: Grown[_Id] = field(default_factory=Grown)
    unanswered: frozenset[_Id] = frozenset()
    lists: Mapping[str, Listing] = field(default_factory=dict)
    questions: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    waiting: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    asked: Grown[str] = field(default_factory=Grown)
    replied: Grown[str] = field(default_factory=Grown)
    cancelled: Grown[str] = field(default_factory=Grown)
    inputs: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    subscribed: frozenset[str] = frozenset()
    level: str | None = None
    early: str | None = None

    @property
    def listing(self) -> Listing:
        """The tools of the server."""
        return self.list_of("tools/list")

    def list_of(self, method: str) -> Listing:
        """What the latest answers to a method listed."""
        return self.lists.get(method, _NO_LIST)

    def asked_ids(self) -> list[Any]:
        """The ids of the server's requests."""
        return [json.loads(each) for each in self.asked]

    def continued_by(self, message: Message) -> dict[str, Any] | None:
        """The result that asked for what a request gives: for the same request, or else the latest for its method."""
        exact = self.inputs.get(_request_key(message))
        same = [each for each in self.inputs.values() if each["method"] == message.method]
        return exact or (same[-1] if same else None)


_NO_LIST = Listing()
_State = Mapping[str, Mapping[str | None, Session]]
"""By endpoint and session id, the latest session last."""

_before: WeakKeyDictionary[View, _State] = WeakKeyDictionary()


def session_of(view: View) -> Session:
    """The session that an exchange belongs to, as it was before the exchange."""
    return _find(_state(view), view)


def _state(view: View) -> _State:
    state, earlier = _before.get(view), view.earlier
    if state is None:
        state = _before[view] = _after(earlier[-1]) if earlier else {}
    return state


def _find(state: _State, view: View) -> Session:
    sessions = state.get(endpoint(view), {})
    header = view.exchange.request.headers.get("mcp-session-id")
    if header in sessions:
        return sessions[header]
    return list(sessions.values())[-1] if sessions else Session()


def called_off(view: View) -> bool:
    """Whether the client has cancelled each request of an exchange before its end."""
    asked = [each for each in sent(view) if each.is_request]
    cancelled = session_of(view).cancelled
    return bool(asked) and all(canonical(each.value["id"]) in cancelled for each in asked)


def is_whole(view: View) -> bool:
    """Whether all that came before is recorded: the proxy sees each line of a server on standard input and output."""
    return view.complete or view.exchange.request.is_line


def endpoint(view: View) -> str:
    """The server that an exchange is with."""
    return view.exchange.request.url.partition("?")[0]


def _after(view: View) -> _State:
    state = _state(view)
    session = _find(state, view)
    for message in sent(view):
        if message.method == "notifications/initialized":
            session = replace(session, initialized=True)
        elif message.method == "notifications/cancelled":
            ended = canonical(message.params.get("requestId"))
            session = replace(session, cancelled=session.cancelled.and_also([ended]))
        elif session.early is None and not session.initialized and _is_early(message, session, view):
            session = replace(session, early=message.method)
    used: dict[_Id, bool] = {}
    for request, response in answered(view):
        if request.method == "initialize" and response is not None and response.result is not None:
            used.clear()  # of the session before
        session = _advanced(session, view, request, response)
        number = id_of(request)
        if number is not None and view.ok:  # after an HTTP failure, a client may send the same request again
            used[number] = response is None
    if used:
        session = _asked(session, used)
    session = replace(session, lists=changed(session.lists, received(view)))
    session = _talked(session, view)
    sessions = {key: each for key, each in state.get(endpoint(view), {}).items() if key != session.id}
    return {**state, endpoint(view): {**sessions, session.id: session}}


def _is_early(message: Message, session: Session, view: View) -> bool:
    """Whether a request came before the handshake, or between its two steps."""
    if not message.is_request or message.method in ("initialize", "ping"):
        return False
    headers = view.exchange.request.headers
    return session.opened or not ("mcp-session-id" in headers or "mcp-protocol-version" in headers)


def _asked(session: Session, used: Mapping[_Id, bool]) -> Session:
    """The session after requests with these ids; for each, whether the request got no response."""
    unanswered = session.unanswered
    if unanswered or any(used.values()):
        unanswered = (unanswered - used.keys()) | {number for number, waits in used.items() if waits}
    return replace(session, used=session.used.and_also(used), unanswered=unanswered)


def _talked(session: Session, view: View) -> Session:
    """The session after the requests and the answers of both sides."""
    questions = [each for each in received(view) if each.is_request]
    answers = {canonical(each.value["id"]) for each in sent(view) if each.is_response and "id" in each.value}
    if questions or answers:
        session = replace(
            session,
            asked=session.asked.and_also(canonical(each.value["id"]) for each in questions),
            replied=session.replied.and_also(answers),
        )
        session = replace(session, questions=_open(session.questions, questions, session.replied))
    waiting = [request for request, response in answered(view) if response is None]
    late = {canonical(each.value["id"]) for each in received(view) if each.is_response and "id" in each.value}
    if waiting or late & session.waiting.keys():
        session = replace(session, waiting=_open(session.waiting, waiting, late))
    return session


def _open(
    before: Mapping[str, dict[str, Any]], asked: list[Message], ended: set[str] | Grown[str]
) -> Mapping[str, dict[str, Any]]:
    """The requests that are not answered, the latest ones, by their ids."""
    every = {**before, **{canonical(each.value["id"]): each.value for each in asked}}
    return dict([(key, each) for key, each in every.items() if key not in ended][-_ASKED_AT_ONCE:])


def _request_key(message: Message) -> str:
    """A request without what a client adds when it sends it again."""
    kept = {key: each for key, each in message.params.items() if key not in _ADDED}
    return f"{message.method} {canonical(kept)}"


def _advanced(session: Session, view: View, request: Message, response: Message | None) -> Session:
    result = response.result if response is not None else None
    if request.method == "tools/call" and not session.listing.used:
        session = replace(session, lists={**session.lists, "tools/list": replace(session.listing, used=True)})
    if result is None:
        return session
    if request.method == "initialize":
        return _opened(view, request, result)
    if result.get("resultType") == "input_required":
        asks = {**result, "method": request.method, "id": request.value.get("id"), "params": request.params}
        inputs = [*session.inputs.items(), (_request_key(request), asks)]
        return replace(session, inputs=dict(inputs[-_ASKED_AT_ONCE:]))
    if request.method == "server/discover":
        capabilities, supported = _object(result.get("capabilities")), result.get("supportedVersions")
        return replace(session, capabilities=capabilities, supported=supported)
    if request.method is not None and request.method in LISTS:
        pages = listed(session.list_of(request.method), LISTS[request.method], request, result)
        return replace(session, lists={**session.lists, request.method: pages})
    return _set(session, request)


def _set(session: Session, request: Message) -> Session:
    """The session after a request that sets something was accepted."""
    uri, level = request.params.get("uri"), request.params.get("level")
    if request.method == "resources/subscribe" and isinstance(uri, str):
        return replace(session, subscribed=session.subscribed | {uri})
    if request.method == "resources/unsubscribe" and isinstance(uri, str):
        return replace(session, subscribed=session.subscribed - {uri})
    if request.method == "logging/setLevel" and isinstance(level, str):
        return replace(session, level=level)
    return session


def _opened(view: View, request: Message, result: dict[str, Any]) -> Session:
    version = result.get("protocolVersion")
    return Session(
        opened=True,
        version=version if isinstance(version, str) else None,
        id=view.exchange.response.headers.get("mcp-session-id"),
        begun=view.number,
        capabilities=_object(result.get("capabilities")),
        client=_object(request.params.get("capabilities")),
    )


def _object(value: Any) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None


def id_of(message: Message) -> _Id | None:
    """A message's id in a comparable form: `"1"` differs from 1. None if it is neither string nor number."""
    value = message.value.get("id")
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    return ("string" if isinstance(value, str) else "number", value)
