"""A Messages reply, and the body of a failure, field by field."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.contract.nodes import Field, Node, Object
from conformance.contract.notation import *
from conformance.contract.situation import when
from conformance.dialects.anthropic_messages.contract.blocks import SERVER_TOOLS
from conformance.dialects.anthropic_messages.contract.common import ID, IN_SEARCH_RESULT, SERVER_ID
from conformance.dialects.anthropic_messages.contract.places import BEDROCK, CLOUD
from conformance.dialects.anthropic_messages.contract.results import server_results
from conformance.model.finding import Severity

STOPS = (
    "end_turn",
    "max_tokens",
    "stop_sequence",
    "tool_use",
    "pause_turn",
    "compaction",
    "refusal",
    "model_context_window_exceeded",
)
FOREIGN_STOPS = ("stop", "tool_calls", "length", "content_filter", "function_call", "STOP", "MAX_TOKENS")
FIELD = cite("ANT-R-001", rule="messages-reply-field-wrong-type")
ALL = dict.fromkeys(("missing", "type", "empty", "value", "null"), FIELD)
NEEDED = dict.fromkeys(("missing", "type", "empty", "value"), FIELD)
STOP = cite("ANT-R-002", rule="messages-stop-reason-unknown")
NEW_STOP = cite(
    "ANT-R-002",
    Severity.WARNING,
    because="Anthropic adds stop reasons without a new version",
    rule="messages-stop-reason-unknown",
)
_BLOCK = cite("ANT-R-001", rule="messages-reply-block-malformed")
_NEW_BLOCK = cite("ANT-S-012", rule="messages-reply-block-unknown")
TAG = {"itself": _BLOCK, "missing": _BLOCK, "type": _BLOCK, "empty": _BLOCK, "value": _NEW_BLOCK}


_ABSENT = cite(
    "ANT-R-001",
    Severity.INFO,
    because="recordings have it in every reply since some day, older ones lack it, and SDKs read null",
    rule="messages-nullable-field-missing",
)


def usual(since: str, node: Node, **more: Any) -> Field:
    """A field that Anthropic's own server sends in every reply from some day on, by the recordings, possibly null."""
    return first(should(node, only=when("anthropic", since=since), missing=_ABSENT, **more), may(node, **more))


# Blocks -------------------------------------------------------------------------------------------------------------
def block(*parts: Any, **rows: Field) -> Object:
    """A block of a reply, or an object within one."""
    return obj({"missing": _BLOCK, "type": _BLOCK, "empty": _BLOCK}, *parts, **rows)


_ID = need(
    text(1, pattern=ID),
    pattern=cite("ANT-R-004", Severity.WARNING, because="the pattern is that of one description; ids are opaque"),
)
_SERVER_ID = need(text(1, pattern=SERVER_ID), pattern=cite("ANT-R-013"))
CALLER = may(
    by_known(
        direct=obj(),
        code_execution_20250825=block(tool_id=_SERVER_ID),
        code_execution_20260120=block(tool_id=_SERVER_ID),
    )
)
_IN_DOCUMENT = {
    "cited_text": need(text()),
    "document_index": need(integer(0)),
    "document_title": need(text() | null),
    "file_id": may(text() | null),
}
CITATION = by_known(
    char_location=block(_IN_DOCUMENT, start_char_index=need(integer(0)), end_char_index=need(integer(0))),
    page_location=block(_IN_DOCUMENT, start_page_number=need(integer(1)), end_page_number=need(integer(1))),
    content_block_location=block(_IN_DOCUMENT, start_block_index=need(integer(0)), end_block_index=need(integer(0))),
    web_search_result_location=block(
        cited_text=need(text()), encrypted_index=need(text()), title=need(text(0, 512) | null), url=need(text(1))
    ),
    search_result_location=block(IN_SEARCH_RESULT),
)
CITATIONS = may(array(CITATION) | null)
_FETCHED_SOURCE = by(
    base64=block(media_type=need(word("application/pdf")), data=need(text(1))),
    text=block(media_type=need(word("text/plain")), data=need(text())),
)
_FETCHED = by(
    document=block(
        source=need(_FETCHED_SOURCE),
        title=may(text() | null),
        citations=may(obj(enabled=need(boolean)) | null),
    ),
)
_REFERENCE = by(tool_reference=block(tool_name=need(text(1, 256, ID))))
_REFERENCES = {
    "tool_reference": block(name=need(text(1))),
    "mcp_tool_reference": block(name=need(text(1)), server_name=need(text(1))),
    "mcp_toolset_reference": block(server_name=need(text(1))),
}
_MODEL = block(model=need(text(1)))
_REFUSED = known("cyber", "bio", "frontier_llm", "reasoning_extraction", "general_harms")
_TEXT = need(
    text(1, 5_000_000),
    empty=cite("ANT-R-012", rule="messages-reply-text-empty"),
)
TEXT = block(text=_TEXT, citations=CITATIONS)
_TOOL_CHANGE = by_known(
    tool_addition=block(tool=need(by_known(_REFERENCES, tool_definition=block(definition=need(mapping()))))),
    tool_removal=block(tool=need(by_known(_REFERENCES))),
)
OTHERS: Mapping[str, Node] = {
    **{
        name: block(tool_use_id=_SERVER_ID, content=need(content), caller=CALLER)
        for name, content in server_results(block, _FETCHED, _REFERENCE).items()
    },
    "redacted_thinking": block(data=need(text())),
    "mcp_tool_result": block(tool_use_id=_ID, content=need(text() | array(by(text=TEXT))), is_error=need(boolean)),
    "container_upload": block(file_id=need(text(1))),
    "compaction": block(
        content=may(text() | null),
        encrypted_content=may(text() | null),
        signature=may(text() | null),
        tool_changes=may(array(_TOOL_CHANGE) | null),
    ),
    "fallback": block(
        {"from": need(_MODEL)},
        to=need(_MODEL),
        trigger=need(by_known(refusal=block(category=may(_REFUSED | null)))),
    ),
    "mcp_tool_listing": block(
        mcp_server_name=need(text(1)),
        tools=need(array(block(name=need(text(1)), input_schema=need(mapping()), description=may(text() | null)))),
    ),
}
"""Blocks that a stream sends whole in their start event."""


