"""Whole streams: the names of the events, the end, the arguments. docs/contract/gemini-interactions.md, GIN-S."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.event_names import misnamed
from conformance.dialects.gemini_interactions.stream import gather
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.transcript import Malformed
from conformance.model.values import get

_DONE, _COMPLETED = "[DONE]", "interaction.completed"


@rule("interactions-event-name-mismatch", scope="stream", cites="GIN-S-001")
def event_name_mismatch(view: View) -> Iterator[Hit]:
    """Every event must have a name that equals the `event_type` in its data.

    Clients read one or the other; if they differ, some clients misread the event.
    """
    kinds = ("done" if kind == _DONE else kind for kind in _kinds(view))
    yield from misnamed(zip(view.events or (), kinds, strict=True))


@rule("interactions-done-missing", scope="stream", cites="GIN-S-001")
def done_missing(view: View) -> Iterator[Hit]:
    """A stream that has ended must be followed by `[DONE]`, and nothing after it.

    SDKs read until then: without it they wait until the connection closes.
    """
    kinds = _kinds(view)
    ends = [number for number, kind in enumerate(kinds) if kind in (_COMPLETED, "error", _DONE)]
    if _COMPLETED in kinds and _DONE not in kinds:
        yield Hit(None, "the stream ends without `[DONE]`", f"data: {_DONE}", "none")
    done = kinds.index(_DONE) if _DONE in kinds else len(kinds)
    if done + 1 < len(kinds) and (ends[0] == done or kinds[done + 1] == _DONE):  # what else comes late is a relation
        late = (view.events or ())[done + 1]
        yield Hit(late.pointer, "there is an event after `[DONE]`", "none", brief(late.json))


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
            yield Hit(step.stop[1], "the arguments are no JSON object", "a JSON object", actual)


def _kinds(view: View) -> list[object]:
    """The types of the events; that of the end mark is the mark."""
    return [_DONE if event.data.strip() == _DONE else get(event.json, "event_type") for event in view.events or ()]
