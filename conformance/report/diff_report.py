"""A comparison of recordings, written in one of its formats."""

from __future__ import annotations

from importlib import import_module
from typing import IO

from conformance.diff.comparisons import Drift

FORMATS = ("text", "json", "markdown", "html")


def write(drift: Drift, format_: str, out: IO[str], *, verbose: bool) -> None:
    """Writes the report in a format, with the module of its name."""
    import_module(f"conformance.report.diff_{format_}").write(drift, out, verbose=verbose)
