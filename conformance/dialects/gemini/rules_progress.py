"""Gemini streams: each chunk says more than the one before. docs/contract/gemini.md, GEM-S."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.gemini.chunks import chunks, is_error
from conformance.dialects.gemini.wire import candidate_parts, candidates, whole
from conformance.judge.example import drop, example, put, swap
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.pointer import join

_EVENTS = "/0/response/events"


def _says(body: dict[str, Any], pointer: str) -> bool:
    """Whether a chunk says anything: a part, or why its candidate ended."""
    return any(
        candidate.get("finishReason") is not None or any(True for _ in candidate_parts(candidate, where))
        for candidate, where in candidates(body, pointer)
    )


@rule(
    "gemini-stream-chunk-empty",
    severity=Severity.WARNING,
    scope="stream",
    basis="observed",
    cites=["GEM-S-001 recorded traffic 455/455"],
    conforming=[example("gemini/stream-call"), example("gemini/stream-answer"), example("gemini/array-call")],
    violating=[
        example("gemini/stream-answer", drop(f"{_EVENTS}/1/data/candidates")),
        example("gemini/stream-answer", drop(f"{_EVENTS}/1/data/candidates/0/content/parts"), at="0 response event/1"),
        example("gemini/stream-call", put(f"{_EVENTS}/0/data/candidates/0/content", {}), at="0 response event/0"),
    ],
)
def stream_chunk_empty(view: View) -> Iterator[Hit]:
    """Every chunk says something: a part, why a candidate ended, or why the prompt was blocked.

    Official streams have no other chunks. SDKs take the first candidate of each, and what it held may be lost.
    """
    for body, pointer in chunks(view):
        if not is_error(body) and "promptFeedback" not in body and not _says(body, pointer):
            yield Hit(pointer, "the chunk says nothing", "a part or a finishReason", "neither")


@rule(
    "gemini-stream-chunk-repeated",
    severity=Severity.WARNING,
    scope="stream",
    basis="observed",
    cites=["GEM-S-006 recorded traffic 333/333"],
    violating=[
        example(
            "gemini/stream-answer",
            put(f"{_EVENTS}/1/data/usageMetadata", {"promptTokenCount": 210, "totalTokenCount": 210}),
            put(f"{_EVENTS}/0/data/usageMetadata", {"promptTokenCount": 210, "totalTokenCount": 210}),
            put(f"{_EVENTS}/1/data/candidates/0/content/parts/0/text", "14.2 °C in Seoul, "),
            at="0 response event/1",
        )
    ],
)
def stream_chunk_repeated(view: View) -> Iterator[Hit]:
    """No chunk is the same as the one before it.

    Parts add up: a chunk that was delivered twice says its text, or makes its call, a second time.
    """
    last: Any = None
    for body, pointer in chunks(view):
        if body == last and _says(body, pointer):
            yield Hit(pointer, "the chunk before it comes again", "the next chunk", "the same chunk")
        last = body


@rule(
    "gemini-stream-token-count-wrong",
    severity=Severity.WARNING,
    scope="stream",
    basis="observed",
    cites=["GEM-S-005 recorded traffic 118/118"],
    conforming=[
        example("gemini/stream-answer"),
        example(
            "gemini/stream-answer",
            put("/0/request/body/tools/0/codeExecution", {}),
            swap(f"{_EVENTS}/0", f"{_EVENTS}/1"),
        ),
    ],
    violating=[
        example(
            "gemini/stream-answer",
            swap(f"{_EVENTS}/0", f"{_EVENTS}/1"),
            at="0 response event/1/usageMetadata/candidatesTokenCount",
        ),
        example(
            "gemini/stream-answer",
            put(f"{_EVENTS}/1/data/usageMetadata/candidatesTokenCount", 3),
        ),
    ],
)
def stream_token_count_wrong(view: View) -> Iterator[Hit]:
    """The count of the candidates' tokens grows from chunk to chunk.

    It shrinks where chunks come out of order, and then their text does too. With built-in tools each step of the
    server counts anew.
    """
    if any(tool.kind == "server" for tool in view.ask.tools or ()):
        return
    highest = 0
    for body, pointer in chunks(view):
        usage = body.get("usageMetadata")
        count = whole(usage.get("candidatesTokenCount")) if isinstance(usage, dict) else None
        if count is not None and count < highest:
            where = join(pointer, "usageMetadata", "candidatesTokenCount")
            yield Hit(where, "the count is lower than in an earlier chunk", f"at least {highest}", str(count))
        highest = max(highest, count or 0)
