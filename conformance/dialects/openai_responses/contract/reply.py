"""A Responses reply and the body of a failure, field by field."""

from __future__ import annotations

from conformance.contract.citation import Citation, Citations
from conformance.contract.nodes import Field, Foreign, Node, Object
from conformance.contract.notation import *
from conformance.dialects.openai_responses.contract import parts
from conformance.dialects.openai_responses.contract.hosted import CALLER, items
from conformance.dialects.openai_responses.contract.places import BEGUN as BEGUN_WAY
from conformance.dialects.openai_responses.contract.places import NO_TYPE, REPEATED, SHOWN
from conformance.dialects.openai_responses.contract.tools import ECHOED, SHOWN_CHOICE

STATUSES = ("completed", "failed", "in_progress", "cancelled", "queued", "incomplete")
_COUNT = integer(0)


# The output -------------------------------------------------------------------------------------------------------
def output_item(malformed: Citation, *, whole: bool = True) -> Node:
    """An item of the output, reported under the rule about items there; not `whole` until it is done."""
    shape: Citations = dict.fromkeys(("missing", "type", "empty"), malformed)
    status = need(known("in_progress", "completed", "incomplete"))
    called: dict[str, Field] = {
        "id": need(text(1)),
        "call_id": need(text(1)),
        "name": need(text(1)),
        "namespace": may(text() | null),
        "caller": may(CALLER | null),
        "async": may(boolean | null),
    }
    answered: dict[str, Field] = {
        "id": need(text(1)),
        "call_id": should(text(1) | null),
        "output": should(text() | parts.SHOWN_BACK),
        "created_by": may(text() | null),
        "status": may(known("in_progress", "completed", "incomplete")),
        "caller": may(CALLER | null),
    }
    own: dict[str, Node] = {
        "message": obj(
            shape,
            id=need(text(1)),
            role=need(word("assistant"), value=malformed),
            status=status,
            content=need(parts.MESSAGE_PARTS, missing=cite(breaks="openai-python 3 raises in `output_text`")),
            phase=may(known("commentary", "final_answer") | null),
        ),
        "function_call": obj(
            shape, called, arguments=need(text(), missing=cite(breaks="langchain-openai 1 raises")), status=status
        ),
        "custom_tool_call": obj(shape, called, input=need(text()), status=may(text() | null)),
        "function_call_output": obj(shape, answered, name=may(text() | null), namespace=may(text() | null)),
        "custom_tool_call_output": obj(shape, answered, call_id=should(text(1))),
        "reasoning": obj(
            shape,
            id=need(text(1)),
            summary=need(parts.SUMMARY),
            content=may(parts.THOUGHTS | null),
            encrypted_content=may(text() | null),
            status=may(known("in_progress", "completed", "incomplete") | null),
        ),
        "item_reference": obj(shape, id=need(text(1))),
    }
    hosted: dict[str, Node] = {
        name: obj(shape, node, created_by=may(text() | null))
        for name, node in items(SHOWN if whole else BEGUN_WAY).items()
    }
    unknown = cite("OAR-R-003", rule="responses-type-unknown")
    citations = dict.fromkeys(("missing", "type"), malformed) | {"value": unknown, **NO_TYPE}
    return by_known({**hosted, **own}, citations)


MALFORMED_ITEM = cite("OAR-R-003", rule="responses-output-item-malformed")
_USAGE = cite("OAR-R-011", rule="responses-usage-malformed")
_INPUT_TOKENS_DETAILS = obj(
    cached_tokens=should(_COUNT),
    cache_write_tokens=may(_COUNT),  # documented as required; 110 of 253 replies have it
    cache_write_tokens_details=may(obj(ttl_12h_tokens=should(_COUNT), ttl_30m_tokens=should(_COUNT)) | null),
)
USAGE = obj(
    _USAGE,
    input_tokens=need(_COUNT),
    input_tokens_details=need(_INPUT_TOKENS_DETAILS),
    output_tokens=need(_COUNT),
    output_tokens_details=need(obj(reasoning_tokens=should(_COUNT))),
    total_tokens=need(_COUNT),
)
_VERDICT = by_known(
    moderation_result=obj(
        model=need(text()),
        flagged=need(boolean),
        categories=need(mapping(boolean)),
        category_scores=need(mapping(number())),
        category_applied_input_types=need(mapping(array(known("text", "image")))),
    ),
    error=obj(code=need(text()), message=need(text())),
)
_CODES = (
    *("server_error", "rate_limit_exceeded", "invalid_prompt", "data_residency_mismatch", "bio_policy"),
    *("misalignment_policy_violation", "vector_store_timeout", "invalid_image", "invalid_image_format"),
    *("invalid_base64_image", "invalid_image_url", "image_too_large", "image_too_small", "image_parse_error"),
    *("image_content_policy_violation", "invalid_image_mode", "image_file_too_large"),
    *("unsupported_image_media_type", "empty_image_file", "failed_to_download_image", "image_file_not_found"),
)
_MISSED = (
    *(f"{each}_changed" for each in ("model", "prompt_cache_key", "tools", "text_format", "reasoning_effort")),
    *("verbosity_changed", "context_compacted", "input_changed", "service_tier_changed"),
)
_MISMATCHED = ("organization_mismatch", "end_user_mismatch", "model_mismatch", "prefix_mismatch", "turn_boundary")
_MISALIGNED = obj(
    detailed_explanation=may(text() | null),
    error_type=may(text() | null),
    review_target=may(text() | null),
    steer=may(obj(message=should(text())) | null),
)
_IMAGES = obj(image_tokens=should(_COUNT), text_tokens=should(_COUNT))
_REASONING = obj(
    mode=may(text() | null),
    effort=may(known("none", "minimal", "low", "medium", "high", "xhigh", "max") | null),
    summary=may(known("auto", "concise", "detailed") | null),
    context=may(known("auto", "current_turn", "all_turns") | null),
    generate_summary=may(known("auto", "concise", "detailed") | null),
)
_FORMAT = by_known(
    text=obj(),
    json_object=obj(),
    json_schema=obj(
        name=should(text()),
        schema=should(mapping()),
        description=may(text() | null),
        strict=may(boolean | null),
    ),
)
_TEXT = obj(format=may(_FORMAT | null), verbosity=may(known("low", "medium", "high") | null))