def blocks(answer: Field, words: Field, signature: Field, arguments: Field) -> Mapping[str, Node]:
    """All blocks, given the content of a text, a signature and a call's input, which start empty in a stream."""
    return {
        "text": block(text=answer, citations=CITATIONS),
        "thinking": block(thinking=words, signature=signature),
        "tool_use": block(id=_ID, name=need(text(1)), input=arguments, caller=CALLER, toolset_name=may(text() | null)),
        "server_tool_use": block(id=_SERVER_ID, name=need(known(*SERVER_TOOLS)), input=arguments, caller=CALLER),
        "mcp_tool_use": block(id=_ID, name=need(text(1)), server_name=need(text()), input=arguments),
        **OTHERS,
    }


BLOCK = by_known(blocks(_TEXT, need(text()), need(text()), need(mapping())), TAG)

# Usage --------------------------------------------------------------------------------------------------------------
_COUNT = integer(0)
_USAGE = cite("ANT-R-010", rule="messages-usage-malformed")
_ITERATION = {
    "cache_creation_input_tokens": need(_COUNT),
    "cache_read_input_tokens": need(_COUNT),
    "input_tokens": need(_COUNT),
    "output_tokens": need(_COUNT),
}
_CREATION = obj(ephemeral_1h_input_tokens=need(_COUNT), ephemeral_5m_input_tokens=need(_COUNT))
_CREATED = may(_CREATION | null)
_SERVED = obj(_ITERATION, cache_creation=_CREATED, model=need(text(1)))
_UNCREDITED = (
    *("body_mismatch", "continuation_excluded", "continuation_only", "expired", "invalid_target_model", "not_enabled"),
    *("reprice_unavailable", "temporarily_unavailable", "variant_fields_present"),
    *("wrong_organization", "wrong_platform", "wrong_workspace"),
)
_CREDIT_STATUS = by_known(
    redeemed=obj(),
    not_applied=obj(reason=need(known(*_UNCREDITED)), remove_to_redeem=may(array(text()) | null)),
)
_CREDIT = obj(status=need(_CREDIT_STATUS))
_COUNTS_ITERATION = by_known(
    message=obj(_ITERATION, cache_creation=_CREATED, model=may(text(1) | null)),
    compaction=obj(_ITERATION, cache_creation=_CREATED),
    advisor_message=_SERVED,
    fallback_message=_SERVED,
)
_COUNTS = obj(
    _USAGE,
    foreign(
        _USAGE,
        total_tokens="`input_tokens` and `output_tokens`",
        prompt_tokens="`input_tokens`",
        completion_tokens="`output_tokens`",
    ),
    output_tokens=need(_COUNT),
    cache_creation_input_tokens=may(_COUNT | null),
    cache_read_input_tokens=may(_COUNT | null),
    output_tokens_details=may(obj(thinking_tokens=need(_COUNT)) | null),
    server_tool_use=may(obj(web_search_requests=need(_COUNT), web_fetch_requests=may(_COUNT)) | null),
    iterations=may(array(_COUNTS_ITERATION) | null),
    fallback_credit=may(_CREDIT | null),
)
USAGE = obj(
    _COUNTS,
    input_tokens=need(_COUNT),
    cache_creation_input_tokens=usual("2025-01-14", _COUNT | null),
    cache_read_input_tokens=usual("2025-01-14", _COUNT | null),
    cache_creation=usual("2025-08-18", _CREATION | null),
    inference_geo=usual("2026-02-09", text() | null),
    service_tier=usual("2025-05-29", known("standard", "priority", "batch") | null),
    speed=may(known("standard", "fast") | null),
)
DELTA_USAGE = obj(_COUNTS, input_tokens=may(_COUNT | null))

