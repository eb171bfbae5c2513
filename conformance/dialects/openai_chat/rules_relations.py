"""What relates several places of Chat traffic: docs/contract/openai-chat.md."""

from conformance.judge.relations import (
    Identity,
    bounded,
    bytes_of,
    concatenates,
    decreases,
    encodes,
    fits,
    forbids,
    has,
    increases,
    matched,
    matches,
    mentions,
    never,
    omits,
    part_of,
    range_of,
    refers,
    requires,
    row,
    strict_schema,
    structured,
    sum_of,
    unique,
    within,
)
from conformance.model.finding import Severity

_USAGE = "response /usage | event /usage"
_INPUTS = ("cached_tokens", "audio_tokens", "text_tokens", "image_tokens", "cache_write_tokens")
_OUTPUTS = (
    *("reasoning_tokens", "audio_tokens", "text_tokens"),
    *("accepted_prediction_tokens", "rejected_prediction_tokens"),
)
_CHOICE = "response /choices/*{0} | event /choices/*{0}"
_MESSAGE = "response /choices/*/message{0} | event /choices/*/delta{0}"

# Accounting --------------------------------------------------------------------------------------------------------
row(
    "chat-usage-total-wrong",
    "OAC-R-015",
    within(_USAGE, sum_of("/total_tokens", "/prompt_tokens", "/completion_tokens")),
    why="Billing by the total and billing by the parts come to different amounts.",
)
row(
    "chat-usage-part-out-of-range",
    "OAC-R-020",
    within(
        _USAGE,
        *(part_of(f"/prompt_tokens_details/{each}", "/prompt_tokens") for each in _INPUTS),
        *(part_of(f"/completion_tokens_details/{each}", "/completion_tokens") for each in _OUTPUTS),
    ),
    why="Clients subtract the part from the whole, and get a negative cost.",
)
row(
    "chat-usage-completion-out-of-range",
    "OAC-R-021",
    bounded(
        "response /usage/completion_tokens | event /usage/completion_tokens",
        by="request [!n]/max_completion_tokens | request [n=1]/max_completion_tokens"
        " | request [!n]/max_tokens | request [n=1]/max_tokens",
    ),
    bounded(
        "response /usage/completion_tokens | event /usage/completion_tokens",
        by="request /min_completion_tokens | request /min_tokens",
        least=True,
    ),
    requirement="The completion tokens must be within the bounds of the request.",
    why="The limit is what bounds the cost of a request.",
)

row(
    "chat-reply-usage-missing",
    "OAC-R-015",
    within("response", has("/usage")),
    needs_complete=True,
    why="Cost accounting counts the request as free.",
)

