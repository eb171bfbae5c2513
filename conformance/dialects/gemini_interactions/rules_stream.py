"""The arguments that a stream sends in pieces. docs/contract/gemini-interactions.md, GIN-S-007."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.gemini_interactions.stream import gather
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.transcript import Malformed


@rule("interactions-arguments-malformed", scope="stream", cites="GIN-S-007")
def arguments_malformed(view: View) -> Iterator[Hit]:
    """The pieces of the arguments of a call must add up to a JSON object, unless the limit of tokens cut it off.

    Clients parse them when the step ends: the call fails, or runs without arguments.
    """
    for step in gather(view.events or ()):
        arguments = step.text("arguments_delta")
        if step.stop is None or not arguments or any(turn.stop == "length" for turn in view.replies):
            continue
        value = jsontext.parse(arguments)
        if not isinstance(value, dict):
            actual = value.reason if isinstance(value, Malformed) else brief(value)
            yield Hit(step.stop, "the arguments are no JSON object", "a JSON object", actual)
