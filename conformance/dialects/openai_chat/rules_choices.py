"""The number of choices in a reply."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.openai_choices import miscounted
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit


@rule("chat-choice-count-mismatch", scope="reply", cites=["OAC-R-019", "OAC-R-002"])
def choice_count_mismatch(view: View) -> Iterator[Hit]:
    """A reply must have as many choices as the request asks for with `n`, and one if it does not ask.

    With too few, a client that compares several samples is missing some. With too many, a client reads only the
    first: if the text is in one choice and the call in the next, it never sees the call.
    """
    for at, found, wanted in miscounted(view):
        yield Hit(at, f"the reply has {found} choices", f"{wanted} choices", str(found))
