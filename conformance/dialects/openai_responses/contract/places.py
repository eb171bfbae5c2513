"""Of whom rows of Responses are asked, and how much is asked of a client and of a server."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from conformance.judge.contract.nodes import Field, Node, Text
from conformance.judge.contract.notation import known, may, need, null, should, tell, word
from conformance.judge.contract.profile_rows import models
from conformance.judge.contract.situation import when

OPENAI = when("openai", "reference")
OFFICIAL = when("openai", "azure-openai", "reference")
ELSEWHERE = when(no=OFFICIAL)
NOT_REASONING = models("openai/not-reasoning")
REASONING = models("openai/always-reasoning")
NOT_HERE = models("openai/first-reasoning")
"""Models that only Chat has."""
RESEARCH = models("openai/deep-research")


NO_TYPE = {"empty": tell("OAR-R-001", rule="responses-type-empty")}
"""Of the type of an item, a part or a tool in a reply."""


class Way(NamedTuple):
    """How a part that both sides send is asked.

    `must`: what has to be there. `given`: what a client may leave out and a server may not. `may`: what both may leave
    out. `word`: one of a list of words.
    """

    must: Callable[..., Field]
    given: Callable[..., Field]
    may: Callable[..., Field]
    word: Callable[..., Text]


def _nullable(node: Node, *told: Any, **more: Any) -> Field:
    return may(node | null, *told, **more)


SENT = Way(need, may, may, word)
"""By a client: the document holds."""
SHOWN = Way(should, should, _nullable, known)
"""By a server, which leaves out what the document requires, fills up with null, and gets new words first (0.3)."""
REPEATED = Way(should, _nullable, _nullable, known)
"""By a server that shows what a client may have sent: what the client left out may be null."""
BEGUN = Way(_nullable, _nullable, _nullable, known)
"""By a server that has just begun: what is not done yet is not there."""
