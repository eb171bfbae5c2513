"""What a proxy keeps of one exchange while it passes, within limits."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from typing import Literal

from conformance.model.limits import limits

_MIB = 1 << 20

Answer = tuple[int, str, bytes]
"""The proxy's own response: status, content type, body."""
Ending = Literal["whole", "server", "client", "refused", "lost"]
"""How an exchange ended. `server` and `client`: that side closed the connection before the end of the response.
`refused`: no connection to the server, or no HTTP from it; the client got a 502 of the proxy. `lost`: the proxy was
stopped.
"""


class Budget:
    """The memory that the bodies of all exchanges in progress may use together."""

    def __init__(self) -> None:
        self._used = 0
        self._lock = threading.Lock()

    def take(self, size: int) -> bool:
        """Whether there is so much left; it is taken then."""
        with self._lock:
            if self._used + size > limits().file * _MIB:
                return False
            self._used += size
            return True

    def give_back(self, size: int) -> None:
        with self._lock:
            self._used -= size


class Kept:
    """A body that grows. Above a limit it is dropped, and `note` is the reason."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._pieces: list[bytes] = []
        self.size = 0
        self.note: str | None = None

    def add(self, data: bytes) -> None:
        self.size += len(data)
        if self.note is not None:
            return
        most = limits()
        if self.size > most.body * _MIB:
            self._drop(f"not recorded: the body is larger than {most.body} MiB (--max-body)")
        elif not self._budget.take(len(data)):
            self._drop(f"not recorded: the bodies in progress are larger than {most.file} MiB together (--max-file)")
        else:
            self._pieces.append(data)

    def _drop(self, note: str) -> None:
        self.release()
        self.note = note

    @property
    def content(self) -> bytes:
        return b"".join(self._pieces)

    def release(self) -> None:
        """Forgets the content."""
        self._budget.give_back(sum(map(len, self._pieces)))
        self._pieces.clear()


@dataclass(eq=False)
class Captured:
    """One exchange. `status` is None as long as there is no response; `headers` are those that were forwarded."""

    method: str
    url: str
    headers: tuple[tuple[str, str], ...]
    request: Kept
    response: Kept
    status: int | None = None
    reason: str = ""
    response_headers: tuple[tuple[str, str], ...] = ()
    sent: bool = False
    """Whether the request was received to its end."""
    ending: Ending = "whole"
    why: str = ""
    """What happened, if the ending is not `whole`."""
    begun: float = field(default_factory=time.monotonic)
    seconds: float = 0.0
    handed_over: bool = False
    """Whether it was given to what records it, which releases it."""
    lacks: tuple[str, ...] = ()
    """What a transport other than HTTP does not have (`conformance.model.exchange.Lack`)."""

    def end(self, ending: Ending, why: str = "") -> None:
        self.ending, self.why = ending, why
        self.seconds = time.monotonic() - self.begun

    def release(self) -> None:
        self.request.release()
        self.response.release()
