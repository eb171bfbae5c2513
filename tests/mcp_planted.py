"""A small MCP server of its own, in both families of revisions, that breaks one rule at a time on request."""

from __future__ import annotations

import contextlib
import json
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

HANDSHAKES = ("2025-03-26", "2025-06-18", "2025-11-25")
STATELESS = "2026-07-28"
LOOK_UP = {
    "name": "look_up",
    "description": "Looks a word up.",
    "inputSchema": {"type": "object", "properties": {"word": {"type": "string"}}, "required": ["word"]},
    "outputSchema": {"type": "object", "properties": {"meaning": {"type": "string"}}, "required": ["meaning"]},
    "annotations": {"readOnlyHint": True},
}
WAIT = {
    "name": "wait",
    "description": "Takes a second.",
    "inputSchema": {"type": "object", "additionalProperties": False},
    "annotations": {"readOnlyHint": True},
}
ERASE = {"name": "erase", "description": "Erases all.", "inputSchema": {"type": "object"}, "annotations": {}}
_BY = {"_meta": {"io.modelcontextprotocol/serverInfo": {"name": "planted", "version": "1"}}}


class RefusalError(Exception):
    """An error of the protocol: its code and HTTP status."""

    def __init__(self, code: int, text: str, status: int = 200) -> None:
        super().__init__(text)
        self.code, self.status = code, status


class Planted:
    """The server's answers; `fault` names the one that is wrong. `ran` has the names of the tools that ran."""

    def __init__(self, fault: str | None = None) -> None:
        self.fault = fault
        self.ran: list[str] = []
        self.cancelled: set[Any] = set()
        self.sessions: set[str] = set()

    def result(self, message: dict[str, Any], *, stateless: bool, session: str | None = None) -> dict[str, Any]:
        """The result of a request.

        Raises:
            RefusalError: it is an error.
        """
        method, params = message["method"], message.get("params") or {}
        known: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
            "initialize": self._initialize,
            "server/discover": self._discover,
            "ping": self._ping,
            "tools/list": self._list,
            "tools/call": partial(self._call, number=(session, message["id"])),
        }
        if method not in known or (method == "ping" and stateless):
            if self.fault == "unknown method answered":
                return {"resultType": "complete"} if stateless else {}
            wrong = self.fault == "status of an unknown method"
            raise RefusalError(-32601, f"Unknown method: {method}", 404 if stateless and not wrong else 200)
        result = known[method](params)
        if stateless and self.fault != "no resultType":
            result = {"resultType": "complete", **_BY, **result}
            if method in ("tools/list", "server/discover"):
                result = {"ttlMs": 0, "cacheScope": "private", **result}
        return result

    def _ping(self, _: dict[str, Any]) -> dict[str, Any]:
        return {"pong": True} if self.fault == "ping with a result" else {}

    def _initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        offered = params["protocolVersion"]
        version = offered if offered in HANDSHAKES or self.fault == "any revision" else HANDSHAKES[-1]
        capabilities = {} if self.fault == "no capability" else {"tools": {"listChanged": False}}
        info = {"name": "planted", "version": "1"}
        return {"protocolVersion": version, "capabilities": capabilities, "serverInfo": info}

    def _discover(self, _: dict[str, Any]) -> dict[str, Any]:
        return {
            "supportedVersions": [STATELESS],
            "capabilities": {"tools": {}},
        }

    def _list(self, params: dict[str, Any]) -> dict[str, Any]:
        cursor = params.get("cursor")
        if cursor is None:
            first = {
                key: value for key, value in LOOK_UP.items() if key != "inputSchema" or self.fault != "no inputSchema"
            }
            return {"tools": [first], "nextCursor": "2"}
        if cursor != "2" and self.fault != "any cursor":
            raise RefusalError(-32602, "Unknown cursor")
        page: dict[str, Any] = {"tools": [WAIT, ERASE]}
        return {**page, "nextCursor": "2"} if self.fault == "pages that loop" else page

    def _call(self, params: dict[str, Any], number: Any) -> dict[str, Any]:
        name, arguments = params["name"], params.get("arguments") or {}
        if name not in ("look_up", "wait", "erase"):
            if self.fault == "unknown tool is a result":
                return {"content": [{"type": "text", "text": "No such tool."}], "isError": True}
            raise RefusalError(-32602, f"Unknown tool: {name}", 200)
        if name == "look_up" and not isinstance(arguments.get("word"), str) and self.fault != "any arguments":
            if self.fault == "arguments are a protocol error":
                raise RefusalError(-32602, "Invalid arguments")
            return {"content": [{"type": "text", "text": "`word` is not a string."}], "isError": True}
        self.ran.append(name)
        if name == "wait":
            self._wait(number)
        if self.fault == "content is a string":
            return {"content": "a word", "structuredContent": {"meaning": "a word"}}
        meaning: Any = 7 if self.fault == "structured content" else "a word"
        value = {"meaning": meaning}
        text = {"content": [{"type": "text", "text": json.dumps(value)}]}
        return {**text, "structuredContent": value} if name == "look_up" else text

    def _wait(self, number: Any) -> None:
        for _ in range(20):
            time.sleep(0.05)
            if number in self.cancelled and self.fault == "error after cancel":
                raise RefusalError(0, "Request cancelled")
            if number in self.cancelled and self.fault != "result after cancel":
                raise ConnectionAbortedError


