"""Earlier turns in the prompt: results in one user turn, unchanged, and no thoughts from before the last question."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.qwen3.claims import prompt_of
from conformance.dialects.qwen3.parse import OPEN, THINK, Block, read_block, scan
from conformance.dialects.qwen3.prompt import RESULT_OPEN
from conformance.dialects.qwen3.request import AT, frames, results_in
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.transcript import Malformed

_TEMPLATE = "QwenLM/Qwen3 chat template"


@rule(
    "qwen3-results-misplaced",
    scope="request",
    cites="QWE-C-001",
)
def qwen3_results_misplaced(view: View) -> Iterator[Hit]:
    """The results of one turn's calls must share one user turn.

    The template writes them in one; a second turn looks like a new message of the user.
    """
    before = False
    for frame in frames(prompt_of(view.request)):
        results = frame.role != "assistant" and RESULT_OPEN in frame.body
        if results and before:
            yield Hit(AT, "results are in two consecutive turns", "one user turn", f"a second {frame.role} turn")
            return
        before = results


@rule(
    "qwen3-result-tags-malformed",
    scope="request",
    cites="QWE-C-001",
)
def qwen3_result_tags_malformed(view: View) -> Iterator[Hit]:
    """Every result must have its own pair of tags.

    Two results without tags between them are one result, and the second call has none.
    """
    for frame in frames(prompt_of(view.request)):
        if frame.role not in ("user", "tool"):
            continue
        results = results_in(frame.body)
        rest = frame.body
        for result in results:
            rest = rest.replace(result, "", 1)
        opening, closing = rest.count(RESULT_OPEN), rest.count("</tool_response>")
        inside = any(RESULT_OPEN in result for result in results)
        if (opening or closing) and (opening != closing or opening != len(results) or inside):
            yield Hit(
                AT, "a result is not between its own tags", "tags in pairs", f"{opening} opening, {closing} closing"
            )
            return


@rule(
    "qwen3-result-quotes-unexpected",
    scope="request",
    cites="QWE-C-003",
)
def qwen3_result_quotes_unexpected(view: View) -> Iterator[Hit]:
    """A JSON result must be inserted unchanged, without quotes around it.

    In quotes it is a string, or invalid JSON, and the model has to guess the result.
    """
    for frame in frames(prompt_of(view.request)):
        for result in results_in(frame.body):
            inner = result.strip()
            if not (inner.startswith('"') and inner.endswith('"') and len(inner) > 1):
                continue
            value = jsontext.parse(inner)
            text = inner[1:-1] if isinstance(value, Malformed) else value
            if isinstance(text, str) and isinstance(jsontext.parse(text), (dict, list)):
                yield Hit(AT, "a JSON result is in quotes", "the JSON itself", brief(inner))
                return


@rule(
    "qwen3-old-thoughts-unexpected",
    scope="request",
    cites="QWE-C-004",
)
def qwen3_old_thoughts_unexpected(view: View) -> Iterator[Hit]:
    """Thoughts from before the last question should be dropped.

    The template drops them; the model was not trained on a context with them.
    """
    all_frames = frames(prompt_of(view.request))
    questions = [
        number for number, frame in enumerate(all_frames) if frame.role == "user" and RESULT_OPEN not in frame.body
    ]
    for frame in all_frames[: questions[-1]] if questions else ():
        if frame.role == "assistant" and THINK in frame.body and any(map(_thinks, scan(frame.body))):
            yield Hit(AT, "thoughts from before the last question are kept", "no think block", brief(frame.body[:40]))
            return


def _thinks(piece: object) -> bool:
    return not isinstance(piece, (str, Block)) and bool(getattr(piece, "opened", False))


@rule(
    "qwen3-history-call-malformed",
    scope="request",
    cites=["QWE-R-001", "QWE-R-002"],
    severity=Severity.WARNING,
    because="the statements are about replies; Qwen-Agent sends back arguments that are no JSON as a string",
)
def qwen3_history_call_malformed(view: View) -> Iterator[Hit]:
    """Every call in the model's earlier turns must be closed JSON with a name and an object of arguments.

    The model imitates the calls in its history; the template itself fails on some of them.
    """
    for frame in frames(prompt_of(view.request)):
        if frame.role != "assistant" or not frame.closed or OPEN not in frame.body:
            continue
        for piece in scan(frame.body):
            if isinstance(piece, Block):
                call = read_block(piece).call
                if call is None or not piece.closed or not isinstance(call.arguments, dict):
                    yield Hit(
                        AT, "a call in the history is malformed", "a closed call, name and arguments", brief(piece.raw)
                    )
                    return
