"""Content parts, of requests and of replies."""

from __future__ import annotations

from conformance.contract.citation import Citations
from conformance.contract.nodes import Foreign, Node
from conformance.contract.notation import *
from conformance.dialects.openai_responses.contract.places import NO_TYPE, OFFICIAL, SHOWN, Way
from conformance.model.finding import Severity

MALFORMED: Citations = dict.fromkeys(
    ("missing", "type"), cite("OAR-Q-007", rule="responses-input-item-malformed", refused=400)
)
"""An item of the input or a part of it: missing fields, and fields of the wrong type."""
_MISPLACED = cite("OAR-Q-014", refused=400)
_PART: Citations = {**MALFORMED, "value": _MISPLACED}

# Parts of a client ------------------------------------------------------------------------------------------------
_BREAKPOINT = may(obj(mode=need(word("explicit")), ttl=may(word("30m", "12h"))))
_MOST_TEXT = 10_485_760
INPUT_TEXT = obj(text=need(text(0, _MOST_TEXT)), prompt_cache_breakpoint=_BREAKPOINT)
INPUT_IMAGE = obj(
    some_of("image_url", "file_id", cite=refusal("OAR-Q-008")),
    # An object is Chat's form. The document requires `detail`; 6 parts without it were accepted.
    image_url=may(text(1, 20_971_520)),
    file_id=may(text(1)),
    detail=may(word("low", "high", "auto", "original")),
    prompt_cache_breakpoint=_BREAKPOINT,
)
_DATA = r"data:(?!audio/|video/)[^,]*;base64,[\s\S]*"
INPUT_FILE = obj(
    some_of("file_id", "file_data", "file_url", cite=refusal("OAR-Q-008")),
    needs(
        "file_data",
        "filename",
        cite=cite(severity=Severity.WARNING, because="the documents ask for the name; no refusal is known"),
        only=OFFICIAL,
    ),
    file_id=may(text(1)),
    filename=may(text()),
    file_data=first(
        may(text(1, 73_400_320, _DATA), only=OFFICIAL, pattern=refusal("OAR-Q-008")),
        may(text(1, 73_400_320)),
    ),
    file_url=may(text(1)),
    detail=may(word("auto", "low", "high")),
    prompt_cache_breakpoint=_BREAKPOINT,
)
_INPUTS: dict[str, Node] = {"input_text": INPUT_TEXT, "input_image": INPUT_IMAGE, "input_file": INPUT_FILE}
ASKED = array(by(_INPUTS, _PART))
"""The parts of user, developer and system messages, and of outputs."""
VARIABLE = by(_INPUTS, MALFORMED)


# Parts of a model -------------------------------------------------------------------------------------------------
def annotation(way: Way) -> Node:
    """The annotations of a text."""
    place = way.must(integer(0))
    return by_known(
        file_citation=obj(file_id=way.must(text(1)), index=place, filename=way.must(text())),
        url_citation=obj(url=way.must(text(1)), title=way.must(text()), start_index=place, end_index=place),
        container_file_citation=obj(
            container_id=way.must(text()),
            file_id=way.must(text(1)),
            start_index=place,
            end_index=place,
            filename=way.must(text()),
        ),
        file_path=obj(file_id=way.must(text(1)), index=place),
    )


_LOGPROB = need(number(None, 0.001), range=cite("OAR-R-043"))
_TOKEN = obj(token=need(text()), logprob=_LOGPROB, bytes=should(array(integer(0, 255)) | null))
LOGPROBS = array(obj(_TOKEN, top_logprobs=should(array(_TOKEN, 0, 20))))
EVENT_LOGPROBS = array(
    obj(
        token=need(text()),
        logprob=_LOGPROB,
        top_logprobs=may(array(obj(token=may(text() | null), logprob=may(number() | null)), 0, 20) | null),
    )
)
_REFUSAL = obj(refusal=need(text()))
SENT_BACK = array(
    by(
        _PART,
        # Clients leave out fields of replies, 25 accepted.
        output_text=obj(
            text=need(text()),
            annotations=may(array(annotation(SHOWN))),
            logprobs=may(LOGPROBS),
        ),
        refusal=_REFUSAL,
    )
)
"""The parts of earlier assistant messages."""
TEXTS = array(by(MALFORMED, summary_text=obj(text=need(text()))))
REASONINGS = array(by(MALFORMED, reasoning_text=obj(text=need(text()))))

_CHAT_S = may(Foreign("`output_text`"), cite("OAR-R-013", rule="responses-type-unknown"))
_UNKNOWN = cite("OAR-R-003", rule="responses-type-unknown")
OUTPUT_TEXT = obj(
    text=need(text()),
    annotations=need(array(annotation(SHOWN))),
    logprobs=may(LOGPROBS | null),
)
_ANSWER_KINDS: dict[str, Node] = {"output_text": OUTPUT_TEXT, "refusal": _REFUSAL}
MESSAGE_PARTS = array(
    by_known({"value": _UNKNOWN, **NO_TYPE}, _ANSWER_KINDS, text=obj(type=_CHAT_S, text=need(text())))
)
"""The parts of a message of a reply."""
EVENT_PART = by_known(
    NO_TYPE,
    _ANSWER_KINDS,
    text=obj(type=_CHAT_S, text=need(text())),
    reasoning_text=obj(text=need(text())),
)
SUMMARY_PART = by_known(NO_TYPE, summary_text=obj(text=need(text())))
SUMMARY = array(SUMMARY_PART)
THOUGHTS = array(by_known(NO_TYPE, reasoning_text=obj(text=need(text()))))
_MARKED = may(obj(mode=should(known("explicit")), ttl=may(known("30m", "12h") | null)) | null)
SHOWN_PART = by_known(
    _ANSWER_KINDS,
    input_text=obj(text=should(text()), prompt_cache_breakpoint=_MARKED),
    input_image=obj(
        image_url=may(text() | null),
        file_id=may(text() | null),
        detail=may(known("low", "high", "auto", "original")),
        prompt_cache_breakpoint=_MARKED,
    ),
    input_file=obj(
        file_id=may(text() | null),
        filename=may(text() | null),
        file_data=may(text() | null),
        file_url=may(text() | null),
        detail=may(known("low", "high", "auto") | null),
        prompt_cache_breakpoint=_MARKED,
    ),
)
SHOWN_BACK = array(SHOWN_PART)
"""The parts of a message or an output that a server returns."""
