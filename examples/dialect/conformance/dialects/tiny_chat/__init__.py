"""tiny-chat: `POST .../tiny/chat`, messages with a text and tool calls, as JSON or as server-sent events."""

from __future__ import annotations

from conformance.model.dialect import Dialect

DIALECT = Dialect(
    name="tiny-chat",
    prefix="TNY",
    package=__name__,
    path="/tiny/chat",
    claims=lambda request: request.path.endswith("/tiny/chat"),
    reference_model="tiny-1",
    lacks={
        "tool-choice": "A request cannot choose among its tools.",
        "reasoning": "A reply has no reasoning.",
        "truncation": "The arguments of a call are an object, which cannot be cut off in the middle.",
    },
)