# A stored prompt is returned as the items that it was expanded to.
_GIVEN = obj(
    role=should(known("user", "assistant", "system", "developer")),
    content=should(text() | parts.SHOWN_BACK),
    id=may(text()),
    status=may(known("in_progress", "completed", "incomplete")),
    phase=may(known("commentary", "final_answer") | null),
)
_CALLED = {"call_id": should(text(1, 64)), "name": should(text(1)), "namespace": may(text() | null)}
_ANSWERED = {
    "id": may(text() | null),
    "call_id": should(text(1, 64)),
    "output": should(text() | parts.SHOWN_BACK),
    "caller": may(CALLER | null),
    "status": may(known("in_progress", "completed", "incomplete") | null),
}
_CALL = obj(
    _CALLED,
    id=may(text() | null),
    caller=may(CALLER | null),
    status=may(known("in_progress", "completed", "incomplete") | null),
    **{"async": may(boolean | null)},
)
INSTRUCTIONS = array(
    cases(
        (
            "type",
            by_known(
                items(REPEATED),
                function_call=obj(_CALL, arguments=should(text())),
                custom_tool_call=obj(_CALL, input=should(text())),
                function_call_output=obj(
                    _ANSWERED,
                    call_id=may(text(1, 64) | null),
                    name=may(text() | null),
                    namespace=may(text() | null),
                ),
                custom_tool_call_output=obj(_ANSWERED),
                reasoning=obj(
                    id=should(text(1)),
                    summary=should(parts.SUMMARY),
                    content=may(parts.THOUGHTS | null),
                    encrypted_content=may(text() | null),
                    status=may(known("in_progress", "completed", "incomplete") | null),
                ),
                item_reference=obj(id=should(text(1))),
                compaction_trigger=obj(id=may(text() | null)),
                configuration_update=obj(
                    id=may(text() | null),
                    reasoning=may(_REASONING | null),
                    text=may(obj(format=should(_FORMAT)) | null),
                ),
                message=_GIVEN,
            ),
        ),
        otherwise=obj(_GIVEN, type=may(text())),
    )
)