# What the request asks for -----------------------------------------------------------------------------------------
row(
    "chat-logprobs-missing",
    "OAC-R-022",
    within("response /choices/*[message.content]", has("/logprobs/content"), given="request [logprobs=true]"),
    why="The client has no probabilities to show or to compare.",
)
row(
    "chat-logprobs-unexpected",
    "OAC-R-022",
    requires(_CHOICE.format("/logprobs/content/first"), "request [logprobs=true]"),
    why="The reply is several times as large as the client expects.",
)
row(
    "chat-top-logprobs-too-many",
    "OAC-R-023",
    bounded(_CHOICE.format("/logprobs/content/*/top_logprobs"), by="request /top_logprobs"),
    why="Clients that reserve room for so many alternatives overflow it.",
)
row(
    "chat-top-logprobs-out-of-order",
    "OAC-R-033",
    within(_CHOICE.format("/logprobs/content/*"), decreases("/top_logprobs/*/logprob")),
    why="Clients take the first alternative for the most likely one.",
)
row(
    "chat-logprobs-mismatch",
    "OAC-R-024",
    *(
        within(
            f"{root} /choices/*",
            *(concatenates(f"/logprobs/{each}/*/token", f"/{holder}/{each}") for each in ("content", "refusal")),
        )
        for root, holder in (("response", "message"), ("event", "delta"))
    ),
    *(
        within(_CHOICE.format(f"/logprobs/{each}"), bytes_of("/bytes", "/token"))
        for each in ("content/*", "content/*/top_logprobs/*", "refusal/*", "refusal/*/top_logprobs/*")
    ),
    requirement="The tokens of the log probabilities must add up to the text, and have their own bytes.",
    why="A client that marks the tokens in the text marks the wrong ones.",
)
row(
    "chat-audio-unexpected",
    "OAC-R-025",
    requires(_MESSAGE.format("[audio.id]/audio[!id=]"), "request /modalities/*[=audio]"),
    why="A client that asked for text gets an answer without any.",
)
row(
    "chat-moderation-unexpected",
    "OAC-R-026",
    requires("response [moderation]/moderation | event [moderation]/moderation", "request [moderation]"),
    requires(
        "response /usage/completion_tokens_details/accepted_prediction_tokens[!=0]"
        " | event /usage/completion_tokens_details/accepted_prediction_tokens[!=0]",
        "request [prediction]",
    ),
    requirement="A reply must have moderation and tokens of a prediction only if the request asks for them.",
    why="The client pays for what it did not ask for.",
)
row(
    "chat-obfuscation-unexpected",
    "OAC-S-018",
    forbids("event /obfuscation", "request /stream_options[include_obfuscation=false]"),
    why="The client pays for bytes that it switched off.",
)
row(
    "chat-stop-sequence-unexpected",
    "OAC-R-027",
    omits("request /stop | request /stop/*"),
    why="Programs that cut the answer at the sequence, or count on its absence, read too much.",
)
_REFUSED = "response /choices/*/message/refusal[] | event /choices/*/delta/refusal[]"
row(
    "chat-structured-output-invalid",
    "OAC-R-028",
    structured(
        "request /response_format[type=json_schema]/json_schema/schema",
        strict="request /response_format/json_schema[strict=true]",
        unless=_REFUSED,
    ),
    structured(
        "request /response_format[type=json_object]/type",
        strict="request /response_format[type=json_object]",
        unless=_REFUSED,
    ),
    why="Programs read the fields that the schema promises.",
)

# The request -------------------------------------------------------------------------------------------------------
row(
    "chat-strict-schema-incomplete",
    ["OAC-Q-009", "MAP-006"],
    within("request /tools/*/function[strict=true]", strict_schema("/parameters")),
    within("request /response_format/json_schema[strict=true]", strict_schema("/schema")),
    why="The server refuses the schema: strict mode has no optional properties.",
)
row(
    "chat-tool-choice-undeclared",
    "OAC-Q-011",
    refers(
        "request /tool_choice/function|custom/name | request /tool_choice/allowed_tools/tools/*/function|custom/name",
        Identity("tool", "request /tools/*/function|custom/name", "exchange"),
        given="request [tools]",
    ),
    why="The model has to call a tool that it does not know.",
)
row(
    "chat-json-word-missing",
    "OAC-Q-028",
    mentions(
        "request /response_format[type=json_object]",
        "json",
        "request /messages/*/content | request /messages/*/content/*/text",
    ),
    why="The server refuses the request; another one may send white space until the limit.",
    refused=True,
    elsewhere=Severity.INFO,
)
row(
    "chat-metadata-unsupported",
    "OAC-Q-029",
    requires("request [metadata]/metadata/*", "request [store=true]"),
    why="The server refuses the request.",
    refused=True,
    elsewhere=Severity.INFO,
)
row(
    "chat-audio-option-conflicting",
    "OAC-Q-030",
    requires("request [audio]/audio", "request /modalities/*[=audio]"),
    never("request [stream=true]/audio[!format=pcm16]/format"),
    requirement="`audio` needs the modality `audio`, and a stream the format `pcm16`.",
    why="The server refuses the request, or answers in text.",
    elsewhere=Severity.WARNING,
)
row(
    "chat-input-data-malformed",
    "OAC-Q-031",
    within("request /messages/*/content/*/image_url", encodes("/url", "base64 in a data URL")),
    within("request /messages/*/content/*/file", encodes("/file_data", "base64 or a URL")),
    within("request /messages/*/content/*/input_audio", encodes("/data", "base64")),
    requirement="The data of an image, a file or audio must be base64 that can be decoded.",
    why="The server refuses the request.",
    refused=True,
)

