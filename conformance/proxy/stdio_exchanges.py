"""JSON-RPC over standard input and output as exchanges, in the form of streamable HTTP: the same rules judge it.

A line of the client is a POST; the response to it is the server's line with the same id, after the progress that it
asked for and the notifications of its subscription. A line that the server writes by itself is a GET whose stream has
that one event. There are no headers and no status. What comes before the answer to `initialize` is recorded after it.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Protocol

from conformance.proxy.captured import Budget, Captured, Ending, Kept

LACKS = ("headers", "status")
_OK, _ACCEPTED = 200, 202
_BROKEN = object()
_SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"


class Records(Protocol):
    """Takes finished exchanges."""

    def exchanged(self, captured: Captured) -> Future[None]: ...


@dataclass(eq=False)
class _Pending:
    """A line of the client that waits for responses: the ids that are still missing, and what came so far.

    `opens`: it has `initialize`.
    """

    captured: Captured
    waiting: set[str]
    tokens: set[str]
    opens: bool
    lines: list[bytes] = field(default_factory=list)


class StdioExchanges:
    """Makes exchanges of the lines of both sides, which may come from two threads."""

    def __init__(self, watch: Records, name: str) -> None:
        self._watch = watch
        self._url = f"stdio://{name}/mcp"
        self._budget = Budget()
        self._pending: list[_Pending] = []
        self._early: list[Captured] = []
        """What ended before the answer to `initialize` came."""
        self._lock = threading.Lock()

    def from_client(self, line: bytes | None) -> Future[None] | None:
        """Takes a line before its end is sent on; None for one that is too long to be kept."""
        with self._lock:
            value = _parsed(line)
            captured = self._captured("POST", line)
            captured.sent = True
            ids = {_key(each["id"]) for each in _messages(value) if "id" in each and "method" in each}
            if ids:
                opens = any(each.get("method") == "initialize" for each in _messages(value))
                self._pending.append(_Pending(captured, ids, _in_params(value, "_meta", "progressToken"), opens))
                return None
            captured.status = None if value is _BROKEN else _ACCEPTED
            return self._finished(captured)

    def from_server(self, line: bytes | None) -> Future[None] | None:
        """The same for a line of the server; the future is done when the exchange that it ends is on disk."""
        with self._lock:
            value = _parsed(line)
            ids = {_key(each.get("id")) for each in _messages(value) if "method" not in each}
            found = self._waiting_for(ids) or self._waiting_for(ids := {_respelled(each) for each in ids})
            if found is not None and line is not None:
                found.waiting -= ids
                found.lines.append(line)
                return None if found.waiting else self._answered(found)
            tokens = _in_params(value, "progressToken")
            found = next((each for each in self._pending if tokens & each.tokens), None)
            found = found or self._waiting_for(_in_params(value, "_meta", _SUBSCRIPTION))
            if found is not None and line is not None:
                found.lines.append(line)
                return None
            return self._by_itself(line, readable=value is not _BROKEN)

    def end(self, ending: Ending, why: str) -> int:
        """Records the requests that got no response; returns how many there were."""
        with self._lock:
            left, self._pending = sorted(self._pending, key=lambda each: not each.opens), []
            for each in left:
                if each.lines:
                    each.captured.status = _OK
                    each.captured.response.add(_events(each.lines))
                self._finished(each.captured, ending, why)
            return len(left)

    def _waiting_for(self, ids: set[str]) -> _Pending | None:
        return next((each for each in self._pending if ids & each.waiting), None)

    def _answered(self, found: _Pending) -> Future[None] | None:
        self._pending.remove(found)
        found.captured.status = _OK
        found.captured.response.add(found.lines[0] if len(found.lines) == 1 else _events(found.lines))
        return self._finished(found.captured)

    def _by_itself(self, line: bytes | None, *, readable: bool) -> Future[None] | None:
        captured = self._captured("GET", b"")
        captured.sent, captured.status = True, _OK
        if line is None:
            captured.response.note = "not recorded: the line is too long (--max-body)"
        else:
            captured.response.add(_events([line]) if readable else line)
        return self._finished(captured)

    def _captured(self, method: str, line: bytes | None) -> Captured:
        captured = Captured(method, self._url, (), Kept(self._budget), Kept(self._budget), lacks=LACKS)
        if line is None:
            captured.request.note = "not recorded: the line is too long (--max-body)"
        else:
            captured.request.add(line)
        return captured

    def _finished(self, captured: Captured, ending: Ending = "whole", why: str = "") -> Future[None] | None:
        captured.end(ending, why)
        if any(each.opens for each in self._pending):
            self._early.append(captured)
            return None
        done = self._watch.exchanged(captured)
        early, self._early = self._early, []
        for each in early:
            done = self._watch.exchanged(each)
        return done


def _parsed(line: bytes | None) -> Any:
    try:
        return json.loads(line or b"")
    except (ValueError, RecursionError):
        return _BROKEN


def _messages(value: Any) -> Iterator[dict[str, Any]]:
    yield from (each for each in (value if isinstance(value, list) else [value]) if isinstance(each, dict))


def _key(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _respelled(key: str) -> str:
    """The same id as a number or as a text: a server that confuses the two means the request that waits."""
    value = json.loads(key)
    return value if isinstance(value, str) else _key(key)


def _in_params(value: Any, *path: str) -> set[str]:
    """What the requests and notifications have at a path in their parameters."""
    found = set()
    for each in _messages(value):
        inner: Any = each.get("params") if "method" in each else None
        for name in path:
            inner = inner.get(name) if isinstance(inner, dict) else None
        if inner is not None:
            found.add(_key(inner))
    return found


def _events(lines: list[bytes]) -> bytes:
    return b"".join(b"event: message\ndata: " + line + b"\n\n" for line in lines)
