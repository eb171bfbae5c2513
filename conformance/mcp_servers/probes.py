"""The probes: what a client does to a server, and what must come back by the protocol.

The rules of the dialect judge every exchange; a probe reports only what they cannot know: that a request was wrong
on purpose, and what should have come of it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import anyio

from conformance.mcp_servers.choose import Call, wrong_arguments
from conformance.mcp_servers.raw import STATELESS, Answer
from conformance.mcp_servers.reach import Reach
from conformance.mcp_servers.scene import Act, NotApplicableError, NotTriedError, Scene
from conformance.model.finding import Severity

_UNKNOWN = "1999-01-01"
_PARSE_ERROR, _INVALID_REQUEST, _NO_METHOD, _INVALID_PARAMS = -32700, -32600, -32601, -32602
_UNSUPPORTED_VERSION = -32022
_CANCEL_AFTER_SECONDS, _RACE_SECONDS, _PATIENCE_SECONDS = 0.2, 0.3, 3.0
_FOREIGN = "http://attacker.example"


Reason = Callable[[str, Reach], str | None]
"""Why a probe does not apply to a revision of a server; None if it applies."""


@dataclass(frozen=True, slots=True)
class Probe:
    """One thing that a client does."""

    name: str
    act: Act
    why_not: Reason
    begins: bool = False
    """Whether it is about the handshake itself, so that no open session can be used."""


PROBES: list[Probe] = []
"""All probes, in the order in which they are done."""


def probe(why_not: Reason = lambda _revision, _reach: None, *, begins: bool = False) -> Callable[[Act], Act]:
    """Adds a probe, by the name of its function."""

    def add(act: Act) -> Act:
        PROBES.append(Probe(act.__name__.replace("_", "-"), act, why_not, begins))
        return act

    return add


def _with_handshake(revision: str, _reach: Reach) -> str | None:
    return "the revision has no handshake" if revision == STATELESS else None


def _in_sessions(revision: str, reach: Reach) -> str | None:
    return _over_http(revision, reach) or ("the revision has no sessions" if revision == STATELESS else None)


def _over_http(_revision: str, reach: Reach) -> str | None:
    return "the transport is not streamable HTTP" if reach.bridged else None


def _with_batches(revision: str, reach: Reach) -> str | None:
    return _over_http(revision, reach) or ("only 2025-03-26 has batches" if revision != "2025-03-26" else None)


def _versioned(revision: str, reach: Reach) -> str | None:
    why = "the revision has no such header" if revision < "2025-06-18" else None
    return _over_http(revision, reach) or why or ("see unknown-revision" if revision == STATELESS else None)


def _at_home(revision: str, reach: Reach) -> str | None:
    return _over_http(revision, reach) or (None if reach.local else "the server is on another machine")


def _cancels(revision: str, _reach: Reach) -> str | None:
    return "a request is cancelled by closing its stream" if revision == STATELESS else None


@probe()
async def lifecycle(scene: Scene) -> None:
    """The handshake, or `server/discover`."""
    answer = await scene.open()
    session = scene.client.session
    if session is not None and (not session or any(not "!" <= each <= "~" for each in session)):
        message = "the session id has other characters than visible ASCII"
        scene.hit("server-answer-unexpected", answer, message, expected="0x21 to 0x7E", actual=repr(session))
    if scene.client.stateless and answer.result is not None:
        scene.expect_result(await scene.client.request("tools/list"), "tools/list")


@probe(begins=True)
async def unknown_revision(scene: Scene) -> None:
    """A revision that does not exist gets another one as the answer, or an error."""
    if scene.client.stateless:
        await scene.open()
        meta = {"_meta": {"io.modelcontextprotocol/protocolVersion": _UNKNOWN}}
        answer = await scene.client.request("tools/list", meta, headers={"mcp-protocol-version": _UNKNOWN})
        scene.expect_error(answer, "a request of an unknown revision", (_UNSUPPORTED_VERSION,))
        if not scene.reach.bridged:
            scene.expect_status(answer, "a request of an unknown revision", (400,))
        return
    answer = await scene.client.request("initialize", scene.client.initialize(_UNKNOWN))
    scene.client.session = answer.headers.get("mcp-session-id")
    if scene.unanswered(answer, "initialize"):
        return
    version = (answer.result or {}).get("protocolVersion")
    if answer.error is None and (not isinstance(version, str) or version == _UNKNOWN):
        message = "initialize accepts a revision that does not exist"
        wanted = "a revision that the server supports, or an error"
        scene.hit("server-revision-unexpected", answer, message, expected=wanted, actual=str(version))


@probe(_with_handshake)
async def ping(scene: Scene) -> None:
    """A ping gets an empty result."""
    await scene.open()
    answer = await scene.client.request("ping")
    if scene.expect_result(answer, "ping") and set(answer.result or {}) - {"_meta"}:
        scene.hit("server-answer-unexpected", answer, "the result of ping is not empty", expected="{}")


@probe()
async def tools_list(scene: Scene) -> None:
    """All pages of the list of tools."""
    await scene.open()
    await scene.tools()


@probe()
async def unknown_cursor(scene: Scene) -> None:
    """A cursor that the server never sent gets an error."""
    await scene.open()
    await scene.tools()
    scene.excused.add("mcp-page-repeated")  # the first page, in place of an error: that is reported below
    answer = await scene.client.request("tools/list", {"cursor": "no-such-cursor"})
    scene.expect_error(answer, "tools/list with an unknown cursor", (_INVALID_PARAMS,), severity=Severity.WARNING)


@probe()
async def tools_call(scene: Scene) -> None:
    """Calls with arguments that fit the inputSchema, and with a token for progress."""
    await scene.open()
    failed = []
    made = await scene.calls()
    for number, call in enumerate(made):
        params = {"name": call.tool, "arguments": call.arguments, "_meta": {"progressToken": f"call-{number}"}}
        answer = await scene.client.request("tools/call", params)
        if scene.expect_result(answer, f"the call of {call.tool}") and (answer.result or {}).get("isError") is True:
            failed.append((call, answer))
    if len(failed) == len(made):
        call, answer = failed[0]
        message = f"every call failed in its tool, {call.tool} among them: no successful result was seen"
        hint = "a call that succeeds; pass --tool NAME and --arguments JSON"
        scene.hit("exercise-missing", answer, message, expected=hint, severity=Severity.WARNING, actual="isError")


@probe()
async def unknown_tool(scene: Scene) -> None:
    """A tool that is not in the list; a rule of the dialect judges the answer."""
    await scene.open()
    known = await scene.tools()
    answer = await scene.client.request("tools/call", {"name": "conformance_no_such_tool", "arguments": {}})
    if not scene.unanswered(answer, "the call of an unknown tool") and not known and answer.result is not None:
        scene.expect_error(answer, "the call of an unknown tool", (_INVALID_PARAMS,))


@probe()
async def invalid_arguments(scene: Scene) -> None:
    """Arguments that the inputSchema forbids are refused; a rule of the dialect judges in which way."""
    await scene.open()
    for call in await scene.calls():
        wrong = wrong_arguments(call)
        if wrong is None:
            continue
        answer = await scene.client.request("tools/call", {"name": call.tool, "arguments": wrong})
        what = f"the call of {call.tool} with invalid arguments"
        if scene.unanswered(answer, what) or answer.error is not None:
            return
        if (answer.result or {}).get("isError") is not True:
            wanted = "a result with isError, or an error"
            message = f"{what} was accepted"
            scene.hit("server-answer-unexpected", answer, message, expected=wanted, severity=Severity.WARNING)
        return
    raise NotApplicableError("no inputSchema of these tools forbids anything that was tried")


@probe()
async def unknown_method(scene: Scene) -> None:
    """A method that does not exist gets the error -32601."""
    await scene.open()
    answer = await scene.client.request("conformance/no-such-method")
    scene.expect_error(answer, "an unknown method", (_NO_METHOD,))
    if scene.client.stateless and not scene.reach.bridged:
        scene.expect_status(answer, "an unknown method", (404,))


def _of(scene: Scene) -> Mapping[str, str | None]:
    """The headers of a message in an open session."""
    revision = scene.client.revision
    return {
        "accept": "application/json, text/event-stream",
        "content-type": "application/json",
        "mcp-protocol-version": revision if revision >= "2025-06-18" else None,
        "mcp-session-id": scene.client.session,
    }


async def _alive(scene: Scene) -> None:
    """Asks for something simple: a server must survive what it refuses."""
    method = "tools/list" if scene.client.stateless else "ping"
    answer = await scene.client.request(method)
    scene.expect_result(answer, f"{method} after it")


@probe(_cancels)
async def cancellation(scene: Scene) -> None:
    """A call is cancelled while it runs: it gets no response then, and the server goes on."""
    await scene.open()
    made = await scene.calls()
    scene.excused |= {"mcp-request-unanswered", "response-empty", "stream-empty"}
    for call in made:
        if await _cancelled(scene, call):
            await _alive(scene)
            return
    raise NotTriedError(f"{made[0].tool} ended before it could be cancelled; name a slow tool with --tool")


async def _cancelled(scene: Scene, call: Call) -> bool:
    """Cancels a call; returns whether it was still running then."""
    done: list[Answer] = []
    over = anyio.Event()
    number = scene.client.next_id()

    async def run() -> None:
        params = {"name": call.tool, "arguments": call.arguments}
        done.append(await scene.client.request("tools/call", params, number=number))
        over.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(run)
        await anyio.sleep(_CANCEL_AFTER_SECONDS)
        if done:
            return False
        sent_at = anyio.current_time()
        cancelled_at = await _cancel(scene, number)
        with anyio.move_on_after(_PATIENCE_SECONDS):
            await over.wait()
        tasks.cancel_scope.cancel()
    late = done[0] if done else None
    if late is not None and late.response is not None and late.at is not None:
        # A result may have been on its way; an error is about the cancellation.
        is_error = "error" in late.response
        if late.at > (sent_at if is_error else cancelled_at + _RACE_SECONDS):
            answer = "an error as its response" if is_error else "a response"
            message = f"the call of {call.tool} got {answer}, {late.at - sent_at:.2f} s after it was cancelled"
            scene.hit("server-cancellation-ignored", late, message, expected="no response", severity=Severity.WARNING)
    return True


async def _cancel(scene: Scene, number: int) -> float:
    """Cancels the request; returns when the server had taken note of it."""
    params = {"requestId": number, "reason": "The run cancels it on purpose."}
    answer = await scene.client.notify("notifications/cancelled", params)
    scene.expect_status(answer, "notifications/cancelled", (200, 202, 204))
    return anyio.current_time()


@probe(_with_batches)
async def batch(scene: Scene) -> None:
    """Several messages in one body, which only 2025-03-26 has."""
    await scene.open()
    first, second = scene.client.next_id(), scene.client.next_id()
    body = [scene.client.message("ping", None, first), scene.client.message("tools/list", None, second)]
    answer = await scene.client.post(body, {k: v for k, v in _of(scene).items() if v is not None})
    got = {str(each.get("id")) for each in answer.messages if "result" in each or "error" in each}
    if not scene.unanswered(answer, "a batch") and got != {str(first), str(second)}:
        scene.hit(
            "server-answer-unexpected",
            answer,
            "a batch of two requests did not get two responses",
            expected=f"responses to {first} and {second}",
            actual=f"status {answer.status}, responses to {', '.join(sorted(got)) or 'none'}",
        )


@probe(_over_http)
async def malformed_body(scene: Scene) -> None:
    """A body that is not JSON is refused, and the server goes on."""
    await scene.open()
    headers = {name: value for name, value in _of(scene).items() if value is not None}
    answer = await scene.client.post('{"jsonrpc": "2.0",', headers)
    if not scene.unanswered(answer, "a body that is not JSON") and (answer.status or 0) < 400 and answer.error is None:
        message = "a body that is not JSON was accepted"
        scene.hit("server-status-unexpected", answer, message, expected=f"status 400, error {_PARSE_ERROR}")
    await _alive(scene)


@probe(_versioned)
async def version_header(scene: Scene) -> None:
    """An `MCP-Protocol-Version` that does not exist is refused with 400."""
    await scene.open()
    answer = await scene.client.request("tools/list", headers={"mcp-protocol-version": _UNKNOWN})
    scene.expect_status(answer, "a request with an unknown MCP-Protocol-Version", (400,))


@probe(_in_sessions)
async def session(scene: Scene) -> None:
    """Requests need the session's id, and no other id is accepted."""
    await scene.open()
    if scene.client.session is None:
        raise NotApplicableError("the server gives no session id")
    without = await scene.client.request("tools/list", headers={"mcp-session-id": None})
    scene.expect_status(without, "a request without its session id", (400,), severity=Severity.WARNING)
    unknown = await scene.client.request("tools/list", headers={"mcp-session-id": "no-such-session"})
    scene.expect_status(unknown, "a request with an unknown session id", (404,), severity=Severity.WARNING)


