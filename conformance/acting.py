"""Acting a scenario out: one driver, one endpoint, and everything that was seen on the way."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field

from conformance.cells import Cell
from conformance.drivers import Scene, Seen
from conformance.drivers.transport import Cut, Wire, client
from conformance.executor.scripted import ScriptedExecutor


_SPARE_TURNS = 3
"""How many turns the model may take beyond those that the scenario scripts."""


@dataclass
class Performance:
    """One run of one cell. `error` is what the SDK raised, if it gave up; `wire` what it sent,
    `secrets` what no text about it may show.
    """

    cell: Cell
    executor: ScriptedExecutor
    wire: Wire = field(default_factory=Wire)
    seen: Seen = field(default_factory=Seen)
    error: Exception | None = None
    secrets: tuple[str, ...] = ()

    @property
    def misses(self) -> dict[int, Exception]:
        """The requests that got no answer, by their number."""
        return self.wire.failures


def act(cell: Cell, *, origin: str, api_key: str, model: str, cut: Cut | None = None) -> Performance:
    """Runs the cell's driver against an endpoint; whatever the SDK raises is part of the performance."""
    performance = Performance(cell, ScriptedExecutor(cell.scenario), secrets=(api_key,))
    with client(performance.wire, cut) as http_client:
        scene = Scene(
            user=cell.scenario.user,
            system=cell.scenario.system,
            tools=tuple(tool.definition for tool in cell.scenario.tools),
            options=cell.scenario.options,
            origin=origin,
            api_key=api_key,
            model=model,
            stream=cell.stream,
            execute=performance.executor,
            http_client=http_client,
            max_turns=len(cell.scenario.model) + _SPARE_TURNS,
        )
        try:
            with warnings.catch_warnings():
                # An SDK's advice about models and options is for its users; it says nothing about the wire.
                warnings.simplefilter("ignore")
                cell.driver.act(scene, performance.seen)
        except Exception as error:  # noqa: BLE001 - an SDK may raise anything; what it means is judged later
            performance.error = error
    return performance
