"""The metadata of a cassette, read without its exchanges, because commands read hundreds of files."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any

from conformance.errors import ConformanceError
from conformance.inputs import opening
from conformance.inputs.walk import files
from conformance.model.frozen import dataclass

_INTERACTIONS = re.compile(rb"^[\"']?interactions[\"']?\s*:")
_METADATA = re.compile(rb"^[\"']?metadata[\"']?\s*:", re.MULTILINE)
_NEXT = re.compile(rb"^[^\s#-]", re.MULTILINE)
_AGE = re.compile(r"(\d+)\s*(h|d|w|y|hours?|days?|weeks?|years?)")
_UNITS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1), "y": timedelta(days=365)}


@dataclass(frozen=True, slots=True)
class Origin:
    """The origin of a cassette. `metadata` is empty if another project recorded it."""

    path: Path
    metadata: Mapping[str, Any]

    @property
    def recorded_at(self) -> datetime | None:
        """When it was recorded; None if unknown."""
        recorded = self.metadata.get("recorded_at")
        try:
            moment = recorded if isinstance(recorded, datetime) else datetime.fromisoformat(str(recorded))
        except ValueError:
            return None
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)

    def age(self, now: datetime) -> timedelta | None:
        """How old it is."""
        recorded = self.recorded_at
        return None if recorded is None else now - recorded


def origin(path: Path) -> Origin:
    """The metadata of a cassette. Ours have it first, so only their beginning is read.

    Raises:
        ConformanceError: the file cannot be read, or its metadata is not YAML.
    """
    name = str(path)
    head: list[bytes] = []
    with opening.opened(name) as stream:
        for line in opening.lines(stream, name):
            if _INTERACTIONS.match(line):
                if any(map(_METADATA.match, head)):
                    return Origin(path, _parsed(b"".join(head), name))
                head.append(line)
                head.append(opening.whole(stream, name))
                break
            head.append(line)
    text = b"".join(head)
    if text.lstrip()[:1] == b"{":
        return Origin(path, _parsed(text, name))
    found = _METADATA.search(text)
    if found is None:
        return Origin(path, {})
    end = _NEXT.search(text, found.end())
    return Origin(path, _parsed(text[found.start() : end.start() if end else len(text)], name))


def _parsed(text: bytes, name: str) -> Mapping[str, Any]:
    from conformance.inputs import yamltext

    document = yamltext.parse(text, name)
    metadata = document.get("metadata") if isinstance(document, Mapping) else None
    return metadata if isinstance(metadata, Mapping) else {}


def cassettes_below(folder: Path) -> list[Path]:
    """The cassettes of a folder, in the order of their names.

    Raises:
        ConformanceError: a folder may not be read.
    """
    endings = (".yaml", ".yml", ".yaml.gz", ".yml.gz")
    return sorted(Path(path) for path in files(str(folder)) if path.endswith(endings))


def age_of(text: str) -> timedelta:
    """A length of time as people write it: `90d`, `12 weeks`.

    Raises:
        ConformanceError: it is none.
    """
    found = _AGE.fullmatch(text.strip().lower())
    if found is None:
        raise ConformanceError(f"{text!r} is not an age", "write it as 90d, 12w, 36h or 1y")
    try:
        return int(found[1]) * _UNITS[found[2][0]]
    except OverflowError:
        raise ConformanceError(f"{text!r} is too large for an age", "write it as 90d, 12w, 36h or 1y") from None


def moment_of(text: str | None) -> datetime:
    """The time from which ages are measured: the end of a day, or a date with a time; now by default.

    Raises:
        ConformanceError: it is neither.
    """
    if text is None:
        return datetime.now(UTC)
    try:
        if len(text.strip()) == len("2026-01-31"):
            day = date.fromisoformat(text.strip())
            return datetime(day.year, day.month, day.day, 23, 59, 59, tzinfo=UTC)
        moment = datetime.fromisoformat(text.strip())
    except ValueError:
        raise ConformanceError(f"{text!r} is not a date", "write it as 2026-01-31") from None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
