"""A comparison of recordings, written in one of its formats."""

from __future__ import annotations

from typing import IO

from conformance.diff.comparisons import Drift

FORMATS = ("text", "json", "markdown", "html")


def write(drift: Drift, format_: str, out: IO[str], *, verbose: bool) -> None:
    """Writes the report in a format."""
    if format_ == "json":
        from conformance.report.diff_json import write_json

        write_json(drift, out)
    elif format_ == "markdown":
        from conformance.report.diff_markdown import write_markdown

        write_markdown(drift, out, verbose=verbose)
    elif format_ == "html":
        from conformance.report.diff_html import write_html

        write_html(drift, out, verbose=verbose)
    else:
        from conformance.report.diff_text import write_text

        write_text(drift, out, verbose=verbose)
