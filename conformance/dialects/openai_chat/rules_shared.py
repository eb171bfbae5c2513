"""The entries of choices in a chunk, also in one of openai-completions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit, Severity


@rule(
    "chunk-choice-repeated",
    scope="stream",
    dialects=("openai-chat", "openai-completions"),
    cites=["OAC-S-005", "OAT-S-001"],
    severity=Severity.WARNING,
    because="each entry is sound, and the official SDK adds them up by their index",
)
def choice_repeated(view: View) -> Iterator[Hit]:
    """A chunk must have at most one entry for each choice.

    Clients look a choice up by its index; if a client takes the first match, it loses the text of the second.
    """
    for event in view.events or ():
        choices = event.json.get("choices") if isinstance(event.json, dict) else None
        if not isinstance(choices, list) or len(choices) < 2:
            continue
        seen: set[Any] = set()
        for number, choice in enumerate(choices):
            index = choice.get("index") if isinstance(choice, dict) else None
            known = index if isinstance(index, (int, float, str)) else jsontext.canonical(index)
            if index is not None and known in seen:
                yield Hit(f"{event.pointer}/choices/{number}", "the chunk has this choice twice", "once", str(index))
            seen.add(known)
