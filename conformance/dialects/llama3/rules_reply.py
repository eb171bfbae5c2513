"""Llama's replies: text, or one call in one of its forms (docs/contract/llama3.md, LLA-R)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.dialects.llama3.judged import ends, offered, replies
from conformance.dialects.llama3.tokens import EOM, EOT, TAG
from conformance.judge.example import Edit, change, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief

_TEXT = "/0/response/body/choices/0/text"
_AT = "0 response /choices/0/text"
_PLACE = '{"latitude": 35.18, "longitude": 129.08}'
_FORMAT = "meta-llama/llama-models models/llama3_1/prompt_format.md"
_UTILS = "meta-llama/llama-models models/llama3/tool_utils.py"
_JSON, _BUILT_IN, _CUSTOM, _SEARCH = (
    "llama3-json/call",
    "llama3-builtin/call",
    "llama3-custom/call",
    "llama3-builtin/search",
)
_LISTS = re.compile(r"llama[-_. ]*(?:3[-._][23]|4)", re.IGNORECASE)
"""Models that may list several calls."""


def _in_text(old: str, new: str) -> Edit:
    return change(_TEXT, old, new)


@rule(
    "llama-text-around-call-unexpected",
    scope="reply",
    basis="documented",
    cites=[f"LLA-R-001 {_FORMAT}"],
    conforming=[example(_JSON), example(_BUILT_IN), example(_CUSTOM), example("llama3-json/plain")],
    violating=[
        example(_JSON, _in_text("}<|eot_id|>", "}\nI am looking it up.<|eot_id|>")),
        example(_CUSTOM, _in_text("<function=", "Let me see. <function=")),
        example(_SEARCH, _in_text("<|eom_id|>", "<|eom_id|><|start_header_id|>ipython<|end_header_id|>")),
        example("llama3-json/plain", _in_text("<|eot_id|>", "<|eot_id|>assistant\n\nAnything else?")),
    ],
)
def text_around_call_unexpected(view: View) -> Iterator[Hit]:
    """A reply must be text, or a call with only its end token.

    Parsers that read the whole reply as the call fail; some accept text before a call.
    """
    for said in replies(view):
        for kind, what in said.faults("around", "before"):
            weaker = Severity.WARNING if kind == "before" else None
            yield Hit(said.pointer, what, "only a call, or only text", brief(said.text), severity=weaker)


@rule(
    "llama-call-form-unexpected",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"LLA-R-001 {_FORMAT}", f"LLA-R-002 {_UTILS}"],
    conforming=[example(_SEARCH), example("llama3-builtin/code"), example(_CUSTOM), example(_JSON)],
    violating=[
        example(_JSON, put(_TEXT, f'{TAG}brave_search.call(query="Seoul"){EOM}')),
        example(_JSON, put(_TEXT, f"{TAG}print(14.2){EOM}")),
        example(_BUILT_IN, put(_TEXT, f"<function=get_weather>{_PLACE}</function>{EOT}")),
        example(_JSON, put(_TEXT, f"[get_weather(latitude=1, longitude=2)]{EOT}")),
    ],
)
def call_form_unexpected(view: View) -> Iterator[Hit]:
    """A call must have a form that the prompt asks for.

    A client parses only the form that it asked for, and shows another as text.
    """
    offer = offered(view)
    if offer is None:
        return
    for said in replies(view):
        form = said.reading.form
        if form in ("built-in", "code") and not offer.ipython:
            wanted = "Environment: ipython in the system message"
        elif form == "custom" and not offer.custom:
            wanted = "<function=…> in the system message"
        elif form == "list" and re.search(r"3[-._]1", view.model or ""):
            wanted = "a form of Llama 3.1"
        else:
            continue
        yield Hit(
            said.pointer, f"the call has the form {form}, which the prompt does not ask for", wanted, brief(said.text)
        )


@rule(
    "llama-call-end-token-wrong",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"LLA-R-008 {_FORMAT}"],
    conforming=[example(_SEARCH), example(_BUILT_IN), example(_JSON), example(_CUSTOM)],
    violating=[
        example(_SEARCH, _in_text(EOM, EOT)),
        example(_JSON, _in_text(EOT, EOM)),
        example(_CUSTOM, _in_text(EOT, EOM)),
        example("llama3-builtin/plain", _in_text(EOT, EOM)),
        example(_SEARCH, _in_text(EOM, ""), put(_TEXT[:-4] + "stop_reason", 128009), at=_AT),
    ],
)
def call_end_token_wrong(view: View) -> Iterator[Hit]:
    """In an environment, a call must end in `<|eom_id|>`; all other calls, calls in tags, and text in `<|eot_id|>`.

    The token says whether the turn continues after the tool. With the wrong one, a loop stops early or waits.
    """
    offer = offered(view)
    if offer is None:
        return
    for said, end in ends(view):
        calls = said.reading.form in ("built-in", "code") or (said.reading.form == "json" and offer.ipython)
        wanted = EOM if calls else EOT
        if end != wanted:
            harm = Severity.INFO if said.reading.form == "custom" else None  # Meta's documents show both
            yield Hit(said.pointer, f"{said.reading.form} ends in {end}", wanted, end, severity=harm)


@rule(
    "llama-end-token-missing",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"LLA-R-008 {_FORMAT}"],
    conforming=[
        example(_SEARCH),
        example("llama3-json/cut-off"),
        example(_JSON, _in_text(EOT, ""), put("/0/request/body/include_stop_str_in_output", False)),
    ],
    violating=[example(_SEARCH, _in_text(EOM, "")), example("llama3-json/plain", _in_text(EOT, ""))],
)
def end_token_missing(view: View) -> Iterator[Hit]:
    """A text with the stop reason `stop` must have its end token if the request asks for special tokens.

    Without it, clients cannot tell whether the turn waits for a tool, or send it back unchanged.
    """
    asked = view.request if isinstance(view.request, dict) else {}
    wants = [asked.get(key) for key in ("include_stop_str_in_output", "skip_special_tokens")]
    for said in replies(view) if wants == [True, False] else ():
        if said.turn.stop == "end" and said.reading.end is None:
            yield Hit(said.pointer, "the text has no end token", f"{EOM} or {EOT}", brief(said.text[-40:]))


@rule(
    "llama-calls-too-many",
    severity=Severity.WARNING,
    scope="reply",
    basis="documented",
    cites=[f"LLA-R-009 {_FORMAT}"],
    conforming=[
        example(_JSON),
        example(
            _JSON,
            put("/0/request/body/model", "meta-llama/Llama-3.2-3B-Instruct"),
            put(_TEXT, f"[get_weather(latitude=1, longitude=2), get_weather(latitude=3, longitude=4)]{EOT}"),
        ),
    ],
    violating=[
        example(_JSON, _in_text(EOT, f'; {{"name": "get_weather", "parameters": {_PLACE}}}{EOT}')),
        example(_CUSTOM, _in_text(EOT, f"<function=get_weather>{_PLACE}</function>{EOT}")),
    ],
)
def calls_too_many(view: View) -> Iterator[Hit]:
    """A turn of Llama 3.1 must have at most one call; later models may list several.

    Most parsers for it read the first call and drop the rest, and its template cannot send two back.
    """
    if _LISTS.search(view.model or ""):
        return
    for said in replies(view):
        count = len(said.reading.calls)
        if count > 1:
            yield Hit(said.pointer, f"the turn has {count} calls", "one call", str(count))