# The response -----------------------------------------------------------------------------------------------------
def response(malformed: Citation, output: Node) -> Object:
    """A response object; missing fields and wrong types are reported as `malformed`."""
    shape: Citations = dict.fromkeys(("missing", "type", "empty"), malformed)
    error = obj(
        code=need(known(*_CODES), cite("OAR-R-002")),
        message=need(text(), cite("OAR-R-002")),
        param=may(text() | null),
        type=may(text() | null),
        misalignment=may(_MISALIGNED | null),
    )
    incomplete_details = obj(
        reason=may(known("max_output_tokens", "content_filter", "max_messages", "steered") | null),
    )
    prompt_cache_options = obj(
        ttl=should(known("30m", "12h")),
        mode=should(known("implicit", "explicit")),
        comparison_response_id=may(text() | null),
    )
    prompt_cache_diagnostics = by_known(
        dict.fromkeys(("cache_hit", "comparison_response_not_found", "unavailable"), obj()),
        cache_miss=obj(
            reason=should(known(*_MISSED)),
            cache_missed_tokens=should(_COUNT),
            comparison_reusable_tokens=may(_COUNT | null),
        ),
    )
    input_transformation = obj(
        type=should(known("reasoning")),
        id=should(text()),
        action=should(known("removed")),
        reason=should(known(*_MISMATCHED)),
    )
    image_gen = obj(
        input_tokens=should(_COUNT),
        input_tokens_details=should(_IMAGES),
        output_tokens=should(_COUNT),
        output_tokens_details=may(_IMAGES | null),
        total_tokens=should(_COUNT),
        cached_tokens=may(_COUNT | null),
        cached_tokens_details=may(obj(cached_image_tokens=should(_COUNT), cached_text_tokens=should(_COUNT)) | null),
    )
    tool_usage = obj(image_gen=should(image_gen), web_search=should(obj(num_requests=should(_COUNT))))
    return obj(
        shape,
        id=need(text(1)),
        object=need(word("response"), value=malformed),
        created_at=need(number(1, 10**11), range=cite("ANY-007")),
        completed_at=may(number(0, 10**11) | null),
        status=need(word(*STATUSES), cite("OAR-R-002", rule=malformed.rule)),
        model=need(text(1)),
        output=need(output, missing=cite(breaks="openai-python 3 raises in `output_text`")),
        error=need(error | null, shape),
        incomplete_details=need(incomplete_details | null, shape),
        instructions=need(text() | INSTRUCTIONS | null),
        metadata=need(mapping(text(0, 512), text(0, 64), 16) | null),
        parallel_tool_calls=need(boolean),
        temperature=need(number(0, 2) | null),
        top_p=need(number(0, 1) | null),
        tool_choice=need(SHOWN_CHOICE),
        tools=need(ECHOED),
        usage=may(USAGE | null, _USAGE),
        # What may be left out ------------------------------------------------------------------------------------
        previous_response_id=may(text() | null),
        store=may(boolean | null),
        background=may(boolean | null),
        max_output_tokens=may(integer() | null),
        max_tool_calls=may(integer() | null),
        reasoning=may(_REASONING | null),
        text=may(_TEXT | null),
        conversation=may(obj(id=need(text(1))) | null),
        prompt=may(
            obj(id=need(text(1)), version=may(text() | null), variables=may(mapping(text() | parts.SHOWN_PART) | null))
            | null
        ),
        service_tier=may(known("auto", "default", "flex", "scale", "priority", "fast", "ultrafast") | null),
        truncation=may(known("auto", "disabled") | null),
        top_logprobs=may(integer(0, 20) | null),
        user=may(text() | null),
        safety_identifier=may(text() | null),
        prompt_cache_key=may(text() | null),
        prompt_cache_retention=may(known("in_memory", "24h", "in-memory") | null),
        prompt_cache_options=may(prompt_cache_options | null),
        prompt_cache_diagnostics=may(prompt_cache_diagnostics | null),
        moderation=may(obj(input=need(_VERDICT), output=need(_VERDICT)) | null),
        access_programs=may(obj(cyber=should(known("standard", "daybreak_blue", "daybreak_red"))) | null),
        image=may(obj(context_compression=should(known("enabled", "disabled"))) | null),
        input_transformations=may(array(input_transformation) | null),
        tool_usage=may(tool_usage | null),
        # Not documented, and sent by OpenAI and Azure ------------------------------------------------------------
        frequency_penalty=may(number() | null),
        presence_penalty=may(number() | null),
        billing=may(obj(payer=should(text(1) | null)) | null),
        content_filters=may(anything),
    )


_STATUS = cite("OAR-R-002", rule="responses-status-invalid")
_WHOLE = response(cite("OAR-R-001", rule="responses-response-malformed"), array(output_item(MALFORMED_ITEM)))
DELIVERED = obj(
    # A background response is returned before it is finished.
    needs(is_("status", "in_progress", "queued"), is_("background", True), cite=_STATUS),
    needs(is_("status", "incomplete"), "incomplete_details.reason", cite=_STATUS),
    needs(is_("status", "failed"), "error.code", cite=_STATUS),
    needs(is_("status", "failed"), "error.message", cite=_STATUS),
    needs(is_("status", "completed"), "usage", cite=_USAGE),
    _WHOLE,
    status=need(word(*STATUSES), _STATUS),
    output_text=may(
        Foreign("the items of `output`"),
        cite("OAR-R-010", rule="responses-output-text-unexpected"),
    ),
)
REPLY = DELIVERED
"""The response to a request, and that in the last event of a stream."""
BEGUN = response(cite("OAR-S-002", rule="responses-event-malformed"), array(obj()))
"""The response in the first events of a stream."""

# The failure ------------------------------------------------------------------------------------------------------
_ERROR = obj(
    message=need(text()),
    type=need(text()),
    param=need(text() | null),
    code=need(text() | null),
    misalignment=may(_MISALIGNED | null),
)
ERROR_BODY = obj(cite("OAR-R-012", rule="responses-error-malformed"), error=need(_ERROR))
