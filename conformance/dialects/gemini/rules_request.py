"""Gemini requests: the body, its contents and their parts. docs/contract/gemini.md, GEM-Q."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit


@rule(
    "gemini-alt-missing",
    scope="request",
    needs_complete=True,
    cites="GEM-Q-017",
)
def alt_missing(view: View) -> Iterator[Hit]:
    """The URL of a streaming request must have `alt=sse`, or `alt=json` for an array.

    Without it the response is a JSON array, which a client that expects events cannot read.
    """
    query = view.exchange.request.query
    if view.ask.stream and "alt" not in query and "$alt" not in query:
        yield Hit(None, "the URL has no `alt=sse`, so the response is a JSON array", "alt=sse")
