"""One cell while it runs: what it sends, and what became of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import anyio
import httpx2

from conformance.judge.run_rules import RunFinding
from conformance.mcp_servers import sdk
from conformance.mcp_servers.cells import RAW, Cell, Outcome
from conformance.mcp_servers.choose import Wish
from conformance.mcp_servers.raw import Answer, RawClient, raw
from conformance.mcp_servers.reach import Line, Reach, opened
from conformance.mcp_servers.scene import NotApplicableError, NotTriedError, Scene
from conformance.mcp_servers.traffic import Traffic
from conformance.model.finding import Hit

if TYPE_CHECKING:
    from mcp.client import Client

_LONGEST = 4
"""How many timeouts a cell may take."""


class Run:
    """One cell while it runs; nothing that happens in it raises."""

    def __init__(self, cell: Cell, reach: Reach, wish: Wish) -> None:
        self.cell = cell
        self.outcome = Outcome(cell)
        self.traffic = Traffic()
        self.hits: list[RunFinding] = []
        self.excused: set[str] = set()
        self._reach = reach
        self._wish = wish

    @property
    def disturbed(self) -> bool:
        """Whether something got no answer, or went wrong, for which a session's earlier use may be the reason."""
        unanswered = any(each.rule in ("request-unanswered", "client-error-unexpected") for each in self.hits)
        broken = any(each.failure is not None for each in self.traffic.sent)
        return unanswered or broken or bool(self.outcome.harness_errors or self.outcome.unreached)

    async def play(self) -> None:
        """Plays the cell in a session of its own, and keeps what came of it."""
        foreign: list[str] = []
        try:
            with anyio.fail_after(_LONGEST * self._reach.timeout):
                async with opened(self._reach) as line:
                    self.traffic, foreign = line.traffic, line.foreign
                    await (self._raw(line) if self.cell.driver == RAW else self._sdk(line))
        except Exception as error:  # noqa: BLE001 - the SDK's, the network's and the server's own errors
            self._failed(next(_leaves(error)))
        self._report(foreign)

    async def play_in(self, line: Line, client: RawClient | Client, opening: Answer | None) -> None:
        """Plays the cell in a session that is open already; `opening` is the answer to the handshake."""
        before = len(line.foreign)
        try:
            with anyio.fail_after(_LONGEST * self._reach.timeout):
                if isinstance(client, RawClient):
                    await self._act(client, opening)
                else:
                    await sdk.ACTS[self.cell.probe.name](client, self._wish)
        except Exception as error:  # noqa: BLE001 - the same
            self._failed(next(_leaves(error)))
        self.traffic = Traffic(list(line.traffic.sent), line.traffic.lacks)
        self._report(line.foreign[before:])

    def _report(self, foreign: list[str]) -> None:
        if foreign and self.outcome.skipped is None:  # what does not apply is reported where something does
            message = "the server wrote something else than messages to its standard output"
            hit = Hit(None, message, "one JSON-RPC message a line", foreign[0][:100], side="response")
            self.hits.append(RunFinding("server-output-malformed", None, hit))

    async def _raw(self, line: Line) -> None:
        async with raw(line, self.cell.revision) as client:
            try:
                await self._act(client, None)
            finally:
                self._reached(client)

    async def _act(self, client: RawClient, opening: Answer | None) -> None:
        await self.cell.probe.act(Scene(client, self._reach, self._wish, self.hits, self.excused, opening))

    def _reached(self, client: RawClient) -> None:
        """Notes that no server of this protocol answers here: nothing that came back is a message."""
        sent = client.line.traffic.sent
        answered = [each for each in sent if each.status is not None]
        if not answered and sent and sent[0].failure is not None:
            self.outcome.unreached = str(sent[0].failure) or type(sent[0].failure).__name__
        elif answered and not any(b"jsonrpc" in each.content for each in answered):
            first = answered[0]
            words = " ".join(bytes(first.content[:200]).decode("utf-8", "replace").split())
            self.outcome.unreached = f"it returned {first.status}{': ' + words if words else ''}"

    async def _sdk(self, line: Line) -> None:
        async with sdk.connected(line, self.cell.revision, self._reach) as client:
            await sdk.ACTS[self.cell.probe.name](client, self._wish)

    def _failed(self, error: BaseException) -> None:
        if isinstance(error, NotApplicableError):
            self.outcome.skipped, self.outcome.untried = str(error), isinstance(error, NotTriedError)
        elif isinstance(error, TimeoutError):
            hit = Hit(None, "the probe did not end in time", "its end", f"{_LONGEST * self._reach.timeout:g} s")
            self.hits.append(RunFinding("request-unanswered", None, hit))
        elif self.cell.driver != RAW:
            text = str(error).split("\n")[0][:200]
            message = f"the SDK raised {type(error).__name__}: {text}"
            last = len(self.traffic.sent) - 1
            hit = Hit(None, message, "the SDK reads the response", type(error).__name__, side="response")
            self.hits.append(RunFinding("client-error-unexpected", last if last >= 0 else None, hit))
        elif isinstance(error, (OSError, httpx2.HTTPError)):
            self.outcome.unreached = str(error) or type(error).__name__
        else:
            self.outcome.harness_errors.append(f"{self.cell.id}: {type(error).__name__}: {error}")


def _leaves(error: BaseException) -> Iterator[BaseException]:
    """The errors of a group of errors, at any depth; the reason for leaving first."""
    found: list[BaseException] = []

    def walk(each: BaseException) -> None:
        if isinstance(each, BaseExceptionGroup):
            for inner in each.exceptions:
                walk(inner)
        else:
            found.append(each)

    walk(error)
    yield from sorted(found, key=lambda each: not isinstance(each, NotApplicableError))
