"""A Chat request, field by field."""

from __future__ import annotations

from conformance.contract.nodes import Foreign
from conformance.contract.notation import *
from conformance.contract.situation import when
from conformance.dialects.openai_chat.contract.messages import MESSAGE, TEXT_PART
from conformance.dialects.openai_chat.contract.places import *
from conformance.dialects.openai_chat.contract.tools import FUNCTION, TOOL_CHOICE, TOOLS, TOOLS_ELSEWHERE
from conformance.model.finding import Severity

_REFUSED = cite(refused=400)
_RANGE = cite("OAC-Q-025")
_ONE_MODEL = cite(severity=Severity.INFO, because="servers with one model, such as llama.cpp and vLLM, need no name")
_NO_STOPS = cite(severity=Severity.WARNING, because="the document allows up to 4, and OpenAI answered an empty list")
_OPTION = refusal("OAC-Q-026", rule="chat-tool-option-orphaned")
_DEPRECATED = cite("OAC-Q-021", rule="chat-functions-deprecated", fix="use `tools` and `tool_choice`")
_OLD_RETENTION = cite("OAC-Q-034", fix="use `prompt_cache_options`")
_NAME = text(pattern="[a-zA-Z0-9_-]{1,64}")
_TEXTS = text() | array(by(text=TEXT_PART), 1)

_USER_LOCATION = obj(
    type=need(word("approximate")),
    approximate=need(
        obj(country=may(text()), region=may(text()), city=may(text()), timezone=may(text())),
    ),
)
WEB_SEARCH = obj(search_context_size=may(word("low", "medium", "high")), user_location=may(_USER_LOCATION))
_MODERATED = may(obj(mode=need(word("score", "block"))))
_JSON_SCHEMA = obj(
    # The document makes the schema optional, but `strict` has no effect without one.
    needs(is_("strict", True), "schema"),
    name=need(_NAME),
    description=may(text()),
    schema=may(mapping()),
    strict=may(boolean),
)
RESPONSE_FORMAT = {
    "text": obj(),
    "json_object": obj(),
    "json_schema": obj(json_schema=need(_JSON_SCHEMA)),
}

_NO_LONGER_REFUSED = cite(
    "OAC-Q-026",
    Severity.WARNING,
    because="OpenAI refused null in 2024; no recording since shows it refused or accepted",
)
_FOREIGN = refusal("OAC-Q-001")
_FOREIGN_ELSEWHERE = cite("OAC-Q-001", Severity.WARNING, because="OpenAI refuses it; a compatible server may read it")
_SISTERS = {
    name: first(
        may(Foreign(instead), _FOREIGN_ELSEWHERE, only=ELSEWHERE),
        may(Foreign(instead), _FOREIGN),
    )
    for name, instead in {
        "input": "`messages`",
        "instructions": "a message of role `developer`",
        "prompt": "`messages`",
        "system": "a message of role `system`",
        "contents": "`messages`",
        "max_output_tokens": "`max_completion_tokens`",
        "stop_sequences": "`stop`",
        "text": "`response_format` and `verbosity`",
        "previous_response_id": "the earlier turns in `messages`",
        "conversation": "the earlier turns in `messages`",
        "context_management": "shorter `messages`",
        "truncation": "shorter `messages`",
        "include": "`logprobs`, or fields that every reply has",
        "background": "`stream`, or the Responses API",
        "max_tool_calls": "a limit in the client",
        "generationConfig": "its settings as fields of the request itself",
    }.items()
}
"""Fields of Responses, Completions, Messages and Gemini: no recording shows Chat accepting one."""

