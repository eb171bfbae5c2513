"""A Responses request, field by field."""

from __future__ import annotations

from conformance.contract.nodes import Foreign
from conformance.contract.notation import *
from conformance.contract.situation import when
from conformance.dialects.openai_responses.contract.formats import FORMAT
from conformance.dialects.openai_responses.contract.items import INPUT
from conformance.dialects.openai_responses.contract.parts import VARIABLE
from conformance.dialects.openai_responses.contract.places import *
from conformance.dialects.openai_responses.contract.tools import TOOL_CHOICE, TOOLS
from conformance.model.finding import Severity

_WRONG = cite("OAR-Q-006", rule="responses-request-field-wrong-type", refused=400)
_TYPE = {"type": _WRONG}
_RANGE = {**_TYPE, "range": cite("OAC-Q-025", refused=400)}
_FIXED = refusal("OAC-Q-025")
_INCLUDES = (
    *("file_search_call.results", "web_search_call.results", "web_search_call.action.sources"),
    *("message.input_image.image_url", "computer_call_output.output.image_url", "code_interpreter_call.outputs"),
    *("reasoning.encrypted_content", "message.output_text.logprobs"),
)
_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
_SUMMARY = word("auto", "concise", "detailed")
_SCORED = may(obj(mode=need(word("score", "block"))))
_BACKGROUND = refusal(
    "OAR-Q-013",
    Severity.ERROR,
    because="the statement is about reasoning; a background response must be stored (agno-agi/agno#7444)",
)
_SISTERS = {
    name: first(
        may(
            Foreign(instead),
            cite("OAR-Q-015", Severity.WARNING, because="OpenAI refuses it; another server may read it"),
            only=ELSEWHERE,
        ),
        may(Foreign(instead), refusal("OAR-Q-015")),
    )
    for name, instead in {
        "messages": "`input`",
        "system": "`instructions`",
        "contents": "`input`",
        "max_tokens": "`max_output_tokens`",
        "max_completion_tokens": "`max_output_tokens`",
        "response_format": "`text.format`",
        "verbosity": "`text.verbosity`",
        "reasoning_effort": "`reasoning.effort`",
        "functions": "`tools`",
        "function_call": "`tool_choice`",
        "n": "one request for each answer",
        "stop": "no such field: Responses has no stop sequences",
        "stop_sequences": "no such field: Responses has no stop sequences",
        "seed": "`temperature` 0",
        "logprobs": "`include` with `message.output_text.logprobs`, and `top_logprobs`",
        "logit_bias": "`instructions`",
        "modalities": "the output types that the model supports",
        "audio": "Chat Completions, for audio",
        "prediction": "Chat Completions, for predicted output",
        "web_search_options": "a tool of type `web_search`",
    }.items()
}
"""Fields of Chat, Messages and Gemini."""

