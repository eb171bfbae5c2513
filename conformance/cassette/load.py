"""Loading a cassette, ours or another project's."""

from __future__ import annotations

from os import PathLike, fspath
from typing import Any

from conformance.inputs import recording
from conformance.model.exchange import Exchange
from conformance.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Cassette:
    """The exchanges of one run. `metadata` is its provenance (DESIGN 5), empty if another project recorded it."""

    path: str
    metadata: dict[str, Any]
    exchanges: tuple[Exchange, ...]

    @property
    def own(self) -> bool:
        """Whether this suite recorded it, so that it is complete."""
        return "conformance_version" in self.metadata


@dataclass(frozen=True, slots=True)
class UnsavedCassette(Cassette):
    """A cassette that is not on disk yet: its text and content. `path` is where it may be written."""

    text: str


def load_cassette(path: str | PathLike[str]) -> Cassette:
    """The cassette at the path: YAML or JSON, also gzipped. Bodies are the recorded bytes or text.

    Raises:
        ConformanceError: there is no such file, or it is not a valid cassette.
    """
    found = recording.document(fspath(path))
    return Cassette(fspath(path), found.metadata, found.exchanges)


def parse_cassette(text: str, path: str | PathLike[str]) -> UnsavedCassette:
    """The cassette in a text that is not on disk yet. `path` is where it may be written.

    Raises:
        ConformanceError: the text is not a cassette.
    """
    found = recording.parsed(text.encode(), fspath(path))
    return UnsavedCassette(fspath(path), found.metadata, found.exchanges, text)