_AUDIO = obj(
    voice=need(text(1) | obj(id=need(text(1)))),
    format=need(word("wav", "aac", "mp3", "flac", "opus", "pcm16")),
)
FIELDS = obj(
    {"": _REFUSED},
    closed_at(OPENAI),
    {"unknown": refusal("OAC-Q-001")},
    # Fields that every request has -------------------------------------------------------------------------------
    messages=need(array(MESSAGE, 1), cite("OAC-Q-001"), empty=cite(rule="chat-messages-empty")),
    model=first(
        need(text(1), cite("OAC-Q-001"), missing=_ONE_MODEL, unless=MODEL_IN_PATH, only=ELSEWHERE),
        need(text(1), cite("OAC-Q-001"), unless=MODEL_IN_PATH),
    ),
    # Sampling ----------------------------------------------------------------------------------------------------
    temperature=first(
        may(number(1, 1), refusal("OAC-Q-025"), only=FIXED_SAMPLING),
        may(number(0, 2), _RANGE),
    ),
    top_p=may(number(0, 1), _RANGE),
    n=may(integer(1, 128), _RANGE),
    seed=may(integer(-(2**63), 2**63 - 1)),
    frequency_penalty=may(number(-2, 2), _RANGE),
    presence_penalty=may(number(-2, 2), _RANGE),
    logit_bias=may(mapping(integer(-100, 100))),
    logprobs=may(boolean),
    top_logprobs=may(integer(0, 20), _RANGE),
    stop=first(
        may(
            Foreign("no `stop`: this model does not support stop sequences"),
            cite(severity=Severity.WARNING, because="the documents name the models; no refusal is known"),
            only=NO_STOP,
        ),
        may(text() | array(text(), 1, 4), count=cite("OAC-Q-001"), empty=_NO_STOPS),
    ),
    # Limits ------------------------------------------------------------------------------------------------------
    max_tokens=first(
        may(Foreign("`max_completion_tokens`"), refusal("OAC-Q-024"), only=REASONING),
        may(integer(1), _RANGE, only=GROQ_OR_CEREBRAS, deprecated=cite("OAC-Q-034", fix="use `max_completion_tokens`")),
        may(integer(1), _RANGE),
    ),
    max_completion_tokens=may(integer(1), _RANGE),
    reasoning_effort=first(
        may(Foreign("a reasoning model"), refusal("OAC-Q-001"), only=NOT_REASONING),
        may(known("none", "minimal", "low", "medium", "high", "xhigh", "max"), only=ELSEWHERE),
        may(word("minimal", "low", "medium", "high"), refusal("OAC-Q-050"), only=ALWAYS_REASONING),
        may(word("none", "low", "medium", "high", "xhigh", "max"), refusal("OAC-Q-050"), only=FROM_5_1),
        may(word("none", "minimal", "low", "medium", "high", "xhigh", "max")),
    ),
    verbosity=may(word("low", "medium", "high")),
    # Tools -------------------------------------------------------------------------------------------------------
    tools=first(TOOLS_ELSEWHERE, TOOLS),
    tool_choice=may(TOOL_CHOICE, cite("OAC-Q-010", rule="chat-tool-choice-unknown")),
    parallel_tool_calls=first(
        may(boolean, only=OPENAI, null=_NO_LONGER_REFUSED),
        may(boolean),
    ),
    functions=may(array(FUNCTION, 1, 128), deprecated=_DEPRECATED),
    function_call=may(word("none", "auto") | obj(name=need(text(1))), deprecated=_DEPRECATED),
    # Form of the answer ------------------------------------------------------------------------------------------
    response_format=first(
        may(by_known(RESPONSE_FORMAT), only=ELSEWHERE),
        may(by(RESPONSE_FORMAT)),
    ),
    modalities=may(array(word("text", "audio"), 1, unique=True)),
    audio=may(_AUDIO),
    prediction=may(obj(type=need(word("content")), content=need(_TEXTS))),
    stream=may(boolean),
    stream_options=may(obj(include_usage=may(boolean), include_obfuscation=may(boolean))),
    web_search_options=first(
        may(
            Foreign("a search model, such as `gpt-4o-search-preview`"),
            refusal("OAC-Q-001"),
            only=NO_SEARCH,
        ),
        may(WEB_SEARCH),
    ),
    # Bookkeeping -------------------------------------------------------------------------------------------------
    service_tier=first(
        may(known("auto", "default", "flex", "scale", "priority", "fast"), only=ELSEWHERE),
        may(word("auto", "default", "flex", "scale", "priority", "fast")),
    ),
    store=may(boolean),
    metadata=may(mapping(text(0, 512), text(0, 64), 16)),
    user=may(text()),
    # 64 in the document, 128 in the newer SDK.
    safety_identifier=may(text(0, 128)),
    prompt_cache_key=may(text()),
    # Older documents and SDKs write `in-memory`.
    prompt_cache_retention=first(
        may(word("24h"), cite("OAC-Q-037"), only=LONG_RETENTION, deprecated=_OLD_RETENTION),
        may(word("in_memory", "24h", "in-memory"), deprecated=_OLD_RETENTION),
    ),
    prompt_cache_options=first(
        may(Foreign("GPT-5.6 or a later model"), cite("OAC-Q-048"), only=BEFORE_5_6),
        may(obj(ttl=may(word("30m")), mode=may(word("implicit", "explicit")))),
    ),
    moderation=may(obj(model=need(text(1)), policy=may(obj(input=_MODERATED, output=_MODERATED)))),
)
"""The fields by themselves, before the rows about several fields."""

REQUEST = obj(
    FIELDS,
    _SISTERS,
    foreign(
        refusal("OAC-Q-001"),
        only=OFFICIAL,  # other providers accept these
        reasoning="`reasoning_effort`",
        thinking="`reasoning_effort`",
        enable_thinking="`reasoning_effort`",
        top_k="`top_p`",
        repetition_penalty="`frequency_penalty`",
    ),
    # Rows about several fields -----------------------------------------------------------------------------------
    excludes("max_tokens", "max_completion_tokens", cite=refusal("OAC-Q-024")),
    needs("stream_options", is_("stream", True), cite=cite("OAC-Q-013", rule="chat-stream-options-orphaned")),
    needs("tool_choice", "tools", cite=_OPTION, only=when(complete=True, no=MISTRAL)),  # Mistral accepted 4
    needs("parallel_tool_calls", "tools", cite=_OPTION, only=when(complete=True)),
    needs("function_call", "functions", only=when(complete=True)),
    needs("top_logprobs", is_("logprobs", True), cite=cite("OAC-Q-001")),
    needs(holds("modalities", "audio"), "audio"),
    # Predicted output works only with one plain text answer (guide on predicted outputs).
    excludes("prediction", over("n", 1)),
    excludes("prediction", is_("logprobs", True)),
    excludes("prediction", "audio"),
    excludes(
        "prediction", "tools", cite=cite(severity=Severity.WARNING, because="a guide forbids it; no refusal is known")
    ),
    excludes("prediction", "max_completion_tokens"),
    excludes("prediction", over("presence_penalty", 0)),
    excludes("prediction", over("frequency_penalty", 0)),
)
