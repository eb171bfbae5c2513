"""What a run that failed reveals: whether a server was reached, whether it is worth asking further, and its words."""

from __future__ import annotations

from conformance.campaign.health import Trouble
from conformance.matrix.cells import Cell
from conformance.matrix.record import RecordedRun
from conformance.model.failures import words_of
from conformance.model.printable import visible

_DROPPED = ("Server disconnected without sending a response",)
"""The server closed an idle keep-alive connection before any byte of the response: a harmless race."""
_UNREACHED = ("ConnectError", "ConnectTimeout", "UnsupportedProtocol")
_LONGEST = 200
"""The most characters shown of what a failing server sends, or of an error."""


def failure_of(taken: RecordedRun) -> Exception | None:
    """Why the last request got no response, if it got none."""
    misses = taken.run.misses
    return misses[max(misses)] if misses else None


def is_unreachable(failure: Exception) -> bool:
    """Whether no server was reached, by the names that httpx, httpx2 and what they are built on have for it."""
    return any(
        each.__name__ in _UNREACHED and each.__module__.partition(".")[0].startswith("http")
        for each in type(failure).__mro__
    )


def is_dropped(failure: Exception) -> bool:
    """Whether the server closed an idle connection."""
    return any(text in str(failure) for text in _DROPPED)


def trouble_of(taken: RecordedRun) -> Trouble | None:
    """Why no response of the run was usable, if every one of them was refused or failed in the server."""
    statuses = {exchange.response.status for exchange in taken.exchanges}
    if scripted_to_fail(taken.cell) or not statuses:
        return None
    what = f"every request so far returned {' or '.join(map(str, sorted(statuses)))}{first_words(taken)}"
    if statuses <= {401, 403, 404}:
        return Trouble("shut-out", what)
    return Trouble("failing", what) if min(statuses) >= 500 else None


def first_words(taken: RecordedRun) -> str:
    """The first words of the first response, as `: words`; an empty string if it has none."""
    line = " ".join(taken.redactor.text(words_of(taken.exchanges[0].response)).split())
    return f": {visible(line[:_LONGEST])}{'…' * (len(line) > _LONGEST)}" if line else ""


def scripted_to_fail(cell: Cell) -> bool:
    """Whether an error of the provider is part of the scenario."""
    return any(conversation.fails is not None for conversation in cell.scenario.conversations)


def error_line(taken: RecordedRun, error: Exception) -> str:
    """The error in one line, without secrets."""
    return taken.redactor.text(str(error) or type(error).__name__).split("\n")[0][:_LONGEST]
