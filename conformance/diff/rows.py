# ruff: noqa: E501 - a table is read row by row, and a row is one line
"""The rows of the table, each with the number of the statement in `docs/contract/diff.md` that it implements.

`FACTS` are looked up by their id by the code that found the fact (a different stop reason); of `PLACES` the first
row that fits a place of a body or a header decides. Both are generic: a row names fields, never a dialect and never a
scenario.
"""

from __future__ import annotations

from conformance.diff.difference import Grade
from conformance.diff.row import Row, Where
from conformance.model.registry import contract_headers

NOISE, REVIEW, CHANGE = Grade.NOISE, Grade.REVIEW, Grade.CHANGE

# fmt: off
_FACTS = (
    # The run and its exchanges.
    Row("cassette-gone", CHANGE, "11.3.9", "the cassette is not in the new recordings"),
    Row("cassette-new", REVIEW, "11.2.5", "the cassette is not in the old recordings"),
    Row("exchange-gone", REVIEW, "11.2.5", "the run had {old} {what} exchanges, now {new}"),
    Row("calls-of-turns", CHANGE, "11.3.2", "the same {count} calls came as {old} in one turn, now as {new}"),
    Row("status", CHANGE, "11.3.9", "status changed from {old} to {new}"),
    Row("error-appears", CHANGE, "11.3.9", "the response was a success ({old}) and is now an error ({new})"),
    Row("error-disappears", CHANGE, "11.3.9", "the response was an error ({old}) and is now a success ({new})"),
    Row("path", CHANGE, "11.3.13", "the request path changed from {old} to {new}"),
    Row("model-snapshot", NOISE, "11.1.12", "the model's name changed only in its date, from {old} to {new}"),
    Row("request-model", NOISE, "11.1.17", "the requested model changed from {old} to {new}"),
    Row("rule-error", CHANGE, "11.3.14", "new finding of severity error: {what}: {message}"),
    Row("rule-warning", REVIEW, "11.2.18", "new finding of severity warning: {what}: {message}"),
    Row("rule-info", NOISE, "11.1.18", "new finding of severity info: {what}: {message}"),
    Row("rule-mended", NOISE, "11.1.18", "fixed finding: {what}"),
    Row("bytes", NOISE, "11.1.9", "the same JSON, serialised differently"),
    Row("echo", NOISE, "11.1.19", "repeats a difference of an earlier response"),
    # The turns.
    Row("turn-count", REVIEW, "11.2.5", "the number of turns in the response changed from {old} to {new}"),
    Row("tool-name", CHANGE, "11.3.1", "the called tool changed from {old} to {new}"),
    Row("call-gone", CHANGE, "11.3.2", "call {what} is missing; the turn had {old}, now {new}"),
    Row("call-new", CHANGE, "11.3.2", "call {what} is new; the turn had {old}, now {new}"),
    Row("call-order", REVIEW, "11.2.7", "the order of parallel calls changed from {old} to {new}"),
    Row("call-kind", CHANGE, "11.3.1", "the kind of the call of {what} changed from {old} to {new}"),
    Row("argument-gone", CHANGE, "11.3.4", "argument {what} is missing, was {old}"),
    Row("argument-new", CHANGE, "11.3.4", "argument {what} is new, with value {new}"),
    Row("argument-type", CHANGE, "11.3.4", "argument {what} changed from {old_kind} ({old}) to {new_kind} ({new})"),
    Row("arguments-broken", CHANGE, "11.3.10", "the arguments of {what} changed from {old} to {new}"),
    Row("argument-enum", CHANGE, "11.3.5", "argument {what} changed from one allowed value, {old}, to another, {new}"),
    Row("argument-value", CHANGE, "11.3.5", "argument {what} changed from {old} to {new}"),
    Row("argument-nudged", REVIEW, "11.2.8", "argument {what} changed from {old} to {new}, within the tolerance"),
    Row("argument-text", REVIEW, "11.2.6", "argument {what} changed from {old} to {new}"),
    Row("argument-folded", NOISE, "11.1.15", "argument {what} differs only in case or spacing"),
    Row("number-form", NOISE, "11.1.9", "argument {what} was written as {old}, now as {new}"),
    Row("integer-form", REVIEW, "11.2.14", "argument {what}, an integer by its schema, was written as {old}, now as {new}"),
    Row("argument-spelling", NOISE, "11.1.9", "the arguments of {what} have the same values in different JSON text"),
    Row("text-wording", NOISE, "11.1.8", "the wording of the text changed"),
    Row("text-new", REVIEW, "11.2.3", "the turn with calls now has text"),
    Row("text-gone", REVIEW, "11.2.3", "the turn with calls no longer has text" ),
    Row("answer-gone", CHANGE, "11.3.15", "the turn had text and no calls, now it has no text"),
    Row("answer-new", CHANGE, "11.3.15", "the turn had neither text nor calls, now it has text"),
    Row("part-order", REVIEW, "11.2.19", "the order of the turn's parts changed from {old} to {new}"),
    Row("reasoning-new", REVIEW, "11.2.4", "the turn now has reasoning"),
    Row("reasoning-gone", REVIEW, "11.2.4", "the turn no longer has reasoning"),
    Row("sealed-reasoning-new", CHANGE, "11.3.11", "the turn with calls now has encrypted reasoning"),
    Row("sealed-reasoning-gone", CHANGE, "11.3.11", "the turn with calls no longer has encrypted reasoning"),
    Row("reasoning-wording", NOISE, "11.1.8", "the wording of the reasoning changed"),
    Row("signature-gone", CHANGE, "11.3.11", "the signature on {what} is missing"),
    Row("signature-new", CHANGE, "11.3.11", "the signature on {what} is new"),
    Row("answer-signature", REVIEW, "11.2.4", "the signature of a turn without calls {what}"),
    Row("signature-value", NOISE, "11.1.6", "the signature on {what} has a new value"),
    Row("part-kind", REVIEW, "11.2.1", "the turn's parts changed from {old} to {new}"),
    Row("stop-reason", CHANGE, "11.3.6", "the stop reason changed from {old} to {new}" ),
    Row("field-renamed", REVIEW, "11.2.2", "field {what} became {new}"),
    Row("request-renamed", REVIEW, "11.2.2", "request field {what} became {new}"),
    # Ids.
    Row("id-value", NOISE, "11.1.1", "{what} has a new value in the same scheme"),
    Row("id-scheme", REVIEW, "11.2.10", "the scheme of {what} changed from {old} to {new}"),
    Row("id-presence", REVIEW, "11.2.2", "{what} changed from {old} to {new}"),
    Row("id-graph", CHANGE, "11.3.8", "{what} referred to {old}, now to {new}"),
    Row("id-repeated", CHANGE, "11.3.10", "every fragment of a call now repeats its id"),
    Row("id-once", REVIEW, "11.2.16", "only the first fragment of a call now has its id"),
    # Streams.
    Row("streamed", CHANGE, "11.3.13", "the response was {old}, now it is {new}"),
    Row("piece-count", NOISE, "11.1.10", "the number of pieces in the stream changed from {old} to {new}"),
    Row("ping-count", NOISE, "11.1.10", "the number of pings in the stream changed from {old} to {new}"),
    Row("event-new", REVIEW, "11.2.13", "the stream has a new event type, {what}"),
    Row("event-gone", REVIEW, "11.2.2", "the stream no longer has events of type {what}"),
    Row("event-order", CHANGE, "11.3.10", "the order of the events changed from {old} to {new}"),
    Row("terminator", CHANGE, "11.3.10", "the stream ended with {old}, now with {new}" ),
    Row("stream-cut", CHANGE, "11.3.10", "the last event {what}"),
    Row("stop-alone", REVIEW, "11.2.17", "the stop reason came {old}, now {new}"),
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
_IN_TURN = (
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
_MEASURED = (
    "**/timings/**",
    "**/timing/**",
    "**/time_info/**",
    "**/*_ms",
    "**/*_duration",
    "**/*_per_second",
    "**/*_time",
    "**/*latency*",
    "**/*Latency*",
)
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
    Row("retry-after", CHANGE, "11.3.9", "header {what} is missing", ("/retry-after",), ("gone",), part="header", ok=False),
    Row("header-noise", NOISE, "11.1.2", "the value of header {what} differs", _HEADERS_OF_TRANSPORT, part="header"),
    Row("header-limits", NOISE, "11.1.7", "the value of header {what} differs", _HEADERS_OF_LIMITS, part="header"),
    Row("header-ids", NOISE, "11.1.1", "the value of header {what} differs", _HEADERS_OF_IDS, part="header"),
    Row("media-type", CHANGE, "11.3.7", "the media type changed from {old} to {new}", ("/content-type",), part="header"),
    Row("contract-header", CHANGE, "11.3.13", "header {what} changed from {old} to {new}", _CONTRACT_HEADERS, part="header"),
    Row("credential", CHANGE, "11.3.12", "credential {what} changed from {old} to {new}", _CREDENTIALS, ("gone", "new"), part="header"),
    Row("credential-value", NOISE, "11.1.14", "credential {what} has a new value", _CREDENTIALS, part="header"),
    Row("header-gone", REVIEW, "11.2.12", "header {what} is missing", ("/*",), ("gone",), part="header"),
    Row("header-new", REVIEW, "11.2.12", "header {what} is new", ("/*",), ("new",), part="header"),
    Row("accept", REVIEW, "11.2.12", "header {what} changed from {old} to {new}", ("/accept",), side="request", part="header"),
    Row("header-value", NOISE, "11.1.16", "the value of header {what} differs", ("/*",), part="header"),
    # The query of the URL.
    Row("query-key", NOISE, "11.1.14", "query parameter key has a new value", ("/key",), ("value",), part="query"),
    Row("query", CHANGE, "11.3.13", "query parameter {what} changed from {old} to {new}", ("/*",), part="query"),
    # Requests.
    Row("request-tools", CHANGE, "11.3.12", "request field {what} changed from {old} to {new}", ("/tools", "/tools/**", "/functions/**"), side="request"),
    Row("request-choice", CHANGE, "11.3.12", "request field {what} changed from {old} to {new}", ("/tool_choice", "/tool_choice/**", "/toolConfig/**", "/tool_config/**", "/parallel_tool_calls"), side="request"),
    Row("request-role", CHANGE, "11.3.12", "request field {what} changed from {old} to {new}", ("**/role",), side="request"),
    Row("request-prompt", CHANGE, "11.3.12", "the prompt changed from {old} to {new}", ("/prompt",), side="request"),
    Row("request-model", REVIEW, "11.2.15", "the requested model changed from {old} to {new}", ("/model",), side="request"),
    Row("request-stream", CHANGE, "11.3.13", "request field {what} changed from {old} to {new}", ("/stream",), side="request"),
    Row("seal-gone", CHANGE, "11.3.11", "request field {what} is missing", _SEALS, ("gone",), side="request"),
    Row("seal-value", NOISE, "11.1.6", "request field {what} has a new value", _SEALS, ("value",), side="request"),
    Row("id", NOISE, "11.1.1", "", _IDS, ("value", "type"), side="request"),
    Row("request-type", CHANGE, "11.3.7", "request field {what} changed from {old_kind} ({old}) to {new_kind} ({new})", ("**",), ("type",), side="request"),
    Row("request-gone", REVIEW, "11.2.2", "request field {what} is missing, was {old}", ("**",), ("gone",), side="request"),
    Row("request-new", REVIEW, "11.2.1", "request field {what} is new, with value {new}", ("**",), ("new",), side="request"),
    Row("request-value", REVIEW, "11.2.20", "request field {what} changed from {old} to {new}", ("**",), side="request"),
    # Refusals.
    Row("error-wording", NOISE, "11.1.8", "the wording of the text changed", _WORDING, ("value",), ok=False),
    Row("error-id", NOISE, "11.1.1", "", _IDS, ("value",), ok=False),
    Row("error-kind", CHANGE, "11.3.9", "error field {what} changed from {old} to {new}", ("**",), ("value",), ok=False),
    Row("error-gone", CHANGE, "11.3.9", "error field {what} is missing", ("**",), ("gone",), ok=False),
    Row("error-new", CHANGE, "11.3.9", "error field {what} is new", ("**",), ("new",), ok=False),
    Row("error-type", CHANGE, "11.3.9", "error field {what} changed from {old_kind} ({old}) to {new_kind} ({new})", ("**",), ok=False),
    # What the comparison of the turns covers.
    Row("in-turn", NOISE, "11.1.19", "", _IN_TURN, ("value",), is_covered=True),
    Row("in-turn-arguments", NOISE, "11.1.19", "", ("**/arguments/**", "**/args/**", "**/input/**"), ("gone", "new", "type", "null"), is_covered=True),
    Row("summary", NOISE, "11.1.8", "the wording of the reasoning changed", ("**/summary/*",), ("gone", "new")),
    Row("pieces", NOISE, "11.1.10", "", _WORDING, ("value",), streamed=True, is_covered=True),
    # Answers: what may vary.
    Row("time", NOISE, "11.1.2", "time {what} differs", ("**/created", "**/created_at", "**/completed_at", "**/createTime"), ("value", "null", "gone", "new")),
    Row("fingerprint", NOISE, "11.1.3", "the backend fingerprint differs", ("**/system_fingerprint",), ("value", "null", "gone", "new")),
    Row("padding", NOISE, "11.1.4", "the padding of events differs", ("**/obfuscation",)),
    Row("tier", NOISE, "11.1.5", "service tier {what} differs", ("**/service_tier", "**/serviceTier", "**/trafficType", "**/inference_geo", "**/speed"), ("value", "null")),
    Row("logprobs", NOISE, "11.1.11", "log probabilities differ", ("**/logprobs", "**/logprobs/**", "**/avgLogprobs", "**/logprobsResult/**"), ("value", "null")),
    Row("counters", NOISE, "11.1.7", "the usage reports different token counts: {what}", ("**/usageMetadata/*TokenCount", "**/usageMetadata/*TokensDetails", "**/usageMetadata/*TokensDetails/**"), ("gone", "new")),
    Row("counts", NOISE, "11.1.7", "token counts differ", _COUNTS, ("value", "null")),
    Row("settings", NOISE, "11.1.13", "the echoed request setting {what} differs", _ECHO),
    Row("measured", NOISE, "11.1.20", "measured number {what} differs", _MEASURED, ("value",)),
    Row("seal", NOISE, "11.1.6", "signature {what} has a new value", _SEALS, ("value",)),
    Row("seal-in-turn", NOISE, "11.1.6", "", _SEALS[:4], ("gone", "new", "null"), is_covered=True),
    Row("sequence", NOISE, "11.1.10", "the numbering of events differs", ("**/sequence_number",), ("value",)),
    Row("id", NOISE, "11.1.1", "", _IDS, ("value",)),
    Row("model", REVIEW, "11.2.15", "the responding model changed from {old} to {new}", ("**/model", "**/modelVersion"), ("value",)),
    Row("wording", NOISE, "11.1.8", "the wording of the text changed", _WORDING, ("value",)),
    # Answers: differences to review.
    Row("usage-gone-from-stream", CHANGE, "11.3.10", "token counts are missing from the stream", _USAGE, ("gone", "null"), streamed=True),
    Row("usage-gone", REVIEW, "11.2.2", "token counts are missing", _USAGE, ("gone", "null")),
    Row("content-empty", REVIEW, "11.2.9", "field {what} changed from {old} to {new}", ("**/content",), ("null", "gone", "new")),
    Row("finish-message", REVIEW, "11.2.11", "field {what} is now {new}", ("**/finishMessage",), ("new", "gone")),
    Row("field-gone", REVIEW, "11.2.2", "field {what} is missing", ("**",), ("gone",)),
    Row("field-new", REVIEW, "11.2.1", "field {what} is new", ("**",), ("new",)),
    Row("field-null", REVIEW, "11.2.2", "field {what} changed from {old} to {new}", ("**",), ("null",)),
    # Answers: what breaks a reader.
    Row("field-type", CHANGE, "11.3.7", "field {what} changed from {old_kind} ({old}) to {new_kind} ({new})", ("**",), ("type",)),
    Row("numbering", CHANGE, "11.3.10", "index {what} changed from {old} to {new}", _NUMBERING, ("value",)),
    Row("discriminator", CHANGE, "11.3.7", "field {what} changed from {old} to {new}", ("**/type", "**/object", "**/role", "**/status"), ("value",)),
    Row("field-value", REVIEW, "11.2.21", "field {what} changed from {old} to {new}", ("**",)),
)
# fmt: on
"""In order: the first row that fits decides."""


def place_row(where: Where) -> Row:
    """The row that grades a place; the last rows fit everything."""
    return next(row for row in PLACES if row.fits(where))
