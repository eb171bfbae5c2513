# ruff: noqa: E501 - a table is read row by row, and a row is one line
"""The rows of the table, each with the line of the wire catalogue (WIRE, section 11) that it carries out.

`FACTS` are looked up by their id by whoever has found the fact (a stop reason that is another); of `PLACES` the first
row that fits a place of a body or a header decides. Both are generic: a row names fields, never a dialect and never a
scenario.
"""

from __future__ import annotations

from conformance.diff.difference import Grade
from conformance.diff.table import Row, Where
from conformance.model.registry import contract_headers

NOISE, REVIEW, CHANGE = Grade.NOISE, Grade.REVIEW, Grade.CHANGE

_VARY = "WIRE 11.1"
_SOFT = "WIRE 11.2"
_HARD = "WIRE 11.3"

# fmt: off
_FACTS = (
    # The run and its exchanges.
    Row("cassette-gone", CHANGE, f"{_HARD} error instead of success", "the cassette is not in the new recordings"),
    Row("cassette-new", REVIEW, f"{_SOFT} number of turns differs", "the cassette is not in the old recordings"),
    Row("exchange-gone", REVIEW, f"{_SOFT} number of turns for the same goal differs", "the run had {old} {what} exchanges, has {new}"),
    Row("calls-of-turns", CHANGE, f"{_HARD} count of calls in a turn", "the same {count} calls came as {old} in one turn, come as {new}"),
    Row("status", CHANGE, f"{_HARD} error instead of success; HTTP status", "status was {old}, is {new}"),
    Row("error-appears", CHANGE, f"{_HARD} error instead of success; HTTP status", "the answer was a success ({old}), is an error ({new})"),
    Row("error-disappears", CHANGE, f"{_HARD} error instead of success; HTTP status", "the answer was an error ({old}), is a success ({new})"),
    Row("path", CHANGE, f"{_HARD} API path version", "the request went to {old}, goes to {new}"),
    Row("request-model", NOISE, f"{_VARY} (the recordings say so themselves)", "the model asked for was {old}, is {new}"),
    Row("rule-error", CHANGE, "WIRE 11.4 step 2", "new finding of severity error: {what}"),
    Row("rule-warning", REVIEW, "WIRE 11.4 step 2", "new finding of severity warning: {what}"),
    Row("rule-info", NOISE, "WIRE 11.4 step 2", "new finding of severity info: {what}"),
    Row("rule-mended", NOISE, "WIRE 11.4 step 2", "no longer found: {what}"),
    Row("bytes", NOISE, f"{_VARY} key order, whitespace and escaping", "the same JSON in other bytes"),
    Row("echo", NOISE, "WIRE 11.4 (told where it began)", "carries back what differs in an earlier answer"),
    # The turns.
    Row("turn-count", REVIEW, f"{_SOFT} number of turns differs", "the answer had {old} turns, has {new}"),
    Row("tool-name", CHANGE, f"{_HARD} tool name called", "the tool called was {old}, is {new}"),
    Row("call-gone", CHANGE, f"{_HARD} count of calls in a turn, or a call missing", "the call {what} is gone: the turn had {old}, has {new}"),
    Row("call-new", CHANGE, f"{_HARD} count of calls in a turn, or a call added", "the call {what} is new: the turn had {old}, has {new}"),
    Row("call-order", REVIEW, f"{_SOFT} order of parallel calls differs", "parallel calls come in another order: were {old}, are {new}"),
    Row("call-kind", CHANGE, f"{_HARD} different action", "the call of {what} was of kind {old}, is of kind {new}"),
    Row("argument-gone", CHANGE, f"{_HARD} argument key set", "the argument {what} is gone, was {old}"),
    Row("argument-new", CHANGE, f"{_HARD} argument key set", "the argument {what} is new, is {new}"),
    Row("argument-type", CHANGE, f"{_HARD} argument JSON type", "argument {what} was {old_kind} ({old}), is {new_kind} ({new})"),
    Row("arguments-broken", CHANGE, f"{_HARD} arguments no longer parse", "the arguments of {what} were {old}, are {new}"),
    Row("argument-enum", CHANGE, f"{_HARD} enum or number value outside tolerance", "argument {what} was one of the allowed values, {old}, is another, {new}"),
    Row("argument-value", CHANGE, f"{_HARD} enum or number value outside tolerance", "argument {what} was {old}, is {new}"),
    Row("argument-nudged", REVIEW, f"{_SOFT} numeric argument within tolerance", "argument {what} was {old}, is {new}, which is within the tolerance"),
    Row("argument-text", REVIEW, f"{_SOFT} argument value differs in a free-text string", "argument {what} was {old}, is {new}"),
    Row("argument-folded", NOISE, f"{_SOFT} compare after case and whitespace folding", "argument {what} differs only in case or spacing"),
    Row("number-form", NOISE, f"{_VARY} number form 1 vs 1.0 if schema type is number", "argument {what} was written {old}, is written {new}"),
    Row("integer-form", REVIEW, f"{_VARY} number form 1 vs 1.0 only if schema type is number", "argument {what} is no number with decimals by its schema, was written {old}, is written {new}"),
    Row("argument-spelling", NOISE, f"{_VARY} key order, whitespace and escaping inside argument strings", "the arguments of {what} have the same values, spelled otherwise"),
    Row("text-wording", NOISE, f"{_VARY} text wording", "the text is worded otherwise"),
    Row("text-new", REVIEW, f"{_SOFT} text block appears next to the calls", "text appears beside the calls"),
    Row("text-gone", REVIEW, f"{_SOFT} text block disappears next to the calls", "text disappears beside the calls" ),
    Row("answer-gone", CHANGE, "WIRE 11.4 step 3", "the turn had a text and no calls, has no text"),
    Row("answer-new", CHANGE, "WIRE 11.4 step 3", "the turn had neither text nor calls, has a text"),
    Row("part-order", REVIEW, "WIRE 11.4 step 3", "the turn was {old}, is {new}"),
    Row("reasoning-new", REVIEW, f"{_SOFT} thinking/reasoning item appears", "reasoning appears"),
    Row("reasoning-gone", REVIEW, f"{_SOFT} thinking/reasoning item disappears", "reasoning disappears"),
    Row("sealed-reasoning-new", CHANGE, f"{_HARD} reasoning item presence on tool turns", "sealed reasoning appears beside the calls"),
    Row("sealed-reasoning-gone", CHANGE, f"{_HARD} reasoning item presence on tool turns", "sealed reasoning disappears beside the calls"),
    Row("reasoning-wording", NOISE, f"{_VARY} thinking text", "the reasoning is worded otherwise"),
    Row("signature-gone", CHANGE, f"{_HARD} thoughtSignature / signature presence on tool turns", "the signature on {what} is gone"),
    Row("signature-new", CHANGE, f"{_HARD} thoughtSignature / signature presence on tool turns", "the signature on {what} is new"),
    Row("answer-signature", REVIEW, f"{_SOFT} thinking/reasoning item appears or disappears", "the signature of a turn without calls {what}"),
    Row("signature-value", NOISE, f"{_VARY} signature values", "the signature on {what} is another"),
    Row("part-kind", REVIEW, f"{_SOFT} new unknown field", "the turn held parts {old}, holds {new}"),
    Row("stop-reason", CHANGE, f"{_HARD} stop/finish reason, Responses `status`", "stop reason was {old}, is {new}" ),
    # Ids.
    Row("id-value", NOISE, f"{_VARY} response, message, item, call, event and request ids", "{what} is another, of the same scheme"),
    Row("id-scheme", REVIEW, f"{_SOFT} id prefix or length changed", "{what} had the scheme {old}, has the scheme {new}"),
    Row("id-presence", REVIEW, f"{_SOFT} optional field vanished that no rule requires", "{what} was {old}, is {new}"),
    Row("id-graph", CHANGE, f"{_HARD} id reference graph broken", "{what} referred to {old}, refers to {new}"),
    Row("id-repeated", CHANGE, f"{_HARD} id repeated per fragment", "the id of a call comes with every fragment"),
    Row("id-once", REVIEW, f"{_HARD} id repeated per fragment", "the id of a call comes with its first fragment only"),
    # Streams.
    Row("streamed", CHANGE, f"{_HARD} contract switch", "the answer was {old}, is {new}"),
    Row("piece-count", NOISE, f"{_VARY} number of deltas, role chunk separate or merged", "the stream has {new} pieces where it had {old}"),
    Row("ping-count", NOISE, f"{_VARY} pings", "the stream has {new} pings where it had {old}"),
    Row("event-new", REVIEW, f"{_SOFT} new stream event type", "the stream has events of a new type, {what}"),
    Row("event-gone", REVIEW, f"{_SOFT} optional field vanished that no rule requires", "the stream has no events of the type {what} any more"),
    Row("event-order", CHANGE, f"{_HARD} stream: event order", "the events come in another order: {old} became {new}"),
    Row("terminator", CHANGE, f"{_HARD} stream: missing terminator", "the stream ended with {old}, ends with {new}" ),
    Row("stream-cut", CHANGE, f"{_HARD} stream: missing terminator", "the last event {what}"),
    Row("stop-alone", REVIEW, "WIRE 11.3 stream: event order; BUGS G06", "the stop reason came {old}, comes {new}"),
)
# fmt: on
FACTS = {row.id: row for row in _FACTS}

