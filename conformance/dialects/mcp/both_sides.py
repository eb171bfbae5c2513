"""The messages of both sides, as relations see them: each with what it refers to.

What is added to a message:

    asked       a response: the request that it answers, with what is added to it; also in the result of a client's
                response, and in each of a request's `inputResponses`
    blocks      a client's result of sampling: its content, always as an array; calls there have their `tool`
    listed      a request: the entry of the server's list that it names
    list        a request that names an entry: the server's list of such entries, if all of it is known
    unlisted    the list is known, and does not have the entry
    before      a request for another page: the `cacheScope` of the first page
    continued   a request that is sent again with answers: the result that asked for them, with the `id` and the
                `params` of its request
    listen      a message in the stream of a subscription: the request for it
    subscribed_to  an update: the resource that the client subscribed to, which is this one or contains it
    via         how it was sent: `post`, `listening` (a stream that a client opened by GET) or `line`
    alone       a line that the server wrote by itself: it answers nothing, and no request waits for it
    called_off  the client has cancelled the requests of this exchange
    resumed     the stream continues an earlier one
    headers     a client's message: those that repeat what it contains; without a session, all of them are there where
                the recording is complete, or has one of them
    session     the session's id in the headers of its side
    status      that of the exchange; a server's message in a stream has none; `failed` where it is no success
    streamed    a message in a stream; `unbuffered` where a header says so, or the headers may be unknown
    event_ids   the first message in a stream: the ids of its events, with the `stream_session`, `last_event`, which
                the client names if it continues a stream, that and the ids as `since_last`, and the ids of the
                `answers` in it
    events      a client's request: the ids of the events in the stream that answers it, with the `stream_session` and
                the ids of the requests that were `posted` together
    event_type  the type of its event, if that is not `message`
    settled     what was agreed before: `session.py`
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Mapping
from typing import Any, Literal

from conformance.dialects.mcp.headers import decoded
from conformance.dialects.mcp.listing import LISTS
from conformance.dialects.mcp.messages import Message, answered, received, sent
from conformance.dialects.mcp.revision import CAPABILITIES, HEADER, LOG_LEVEL, is_stateless, stateless, version_of
from conformance.dialects.mcp.session import Session, called_off, endpoint, session_of
from conformance.judge.view import View
from conformance.model.jsontext import canonical

ADDED = frozenset(
    {"asked", "listed", "list", "unlisted", "before", "continued", "listen", "via", "headers", "session", "event_ids"}
    | {"alone", "answers", "called_off", "events", "posted", "since_last", "subscribed_to"}
    | {"stream_session", "last_event", "event_type", "failed", "unbuffered", "resumed", "status", "streamed", "settled"}
)
"""What is no place on the wire."""
_OWNERS = {
    "settled.client": "the client's capabilities",
    "settled.server": "the server's capabilities",
    "settled.subscribed": "the subscriptions",
    "settled.questions": "the server's requests that have no answer",
    "settled.supported": "the revisions that the server supports",
    "settled": "the session",
    "asked.listed": "the tool in the list",
    "asked": "the request",
    "listen": "the subscription",
}
"""Whose a member is that was added to a message, for people; the longest name first."""
_ADDED_NAME = re.compile(f"`({'|'.join(map(re.escape, _OWNERS))})(?:\\.([^`]+))?`")
_EVENT_ID = re.compile(r"^id: ?(.+)$", re.MULTILINE)
_REPEATING = (HEADER, "mcp-method", "mcp-name")
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
    common: dict[str, Any] = {"settled": _settled(view, session), **_sent_by(view)}
    of_client, of_server = _of_client(view), _of_server(view)
    if called_off(view):
        of_server["called_off"] = True
    events = _events(view)
    shown = {id(each.value): _shown(each, session, common) | of_client | events for each in sent(view)}
    pairs = {id(response.value): shown[id(request.value)] for request, response in answered(view) if response}
    listen = next((each.value for each in sent(view) if each.method == "subscriptions/listen"), None)
    replies: list[tuple[Any, str]] = []
    for each in received(view):
        reply = {**each.value, **common, **of_server, **_of_event(view, each)}
        if not replies:
            reply |= _of_stream(view, events)
        asked = pairs.get(id(each.value)) or _asked(each, session.waiting)
        if listen is not None:
            reply["listen"] = listen
        if each.method == "notifications/resources/updated":
            reply |= _subscribed_to(each.params.get("uri"), session)
        replies.append(({**reply, "asked": asked} if asked is not None else reply, each.pointer))
    return {"client": [(shown[id(each.value)], each.pointer) for each in sent(view)], "server": replies}


def in_words(text: str) -> str:
    """A text about a message, with what was added to it as what it is of: `asked.id` is "`id` of the request"."""
    return _ADDED_NAME.sub(
        lambda found: _OWNERS[found[1]] if found[2] is None else f"`{found[2]}` of {_OWNERS[found[1]]}", text
    )


def session(view: View) -> Hashable:
    """The session of an exchange: that which it begins, or the one before it."""
    begins = any(each.method == "initialize" for each in sent(view))
    return endpoint(view), view.number if begins else session_of(view).begun


def _shown(message: Message, session: Session, common: Mapping[str, Any]) -> dict[str, Any]:
    shown = {**message.value, **common}
    if message.is_response:
        asked = _asked(message, session.questions)
        if asked is not None:
            shown["asked"] = asked
            if "result" in message.value:
                shown["result"] = _answer(message.value["result"], asked)
    elif message.method is not None and message.method in LISTS and "cursor" in message.params:
        shown["before"] = {"cacheScope": session.list_of(message.method).scope}
    elif message.method in _NAMED:
        shown |= _looked_up(message, session) | _again(message, session)
    return shown


def _asked(message: Message, waiting: Mapping[str, dict[str, Any]]) -> dict[str, Any] | None:
    """The request that a response answers, of an earlier exchange."""
    return waiting.get(canonical(message.value["id"])) if message.is_response and "id" in message.value else None


def _looked_up(message: Message, session: Session) -> dict[str, Any]:
    """What the server's lists have about the entry that a request names."""
    method, path = _NAMED[message.method or ""]
    name: Any = message.params
    for key in path:
        name = name.get(key) if isinstance(name, dict) else None
    listing = session.list_of(method)
    every = listing.all()
    unlisted = every is not None and isinstance(name, str) and name not in listing.entries
    return {"listed": listing.entry(name), "list": every, "unlisted": unlisted}


