"""Runs a scenario with one driver at one endpoint, and collects everything it did."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from conformance.drivers import ClientReading, DriverInput
from conformance.drivers.installed import LIBRARIES, library_of
from conformance.drivers.transport import AsyncRecordingTransport, Capture, Chunker, Taken, client
from conformance.matrix.cells import Cell
from conformance.matrix.endpoint import Endpoint
from conformance.matrix.sockets import Sockets
from conformance.model.transcript import ToolDefinition
from conformance.scenario.executor import Executor
from conformance.scenario.executor.scripted import ScriptedExecutor
from conformance.scenario.model import Conversation

_SPARE_TURNS = 3
"""The number of turns that the model may take beyond the scenario's script."""


@dataclass
class ConversationRun:
    """One conversation of a run. `first` is the number of its first request in the run.

    `error` is the SDK's exception, if it raised one.
    """

    conversation: Conversation
    first: int
    reading: ClientReading = field(default_factory=ClientReading)
    error: Exception | None = None


@dataclass
class CellRun:
    """One run of one cell: its conversations and its traffic.

    No text about the run may show any of `secrets`.
    """

    cell: Cell
    executor: Executor
    capture: Capture = field(default_factory=Capture)
    conversations: list[ConversationRun] = field(default_factory=list)
    secrets: tuple[str, ...] = ()

    @property
    def misses(self) -> dict[int, Exception]:
        """The requests without a response, by number."""
        return self.capture.failures


def act(
    cell: Cell, endpoint: Endpoint, tape: Any = None, *, chunker: Chunker | None = None, replaying: bool = False
) -> CellRun:
    """Runs the cell's driver against an endpoint; whatever the SDK raises is part of the run.

    `tape` is vcrpy's cassette, for the frames of WebSockets. With `replaying`, it answers, and no server of tools is
    started either.
    """
    scenario = cell.scenario
    capture = Capture()
    library = library_of(cell.driver.package) or LIBRARIES[0]
    headers, timeout = endpoint.request_headers, endpoint.timeout
    sockets = Sockets(Taken(capture, None, headers, library), tape, plays=replaying, timeout=timeout)
    with (
        client(capture, chunker, timeout=timeout, request_headers=headers, library=library) as http_client,
        _executor(cell, capture, chunker, replaying=replaying) as (execute, tools),
    ):
        run = CellRun(cell, execute, capture, secrets=(endpoint.api_key, *endpoint.headers.values()))
        for conversation in scenario.conversations:
            inputs = DriverInput(
                user=conversation.user,
                system=scenario.system,
                tools=tools,
                options=scenario.options,
                origin=endpoint.origin,
                root=endpoint.root,
                timeout=timeout,
                api_key=endpoint.api_key,
                model=endpoint.model,
                stream=cell.stream,
                execute=execute,
                http_client=http_client,
                sockets=sockets,
                native=scenario.native,
                max_turns=len(conversation.model) + _SPARE_TURNS,
            )
            run.conversations.append(_converse(cell, conversation, len(capture.requests), inputs))
    return run


@contextmanager
def _executor(
    cell: Cell, capture: Capture, chunker: Chunker | None, *, replaying: bool
) -> Iterator[tuple[Executor, tuple[ToolDefinition, ...]]]:
    """The tool executor, and the tools declared to the model."""
    scenario = cell.scenario
    if scenario.executor == "scripted":
        yield ScriptedExecutor(scenario), tuple(tool.definition for tool in scenario.tools)
        return
    from conformance.scenario.executor.mcp import REPLAY_ORIGIN, STATELESS, WITH_HANDSHAKE, McpExecutor

    revision = STATELESS if scenario.executor == "mcp" else WITH_HANDSHAKE
    origin = REPLAY_ORIGIN if replaying else None
    transport = AsyncRecordingTransport(capture, chunker, refused=["GET"])
    with McpExecutor(
        scenario, origin, transport, dialect=cell.dialect, revision=revision, disconnected=lambda: capture.failures
    ) as executor:
        yield executor, executor.tools


def _converse(cell: Cell, conversation: Conversation, first: int, inputs: DriverInput) -> ConversationRun:
    run = ConversationRun(conversation, first)
    try:
        with warnings.catch_warnings():
            # An SDK's warnings about models and options are for its users, not about the wire.
            warnings.simplefilter("ignore")
            cell.driver.act(inputs, run.reading)
    except Exception as error:  # noqa: BLE001 - an SDK may raise anything; it is judged later
        run.error = error
    return run
