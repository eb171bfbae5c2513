"""A client of the reference server for tests: requests over loopback, with nothing but the standard library."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from conformance.commands.serve.outcome import Outcome
from conformance.commands.serve.pages import page
from conformance.judge.selection import Selection
from conformance.model.behaviour import Behaviour
from conformance.model.exchange import Request
from conformance.model.rendered import Delivery
from conformance.reference.server import ReferenceServer
from conformance.reference.session import Session
from conformance.reference.sessions import Sessions
from conformance.report.sessions import Record, records
from conformance.scenario.load import all_scenarios

WEATHER = all_scenarios()["weather"].conversations[0].user
CITIES = all_scenarios()["parallel-weather"].conversations[0].user
RESULT = {"temperature": 14.2, "unit": "°C", "sky": "맑음"}
KEY = {"authorization": "Bearer key"}


@dataclass
class Answer:
    """A response: its status, its headers in lower case, and its body."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def message(self) -> dict[str, Any]:
        """The message of a Chat answer."""
        found: dict[str, Any] = self.json["choices"][0]["message"]
        return found


@dataclass
class Talk:
    """A server with sessions, and requests to it."""

    sessions: Sessions
    server: ReferenceServer
    behaviours: Sequence[Behaviour] = field(default_factory=tuple)

    def begin(self) -> None:
        """Forgets the sessions so far."""
        self.sessions = self.server.service = Sessions(all_scenarios())

    def send(self, path: str, body: Any = None, *, method: str | None = None, **headers: str) -> Answer:
        """One request on a connection of its own."""
        data = None if body is None else json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        with closing(http.client.HTTPConnection(urlsplit(self.server.origin).netloc, timeout=20)) as connection:
            connection.request(method or ("GET" if body is None else "POST"), path, data, named)
            with connection.getresponse() as got:
                return Answer(got.status, {name.lower(): value for name, value in got.getheaders()}, got.read())

    def chat(self, messages: Sequence[Any], *names: str, path: str = "", **more: Any) -> Answer:
        """A Chat request with tools of these names, which accept anything."""
        headers = {**KEY, "content_type": "application/json", **more.pop("headers", {})}
        tools = {"tools": list(map(chat_tool, names))} if names else {}
        body = {"model": "gpt-4o-mini", "messages": list(messages), **tools, **more}
        return self.send(f"{path}/v1/chat/completions", body, **headers)

    def play(self, question: str = WEATHER, result: Any = RESULT, **more: Any) -> str:
        """A whole conversation whose tools return one result; returns the last text."""
        messages: list[Any] = [{"role": "user", "content": question}]
        while True:
            answer = self.chat(messages, "get_weather", **more)
            assert answer.status == 200, answer.body
            if not answer.message.get("tool_calls"):
                return str(answer.message["content"])
            messages.append(spoken(answer.message))
            content = result if isinstance(result, str) else json.dumps(result)
            messages += [
                {"role": "tool", "tool_call_id": call["id"], "content": content}
                for call in answer.message["tool_calls"]
            ]

    @property
    def session(self) -> Session:
        """The only session."""
        [found] = self.sessions.all
        return found

    def conversations(self, exit_code: int | None = None) -> list[Record]:
        """The conversations of all sessions, as the report has them."""
        found = records(self.sessions.all, exit_code=exit_code)
        return [each for session in found for each in session["conversations"]]


def chat_tool(name: str) -> dict[str, Any]:
    return {
        "type": "function",
        "function": {"name": name, "description": "A tool.", "parameters": {"type": "object", "properties": {}}},
    }


def spoken(message: dict[str, Any]) -> dict[str, Any]:
    """A message of the model as a client sends it back."""
    return {key: message[key] for key in ("role", "content", "tool_calls") if key in message}


@contextmanager
def talking(behaviours: Sequence[Behaviour] = (), sessions: Sessions | None = None) -> Iterator[Talk]:
    """A server with sessions while the context is open; it must not fail internally."""

    def pages(request: Request, path: str) -> Delivery:
        return page(request, path, Outcome(talk.sessions, Selection(), server.faults))

    made = sessions or Sessions(all_scenarios())
    with ReferenceServer(all_scenarios(), 0, behaviours, made, pages=pages) as server:
        talk = Talk(made, server, behaviours)
        yield talk
        assert server.faults == []
