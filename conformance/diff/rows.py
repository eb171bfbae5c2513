# ruff: noqa: E501 - a table is read row by row, and a row is one line
"""The rows of the table, each with the number of the statement in `docs/contract/diff.md` that it carries out.

`FACTS` are looked up by their id by whoever has found the fact (a stop reason that is another); of `PLACES` the first
row that fits a place of a body or a header decides. Both are generic: a row names fields, never a dialect and never a
scenario.
"""

from __future__ import annotations

from conformance.diff.difference import Grade
from conformance.diff.table import Row, Where
from conformance.model.registry import contract_headers

NOISE, REVIEW, CHANGE = Grade.NOISE, Grade.REVIEW, Grade.CHANGE

# fmt: off
_FACTS = (
    # The run and its exchanges.
    Row("cassette-gone", CHANGE, "11.3.9", "the cassette is not in the new recordings"),
    Row("cassette-new", REVIEW, "11.2.5", "the cassette is not in the old recordings"),
    Row("exchange-gone", REVIEW, "11.2.5", "the run had {old} {what} exchanges, has {new}"),
    Row("calls-of-turns", CHANGE, "11.3.2", "the same {count} calls came as {old} in one turn, come as {new}"),
    Row("status", CHANGE, "11.3.9", "status was {old}, is {new}"),
    Row("error-appears", CHANGE, "11.3.9", "the answer was a success ({old}), is an error ({new})"),
    Row("error-disappears", CHANGE, "11.3.9", "the answer was an error ({old}), is a success ({new})"),
    Row("path", CHANGE, "11.3.13", "the request went to {old}, goes to {new}"),
    Row("model-snapshot", NOISE, "11.1.12", "the model's name differs only in its date: was {old}, is {new}"),
    Row("request-model", NOISE, "11.1.17", "the model asked for was {old}, is {new}"),
    Row("rule-error", CHANGE, "11.3.14", "new finding of severity error: {what}"),
    Row("rule-warning", REVIEW, "11.2.18", "new finding of severity warning: {what}"),
    Row("rule-info", NOISE, "11.1.18", "new finding of severity info: {what}"),
    Row("rule-mended", NOISE, "11.1.18", "no longer found: {what}"),
    Row("bytes", NOISE, "11.1.9", "the same JSON in other bytes"),
    Row("echo", NOISE, "11.1.19", "carries back what differs in an earlier answer"),
    # The turns.
    Row("turn-count", REVIEW, "11.2.5", "the answer had {old} turns, has {new}"),
    Row("tool-name", CHANGE, "11.3.1", "the tool called was {old}, is {new}"),
    Row("call-gone", CHANGE, "11.3.2", "the call {what} is gone: the turn had {old}, has {new}"),
    Row("call-new", CHANGE, "11.3.2", "the call {what} is new: the turn had {old}, has {new}"),
    Row("call-order", REVIEW, "11.2.7", "parallel calls come in another order: were {old}, are {new}"),
    Row("call-kind", CHANGE, "11.3.1", "the call of {what} was of kind {old}, is of kind {new}"),
    Row("argument-gone", CHANGE, "11.3.4", "the argument {what} is gone, was {old}"),
    Row("argument-new", CHANGE, "11.3.4", "the argument {what} is new, is {new}"),
    Row("argument-type", CHANGE, "11.3.4", "argument {what} was {old_kind} ({old}), is {new_kind} ({new})"),
    Row("arguments-broken", CHANGE, "11.3.10", "the arguments of {what} were {old}, are {new}"),
    Row("argument-enum", CHANGE, "11.3.5", "argument {what} was one of the allowed values, {old}, is another, {new}"),
    Row("argument-value", CHANGE, "11.3.5", "argument {what} was {old}, is {new}"),
    Row("argument-nudged", REVIEW, "11.2.8", "argument {what} was {old}, is {new}, which is within the tolerance"),
    Row("argument-text", REVIEW, "11.2.6", "argument {what} was {old}, is {new}"),
    Row("argument-folded", NOISE, "11.1.15", "argument {what} differs only in case or spacing"),
    Row("number-form", NOISE, "11.1.9", "argument {what} was written {old}, is written {new}"),
    Row("integer-form", REVIEW, "11.2.14", "argument {what} is no number with decimals by its schema, was written {old}, is written {new}"),
    Row("argument-spelling", NOISE, "11.1.9", "the arguments of {what} have the same values, spelled otherwise"),
    Row("text-wording", NOISE, "11.1.8", "the text is worded otherwise"),
    Row("text-new", REVIEW, "11.2.3", "text appears beside the calls"),
    Row("text-gone", REVIEW, "11.2.3", "text disappears beside the calls" ),
    Row("answer-gone", CHANGE, "11.3.15", "the turn had a text and no calls, has no text"),
    Row("answer-new", CHANGE, "11.3.15", "the turn had neither text nor calls, has a text"),
    Row("part-order", REVIEW, "11.2.19", "the turn was {old}, is {new}"),
    Row("reasoning-new", REVIEW, "11.2.4", "reasoning appears"),
    Row("reasoning-gone", REVIEW, "11.2.4", "reasoning disappears"),
    Row("sealed-reasoning-new", CHANGE, "11.3.11", "sealed reasoning appears beside the calls"),
    Row("sealed-reasoning-gone", CHANGE, "11.3.11", "sealed reasoning disappears beside the calls"),
    Row("reasoning-wording", NOISE, "11.1.8", "the reasoning is worded otherwise"),
    Row("signature-gone", CHANGE, "11.3.11", "the signature on {what} is gone"),
    Row("signature-new", CHANGE, "11.3.11", "the signature on {what} is new"),
    Row("answer-signature", REVIEW, "11.2.4", "the signature of a turn without calls {what}"),
    Row("signature-value", NOISE, "11.1.6", "the signature on {what} is another"),
    Row("part-kind", REVIEW, "11.2.1", "the turn held parts {old}, holds {new}"),
    Row("stop-reason", CHANGE, "11.3.6", "stop reason was {old}, is {new}" ),
    # Ids.
    Row("id-value", NOISE, "11.1.1", "{what} is another, of the same scheme"),
    Row("id-scheme", REVIEW, "11.2.10", "{what} had the scheme {old}, has the scheme {new}"),
    Row("id-presence", REVIEW, "11.2.2", "{what} was {old}, is {new}"),
    Row("id-graph", CHANGE, "11.3.8", "{what} referred to {old}, refers to {new}"),
    Row("id-repeated", CHANGE, "11.3.10", "the id of a call comes with every fragment"),
    Row("id-once", REVIEW, "11.2.16", "the id of a call comes with its first fragment only"),
    # Streams.
    Row("streamed", CHANGE, "11.3.13", "the answer was {old}, is {new}"),
    Row("piece-count", NOISE, "11.1.10", "the stream has {new} pieces where it had {old}"),
    Row("ping-count", NOISE, "11.1.10", "the stream has {new} pings where it had {old}"),
    Row("event-new", REVIEW, "11.2.13", "the stream has events of a new type, {what}"),
    Row("event-gone", REVIEW, "11.2.2", "the stream has no events of the type {what} any more"),
    Row("event-order", CHANGE, "11.3.10", "the events come in another order: {old} became {new}"),
    Row("terminator", CHANGE, "11.3.10", "the stream ended with {old}, ends with {new}" ),
    Row("stream-cut", CHANGE, "11.3.10", "the last event {what}"),
    Row("stop-alone", REVIEW, "11.2.17", "the stop reason came {old}, comes {new}"),
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
    Row("retry-after", CHANGE, "11.3.9", "the header {what} is gone", ("/retry-after",), ("gone",), part="header", ok=False),
    Row("header-noise", NOISE, "11.1.2", "the value of the header {what} differs", _HEADERS_OF_TRANSPORT, part="header"),
    Row("header-limits", NOISE, "11.1.7", "the value of the header {what} differs", _HEADERS_OF_LIMITS, part="header"),
    Row("header-ids", NOISE, "11.1.1", "the value of the header {what} differs", _HEADERS_OF_IDS, part="header"),
    Row("media-type", CHANGE, "11.3.7", "the media type was {old}, is {new}", ("/content-type",), part="header"),
    Row("contract-header", CHANGE, "11.3.13", "the header {what} was {old}, is {new}", _CONTRACT_HEADERS, part="header"),
    Row("credential", CHANGE, "11.3.12", "the credential {what} was {old}, is {new}", _CREDENTIALS, ("gone", "new"), part="header"),
    Row("credential-value", NOISE, "11.1.14", "the credential {what} is another", _CREDENTIALS, part="header"),
    Row("header-gone", REVIEW, "11.2.12", "the header {what} is gone", ("/*",), ("gone",), part="header"),
    Row("header-new", REVIEW, "11.2.12", "the header {what} is new", ("/*",), ("new",), part="header"),
    Row("accept", REVIEW, "11.2.12", "the header {what} was {old}, is {new}", ("/accept",), side="request", part="header"),
    Row("header-value", NOISE, "11.1.16", "the value of the header {what} differs", ("/*",), part="header"),
    # The query of the URL.
    Row("query-key", NOISE, "11.1.14", "the query's key is another", ("/key",), ("value",), part="query"),
    Row("query", CHANGE, "11.3.13", "the query parameter {what} was {old}, is {new}", ("/*",), part="query"),
    # Requests.
    Row("request-tools", CHANGE, "11.3.12", "the request's {what} was {old}, is {new}", ("/tools", "/tools/**", "/functions/**"), side="request"),
    Row("request-choice", CHANGE, "11.3.12", "the request's {what} was {old}, is {new}", ("/tool_choice", "/tool_choice/**", "/toolConfig/**", "/tool_config/**", "/parallel_tool_calls"), side="request"),
    Row("request-role", CHANGE, "11.3.12", "the request's {what} was {old}, is {new}", ("**/role",), side="request"),
    Row("request-prompt", CHANGE, "11.3.12", "the prompt was {old}, is {new}", ("/prompt",), side="request"),
    Row("request-model", REVIEW, "11.2.15", "the model asked for was {old}, is {new}", ("/model",), side="request"),
    Row("request-stream", CHANGE, "11.3.13", "the request's {what} was {old}, is {new}", ("/stream",), side="request"),
    Row("seal-gone", CHANGE, "11.3.11", "the request's {what} is gone", _SEALS, ("gone",), side="request"),
    Row("seal-value", NOISE, "11.1.6", "the request's {what} is another", _SEALS, ("value",), side="request"),
    Row("id", NOISE, "11.1.1", "", _IDS, ("value", "type"), side="request"),
    Row("request-type", CHANGE, "11.3.7", "the request's {what} was {old_kind} ({old}), is {new_kind} ({new})", ("**",), ("type",), side="request"),
    Row("request-gone", REVIEW, "11.2.2", "the request's {what} is gone, was {old}", ("**",), ("gone",), side="request"),
    Row("request-new", REVIEW, "11.2.1", "the request's {what} is new, is {new}", ("**",), ("new",), side="request"),
    Row("request-value", REVIEW, "11.2.20", "the request's {what} was {old}, is {new}", ("**",), side="request"),
    # Refusals.
    Row("error-wording", NOISE, "11.1.8", "the text is worded otherwise", _WORDING, ("value",), ok=False),
    Row("error-id", NOISE, "11.1.1", "", _IDS, ("value",), ok=False),
    Row("error-kind", CHANGE, "11.3.9", "the error's {what} was {old}, is {new}", ("**",), ("value",), ok=False),
    Row("error-gone", CHANGE, "11.3.9", "the error's field {what} is gone", ("**",), ("gone",), ok=False),
    Row("error-new", CHANGE, "11.3.9", "the error's field {what} is new", ("**",), ("new",), ok=False),
    Row("error-type", CHANGE, "11.3.9", "the error's field {what} was {old_kind} ({old}), is {new_kind} ({new})", ("**",), ok=False),
    # What the turn has told already.
    Row("told", NOISE, "11.1.19", "", _TOLD, ("value",), told=True),
    Row("told-arguments", NOISE, "11.1.19", "", ("**/arguments/**", "**/args/**", "**/input/**"), ("gone", "new", "type", "null"), told=True),
    Row("summary", NOISE, "11.1.8", "the reasoning is worded otherwise", ("**/summary/*",), ("gone", "new")),
    Row("pieces", NOISE, "11.1.10", "", _WORDING, ("value",), streamed=True, told=True),
    # Answers: what may vary.
    Row("time", NOISE, "11.1.2", "the time {what} is another", ("**/created", "**/created_at", "**/completed_at", "**/createTime"), ("value", "null", "gone", "new")),
    Row("fingerprint", NOISE, "11.1.3", "the backend's fingerprint differs", ("**/system_fingerprint",), ("value", "null", "gone", "new")),
    Row("padding", NOISE, "11.1.4", "the padding of the events differs", ("**/obfuscation",)),
    Row("tier", NOISE, "11.1.5", "the service tier {what} differs", ("**/service_tier", "**/serviceTier", "**/trafficType", "**/inference_geo", "**/speed"), ("value", "null")),
    Row("logprobs", NOISE, "11.1.11", "log probabilities differ", ("**/logprobs", "**/logprobs/**", "**/avgLogprobs", "**/logprobsResult/**"), ("value", "null")),
    Row("counters", NOISE, "11.1.7", "other token counts are told of, {what}", ("**/usageMetadata/*TokenCount", "**/usageMetadata/*TokensDetails", "**/usageMetadata/*TokensDetails/**"), ("gone", "new")),
    Row("counts", NOISE, "11.1.7", "token counts differ", _COUNTS, ("value", "null")),
    Row("settings", NOISE, "11.1.13", "the echo of the request's settings differs in {what}", _ECHO),
    Row("seal", NOISE, "11.1.6", "the signature {what} is another", _SEALS, ("value",)),
    Row("seal-told", NOISE, "11.1.6", "", _SEALS[:4], ("gone", "new", "null"), told=True),
    Row("sequence", NOISE, "11.1.10", "the events are numbered otherwise", ("**/sequence_number",), ("value",)),
    Row("id", NOISE, "11.1.1", "", _IDS, ("value",)),
    Row("model", REVIEW, "11.2.15", "the model that answers was {old}, is {new}", ("**/model", "**/modelVersion"), ("value",)),
    Row("wording", NOISE, "11.1.8", "the text is worded otherwise", _WORDING, ("value",)),
    # Answers: what somebody should see.
    Row("usage-gone-from-stream", CHANGE, "11.3.10", "the token counts are gone from the stream", _USAGE, ("gone", "null"), streamed=True),
    Row("usage-gone", REVIEW, "11.2.2", "the token counts are gone", _USAGE, ("gone", "null")),
    Row("content-empty", REVIEW, "11.2.9", "the field {what} was {old}, is {new}", ("**/content",), ("null", "gone", "new")),
    Row("finish-message", REVIEW, "11.2.11", "the field {what} is {new}", ("**/finishMessage",), ("new", "gone")),
    Row("field-gone", REVIEW, "11.2.2", "the field {what} is gone", ("**",), ("gone",)),
    Row("field-new", REVIEW, "11.2.1", "the field {what} is new", ("**",), ("new",)),
    Row("field-null", REVIEW, "11.2.2", "the field {what} was {old}, is {new}", ("**",), ("null",)),
    # Answers: what breaks a reader.
    Row("field-type", CHANGE, "11.3.7", "the field {what} was {old_kind} ({old}), is {new_kind} ({new})", ("**",), ("type",)),
    Row("numbering", CHANGE, "11.3.10", "the numbering {what} was {old}, is {new}", _NUMBERING, ("value",)),
    Row("discriminator", CHANGE, "11.3.7", "the field {what} was {old}, is {new}", ("**/type", "**/object", "**/role", "**/status"), ("value",)),
    Row("field-value", REVIEW, "11.2.21", "the field {what} was {old}, is {new}", ("**",)),
)
# fmt: on
"""In order: the first row that fits decides."""


def place_row(where: Where) -> Row:
    """The row that grades a place; the last rows fit everything."""
    return next(row for row in PLACES if row.fits(where))