_IDS = ("**/id", "**/*_id", "**/*Id", "**/item_reference")
_WORDING = (
    "**/text",
    "**/content",
    "**/thinking",
    "**/delta",
    "**/message",
    "**/refusal",
    "**/reasoning",
    "**/reasoning_content",
    "**/summary/**",
    "**/finishMessage",
    "**/partial_json",
    "**/output",
    "**/status_message",
)
_TOLD = (
    "**/arguments",
    "**/arguments/**",
    "**/args",
    "**/args/**",
    "**/input",
    "**/input/**",
    "**/name",
    "**/finish_reason",
    "**/finishReason",
    "**/stop_reason",
    "/status",
    "/response/status",
)
_ECHO = tuple(
    f"{base}/{name}{rest}"
    for base in ("", "/response")
    for name in (
        "tools",
        "tool_choice",
        "parallel_tool_calls",
        "instructions",
        "temperature",
        "top_p",
        "top_logprobs",
        "max_output_tokens",
        "max_tool_calls",
        "frequency_penalty",
        "presence_penalty",
        "reasoning",
        "truncation",
        "store",
        "metadata",
        "background",
        "text",
    )
    for rest in ("", "/**")
)
_SEALS = ("**/encrypted_content", "**/signature", "**/thoughtSignature", "**/thought_signature", "**/data")
_USAGE = ("**/usage", "**/usageMetadata")
_COUNTS = ("**/usage/**", "**/usageMetadata/**")
_NUMBERING = ("**/index", "**/output_index", "**/content_index", "**/summary_index")
_HEADERS_OF_TRANSPORT = tuple(
    f"/{name}"
    for name in (
        "date",
        "content-length",
        "transfer-encoding",
        "content-encoding",
        "connection",
        "keep-alive",
        "accept-encoding",
        "host",
        "user-agent",
        "x-stainless-*",
        "x-goog-api-client",
        "server",
        "server-timing",
        "via",
        "alt-svc",
        "vary",
        "cf-*",
        "x-cache*",
        "age",
        "set-cookie",
        "cookie",
        "strict-transport-security",
        "traceparent",
        "traceresponse",
        "idempotency-key",
    )
)
_HEADERS_OF_LIMITS = ("/x-ratelimit-*", "/anthropic-ratelimit-*", "/ratelimit-*", "/*-processing-ms", "/x-envoy-*")
_HEADERS_OF_IDS = ("/x-request-id", "/request-id", "/*-request-id", "/mcp-session-id")
_CONTRACT_HEADERS = tuple(f"/{name}" for name in contract_headers())
_CREDENTIALS = ("/authorization", "/x-api-key", "/api-key", "/x-goog-api-key")

