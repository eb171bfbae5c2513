"""The messages of both sides, as relations see them: each with what it refers to.

What is added to a message:

    asked       a response: the request that it answers, with what is added to it
    listed      a request: the entry of the server's list that it names
    list        a request that names an entry: the server's list of such entries, if all of it is known
    unlisted    the list is known, and does not have the entry
    via         how it was sent: `post`, `listening` (a stream that a client opened by GET) or `line`
    failed      the HTTP exchange failed
    settled     what was agreed before: the `revision`; whether it is `stateless`; whether the session was `opened` in
                this recording; the `client`'s and the `server`'s capabilities, if they are known; the `level` of log
                messages; the resources `subscribed` to
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, Literal

from conformance.dialects.mcp.claims import STDIO
from conformance.dialects.mcp.messages import Message, answered, received, sent
from conformance.dialects.mcp.revision import CAPABILITIES, is_stateless, stateless, version_of
from conformance.dialects.mcp.session import Session, endpoint, session_of
from conformance.judge.view import View
from conformance.model.jsontext import canonical

Sides = dict[Literal["client", "server"], list[tuple[Any, str]]]
_NAMED = {
    "tools/call": ("tools/list", ("name",)),
    "prompts/get": ("prompts/list", ("name",)),
    "resources/read": ("resources/list", ("uri",)),
    "completion/complete": ("prompts/list", ("ref", "name")),
}
"""What a request names: by its method, the list, and where the name is in its parameters."""


def messages(view: View) -> Sides:
    """The messages of each side, each with its place."""
    session = session_of(view)
    common: dict[str, Any] = {"settled": _settled(view, session), "via": _via(view)}
    if not view.ok:
        common["failed"] = True
    shown = {id(each.value): _shown(each, session, common) for each in sent(view)}
    for each in (each for each in sent(view) if each.is_response):
        _answers(shown[id(each.value)], session.questions)
    pairs = {id(response.value): shown[id(request.value)] for request, response in answered(view) if response}
    replies = []
    for each in received(view):
        reply = {**each.value, **common}
        if each.is_response and id(each.value) in pairs:
            reply["asked"] = pairs[id(each.value)]
        elif each.is_response:
            _answers(reply, session.waiting)
        replies.append((reply, each.pointer))
    return {"client": [(shown[id(each.value)], each.pointer) for each in sent(view)], "server": replies}


def session(view: View) -> Hashable:
    """The session of an exchange: that which it begins, or the one before it."""
    begins = any(each.method == "initialize" for each in sent(view))
    return endpoint(view), view.number if begins else session_of(view).begun


def _shown(message: Message, session: Session, common: dict[str, Any]) -> dict[str, Any]:
    shown = {**message.value, **common}
    if message.method in _NAMED and message.is_request:
        method, path = _NAMED[message.method]
        name: Any = message.params
        for key in path:
            name = name.get(key) if isinstance(name, dict) else None
        listing = session.list_of(method)
        every = listing.all()
        unlisted = every is not None and isinstance(name, str) and name not in listing.entries
        shown |= {"listed": listing.entry(name), "list": every, "unlisted": unlisted}
    return shown


def _answers(message: dict[str, Any], asked: Any) -> None:
    """Adds the request that a response answers."""
    if "id" in message and (request := asked.get(canonical(message["id"]))) is not None:
        message["asked"] = request


def _via(view: View) -> str:
    request = view.exchange.request
    if request.url.startswith(STDIO):
        return "line"
    return "listening" if request.method == "GET" else "post"


def _settled(view: View, session: Session) -> dict[str, Any]:
    client, server, revision, offered = session.client, session.capabilities, version_of(view), None
    for request, response in answered(view, "initialize"):
        client, offered = _object(request.params.get("capabilities")), request.params.get("protocolVersion")
        if response is not None and response.result is not None:
            server, revision = _object(response.result.get("capabilities")), response.result.get("protocolVersion")
    for message in sent(view):
        client = _object(message.meta.get(CAPABILITIES)) if CAPABILITIES in message.meta else client
    return {
        "revision": revision,
        "stateless": stateless(view) or is_stateless(offered),
        "opened": session.opened,
        "client": client,
        "server": server,
        "level": session.level,
        "subscribed": sorted(session.subscribed),
    }


def _object(value: Any) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None