# Identities --------------------------------------------------------------------------------------------------------
_AUDIO = Identity("audio", _MESSAGE.format("/audio/id"))
_REPLY = Identity("reply", "response /id | events /first/id")
row(
    "chat-audio-orphaned",
    "OAC-C-008",
    refers(
        "request /messages/*[role=assistant]/audio/id",
        _AUDIO,
        others=(_REPLY, Identity("call", _MESSAGE.format("/tool_calls/*/id"))),
        open=True,
    ),
    why="The server does not find the audio, and refuses the request.",
)

# Places in the reply -----------------------------------------------------------------------------------------------
row(
    "chat-choice-index-wrong",
    "OAC-R-002",
    within("response /choices", increases("/*/index", by=1, start=0)),
    why="A client that asked for several samples mixes them up.",
)
row(
    "chat-fragment-duplicate",
    "OAC-S-009",
    within("event /choices/*/delta/tool_calls", unique("/*/index")),
    severity=Severity.WARNING,
    because="clients that append fragments read both",
    why="Clients that merge fragments by index keep one of the two: half of the arguments is lost.",
)
row(
    "chat-annotation-out-of-range",
    "OAC-R-029",
    within(
        "response /choices/*/message",
        range_of(
            "/annotations/*/url_citation|document_citation|function_citation", "/start_index", "/end_index", "/content"
        ),
    ),
    why="A client that marks the cited words cuts the text at a wrong place, or fails.",
)
row(
    "chat-refusal-conflicting",
    "OAC-R-030",
    never("response /choices/*/message[refusal][!refusal=][content][!content=]/refusal"),
    why="The client shows the answer, or the refusal, but not what the model meant.",
)
row(
    "chat-custom-input-invalid",
    "OAC-R-031",
    matched(
        "response /choices/*/message/tool_calls/*/custom",
        "/name",
        "request /tools/*/custom[format.grammar.syntax=regex]",
        "/name",
        fits("/this/input", "/that/format/grammar/definition"),
    ),
    why="The tool cannot read its input.",
)
row(
    "chat-content-empty",
    "OAC-R-016",
    never("response /choices/*/message[tool_calls][content=]/content", "null"),
    elsewhere=Severity.INFO,  # 407 recorded replies of compatible servers hold an empty text
    requirement="The content of a message with only calls should be null.",
    why="A client that tests for null takes an empty string for an answer. Most compatible servers send one.",
)
_REASON = "[finish_reason={}]/finish_reason"
row(
    "chat-finish-reason-mismatch",
    "OAC-R-018",
    never(f"response /choices/*[message.function_call][!message.tool_calls]{_REASON.format('tool_calls')}"),
    never(f"response /choices/*[message.tool_calls][!message.function_call]{_REASON.format('function_call')}"),
    forbids(f"event /choices/*{_REASON.format('tool_calls')}", "event /choices/*/delta/function_call/name"),
    forbids(f"event /choices/*{_REASON.format('function_call')}", "event /choices/*/delta/tool_calls/first"),
    requirement="The finish reason must name the form of the call: `tool_calls`, or the deprecated `function_call`.",
    why="Clients look for the call in the field that the finish reason names, and do not find it.",
)
row(
    "chat-id-unexpected",
    "OAC-R-039",
    within("response | events /first", matches("/id", r"(?!msg_|resp_).*", "the id of a Chat reply")),
    why="A gateway passed on the id of another API: logs and tools find the reply under the wrong one.",
)
