"""The order of the items of a stream. docs/contract/cohere-chat.md, COH-S-007."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.values import get


@rule("cohere-item-out-of-order", scope="stream", cites="COH-S-007")
def item_out_of_order(view: View) -> Iterator[Hit]:
    """A block of content or a call must end before the next one begins, and a citation before its block ends.

    Clients keep one item at a time: they add the pieces of one to another.
    """
    opened: list[tuple[str, object]] = []
    for event in view.events or ():
        kind, _, what = str(get(event.json, "type")).rpartition("-")
        item = (kind, get(event.json, "index"))
        begins = what == "start" and kind in ("content", "tool-call")
        if opened and (begins or kind == "tool-plan" or (what == "end" and item in opened[:-1])):
            yield Hit(event.pointer, "another item has not ended", f"{opened[-1][0]}-end", f"{kind}-{what}")
            return
        if begins or (what == "start" and kind == "citation"):
            opened.append(item)
        elif what == "end" and item in opened:
            opened.remove(item)
