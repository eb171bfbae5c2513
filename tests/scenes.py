"""A driver in front of a provider that gives the answers a test has written."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import httpx2

from conformance.drivers import ClientReading, Driver, DriverInput, all_drivers
from conformance.model.transcript import ToolDefinition
from conformance.scenario.executor import Executed, ToolOutcome
from conformance.scenario.model import Options

USER = "How warm is it in Seoul?"
TOOL = ToolDefinition(
    "get_weather",
    "Current weather of a city.",
    {
        "type": "object",
        "properties": {"city": {"type": "string"}, "unit": {"type": "string", "default": "C"}},
        "required": ["city"],
        "additionalProperties": False,
    },
)


@dataclass
class Tools:
    """Every tool returns the same."""

    outcome: ToolOutcome
    log: list[Executed] = field(default_factory=list)

    def __call__(self, tool: str, arguments: Any) -> ToolOutcome:
        self.log.append(Executed(tool, arguments, self.outcome))
        return self.outcome


@dataclass
class Played:
    """What a driver sent, what it showed, and the exception that it let pass."""

    requests: list[httpx2.Request] = field(default_factory=list)
    reading: ClientReading = field(default_factory=ClientReading)
    error: Exception | None = None

    @property
    def bodies(self) -> list[Any]:
        return [json.loads(request.content) for request in self.requests]


def driver(name: str, dialect: str) -> Driver:
    return next(each for each in all_drivers() if (each.name, each.dialect) == (name, dialect))


def answer(body: Any, status: int = 200) -> httpx2.Response:
    return httpx2.Response(status, json=body)


def streamed(*events: Any) -> httpx2.Response:
    """A stream; an event is its data, named by the data's `type` if that has one; or text as it is."""
    text = ""
    for event in events:
        named = f"event: {event['type']}\n" if isinstance(event, dict) and "type" in event else ""
        text += event if isinstance(event, str) else f"{named}data: {json.dumps(event, ensure_ascii=False)}\n\n"
    return httpx2.Response(200, headers={"content-type": "text/event-stream"}, content=text.encode())


def play(
    driver: Driver,
    answers: Sequence[httpx2.Response],
    *,
    stream: bool = False,
    outcome: ToolOutcome = ToolOutcome({"degrees": 14.2}),  # noqa: B008 - it is frozen
    system: str | None = None,
    tools: tuple[ToolDefinition, ...] = (TOOL,),
    options: Options = Options(),  # noqa: B008 - it is frozen
) -> Played:
    played = Played()

    def give(request: httpx2.Request) -> httpx2.Response:
        request.read()
        played.requests.append(request)
        return answers[len(played.requests) - 1]

    with httpx2.Client(transport=httpx2.MockTransport(give)) as client:
        inputs = DriverInput(
            user=USER,
            system=system,
            tools=tools,
            options=options,
            origin="http://provider.localhost",
            api_key="a-key",
            model="gemini-3-flash-preview" if driver.dialect == "gemini" else "a-model",
            stream=stream,
            execute=Tools(outcome),
            http_client=client,
            max_turns=3,
        )
        try:
            driver.act(inputs, played.reading)
        except Exception as error:  # noqa: BLE001 - whatever a client raises is what the test asks about
            played.error = error
    return played
