"""The number of choices in a reply, and their indexes in a chunk."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.judge.example import example, insert, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit, Severity

_HERE = ("openai-chat", "openai-completions")
_ANSWER, _STREAM = "openai-chat/answer", "openai-chat/stream-answer"
_ASKED = "/0/request/body/n"
_TEXT_ALONE = {
    "index": 0,
    "message": {"role": "assistant", "content": "I will look it up.", "refusal": None},
    "logprobs": None,
    "finish_reason": "stop",
}


@rule(
    "chat-choice-count-mismatch",
    scope="reply",
    basis="documented",
    cites=[
        "OAC-R-019 openai 2.54 types/chat/completion_create_params.py n; recorded traffic 124/124",
        "OAC-R-002 openai 2.54 types/chat/completion_create_params.py n",
    ],
    bugs=["SWE-agent/mini-swe-agent#804", "ericc-ch/copilot-api#81"],
    conforming=[example(_ANSWER), example(_ANSWER, put(_ASKED, 1)), example(_STREAM, put(_ASKED, 1))],
    violating=[
        example(
            "openai-chat/one-at-a-time",
            insert("/0/response/body/choices/0", _TEXT_ALONE),
            put("/0/response/body/choices/1/index", 1),
            at="0 response /choices",
        ),
        example(_ANSWER, put(_ASKED, 2), at="0 response /choices"),
        example(_STREAM, put(_ASKED, 2), at="0 response"),
    ],
)
def choice_count_mismatch(view: View) -> Iterator[Hit]:
    """A reply must have as many choices as the request asks for with `n`, and one if it does not ask.

    With too few, a client that compares several samples is missing some. With too many, a client reads only the
    first: if the text is in one choice and the call in the next, it never sees the call.
    """
    asked = view.request.get("n") if isinstance(view.request, dict) else None
    asked = 1 if asked is None else asked
    if isinstance(asked, bool) or not isinstance(asked, int) or not view.replies:
        return
    found = len(view.replies)
    if found != asked:
        at = None if view.streamed else "/choices"
        yield Hit(at, f"the reply has {found} choices", f"{asked} choices", str(found))


@rule(
    "chunk-choice-repeated",
    severity=Severity.WARNING,
    scope="stream",
    basis="observed",
    dialects=_HERE,
    cites=[
        "OAC-S-005 recorded traffic 213/213",
        "OAC-S-005 openai/openai-openapi openapi.json#/components/schemas/CreateChatCompletionStreamResponse",
        "OAT-S-001 openai 2.54 types/completion_choice.py index",
    ],
    conforming=[example(_STREAM), example("openai-chat/stream-run"), example("openai-completions/stream-answer")],
    violating=[
        example(
            _STREAM,
            insert(
                "/0/response/events/1/data/choices/0",
                {"index": 0, "delta": {"content": "About "}, "finish_reason": None},
            ),
            at="0 response event/1/choices/1",
        ),
        example(
            "openai-completions/stream-answer",
            insert(
                "/0/response/events/0/data/choices/0",
                {"index": 0, "text": "Ice", "logprobs": None, "finish_reason": None},
            ),
            at="0 response event/0/choices/1",
        ),
    ],
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
