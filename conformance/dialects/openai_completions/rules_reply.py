"""Replies to a raw prompt: choices and usage."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.openai_completions.reply import choices_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.pointer import join

_SCHEMA = "openai/openai-openapi openapi.json#/components/schemas/CreateCompletionResponse"


@rule(
    "completions-choice-index-wrong",
    scope="response",
    cites="OAT-R-003",
)
def choice_index_wrong(view: View) -> Iterator[Hit]:
    """The index of each choice must be its position in the array.

    With several prompts or samples, clients assign the texts by index.
    """
    for number, (choice, at) in enumerate(choices_of(view.response)):
        found = choice.get("index")
        if isinstance(found, int) and found != number:
            yield Hit(join(at, "index"), "the index is not the position in the array", str(number), brief(found))


@rule(
    "completions-usage-total-wrong",
    scope="exchange",
    side="response",
    cites="OAT-R-005",
)
def usage_total_wrong(view: View) -> Iterator[Hit]:
    """The total of the usage must be the sum of its prompt and completion tokens.

    Billing and limits by the total differ from those by the two counts.
    """
    if not view.ok:
        return
    bodies = [(view.response, "")] if view.events is None else [(each.json, each.pointer) for each in view.events]
    for body, at in bodies:
        usage = body.get("usage") if isinstance(body, dict) else None
        counts: list[Any] = (
            [usage.get(f"{each}_tokens") for each in ("prompt", "completion", "total")]
            if isinstance(usage, dict)
            else []
        )
        if counts and all(isinstance(each, int) for each in counts) and counts[0] + counts[1] != counts[2]:
            where = join(at, "usage", "total_tokens")
            yield Hit(where, "total_tokens is not the sum", str(counts[0] + counts[1]), str(counts[2]), side="response")
