"""Acting a scenario out: one driver, one endpoint, and everything that was seen on the way."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from conformance.drivers import TIMEOUT_SECONDS, Scene, Seen
from conformance.drivers.transport import AsyncTapTransport, Cut, Dress, Wire, client
from conformance.executor import Executor
from conformance.executor.scripted import ScriptedExecutor
from conformance.matrix.cells import Cell
from conformance.model.transcript import ToolDefinition
from conformance.scenario.model import Conversation

_SPARE_TURNS = 3
"""How many turns the model may take beyond those that the scenario scripts."""


@dataclass
class Act:
    """One conversation as it was acted out. `first` is the number of its first request in the run.

    `error` is what the SDK raised, if it gave up.
    """

    conversation: Conversation
    first: int
    seen: Seen = field(default_factory=Seen)
    error: Exception | None = None


@dataclass
class Performance:
    """One run of one cell: its acts, and what went over the wire. `secrets` is what no text about it may show."""

    cell: Cell
    executor: Executor
    wire: Wire = field(default_factory=Wire)
    acts: list[Act] = field(default_factory=list)
    secrets: tuple[str, ...] = ()

    @property
    def misses(self) -> dict[int, Exception]:
        """The requests that got no answer, by their number."""
        return self.wire.failures


def act(
    cell: Cell,
    *,
    origin: str,
    api_key: str,
    model: str,
    root: str | None = None,
    timeout: float = TIMEOUT_SECONDS,
    dress: Dress | None = None,
    cut: Cut | None = None,
    replaying: bool = False,
) -> Performance:
    """Runs the cell's driver against an endpoint; whatever the SDK raises is part of the performance.

    `root`, `timeout` and `dress` are as in `Scene` and `Dress`. `replaying` says that a cassette answers: no server
    of tools is started either.
    """
    scenario = cell.scenario
    wire = Wire()
    with (
        client(wire, cut, timeout=timeout, dress=dress) as http_client,
        _executor(cell, wire, cut, replaying=replaying) as (execute, tools),
    ):
        performance = Performance(
            cell, execute, wire, secrets=(api_key, *(dress.headers.values() if dress is not None else ()))
        )
        for conversation in scenario.conversations:
            scene = Scene(
                user=conversation.user,
                system=scenario.system,
                tools=tools,
                options=scenario.options,
                origin=origin,
                root=root,
                timeout=timeout,
                api_key=api_key,
                model=model,
                stream=cell.stream,
                execute=execute,
                http_client=http_client,
                max_turns=len(conversation.model) + _SPARE_TURNS,
            )
            act = Act(conversation, len(wire.requests))
            performance.acts.append(act)
            _play(cell, scene, act)
    return performance


@contextmanager
def _executor(
    cell: Cell, wire: Wire, cut: Cut | None, *, replaying: bool
) -> Iterator[tuple[Executor, tuple[ToolDefinition, ...]]]:
    """Who runs the tools, and the tools that the model is told of."""
    scenario = cell.scenario
    if scenario.executor == "scripted":
        yield ScriptedExecutor(scenario), tuple(tool.definition for tool in scenario.tools)
        return
    from conformance.executor.mcp import REPLAY_ORIGIN, STATELESS, WITH_HANDSHAKE, McpExecutor

    revision = STATELESS if scenario.executor == "mcp" else WITH_HANDSHAKE
    origin = REPLAY_ORIGIN if replaying else None
    transport = AsyncTapTransport(wire, cut, refused=["GET"])
    with McpExecutor(
        scenario, origin, transport, dialect=cell.dialect, revision=revision, disconnected=lambda: wire.failures
    ) as executor:
        yield executor, executor.tools


def _play(cell: Cell, scene: Scene, act: Act) -> None:
    try:
        with warnings.catch_warnings():
            # An SDK's advice about models and options is for its users; it says nothing about the wire.
            warnings.simplefilter("ignore")
            cell.driver.act(scene, act.seen)
    except Exception as error:  # noqa: BLE001 - an SDK may raise anything; what it means is judged later
        act.error = error
