"""Whether an endpoint is worth asking further: one that is down or refuses everything is given up early."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Generic, Literal, TypeVar

Outcome = TypeVar("Outcome")

PATIENCE_SECONDS = 30.0
"""How long an endpoint may give no usable response before it is given up."""
_CELLS, _SCENARIOS = 3, 2
"""How many different cells in succession, of how many scenarios, must fail before an endpoint is given up."""

_HINTS = {
    "unreachable": "check the base URL, and that the server is running",
    "shut-out": "check the key, the model and the base URL",
    "failing": "check the server and its log",
    "busy": "run it again later, raise --max-wait, or check the account's credit and limits",
}


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why a cell got no usable response at all.

    `unreachable`: no server answers. `shut-out`: every response was 401, 403 or 404. `failing`: every response was
    5xx. `busy`: the server asked to wait longer than allowed, or the account has no credit. `final`: further cells are
    pointless, because the account has no credit, or the wait for this one already took as long as allowed.
    """

    kind: Literal["unreachable", "shut-out", "failing", "busy"]
    what: str
    final: bool = False

    @property
    def hint(self) -> str:
        """What the user can do about it."""
        return _HINTS[self.kind]


@dataclass
class Health(Generic[Outcome]):
    """The health of one endpoint, from the outcomes of its cells.

    An outcome in trouble is held back until it is known whether the endpoint is given up. A refusal by an endpoint
    that answered other requests is a response to judge. `planned` is the number of scenarios of the campaign.
    """

    planned: int
    clock: Callable[[], float] = time.monotonic
    given_up: Trouble | None = None
    answered: bool = False
    _since: float | None = None
    _failed: set[tuple[str, str]] = field(default_factory=set)
    _held: list[Outcome] = field(default_factory=list)
    _last: Trouble | None = None

    def deadline(self) -> float | None:
        """Until when a cell that starts now may wait, on the monotonic clock; None if the endpoint is healthy."""
        if self._since is None and not self.answered:
            self._since = self.clock()
        return None if self._since is None else self._since + PATIENCE_SECONDS

    def add(self, outcome: Outcome, cell: tuple[str, str], trouble: Trouble | None) -> Iterator[Outcome]:
        """The outcomes that are decided now. `cell` is its scenario and its id."""
        if trouble is None or (self.answered and trouble.kind == "shut-out"):
            self.answered, self._since = True, None
            self._failed.clear()
            yield from self._rest()
            yield outcome
            return
        self._held.append(outcome)
        self._failed.add(cell)
        self._last = trouble
        deadline = self.deadline()
        if deadline is None:
            self._since = self.clock()
        late = deadline is not None and self.clock() >= deadline
        nobody = trouble.kind == "unreachable" and not self.answered
        if trouble.final or nobody or late or self._enough():
            self.given_up = self.given_up or trouble
            yield from self._rest()

    def _enough(self) -> bool:
        scenarios = {scenario for scenario, _ in self._failed}
        return len(self._failed) >= _CELLS and len(scenarios) >= min(_SCENARIOS, self.planned)

    def finish(self) -> Iterator[Outcome]:
        """The outcomes that are still held back at the end. An endpoint that never answered is given up."""
        if not self.answered:
            self.given_up = self.given_up or self._last
        yield from self._rest()

    def _rest(self) -> Iterator[Outcome]:
        yield from self._held
        self._held.clear()