# The message --------------------------------------------------------------------------------------------------------
_SKILL = obj(skill_id=need(text(1, 64)), type=need(known("anthropic", "custom")), version=need(text(1, 64)))
CONTAINER = may(obj(id=need(text(1)), expires_at=need(text(1)), skills=may(array(_SKILL) | null)) | null, type=FIELD)
STOP_NOTES = (
    by_known(
        refusal=obj(
            category=may(_REFUSED | null),
            explanation=may(text() | null),
            fallback_credit_token=may(text() | null),
            fallback_has_prefill_claim=may(boolean | null),
            recommended_model=may(text() | null),
        ),
    )
    | null
)
STOP_DETAILS = may(STOP_NOTES, type=FIELD)
_APPLIED_EDIT = by_known(
    clear_tool_uses_20250919=obj(cleared_input_tokens=need(_COUNT), cleared_tool_uses=need(_COUNT)),
    clear_thinking_20251015=obj(cleared_input_tokens=need(_COUNT), cleared_thinking_turns=need(_COUNT)),
)
CONTEXT_MANAGEMENT = may(obj(applied_edits=need(array(_APPLIED_EDIT))) | null, type=FIELD)
_MISSED = obj(cache_missed_input_tokens=need(_COUNT))
_CACHE_MISS_REASON = by_known(
    model_changed=_MISSED,
    system_changed=_MISSED,
    tools_changed=_MISSED,
    messages_changed=_MISSED,
    previous_message_not_found=obj(),
    unavailable=obj(),
)
_DIAGNOSTICS = may(obj(cache_miss_reason=may(_CACHE_MISS_REASON | null)) | null)
_BOUND = ("model", "prefix", "organization", "end_user")
TRANSFORMED = may(
    array(
        by_known(
            dict.fromkeys(
                ("thinking_dropped", "thinking_mismatch_allowed"),
                obj(path=need(text()), reason=need(known(*(f"{each}_binding_mismatch" for each in _BOUND)))),
            ),
        )
    )
    | null
)
COMMON = obj(
    id=need(text(1), NEEDED),
    type=need(word("message"), NEEDED),
    role=need(word("assistant"), NEEDED),
    model=need(text(1), NEEDED),
    usage=need(USAGE, NEEDED),
    container=CONTAINER,
    stop_details=usual("2026-04-05", STOP_NOTES, type=FIELD),
    context_management=CONTEXT_MANAGEMENT,
    diagnostics=_DIAGNOSTICS,
    input_transformations=TRANSFORMED,
)
_INVOKED = "langchain-anthropic 1 raises"
_MESSAGE = obj(
    COMMON,
    content=need(array(BLOCK), {**NEEDED, "missing": cite("ANT-R-001", rule=FIELD.rule, breaks=_INVOKED)}),
    stop_reason=need(word(*STOPS), missing=FIELD, type=STOP, value=NEW_STOP),
    stop_sequence=need(text() | null, NEEDED),
)
MESSAGE = cases(
    (is_("stop_reason", *FOREIGN_STOPS), obj(_MESSAGE, stop_reason=need(word(*STOPS), value=STOP))),
    otherwise=_MESSAGE,
)

# The failure --------------------------------------------------------------------------------------------------------
ERRORS = (
    "invalid_request_error",
    "authentication_error",
    "billing_error",
    "permission_error",
    "not_found_error",
    "conflict_error",
    "request_too_large",
    "rate_limit_error",
    "api_error",
    "timeout_error",
    "overloaded_error",
    "memory_precondition_failed_error",
    "memory_path_conflict_error",
)
_ERROR = cite("ANT-R-011", rule="messages-error-malformed")
ERROR = obj(type=need(known(*ERRORS)), message=need(text(1)), details=may(mapping() | null))
FAILURE = obj(
    dict.fromkeys(("missing", "type", "empty"), _ERROR),
    # The clouds have their own errors.
    type=first(may(anything, only=CLOUD), need(word("error"), value=_ERROR)),
    error=first(may(anything, only=CLOUD), need(ERROR)),
    message=first(need(text(1), only=BEDROCK), may(anything)),
    request_id=may(text() | null),
)