def _again(message: Message, session: Session) -> dict[str, Any]:
    """The result that asked for the answers in a request, and these answers with what was asked."""
    responses = message.params.get("inputResponses")
    if responses is None and "requestState" not in message.params:
        return {}
    continued = session.continued_by(message)
    if continued is None:
        return {}
    questions = continued.get("inputRequests")
    if not isinstance(responses, dict) or not isinstance(questions, dict):
        return {"continued": continued}
    answers = {key: _answer(each, questions.get(key)) for key, each in responses.items()}
    return {"continued": continued, "params": {**message.params, "inputResponses": answers}}


def _answer(answer: Any, asked: Any) -> Any:
    """A client's answer, with the question."""
    if not isinstance(answer, dict) or not isinstance(asked, dict):
        return answer
    answer = {**answer, "asked": asked}
    if asked.get("method") != "sampling/createMessage":
        return answer
    params, content = asked.get("params"), answer.get("content")
    offered = params.get("tools") if isinstance(params, dict) else None
    tools = {
        each["name"]: each
        for each in (offered if isinstance(offered, list) else ())
        if isinstance(each, dict) and isinstance(each.get("name"), str)
    }
    blocks = [_block(each, tools) for each in (content if isinstance(content, list) else [content])]
    return {**answer, "blocks": blocks, "content": blocks if isinstance(content, list) else blocks[0]}


def _block(block: Any, tools: Mapping[str, Any]) -> Any:
    """A block of content; a call with the tool that it names."""
    name = block.get("name") if isinstance(block, dict) and block.get("type") == "tool_use" else None
    return {**block, "tool": tools[name]} if isinstance(name, str) and name in tools else block


def _sent_by(view: View) -> dict[str, Any]:
    """How the messages of an exchange were sent."""
    request = view.exchange.request
    if request.is_line:
        return {"via": "line", "alone": request.method == "GET"}
    if request.method != "GET":
        return {"via": "post"}
    return {"via": "listening", "resumed": "last-event-id" in request.headers or not len(request.headers)}