class Handler(BaseHTTPRequestHandler):
    """Streamable HTTP around `Planted`."""

    protocol_version = "HTTP/1.1"
    planted: Planted

    def log_message(self, *_: Any) -> None:
        """Nothing is logged."""

    def do_POST(self) -> None:
        planted, fault = self.planted, self.planted.fault
        text = self.rfile.read(int(self.headers.get("content-length") or 0))
        if self._refused(initializes=b'"initialize"' in text):
            return
        try:
            message = json.loads(text)
        except ValueError:
            if fault == "any body":
                self._answer(200, {"jsonrpc": "2.0", "id": None, "result": {}})
            else:
                self._answer(400, {"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "Parse error"}})
            return
        if isinstance(message, list):
            self._answer(200, [self._response(each)[1] for each in message])
            return
        if "id" not in message or "method" not in message:
            if message.get("method") == "notifications/cancelled":
                planted.cancelled.add((self.headers.get("mcp-session-id"), message["params"]["requestId"]))
            wrong = fault == "body for a notification"
            self._answer(200 if wrong else 202, {"jsonrpc": "2.0", "result": {}} if wrong else None)
            return
        if fault == "no answer":
            self.close_connection = True
            return
        with contextlib.suppress(ConnectionAbortedError):
            self._answer(*self._response(message))
            return
        self._answer(200, None, kind="text/event-stream")

    def _response(self, message: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        fault = self.planted.fault
        answer: dict[str, Any] = {"jsonrpc": "1.0" if fault == "jsonrpc 1.0" else "2.0", "id": message["id"]}
        if fault == "id as a string":
            answer["id"] = str(message["id"])
        try:
            session = self.headers.get("mcp-session-id")
            result = self.planted.result(message, stateless=self._stateless, session=session)
            return 200, answer | {"result": result}
        except RefusalError as refusal:
            return refusal.status, answer | {"error": {"code": refusal.code, "message": str(refusal)}}

    @property
    def _stateless(self) -> bool:
        return "mcp-method" in self.headers

    def _refused(self, *, initializes: bool) -> bool:
        """Refuses a wrong origin, revision or session by its status."""
        fault, revision = self.planted.fault, self.headers.get("mcp-protocol-version")
        origin, session = self.headers.get("origin"), self.headers.get("mcp-session-id")
        local = f"http://{self.headers['host']}"
        if origin is not None and (
            (origin != local and fault != "any origin") or (origin == local and fault == "no origin")
        ):
            self._answer(403, None)
        elif revision not in (None, *HANDSHAKES, STATELESS) and fault != "any version header":
            data = {"supported": [STATELESS], "requested": revision}
            wrong = {"code": -32022, "message": "Unknown revision", "data": data}
            error = {"jsonrpc": "2.0", "id": None, "error": wrong}
            self._answer(400, error if self._stateless else None)
        elif session is not None and session not in self.planted.sessions and fault != "deleted session":
            self._answer(404, None)
        elif session is None and not (self._stateless or initializes) and fault != "no session needed":
            self._answer(400, None)
        else:
            return False
        return True

    def do_GET(self) -> None:
        if self.planted.fault == "a page for GET":
            self._answer(200, {"page": "welcome"}, kind="text/html")
        else:
            self._answer(405, None)

    def do_DELETE(self) -> None:
        self.planted.sessions.discard(self.headers.get("mcp-session-id") or "")
        self._answer(200, None)

    def _answer(self, status: int, value: Any, kind: str = "application/json") -> None:
        fault = self.planted.fault
        text = b"" if value is None else json.dumps(value).encode()
        if fault == "content type" and status == 200 and value is not None:
            kind = "text/plain"
        if fault == "two responses" and status == 200 and isinstance(value, dict) and "result" in value:
            kind, text = "text/event-stream", b"".join(b"event: message\ndata: " + text + b"\n\n" for _ in range(2))
        self.send_response(status)
        if value is not None or kind != "application/json":
            self.send_header("content-type", kind)
        result = value.get("result") if isinstance(value, dict) else None
        if isinstance(result, dict) and "serverInfo" in result:
            session = f"session{' ' if fault == 'session id' else '-'}{uuid.uuid4().hex}"
            self.planted.sessions.add(session)
            self.send_header("mcp-session-id", session)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


@contextlib.contextmanager
def planted(fault: str | None = None) -> Iterator[tuple[str, Planted]]:
    """The URL of a running server, and what it did."""
    answers = Planted(fault)
    server = ThreadingHTTPServer(("127.0.0.1", 0), type("Own", (Handler,), {"planted": answers}))
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/mcp", answers
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def pipes(fault: str | None) -> None:
    """The same over standard input and output."""
    answers = Planted(fault)
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message or "method" not in message:
            continue
        if fault == "ends at a ping" and message["method"] == "ping":
            return
        if fault == "noise":
            _say("planted: got a message")
        answer: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        stateless = "_meta" in (message.get("params") or {})
        try:
            answer |= {"result": answers.result(message, stateless=stateless)}
        except RefusalError as refusal:
            answer |= {"error": {"code": refusal.code, "message": str(refusal)}}
        _say(json.dumps(answer))


if __name__ == "__main__":
    pipes(sys.argv[1] if len(sys.argv) > 1 else None)