@probe(_in_sessions)
async def delete(scene: Scene) -> None:
    """A session that was deleted is gone: 404 from then on. A server may refuse to delete it with 405."""
    await scene.open()
    if scene.client.session is None:
        raise NotApplicableError("the server gives no session id")
    answer = await scene.client.send("DELETE")
    scene.expect_status(answer, "DELETE", (200, 202, 204, 405))
    if answer.status is None or answer.status >= 400:
        return
    again = await scene.client.request("tools/list")
    scene.client.session = None
    scene.expect_status(again, "a request of a deleted session", (404,))


@probe(_in_sessions)
async def listen(scene: Scene) -> None:
    """A GET opens a stream of events, or is refused with 405."""
    await scene.open()
    answer = await scene.client.send("GET")
    if scene.unanswered(answer, "GET"):
        return
    kind = answer.headers.get("content-type", "")
    if answer.status == 200 and "text/event-stream" not in kind:
        message = "a GET opens no stream of events"
        scene.hit("server-answer-unexpected", answer, message, expected="text/event-stream, or 405", actual=kind)
    elif answer.status != 200:
        scene.expect_status(answer, "GET", (405,))


@probe(_at_home)
async def origin(scene: Scene) -> None:
    """A foreign Origin is rejected (DNS rebinding), a local one is accepted."""
    await scene.open()
    method = "tools/list" if scene.client.stateless else "ping"
    foreign = await scene.client.request(method, headers={"origin": _FOREIGN})
    scene.expect_status(foreign, f"a request with Origin: {_FOREIGN}", (403,))
    own = scene.reach.url.split("/", 3)
    local = await scene.client.request(method, headers={"origin": "/".join(own[:3])})
    scene.expect_result(local, "a request with the server's own Origin")
