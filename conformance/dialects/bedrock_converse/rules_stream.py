"""The messages of a Converse stream: their bytes. docs/contract/bedrock-converse.md, BRC-S-001."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.transcript import Malformed


@rule("converse-message-malformed", scope="stream", cites="BRC-S-001")
def message_malformed(view: View) -> Iterator[Hit]:
    """Each message of a stream must have right lengths, right checksums, and headers that name it.

    SDKs raise at the first wrong checksum, and lose the rest of the reply.
    """
    for event in view.events or ():
        if isinstance(event.json, Malformed) and event.complete and not event.data:
            yield Hit(event.pointer, event.json.reason, "a sound message of the event stream", "a broken one")
