"""Back-off: waits as long as a rate-limited or overloaded provider asks.

The SDKs do not retry here (a retry hides a fault), so the waiting is ours, between the attempts of a cell.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from conformance.model.exchange import Exchange, Headers, Response
from conformance.model.failures import errors_of

_BUSY = (429, 503, 529)
_BUSY_TYPES = ("overloaded_error", "rate_limit_error", "rate_limit_exceeded")
_SPENT = ("insufficient_quota", "billing_hard_limit_reached")
"""Error codes of an empty account: the status is 429, but waiting does not help."""

_RETRY_INFO = "google.rpc.RetryInfo"


@dataclass(frozen=True, slots=True)
class RetryAfter:
    """A provider that refuses to answer now. `seconds` is its Retry-After, None if it has none;
    `hopeless` that waiting does not help.
    """

    what: str
    seconds: float | None = None
    hopeless: bool = False


MAX_WAIT_SECONDS = 120.0
"""The longest Retry-After to wait for."""


@dataclass(frozen=True, slots=True)
class BackoffPolicy:
    """The number and the length of a cell's waits; without Retry-After, `first` seconds, doubled each time."""

    waits: int = 5
    longest: float = MAX_WAIT_SECONDS
    first: float = 1.0

    def delay(self, busy: RetryAfter, waited: int) -> float | None:
        """The seconds to wait after this many waits; None to give up."""
        if busy.hopeless or waited >= self.waits:
            return None
        seconds = busy.seconds if busy.seconds is not None else min(self.first * 2**waited, self.longest)
        return seconds if seconds <= self.longest else None


def busy(exchanges: Sequence[Exchange], now: datetime | None = None) -> RetryAfter | None:
    """The last response's request to retry later, if it is one; in a stream, its error event."""
    if not exchanges:
        return None
    response = exchanges[-1].response
    errors = list(errors_of(response))
    spent = next((kind for kind in _kinds(errors) if kind in _SPENT), None)
    if response.status in _BUSY:
        if spent is not None:
            return RetryAfter(f"{response.status} {spent}", hopeless=True)
        return RetryAfter(str(response.status), _asked(response.headers, errors, now or datetime.now(UTC)))
    kind = next((kind for kind in _kinds(errors) if kind in _BUSY_TYPES), None) if response.is_stream else None
    return RetryAfter(f"{kind} event in the stream") if kind is not None else None


def _asked(headers: Headers, errors: Sequence[Mapping[str, Any]], now: datetime) -> float | None:
    """The seconds that the provider asks to wait: `retry-after-ms`, `retry-after`, or Google's RetryInfo."""
    milliseconds = _number(headers.get("retry-after-ms"))
    if milliseconds is not None:
        return milliseconds / 1000
    asked = headers.get("retry-after")
    seconds = _number(asked)
    if seconds is not None:
        return seconds
    if asked:
        try:
            moment = parsedate_to_datetime(asked)
        except ValueError:
            moment = None
        if moment is not None:
            return max(0.0, ((moment if moment.tzinfo else moment.replace(tzinfo=UTC)) - now).total_seconds())
    return _retry_info(errors)


def asks_to_wait(response: Response) -> bool:
    """Whether a refusal states how long to wait, in a header or in Google's RetryInfo."""
    stated = any(name in response.headers for name in ("retry-after", "retry-after-ms"))
    return stated or _retry_info(errors_of(response)) is not None


def _retry_info(errors: Iterable[Mapping[str, Any]]) -> float | None:
    for error in errors:
        details = error.get("details")
        for detail in details if isinstance(details, list) else []:
            if isinstance(detail, dict) and str(detail.get("@type", "")).endswith(_RETRY_INFO):
                return _number(str(detail.get("retryDelay", "")).removesuffix("s"))
    return None


def _number(text: str | None) -> float | None:
    if text is None or not re.fullmatch(r"\d+(\.\d+)?", text.strip()):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def _kinds(errors: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    for error in errors:
        yield from (str(error[key]) for key in ("type", "code", "status") if error.get(key))
