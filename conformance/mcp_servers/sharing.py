"""Which cells share a session, and so one process of a server over standard streams."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from conformance.mcp_servers import sdk
from conformance.mcp_servers.cells import RAW, Cell
from conformance.mcp_servers.choose import Wish
from conformance.mcp_servers.raw import STATELESS, Answer, RawClient, raw
from conformance.mcp_servers.reach import Line, Reach, opened
from conformance.mcp_servers.run import Run
from conformance.mcp_servers.scene import Scene
from conformance.mcp_servers.traffic import Sent

if TYPE_CHECKING:
    from mcp.client import Client


def groups(planned: Iterable[Cell], reach: Reach) -> list[list[Cell]]:
    """The cells that share a session, each group in its order: those of one revision and client.

    A revision with a handshake allows one in each session, so a cell about the handshake has a session of its own. Over
    HTTP a session costs little, and each cell has its own.
    """
    found: dict[object, list[Cell]] = {}
    for cell in planned:
        alone = not reach.argv or (cell.probe.begins and cell.revision != STATELESS)
        found.setdefault(cell if alone else (cell.revision, cell.driver), []).append(cell)
    return list(found.values())


async def play_all(cells: Sequence[Cell], reach: Reach, wish: Wish, done: Callable[[Run], None]) -> None:
    """Plays the cells of a group in as few sessions as possible.

    A cell that gets no answer in a session that others used before is played again in one of its own, which decides;
    the next cells begin a new one.
    """
    rest = list(cells)
    while rest:
        if len(rest) > 1:
            rest = await _in_one_session(rest, reach, wish, done)
        if rest:
            run = Run(rest.pop(0), reach, wish)
            await run.play()
            done(run)


async def _in_one_session(cells: Sequence[Cell], reach: Reach, wish: Wish, done: Callable[[Run], None]) -> list[Cell]:
    """Plays cells in one session until one of them gets no answer; returns that one and those after it."""
    left = list(cells)
    try:
        async with AsyncExitStack() as stack:
            line = await stack.enter_async_context(opened(reach))
            session = await _Session.begun(stack, line, cells[0], reach, wish)
            while left:
                run = await session.play(left[0], reach, wish)
                if run.disturbed:
                    return left
                done(run)
                left.pop(0)
    except Exception:  # noqa: BLE001 - whatever it is, the next cell meets it again in a session of its own
        return left
    return left


_OPENING = ("initialize", "notifications/initialized", "server/discover")


def _opens(sent: Sent) -> bool:
    """Whether a message belongs to the handshake."""
    message = sent.request.body.json
    return isinstance(message, dict) and message.get("method") in _OPENING


class _Session:
    """An open session that several cells use, one after the other.

    The SDK may send the end of the handshake only with its first request, so that is looked for after each cell.
    """

    def __init__(self, line: Line, client: RawClient | Client, opening: Answer | None, scene: Scene | None) -> None:
        self._line = line
        self._client = client
        self._opening = opening
        self._sent: list[Sent] = []
        self._first = scene

    @classmethod
    async def begun(cls, stack: AsyncExitStack, line: Line, cell: Cell, reach: Reach, wish: Wish) -> _Session:
        """A session after its handshake."""
        if cell.driver != RAW:
            connection = sdk.connected(line, cell.revision, reach)
            return cls(line, await stack.enter_async_context(connection), None, None)
        client = await stack.enter_async_context(raw(line, cell.revision))
        scene = Scene(client, reach, wish)
        return cls(line, client, await scene.open(), scene)

    async def play(self, cell: Cell, reach: Reach, wish: Wish) -> Run:
        """Plays a cell; its traffic begins with that of the handshake."""
        run = Run(cell, reach, wish)
        self._sent += [each for each in self._line.traffic.sent[len(self._sent) :] if _opens(each)]
        self._line.traffic.sent = list(self._sent)
        if self._first is not None:
            run.hits += self._first.hits
            self._first = None
        await run.play_in(self._line, self._client, self._opening)
        return run
