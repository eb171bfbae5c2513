"""The number of choices in a completion."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.openai_choices import miscounted
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit


@rule("completions-choice-count-mismatch", scope="reply", cites="OAT-R-014")
def choice_count_mismatch(view: View) -> Iterator[Hit]:
    """A completion must have as many choices for each prompt as the request asks for with `n`, by default one.

    Clients assign the texts to their prompts by number: one that is missing shifts all after it.
    """
    if view.sent is None:
        return
    prompts: Any = view.sent.get("prompt")
    texts = isinstance(prompts, list) and all(isinstance(each, (str, list)) for each in prompts)
    for at, found, wanted in miscounted(view, len(prompts) if texts else 1):
        yield Hit(at, f"the number of choices is {found}", str(wanted), str(found))