# fmt: off
PLACES: tuple[Row, ...] = (
    # Headers.
    Row("retry-after", CHANGE, f"{_HARD} missing retry-after", "the header {what} is gone", ("/retry-after",), ("gone",), part="header", ok=False),
    Row("header-noise", NOISE, f"{_VARY} Date header", "the value of the header {what} differs", _HEADERS_OF_TRANSPORT, part="header"),
    Row("header-limits", NOISE, f"{_VARY} rate-limit headers", "the value of the header {what} differs", _HEADERS_OF_LIMITS, part="header"),
    Row("header-ids", NOISE, f"{_VARY} request ids", "the value of the header {what} differs", _HEADERS_OF_IDS, part="header"),
    Row("media-type", CHANGE, f"{_HARD} parser", "the media type was {old}, is {new}", ("/content-type",), part="header"),
    Row("contract-header", CHANGE, f"{_HARD} anthropic-version, mcp-protocol-version", "the header {what} was {old}, is {new}", _CONTRACT_HEADERS, part="header"),
    Row("credential", CHANGE, f"{_HARD} header set of auth", "the credential {what} was {old}, is {new}", _CREDENTIALS, ("gone", "new"), part="header"),
    Row("credential-value", NOISE, f"{_VARY} (never compared)", "the credential {what} is another", _CREDENTIALS, part="header"),
    Row("header-gone", REVIEW, f"{_SOFT} header set changed", "the header {what} is gone", ("/*",), ("gone",), part="header"),
    Row("header-new", REVIEW, f"{_SOFT} header set changed", "the header {what} is new", ("/*",), ("new",), part="header"),
    Row("accept", REVIEW, f"{_SOFT} header set changed", "the header {what} was {old}, is {new}", ("/accept",), side="request", part="header"),
    Row("header-value", NOISE, f"{_SOFT} header set changed (the set, not the values)", "the value of the header {what} differs", ("/*",), part="header"),
    # The query of the URL.
    Row("query-key", NOISE, f"{_VARY} (never compared)", "the query's key is another", ("/key",), ("value",), part="query"),
    Row("query", CHANGE, f"{_HARD} contract switch", "the query parameter {what} was {old}, is {new}", ("/*",), part="query"),
    # Requests.
    Row("request-tools", CHANGE, f"{_HARD} request side: emitted tool schema", "the request's {what} was {old}, is {new}", ("/tools", "/tools/**", "/functions/**"), side="request"),
    Row("request-choice", CHANGE, f"{_HARD} request side: tool_choice", "the request's {what} was {old}, is {new}", ("/tool_choice", "/tool_choice/**", "/toolConfig/**", "/tool_config/**", "/parallel_tool_calls"), side="request"),
    Row("request-role", CHANGE, f"{_HARD} request side: role order", "the request's {what} was {old}, is {new}", ("**/role",), side="request"),
    Row("request-prompt", CHANGE, f"{_HARD} request side: emitted tool schema, role order", "the prompt was {old}, is {new}", ("/prompt",), side="request"),
    Row("request-model", REVIEW, f"{_VARY} model snapshot when an alias was requested", "the model asked for was {old}, is {new}", ("/model",), side="request"),
    Row("request-stream", CHANGE, f"{_HARD} contract switch", "the request's {what} was {old}, is {new}", ("/stream",), side="request"),
    Row("seal-gone", CHANGE, f"{_HARD} thoughtSignature / signature presence", "the request's {what} is gone", _SEALS, ("gone",), side="request"),
    Row("seal-value", NOISE, f"{_VARY} signature values", "the request's {what} is another", _SEALS, ("value",), side="request"),
    Row("id", NOISE, f"{_VARY} ids", "", _IDS, ("value", "type"), side="request"),
    Row("request-type", CHANGE, f"{_HARD} a field changes JSON type", "the request's {what} was {old_kind} ({old}), is {new_kind} ({new})", ("**",), ("type",), side="request"),
    Row("request-gone", REVIEW, f"{_SOFT} optional field vanished", "the request's {what} is gone, was {old}", ("**",), ("gone",), side="request"),
    Row("request-new", REVIEW, f"{_SOFT} new unknown field", "the request's {what} is new, is {new}", ("**",), ("new",), side="request"),
    Row("request-value", REVIEW, f"{_HARD} request side: our own client changed", "the request's {what} was {old}, is {new}", ("**",), side="request"),
    # Refusals.
    Row("error-wording", NOISE, f"{_VARY} text wording", "the text is worded otherwise", _WORDING, ("value",), ok=False),
    Row("error-id", NOISE, f"{_VARY} request ids", "", _IDS, ("value",), ok=False),
    Row("error-kind", CHANGE, f"{_HARD} error type/code/param", "the error's {what} was {old}, is {new}", ("**",), ("value",), ok=False),
    Row("error-gone", CHANGE, f"{_HARD} error body shape", "the error's field {what} is gone", ("**",), ("gone",), ok=False),
    Row("error-new", CHANGE, f"{_HARD} error body shape", "the error's field {what} is new", ("**",), ("new",), ok=False),
    Row("error-type", CHANGE, f"{_HARD} error body shape", "the error's field {what} was {old_kind} ({old}), is {new_kind} ({new})", ("**",), ok=False),
    # What the turn has told already.
    Row("told", NOISE, "WIRE 11.4 steps 3 to 5", "", _TOLD, ("value",), told=True),
    Row("told-arguments", NOISE, "WIRE 11.4 step 4", "", ("**/arguments/**", "**/args/**", "**/input/**"), ("gone", "new", "type", "null"), told=True),
    Row("summary", NOISE, f"{_VARY} reasoning summaries", "the reasoning is worded otherwise", ("**/summary/*",), ("gone", "new")),
    Row("pieces", NOISE, f"{_VARY} text wording, number of deltas", "", _WORDING, ("value",), streamed=True, told=True),
    # Answers: what may vary.
    Row("time", NOISE, f"{_VARY} created, created_at, completed_at, createTime", "the time {what} is another", ("**/created", "**/created_at", "**/completed_at", "**/createTime"), ("value", "null", "gone", "new")),
    Row("fingerprint", NOISE, f"{_VARY} system_fingerprint value, or null/absent", "the backend's fingerprint differs", ("**/system_fingerprint",), ("value", "null", "gone", "new")),
    Row("padding", NOISE, f"{_VARY} obfuscation", "the padding of the events differs", ("**/obfuscation",)),
    Row("tier", NOISE, f"{_VARY} service_tier, serviceTier, trafficType, inference_geo, speed values", "the service tier {what} differs", ("**/service_tier", "**/serviceTier", "**/trafficType", "**/inference_geo", "**/speed"), ("value", "null")),
    Row("logprobs", NOISE, f"{_VARY} avgLogprobs, logprobs values", "log probabilities differ", ("**/logprobs", "**/logprobs/**", "**/avgLogprobs", "**/logprobsResult/**"), ("value", "null")),
    Row("counters", NOISE, f"{_VARY} token counts, cache counters", "other token counts are told of, {what}", ("**/usageMetadata/*TokenCount", "**/usageMetadata/*TokensDetails", "**/usageMetadata/*TokensDetails/**"), ("gone", "new")),
    Row("counts", NOISE, f"{_VARY} token counts, cache counters", "token counts differ", _COUNTS, ("value", "null")),
    Row("settings", NOISE, f"{_VARY} echo of request settings in Responses", "the echo of the request's settings differs in {what}", _ECHO),
    Row("seal", NOISE, f"{_VARY} signature values (presence matters)", "the signature {what} is another", _SEALS, ("value",)),
    Row("seal-told", NOISE, f"{_HARD} signature presence", "", _SEALS[:4], ("gone", "new", "null"), told=True),
    Row("sequence", NOISE, f"{_VARY} number of deltas", "the events are numbered otherwise", ("**/sequence_number",), ("value",)),
    Row("id", NOISE, f"{_VARY} ids", "", _IDS, ("value",)),
    Row("model", REVIEW, f"{_VARY} model snapshot suffix", "the model that answers was {old}, is {new}", ("**/model", "**/modelVersion"), ("value",)),
    Row("wording", NOISE, f"{_VARY} text wording, thinking text, reasoning summaries, finishMessage", "the text is worded otherwise", _WORDING, ("value",)),
    # Answers: what somebody should see.
    Row("usage-gone-from-stream", CHANGE, f"{_HARD} stream: usage chunk gone", "the token counts are gone from the stream", _USAGE, ("gone", "null"), streamed=True),
    Row("usage-gone", REVIEW, f"{_SOFT} optional field vanished that no rule requires", "the token counts are gone", _USAGE, ("gone", "null")),
    Row("content-empty", REVIEW, f"{_SOFT} content null versus an empty text", "the field {what} was {old}, is {new}", ("**/content",), ("null", "gone", "new")),
    Row("finish-message", REVIEW, f"{_SOFT} finishMessage appears", "the field {what} is {new}", ("**/finishMessage",), ("new", "gone")),
    Row("field-gone", REVIEW, f"{_SOFT} optional field vanished that no rule requires", "the field {what} is gone", ("**",), ("gone",)),
    Row("field-new", REVIEW, f"{_SOFT} new unknown top-level or usage field", "the field {what} is new", ("**",), ("new",)),
    Row("field-null", REVIEW, f"{_SOFT} optional field vanished that no rule requires", "the field {what} was {old}, is {new}", ("**",), ("null",)),
    # Answers: what breaks a reader.
    Row("field-type", CHANGE, f"{_HARD} a field changes JSON type", "the field {what} was {old_kind} ({old}), is {new_kind} ({new})", ("**",), ("type",)),
    Row("numbering", CHANGE, f"{_HARD} stream: new index scheme", "the numbering {what} was {old}, is {new}", _NUMBERING, ("value",)),
    Row("discriminator", CHANGE, f"{_HARD} parser", "the field {what} was {old}, is {new}", ("**/type", "**/object", "**/role", "**/status"), ("value",)),
    Row("field-value", REVIEW, "WIRE 11.4 step 7", "the field {what} was {old}, is {new}", ("**",)),
)
# fmt: on
"""In order: the first row that fits decides."""


def place_row(where: Where) -> Row:
    """The row that grades a place; the last rows fit everything."""
    return next(row for row in PLACES if row.fits(where))
