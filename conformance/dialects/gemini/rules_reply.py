"""Gemini replies, streamed or not: candidates, stop reasons, usage. docs/contract/gemini.md, GEM-R."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.gemini.reply import reason_name
from conformance.dialects.gemini.wire import candidate_parts, candidates, whole
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join

_BODY = "/0/response/body"
_CANDIDATE = f"{_BODY}/candidates/0"
_EVENTS = "/0/response/events"
_TYPES = "google-genai 2.34 google/genai/types.py"


@rule(
    "gemini-content-missing",
    scope="response",
    basis="observed",
    cites=["GEM-R-002 recorded traffic 673/673", f"GEM-R-003 {_TYPES} Candidate"],
    conforming=[
        example("gemini/call"),
        example(
            "gemini/call", drop(f"{_CANDIDATE}/content"), put(f"{_CANDIDATE}/finishReason", "MALFORMED_FUNCTION_CALL")
        ),
        example("gemini/answer", drop(f"{_CANDIDATE}/content/parts"), put(f"{_CANDIDATE}/finishReason", "MAX_TOKENS")),
    ],
    violating=[
        example("gemini/call", drop(f"{_CANDIDATE}/content")),
        example("gemini/call", drop(f"{_CANDIDATE}/content/parts")),
        example("gemini/call", put(f"{_CANDIDATE}/content/parts", [])),
        example(
            "gemini/answer", put(f"{_CANDIDATE}/content/parts/0/text", ""), at="0 response /candidates/0/content/parts"
        ),
    ],
)
def content_missing(view: View) -> Iterator[Hit]:
    """A candidate that ends with STOP must have content.

    Only a truncated or blocked turn may be empty; otherwise its content was lost on the way.
    """
    for candidate, where in candidates(view.response, ""):
        if reason_name(candidate.get("finishReason")) != "STOP" or _says(candidate, where):
            continue
        content = candidate.get("content")
        place = where if "content" not in candidate else join(where, "content")
        if isinstance(content, dict) and "parts" in content:
            place = join(place, "parts")
        yield Hit(place, "the candidate ended with STOP but has no content", "content", "nothing", _nothing_said(view))


def _says(candidate: dict[str, Any], pointer: str) -> bool:
    """Whether some part is more than empty text."""
    return any(
        part.get("text") or set(part) - {"text", "thought", "thoughtSignature"}
        for part, _ in candidate_parts(candidate, pointer)
    )


def _nothing_said(view: View) -> Severity | None:
    """A warning if no output tokens were counted: the empty reply is odd, but nothing was lost."""
    usage = view.response.get("usageMetadata")
    spent = usage.get("candidatesTokenCount") if isinstance(usage, dict) else None
    return Severity.WARNING if not spent else None


@rule(
    "gemini-finish-reason-unknown",
    severity=Severity.WARNING,
    scope="reply",
    basis="sdk-type",
    cites=[f"GEM-R-005 {_TYPES} FinishReason", "GEM-R-004 recorded traffic 400/405"],
    conforming=[
        example("gemini/call"),
        example("gemini/stream-call"),
        example("gemini/call", put(f"{_CANDIDATE}/finishReason", 1)),
        example("gemini/answer", put(f"{_CANDIDATE}/finishReason", 10)),
    ],
    violating=[
        example("gemini/call", put(f"{_CANDIDATE}/finishReason", "TOOL_CALLS")),
        example("gemini/answer", put(f"{_CANDIDATE}/finishReason", "end_turn")),
        example("gemini/stream-call", put(f"{_EVENTS}/2/data/candidates/0/finishReason", "FUNCTION_CALL")),
        example("gemini/call", put(f"{_CANDIDATE}/finishReason", "stop")),
    ],
)
def finish_reason_unknown(view: View) -> Iterator[Hit]:
    """The finish reason must be one that Gemini defines; a turn with calls ends with STOP like any other.

    Clients map it by name. A mock or gateway that invents a reason for calls breaks clients that wait for STOP.
    """
    for turn in view.replies:
        reason = turn.stop_wire
        if reason is None or reason_name(reason) is not None or (whole(reason) or 0) > 0:
            continue
        severity = Severity.ERROR if turn.calls else None
        yield Hit(turn.stop_pointer, f"unknown finish reason {brief(reason)}", "STOP", brief(reason), severity)


@rule(
    "gemini-candidate-index-wrong",
    severity=Severity.WARNING,
    scope="response",
    basis="observed",
    cites=["GEM-R-001 recorded traffic 429/429"],
    conforming=[example("gemini/call"), example("gemini/call", drop(f"{_CANDIDATE}/index"))],
    violating=[example("gemini/call", put(f"{_CANDIDATE}/index", 1))],
)
def candidate_index_wrong(view: View) -> Iterator[Hit]:
    """The indexes of the candidates must be unique and count from 0; a zero may be absent.

    Clients that sort candidates by index mix them up, or do not find the first one.
    """
    seen: set[int] = set()
    found = list(candidates(view.response, ""))
    for candidate, where in found:
        index = whole(candidate.get("index", 0))
        if index is not None and (index in seen or not 0 <= index < len(found)):
            place = join(where, "index") if "index" in candidate else where
            yield Hit(
                place, "the index is a duplicate or out of range", f"0 to {len(found) - 1}, each once", brief(index)
            )
        if index is not None:
            seen.add(index)
