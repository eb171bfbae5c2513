"""The models that rows of Responses apply to, and how strict they are for clients and servers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from conformance.contract.nodes import Field, Node, Text
from conformance.contract.notation import cite, known, may, need, null, should, word
from conformance.contract.profile_rows import models
from conformance.contract.situation import when

OPENAI = when("openai", "reference")
OFFICIAL = when("openai", "azure-openai", "reference")
ELSEWHERE = when(no=OFFICIAL)
IN_FRAME = when(path="^wss:")
"""Over a WebSocket."""
NOT_REASONING = models("openai/not-reasoning")
REASONING = models("openai/always-reasoning")
LONG_RETENTION = models("openai/long-retention")
BEFORE_5_6 = models("openai/before-5-6")
FROM_5_1 = models("openai/from-5-1")
O_SERIES = models("openai/o-series")
NOT_HERE = models("openai/first-reasoning")
"""Models that only Chat has."""
RESEARCH = models("openai/deep-research")


NO_TYPE = {"empty": cite("OAR-R-001", rule="responses-type-empty")}
"""The type of an item, a part or a tool in a reply."""


class Way(NamedTuple):
    """How strict a part is that both sides send.

    `must`: required fields. `given`: fields that a client may leave out and a server may not. `may`: fields that both
    may leave out. `word`: one of a list of values.
    """

    must: Callable[..., Field]
    given: Callable[..., Field]
    may: Callable[..., Field]
    word: Callable[..., Text]


def _nullable(node: Node, *citation: Any, **more: Any) -> Field:
    return may(node | null, *citation, **more)


SENT = Way(need, may, may, word)
"""A client's part: the document applies."""
SHOWN = Way(should, should, _nullable, known)
"""A server's part: it leaves out required fields, sends null, and has new values first (0.3)."""
REPEATED = Way(should, _nullable, _nullable, known)
"""A server's copy of a client's part: fields that the client left out may be null."""
BEGUN = Way(_nullable, _nullable, _nullable, known)
"""A server's unfinished part: fields that are not done yet are missing."""
