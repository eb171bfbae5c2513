"""Llama's replies: text, or one call in one of its forms (docs/contract/llama3.md, LLA-R)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.dialects.llama3.judged import ends, offered, replies
from conformance.dialects.llama3.tokens import EOM, EOT
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief

_FORMAT = "meta-llama/llama-models models/llama3_1/prompt_format.md"
_UTILS = "meta-llama/llama-models models/llama3/tool_utils.py"
_LISTS = re.compile(r"llama[-_. ]*(?:3[-._][23]|4)", re.IGNORECASE)
"""Models that may list several calls."""


@rule(
    "llama-text-around-call-unexpected",
    scope="reply",
    cites="LLA-R-001",
)
def text_around_call_unexpected(view: View) -> Iterator[Hit]:
    """A reply must be text, or a call with only its end token.

    Parsers that read the whole reply as the call fail; some accept text before a call.
    """
    for reply in replies(view):
        for kind, what in reply.faults("around", "before"):
            weaker = Severity.WARNING if kind == "before" else None
            yield Hit(reply.pointer, what, "only a call, or only text", brief(reply.text), severity=weaker)


@rule(
    "llama-call-form-unexpected",
    scope="reply",
    cites=["LLA-R-001", "LLA-R-002"],
    severity=Severity.WARNING,
    because="the call is sound: the reference parser reads every form, whatever the prompt asks for",
)
def call_form_unexpected(view: View) -> Iterator[Hit]:
    """A call must have a form that the prompt asks for.

    A client parses only the form that it asked for, and shows another as text.
    """
    offer = offered(view)
    if offer is None:
        return
    for reply in replies(view):
        form = reply.reading.form
        if form in ("built-in", "code") and not offer.ipython:
            wanted = "Environment: ipython in the system message"
        elif form == "custom" and not offer.custom:
            wanted = "<function=…> in the system message"
        elif form == "list" and re.search(r"3[-._]1", view.model or ""):
            wanted = "a form of Llama 3.1"
        else:
            continue
        yield Hit(
            reply.pointer, f"the call has the form {form}, which the prompt does not ask for", wanted, brief(reply.text)
        )


@rule(
    "llama-call-end-token-wrong",
    scope="reply",
    cites="LLA-R-008",
)
def call_end_token_wrong(view: View) -> Iterator[Hit]:
    """In an environment, a call must end in `<|eom_id|>`; all other calls, calls in tags, and text in `<|eot_id|>`.

    The token shows whether the turn continues after the tool. With the wrong one, a loop stops early or waits.
    """
    offer = offered(view)
    if offer is None:
        return
    for reply, end in ends(view):
        calls = reply.reading.form in ("built-in", "code") or (reply.reading.form == "json" and offer.ipython)
        wanted = EOM if calls else EOT
        if end != wanted:
            harm = Severity.INFO if reply.reading.form == "custom" else None  # Meta's documents show both
            yield Hit(reply.pointer, f"{reply.reading.form} ends in {end}", wanted, end, severity=harm)


@rule(
    "llama-end-token-missing",
    scope="reply",
    cites="LLA-R-008",
)
def end_token_missing(view: View) -> Iterator[Hit]:
    """A text with the stop reason `stop` must have its end token if the request asks for special tokens.

    Without it, clients cannot tell whether the turn waits for a tool, or send it back unchanged.
    """
    asked = view.request if isinstance(view.request, dict) else {}
    wants = [asked.get(key) for key in ("include_stop_str_in_output", "skip_special_tokens")]
    for reply in replies(view) if wants == [True, False] else ():
        if reply.turn.stop == "end" and reply.reading.end is None:
            yield Hit(reply.pointer, "the text has no end token", f"{EOM} or {EOT}", brief(reply.text[-40:]))


@rule(
    "llama-calls-too-many",
    scope="reply",
    cites="LLA-R-009",
)
def calls_too_many(view: View) -> Iterator[Hit]:
    """A turn of Llama 3.1 must have at most one call; later models may list several.

    Most parsers for it read the first call and drop the rest, and its template cannot send two back.
    """
    if _LISTS.search(view.model or ""):
        return
    for reply in replies(view):
        count = len(reply.reading.calls)
        if count > 1:
            yield Hit(reply.pointer, f"the turn has {count} calls", "one call", str(count))