def _of_client(view: View) -> dict[str, Any]:
    headers = view.exchange.request.headers
    known = {name: decoded(headers.get(name)) for name in _REPEATING if name in headers}
    if stateless(view) and (view.complete or known):  # a source with one of the headers has them all
        known = {name: known.get(name, "") for name in _REPEATING}
    session = headers.get("mcp-session-id")
    return {"headers": known, **({} if session is None else {"session": session}), **_status(view)}


def _of_server(view: View) -> dict[str, Any]:
    headers = view.exchange.response.headers
    session = headers.get("mcp-session-id")
    found = {} if session is None else {"session": session}
    if view.exchange.response.is_event_stream:
        return {**found, "streamed": True, "unbuffered": not view.complete or headers.get("x-accel-buffering") == "no"}
    return {**found, **_status(view), **({} if view.ok else {"failed": True})}


def _status(view: View) -> dict[str, Any]:
    """The status of a reply, where the source has one."""
    return {} if "status" in view.exchange.lacks else {"status": view.exchange.response.status}


def _subscribed_to(uri: Any, session: Session) -> dict[str, Any]:
    """The resource of a subscription that has the updated one, as a folder has a file."""
    parts = (
        each for each in session.subscribed if isinstance(uri, str) and f"{uri}/".startswith(f"{each.rstrip('/')}/")
    )
    return {"subscribed_to": found} if (found := next(parts, None)) is not None else {}


def _of_event(view: View, message: Message) -> dict[str, Any]:
    name = None if message.event is None else view.exchange.response.events[message.event].name
    return {} if name in (None, "", "message") else {"event_type": name}


def _of_stream(view: View, found: Mapping[str, Any]) -> dict[str, Any]:
    """What the first message of a stream has of the others, given the ids of its events."""
    if not found:
        return {}
    answers = [each.value["id"] for each in received(view) if each.is_response and "id" in each.value]
    last = view.exchange.request.headers.get("last-event-id")
    shown = {"event_ids": found["events"], "answers": answers, "stream_session": found["stream_session"]}
    return shown if last is None else {**shown, "last_event": last, "since_last": [last, *found["events"]]}


def _events(view: View) -> dict[str, Any]:
    """The ids of the events in a stream, with its session; empty where it is none, or has no ids."""
    response = view.exchange.response
    ids = _EVENT_ID.findall(response.body.text or "") if response.is_event_stream else []
    if not ids:
        return {}
    session = view.exchange.request.headers.get("mcp-session-id") or response.headers.get("mcp-session-id")
    posted = [each.value["id"] for each in sent(view) if each.method is not None and "id" in each.value]
    return {"events": ids, "stream_session": session or "", "posted": posted}


def _settled(view: View, session: Session) -> dict[str, Any]:
    client, server, revision, offered = session.client, session.capabilities, version_of(view), None
    for request, response in answered(view, "initialize"):
        client, offered = _object(request.params.get("capabilities")), request.params.get("protocolVersion")
        if response is not None and response.result is not None:
            server, revision = _object(response.result.get("capabilities")), response.result.get("protocolVersion")
    level = session.level
    for message in sent(view):
        level = message.meta.get(LOG_LEVEL, level)
        client = _object(message.meta.get(CAPABILITIES)) if CAPABILITIES in message.meta else client
    return {
        "revision": revision,
        "stateless": stateless(view) or is_stateless(offered),
        "opened": session.opened,
        "initializing": _is_initializing(view, session),
        "ordered": not view.complete or view.exchange.request.is_line,
        "client": client,
        "server": server,
        "supported": session.supported,
        "session": session.id is not None,
        "level": level,
        "subscribed": sorted(session.subscribed),
        "questions": session.asked_ids() if session.questions else None,
        "asks": bool(len(session.asked)),
    }


def _is_initializing(view: View, session: Session) -> bool:
    """Whether the handshake has begun, and is not complete."""
    methods = {each.method for each in sent(view)}
    begun = session.opened or "initialize" in methods
    return begun and not session.initialized and "notifications/initialized" not in methods


def _object(value: Any) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None
