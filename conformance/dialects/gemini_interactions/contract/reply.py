"""An interaction as a reply, an event of a stream and an error, field by field."""

from __future__ import annotations

from conformance.contract.notation import *
from conformance.dialects.gemini_interactions.contract.content import *
from conformance.dialects.gemini_interactions.steps import RUNNING, STOPS
from conformance.model.finding import Severity

_STEPS = steps(cite("GIN-R-002"), cite("GIN-R-003"), cite("GIN-R-004"), cite("GIN-R-005"))
_STATUS = need(known(*STOPS, *RUNNING), cite("GIN-R-001"))
_TIME = may(text(1), cite("GIN-R-001"))
_BY_MODALITY = may(
    array(
        obj(modality=should(MODALITIES), tokens=should(COUNT)),
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
_ERROR = obj(cite("GIN-R-007"), code=may(text(1)), message=may(text()))
INTERACTION = obj(
    id=need(text()),
    status=_STATUS,
    object=may(word("interaction")),
    model=may(text(1)),
    agent=may(text(1)),
    created=_TIME,
    updated=_TIME,
    service_tier=TIERS,
    usage=may(USAGE),
    steps=may(array(by_known(_STEPS, cite("GIN-R-002")))),
    continuation_token=may(text()),
)
# The reply may repeat the request, and show the output once more as clients read it.
_ENDED = some_of(
    "steps",
    is_("status", *RUNNING, "failed", "cancelled"),
    cite=cite("GIN-R-002", Severity.WARNING, because="SDKs read an absent list as an empty one"),
)
REPLY = obj(
    INTERACTION,
    _ENDED,
    {each: should(text(1), cite("GIN-R-001")) for each in ("created", "updated")},
    {f"output_{kind}": may(content(cite("GIN-R-002"), kind)) for kind in ("image", "audio", "video")},
    dict.fromkeys(("agent_config", "generation_config", "webhook_config"), may(mapping())),
    dict.fromkeys(("safety_settings", "tools"), may(array(mapping()))),
    dict.fromkeys(("cached_content", "response_mime_type", "system_instruction", "output_text"), may(text())),
    id=may(text()),  # of what is stored, `interactions-id-empty` requires it
    environment=may(text() | mapping()),
    environment_id=may(text()),
    errors=may(array(_ERROR)),
    continuation_ids=may(array(text(1))),
    input=may(text() | mapping() | array(mapping())),
    labels=may(mapping(text())),
    previous_interaction_id=may(text(1)),
    response_format=may(mapping() | array(mapping())),
    response_modalities=may(array(MODALITIES)),
)

_AT = {"index": need(integer(0), cite("GIN-S-004"))}
_METADATA = obj(
    some_of("usage", "total_usage", cite=cite("GIN-R-006", Severity.WARNING, because="SDKs read the one or the other")),
    usage=may(USAGE),
    total_usage=may(USAGE),
)
_TRACED = {"event_id": may(text()), "metadata": may(_METADATA)}
_WHOLE = cite("GIN-S-002")
_BEGUN = cite("GIN-S-003")
_BEGINS = by_known(
    begun(steps(_BEGUN, _BEGUN, _BEGUN, _BEGUN)),
    cite("GIN-S-003", Severity.WARNING, because="Google adds kinds; SDKs keep those that they do not know"),
)
_DELTA = cite("GIN-S-005")
_GIVEN = calls_and_results(_DELTA, _DELTA, seal(None, 0))
_GIVEN |= {
    "tool_search_call": eased(_GIVEN["tool_search_call"], "arguments"),
    "google_maps_result": eased(_GIVEN["google_maps_result"], "result"),
    "file_search_result": obj(_GIVEN["file_search_result"], result=need(array(mapping()))),
}
_DELTAS = by_known(
    cite("GIN-S-005", Severity.WARNING, because="Google adds kinds; SDKs keep those that they do not know"),
    text=obj(_DELTA, text=need(text())),
    arguments_delta=obj(_DELTA, arguments=should(text())),
    thought_signature=obj(_DELTA, signature=should(seal(None, 0).node)),
    thought_summary=obj(_DELTA, content=should(content(_DELTA))),
    text_annotation_delta=obj(_DELTA, annotations=should(marks(_DELTA))),
    **media(_DELTA),
    **_GIVEN,
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
            error=need(obj(cite("GIN-S-006"), code=may(text(1)), message=should(text(1))), cite("GIN-S-006")),
        ),
    },
)
# Vertex AI and what is in front of the API have the status as a number and its name.
_FAILURE_ERROR = obj(
    message=need(text(1)),
    code=should(text(1) | integer()),
    status=may(text()),
    details=may(array(mapping())),
)
FAILURE = obj(error=need(_FAILURE_ERROR))
