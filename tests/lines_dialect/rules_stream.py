"""Rules about streams."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit


@rule(
    "lines-done-missing",
    scope="stream",
    dialects=["lines-chat"],
    cites="LNC-S-001",
)
def lines_done_missing(view: View) -> Iterator[Hit]:
    """The last line of a stream has `done` true, or is an error.

    A connection that broke between two lines leaves lines that all parse. A client that does not look for `done` takes
    half a reply for the whole.
    """
    last = view.events[-1] if view.events else None
    if last is None or not isinstance(last.json, dict) or "error" in last.json:
        return
    if last.json.get("done") is not True:
        yield Hit(last.pointer, "the stream ends without a line that is done", '"done": true', "no such line")
