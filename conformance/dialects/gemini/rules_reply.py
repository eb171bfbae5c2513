"""Gemini replies, streamed or not: candidates, stop reasons, usage. docs/contract/gemini.md, GEM-R."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.dialects.gemini.reply import reason_name
from conformance.dialects.gemini.wire import candidate_parts, candidates, whole
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import join


@rule(
    "gemini-content-missing",
    scope="response",
    cites=["GEM-R-002", "GEM-R-003"],
)
def content_missing(view: View) -> Iterator[Hit]:
    """A candidate that ends with STOP must have content.

    Only a truncated or blocked turn may be empty; otherwise its content was lost on the way.
    """
    for candidate, where in candidates(view.response, ""):
        if reason_name(candidate.get("finishReason")) != "STOP" or _has_content(candidate, where):
            continue
        content = candidate.get("content")
        place = where if "content" not in candidate else join(where, "content")
        if isinstance(content, dict) and "parts" in content:
            place = join(place, "parts")
        yield Hit(
            place, "the candidate ended with STOP but has no content", "content", "nothing", _empty_severity(view)
        )


def _has_content(candidate: dict[str, Any], pointer: str) -> bool:
    """Whether some part is more than empty text."""
    return any(
        part.get("text") or set(part) - {"text", "thought", "thoughtSignature"}
        for part, _ in candidate_parts(candidate, pointer)
    )


def _empty_severity(view: View) -> Severity | None:
    """A warning if no output tokens were counted: the empty reply is odd, but nothing was lost."""
    usage = view.response.get("usageMetadata")
    spent = usage.get("candidatesTokenCount") if isinstance(usage, dict) else None
    return Severity.WARNING if not spent else None


@rule(
    "gemini-finish-reason-unknown",
    scope="reply",
    cites=["GEM-R-005", "GEM-R-004"],
    because="GEM-R-004 is about turns with calls; gemini-finish-reason-mismatch judges the known reasons there",
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