_PROMPT = obj(
    id=need(text(1)),
    version=may(text()),
    variables=may(mapping(text() | VARIABLE)),
)
_REASONING = obj(
    mode=may(text(1)),
    effort=first(
        may(Foreign("a reasoning model"), refusal("OAR-Q-006"), only=NOT_REASONING),
        may(known(*_EFFORTS), only=ELSEWHERE),
        may(word("minimal", "low", "medium", "high"), refusal("OAR-Q-043"), only=REASONING),
        may(word("none", "low", "medium", "high", "xhigh", "max"), refusal("OAR-Q-043"), only=FROM_5_1),
        may(word(*_EFFORTS)),
    ),
    summary=first(may(word("auto", "detailed"), cite("OAR-Q-040"), only=O_SERIES), may(_SUMMARY)),
    context=may(word("auto", "current_turn", "all_turns")),
    generate_summary=may(_SUMMARY, deprecated=cite("OAR-Q-006", fix="use `reasoning.summary`")),
)
_TEXT_OPTIONS = obj(
    format=FORMAT,
    verbosity=may(word("low", "medium", "high")),
)
_BACKGROUND_OPTIONS = obj(completion_window=may(word("soonest", "2h", "8h")), continuation_id=may(text()))
_PROMPT_CACHE_OPTIONS = obj(
    ttl=may(word("30m", "12h")),
    mode=may(word("implicit", "explicit")),
    comparison_response_id=may(text()),
    prewarm=may(boolean),
)
FIELDS = obj(
    {"": cite(refused=400)},
    closed_at(OPENAI),
    {"unknown": refusal("OAR-Q-015")},
    # The prompt and the model ------------------------------------------------------------------------------------
    input=INPUT,
    model=first(
        may(Foreign("a model of this API"), refusal("OAR-Q-006"), only=NOT_HERE),
        may(text(1), {"type": _WRONG, "empty": _WRONG}),
    ),
    instructions=may(text(), _TYPE),
    prompt=may(_PROMPT, _TYPE),
    previous_response_id=may(text(1), _TYPE),
    conversation=may(text(1) | obj(id=need(text(1))), _TYPE),
    context_management=may(array(obj(type=need(text(1)), compact_threshold=may(integer(1000))), 1)),
    truncation=may(word("auto", "disabled")),
    # Sampling ----------------------------------------------------------------------------------------------------
    temperature=first(may(number(1, 1), {**_TYPE, "range": _FIXED}, only=REASONING), may(number(0, 2), _RANGE)),
    top_p=may(number(0, 1), _RANGE),
    top_logprobs=may(integer(0, 20), _RANGE),
    max_output_tokens=may(
        integer(16),
        _TYPE,
        range=cite("OAR-Q-010", rule="responses-max-output-tokens-out-of-range", refused=400),
    ),
    max_tool_calls=may(integer(1), _RANGE),
    reasoning=may(_REASONING, _TYPE),
    text=may(_TEXT_OPTIONS, _TYPE),
    # Tools -------------------------------------------------------------------------------------------------------
    tools=TOOLS,
    tool_choice=may(TOOL_CHOICE, cite("OAR-Q-005", rule="responses-tool-choice-invalid", refused=400)),
    parallel_tool_calls=may(boolean, _TYPE),
    include=first(
        may(array(known(*_INCLUDES)), _TYPE, only=ELSEWHERE),
        may(array(word(*_INCLUDES)), _TYPE),
    ),
    # Delivery ----------------------------------------------------------------------------------------------------
    type=need(word("response.create"), cite("OAR-Q-027"), only=IN_FRAME),
    generate=may(boolean, cite("OAR-Q-027"), only=IN_FRAME),
    stream_id=may(text(1), cite("OAR-Q-027"), only=IN_FRAME),
    stream=first(
        may(Foreign("", "`stream`", cite("OAR-Q-028", fix="leave it out: every response is streamed")), only=IN_FRAME),
        may(boolean, _TYPE),
    ),
    stream_options=may(obj(include_obfuscation=may(boolean)), _TYPE),
    background=first(
        may(Foreign("", "`background`", cite("OAR-Q-029")), only=IN_FRAME),
        may(boolean),
    ),
    background_options=may(_BACKGROUND_OPTIONS),
    store=may(boolean, _TYPE),
    service_tier=first(
        may(known("auto", "default", "flex", "scale", "priority", "fast", "ultrafast"), only=ELSEWHERE),
        may(word("auto", "default", "flex", "scale", "priority", "fast"), cite("OAR-Q-040"), only=BEFORE_5_6),
        may(word("auto", "default", "flex", "scale", "priority", "fast", "ultrafast")),
    ),
    # Bookkeeping -------------------------------------------------------------------------------------------------
    metadata=may(mapping(text(0, 512), text(0, 64), 16), _TYPE),
    user=may(text()),
    safety_identifier=may(text(0, 128)),  # 64 in the document, 128 in the newer SDK
    prompt_cache_key=may(text()),
    prompt_cache_retention=first(
        may(word("24h"), cite("OAR-Q-040"), only=LONG_RETENTION), may(word("in_memory", "24h", "in-memory"))
    ),
    prompt_cache_options=first(
        may(Foreign("GPT-5.6 or a later model"), cite("OAR-Q-040"), only=BEFORE_5_6), may(_PROMPT_CACHE_OPTIONS)
    ),
    moderation=may(obj(model=need(text(1)), policy=may(obj(input=_SCORED, output=_SCORED)))),
    access_programs=may(obj(cyber=may(word("standard", "daybreak_blue", "daybreak_red")))),
    image=may(obj(context_compression=may(word("auto", "enabled", "disabled")))),
)
"""The fields by themselves, before the rows about several fields."""

_KEPT = ("previous_response_id", "conversation", "prompt")
HISTORIES = excludes(
    "previous_response_id", "conversation", cite=cite("OAR-Q-011", rule="responses-histories-conflicting")
)
"""Of two histories, which one the server goes on from is not known."""

REQUEST = obj(
    FIELDS,
    _SISTERS,
    # Rows about several fields -----------------------------------------------------------------------------------
    some_of("input", *_KEPT, cite=_WRONG),
    some_of("model", "prompt", cite=_WRONG),
    needs(
        is_("input", [], ""),
        *_KEPT,
        is_("generate", False),
        cite=cite(
            "OAR-Q-006", Severity.WARNING, because="no refusal of an empty input is known", rule="responses-input-empty"
        ),
    ),
    HISTORIES,
    needs(
        "stream_options",
        is_("stream", True),
        cite=cite("OAR-Q-012", rule="responses-stream-options-orphaned"),
        only=when(no=IN_FRAME),
    ),
    # Tools may be in an earlier request or in an item, so a choice without them is no fault.
    needs("parallel_tool_calls", "tools", *_KEPT, cite=refusal("OAC-Q-026"), only=when(complete=True)),
    excludes(is_("background", True), is_("store", False), cite=_BACKGROUND),
)
