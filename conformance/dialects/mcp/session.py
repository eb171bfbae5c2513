"""The state that a run has reached with a server: revision, session, tools.

The state passes from exchange to exchange, so a long run keeps the content of its first exchanges.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from weakref import WeakKeyDictionary

from conformance.dialects.mcp.messages import Message, answered, received, sent
from conformance.judge.view import View
from conformance.model.grown import Grown

_Id = tuple[str, Any]


@dataclass(frozen=True, slots=True)
class Listing:
    """The pages of the latest `tools/list`. `whole` is whether the last page was the end.

    `pending` is the cursor of the next page, `cursors` are all that the server has sent.
    """

    begun: bool = False
    whole: bool = False
    tools: Mapping[str, dict[str, Any]] = field(default_factory=dict)
    pending: str | None = None
    cursors: frozenset[str] = frozenset()
    followed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Session:
    """What is settled with one server. `opened`: it answered `initialize`; `version` is then the agreed
    revision, and `id` the session's, where the server gave one. `early` is the first method that came before the next
    step of the handshake, where nothing shows that an earlier handshake took place.
    """

    opened: bool = False
    initialized: bool = False
    version: str | None = None
    id: str | None = None
    capabilities: dict[str, Any] | None = None
    used: Grown[_Id] = field(default_factory=Grown)
    unanswered: frozenset[_Id] = frozenset()
    listing: Listing = Listing()
    stale: bool = False
    warned: bool = False
    early: str | None = None

    def tool(self, name: Any) -> dict[str, Any] | None:
        """The tool of that name in the server's latest list; None if it is not there, or the list has changed."""
        return None if self.stale or not isinstance(name, str) else self.listing.tools.get(name)

    def lacks(self, name: Any) -> bool:
        """Whether the complete list is known and does not have the tool."""
        known = self.listing.whole and not self.stale
        return known and isinstance(name, str) and name not in self.listing.tools


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
    sessions = state.get(_endpoint(view), {})
    header = view.exchange.request.headers.get("mcp-session-id")
    if header in sessions:
        return sessions[header]
    return list(sessions.values())[-1] if sessions else Session()


def _endpoint(view: View) -> str:
    return view.exchange.request.url.partition("?")[0]


def _after(view: View) -> _State:
    state = _state(view)
    session = _find(state, view)
    for message in sent(view):
        if message.method == "notifications/initialized":
            session = replace(session, initialized=True)
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
    if any(message.method == "notifications/tools/list_changed" for message in received(view)):
        session = replace(session, stale=True)
    endpoint = _endpoint(view)
    sessions = {key: each for key, each in state.get(endpoint, {}).items() if key != session.id}
    return {**state, endpoint: {**sessions, session.id: session}}


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


def _advanced(session: Session, view: View, request: Message, response: Message | None) -> Session:
    result = response.result if response is not None else None
    if request.method == "initialize":
        return _opened(view, result) if result is not None else session
    if request.method == "server/discover" and result is not None:
        capabilities = result.get("capabilities")
        return replace(session, capabilities=capabilities if isinstance(capabilities, dict) else None)
    if request.method == "tools/list" and result is not None:
        return replace(session, listing=_listing(session.listing, request, result), stale=False, warned=False)
    if request.method == "tools/call" and not session.warned:
        return replace(session, warned=True)
    return session


def _opened(view: View, result: dict[str, Any]) -> Session:
    version, capabilities = result.get("protocolVersion"), result.get("capabilities")
    return Session(
        opened=True,
        version=version if isinstance(version, str) else None,
        id=view.exchange.response.headers.get("mcp-session-id"),
        capabilities=capabilities if isinstance(capabilities, dict) else None,
    )


def _listing(listing: Listing, request: Message, result: dict[str, Any]) -> Listing:
    cursor, following = request.params.get("cursor"), result.get("nextCursor")
    if not isinstance(cursor, str):
        listing = Listing(begun=True, cursors=listing.cursors)
    tools = result.get("tools")
    named = {
        tool["name"]: tool
        for tool in (tools if isinstance(tools, list) else ())
        if isinstance(tool, dict) and isinstance(tool.get("name"), str)
    }
    following = following if isinstance(following, str) else None
    return replace(
        listing,
        tools={**listing.tools, **named},
        pending=following,
        whole=listing.begun and following is None,
        cursors=listing.cursors | ({following} if following is not None else set()),
        followed=listing.followed | ({cursor} if isinstance(cursor, str) else set()),
    )


def id_of(message: Message) -> _Id | None:
    """A message's id in a comparable form: `"1"` differs from 1. None if it is neither string nor number."""
    value = message.value.get("id")
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        return None
    return ("string" if isinstance(value, str) else "number", value)
