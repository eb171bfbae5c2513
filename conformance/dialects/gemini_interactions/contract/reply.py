"""An interaction as a reply, an event of a stream and an error, field by field."""

from __future__ import annotations

from conformance.contract.notation import *
from conformance.dialects.gemini_interactions.contract.content import *
from conformance.dialects.gemini_interactions.steps import RUNNING, STOPS
from conformance.model.finding import Severity

_STEP = steps(cite("GIN-R-002"), cite("GIN-R-003"), cite("GIN-R-004"), cite("GIN-R-005"))
_STATUS = need(known(*STOPS, *RUNNING), cite("GIN-R-001"))
_TIME = may(text(1), cite("GIN-R-001"))
_BY_MODALITY = may(
    array(
        obj(modality=should(known("text", "image", "audio", "video", "document")), tokens=should(COUNT)),
        1,
    ),
    empty=cite("GIN-R-009", Severity.WARNING, because="servers leave out a list that is empty"),
)
_GROUNDED = may(array(obj(type=may(known("google_search", "google_maps", "retrieval")), count=may(COUNT))))
USAGE = obj(
    cite("GIN-R-006"),
    total_tokens=should(COUNT),
    total_input_tokens=should(COUNT),
    total_cached_tokens=may(COUNT),
    total_output_tokens=should(COUNT),
    total_thought_tokens=may(COUNT),
    total_tool_use_tokens=may(COUNT),
    initial_input_tokens=may(COUNT),
    input_tokens_by_modality=_BY_MODALITY,
    cached_tokens_by_modality=_BY_MODALITY,
    output_tokens_by_modality=_BY_MODALITY,
    tool_use_tokens_by_modality=_BY_MODALITY,
    grounding_tool_count=_GROUNDED,
)
_ERROR = obj(cite("GIN-R-007"), code=may(text(1) | integer()), message=may(text()))
# With `store: false` the id is an empty text.
INTERACTION = obj(
    id=need(text()),
    status=_STATUS,
    object=may(word("interaction")),
    model=may(text(1)),
    agent=may(text(1)),
    created=_TIME,
    updated=_TIME,
    service_tier=may(known("flex", "standard", "priority", "deferred")),
    usage=may(USAGE),
    steps=may(array(_STEP)),
    continuation_token=may(text()),
)
REPLY = obj(
    INTERACTION,
    errors=may(array(_ERROR)),
    previous_interaction_id=may(text(1)),
    environment_id=may(text()),
    output_text=may(text()),
    labels=may(mapping(text())),
)

_AT = {"index": need(integer(0), cite("GIN-S-004"))}
_METADATA = obj(
    some_of("usage", "total_usage", cite=cite("GIN-R-006", Severity.WARNING, because="SDKs read the one or the other")),
    usage=may(USAGE),
    total_usage=may(USAGE),
)
_TRACED = {"event_id": may(text()), "metadata": may(_METADATA)}
_WHOLE = cite("GIN-S-002")
# A call begins with empty arguments, a result of one of Google's tools with an empty signature and no result.
_BEGUN = obj(cite("GIN-S-003"), type=need(text(1)))
_BEGINS = by_some(
    "type",
    {
        "function_call": obj(
            cite("GIN-S-003"),
            id=need(text(1)),
            name=need(text(1)),
            arguments=may(mapping()),
            signature=may(BASE64),
        ),
        "thought": obj(cite("GIN-S-003"), signature=may(BASE64), summary=may(array(mapping()))),
        "model_output": obj(cite("GIN-S-003"), content=may(array(mapping()))),
        **{
            f"{kind}_call": obj(cite("GIN-S-003"), id=need(text(1)), signature=may(BASE64))
            for kind in (*arguments(), "file_search", "mcp_server_tool", "processing")
        },
        **{
            f"{kind}_result": obj(cite("GIN-S-003"), call_id=need(text(1)), signature=may(BASE64))
            for kind in (*results(), "retrieval", "mcp_server_tool", "processing")
        },
    },
    otherwise=_BEGUN,
)
_DELTA = cite("GIN-S-005")
_SIGNED = {"signature": may(BASE64), "is_error": may(boolean)}
_DELTAS = by_known(
    "type",
    {
        "text": obj(_DELTA, text=need(text())),
        "arguments_delta": obj(_DELTA, arguments=should(text())),
        "thought_signature": obj(_DELTA, signature=should(BASE64)),
        "thought_summary": obj(_DELTA, content=should(content(_DELTA))),
        "text_annotation_delta": obj(_DELTA, annotations=should(marks(_DELTA))),
        **media(_DELTA),
        **{f"{kind}_call": obj(_DELTA, _SIGNED, arguments=may(node)) for kind, node in arguments().items()},
        **{f"{kind}_result": obj(_DELTA, _SIGNED, result=may(node)) for kind, node in results().items()},
        **{
            kind: obj(_DELTA, _SIGNED)
            for kind in ("file_search_call", "retrieval_result", "processing_call", "processing_result")
        },
        "function_result": obj(_DELTA, _SIGNED, name=may(text()), result=need(anything)),
        "mcp_server_tool_call": obj(_DELTA, name=need(text(1)), server_name=need(text(1)), arguments=need(mapping())),
        "mcp_server_tool_result": obj(_DELTA, name=may(text()), server_name=may(text()), result=need(anything)),
    },
    cite("GIN-S-005", Severity.WARNING, because="Google adds kinds; SDKs keep those that they do not know"),
)
EVENT = by_known(
    "event_type",
    {
        "interaction.created": obj(_TRACED, interaction=need(INTERACTION, _WHOLE)),
        "interaction.completed": obj(_TRACED, interaction=need(INTERACTION, _WHOLE)),
        "interaction.status_update": obj(
            _TRACED,
            interaction_id=need(text(), cite("GIN-S-002")),
            status=_STATUS,
            usage=may(USAGE),
            continuation_token=may(text()),
        ),
        "step.start": obj(_TRACED, _AT, step=need(_BEGINS, cite("GIN-S-003"))),
        "step.delta": obj(_TRACED, _AT, delta=need(_DELTAS, _DELTA)),
        "step.stop": obj(_TRACED, _AT, usage=may(USAGE), step_usage=may(USAGE)),
        "error": obj(
            _TRACED,
            error=need(
                obj(cite("GIN-S-006"), code=may(text(1) | integer()), message=should(text(1))), cite("GIN-S-006")
            ),
        ),
    },
)
# Vertex AI and what is in front of the API have the status as a number and its name.
FAILURE = obj(
    error=need(
        obj(
            message=need(text(1)),
            code=should(text(1) | integer()),
            status=may(text()),
            details=may(array(mapping())),
        )
    )
)
