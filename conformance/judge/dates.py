"""The time of an exchange: that of the `Date` header of its response."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

_MONTHS: Final = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_DATE: Final = re.compile(r"\w{3}, (\d{2}) (\w{3}) (\d{4}) (\d{2}):(\d{2}):(\d{2}) GMT")


@lru_cache(maxsize=256)
def read_date(header: str) -> datetime | None:
    """The time in a `Date` header; None if it is not in the form of one (RFC 9110, section 5.6.7).

    Some recorders save the header twice: the joined value has a comma between two dates, of which this is the first.
    """
    found = _DATE.match(header)
    if found is None or found[2] not in _MONTHS:
        return None
    day, year, hour, minute, second = map(int, found.group(1, 3, 4, 5, 6))
    try:
        return datetime(year, _MONTHS.index(found[2]) + 1, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return None
