"""The events of a Responses stream, field by field."""

from __future__ import annotations

from conformance.contract.citation import Citations
from conformance.contract.nodes import Field, Node
from conformance.contract.notation import *
from conformance.dialects.openai_responses.contract import parts
from conformance.dialects.openai_responses.contract.parts import EVENT_LOGPROBS, EVENT_PART, SUMMARY_PART
from conformance.dialects.openai_responses.contract.places import IN_FRAME, SHOWN
from conformance.dialects.openai_responses.contract.reply import BEGUN, DELIVERED, output_item

_MALFORMED = cite("OAR-S-007", rule="responses-event-malformed")
_SHAPE: Citations = dict.fromkeys(("missing", "type", "value"), _MALFORMED)
_STREAMED = "openai-python 3 raises in `stream()`"
_READ: Citations = {**_SHAPE, "missing": cite("OAR-S-007", rule="responses-event-malformed", breaks=_STREAMED)}
_NUMBER = cite("OAR-S-003")
_NOWHERE: Citations = dict.fromkeys(("missing", "type"), cite("OAR-S-007"))
_INCOMPLETE = cite("OAR-S-008", rule="responses-added-item-incomplete")

# The rule about their order reports missing and wrong numbers.
_ANY = {
    "sequence_number": need(integer(), {"missing": cite(severity=SILENT), "type": _NUMBER}),
    "stream_id": may(text(1), cite("OAR-S-022"), only=IN_FRAME),
}
_AT = {**_ANY, "output_index": need(integer(0), _NOWHERE), "item_id": need(text(), _NOWHERE)}
_PIECE = {**_AT, "content_index": need(integer(0), _SHAPE)}
_SUMMED = {**_AT, "summary_index": need(integer(0), _SHAPE)}
_DELTA = {"delta": need(text(), _SHAPE), "obfuscation": may(text() | null)}
_READ_DELTA = {**_DELTA, "delta": need(text(), _READ)}
_TEXT = {"text": need(text(), _SHAPE)}
# The document requires it, but real streams leave it out (0.3.5).
_PROBABLE = {"logprobs": may(EVENT_LOGPROBS, {"type": _MALFORMED})}
_COMMAND = {**_ANY, "output_index": need(integer(0), _NOWHERE), "command_index": should(integer(0))}
_RUN = obj(
    created_by=may(text() | null),
    stdout=should(text()),
    stderr=should(text()),
    outcome=should(by(timeout=obj(), exit=obj(exit_code=need(integer())))),
)


def _response(node: Node) -> Node:
    return obj(_ANY, response=need(node, _READ))


def _item(*, whole: bool) -> Field:
    return need(output_item(_INCOMPLETE, whole=whole), {"missing": _READ["missing"], "type": _MALFORMED})


_PLACED = obj(_AT)
_STEPS = {
    "code_interpreter_call": ("in_progress", "interpreting", "completed"),
    "file_search_call": ("in_progress", "searching", "completed"),
    "web_search_call": ("in_progress", "searching", "completed"),
    "image_generation_call": ("in_progress", "generating", "completed"),
    "mcp_call": ("in_progress", "completed", "failed"),
    "mcp_list_tools": ("in_progress", "completed", "failed"),
    "compaction": ("compacting",),
}
_FRAMED = cite("OAR-S-021")
_FAULT = obj(
    cite("OAR-S-015"),
    _ANY,
    error=need(anything, _FRAMED, only=IN_FRAME),
    message=need(text()),
    code=should(text() | null),
    param=should(text() | null),
)
_NESTED_FAULT_ERROR = obj(
    message=need(text()),
    type=first(need(text(), _FRAMED, only=IN_FRAME), may(text() | null)),
    code=may(text() | integer() | null),
    param=may(text() | null),
)
_NESTED_FAULT = obj(
    cite("OAR-S-015"),
    _ANY,
    error=need(_NESTED_FAULT_ERROR),
    status=may(integer(100, 599), _FRAMED, only=IN_FRAME),
)
_EVENTS: dict[str, Node] = {
    **dict.fromkeys(("response.created", "response.in_progress", "response.queued"), _response(BEGUN)),
    **dict.fromkeys(("response.completed", "response.incomplete", "response.failed"), _response(DELIVERED)),
    "response.output_item.added": obj(_ANY, output_index=need(integer(0), _READ), item=_item(whole=False)),
    "response.output_item.done": obj(_ANY, output_index=need(integer(0), _SHAPE), item=_item(whole=True)),
    "response.content_part.added": obj(_PIECE, part=need(EVENT_PART, _READ)),
    "response.content_part.done": obj(_PIECE, part=need(EVENT_PART, _SHAPE)),
    "response.output_text.delta": obj(_PIECE, _READ_DELTA, _PROBABLE, content_index=need(integer(0), _READ)),
    "response.output_text.done": obj(_PIECE, _TEXT, _PROBABLE),
    "response.output_text.annotation.added": obj(
        _PIECE, annotation_index=should(integer(0)), annotation=should(parts.annotation(SHOWN) | null)
    ),
    "response.refusal.delta": obj(_PIECE, _DELTA),
    "response.refusal.done": obj(_PIECE, refusal=need(text(), _SHAPE)),
    # The document requires the name, but no server sends it (OAR-S-013).
    "response.function_call_arguments.delta": obj(_AT, _READ_DELTA),
    "response.function_call_arguments.done": obj(_AT, arguments=need(text(), _SHAPE), name=may(text() | null)),
    "response.custom_tool_call_input.delta": obj(_AT, _DELTA),
    "response.custom_tool_call_input.done": obj(_AT, input=need(text(), _SHAPE)),
    "response.mcp_call_arguments.delta": obj(_AT, _DELTA),
    "response.mcp_call_arguments.done": obj(_AT, arguments=need(text(), _SHAPE)),
    "response.reasoning_summary_part.added": obj(_SUMMED, part=need(SUMMARY_PART, _SHAPE)),
    "response.reasoning_summary_part.done": obj(
        _SUMMED, part=need(SUMMARY_PART, _SHAPE), status=may(known("incomplete") | null)
    ),
    "response.reasoning_summary_text.delta": obj(_SUMMED, _DELTA),
    "response.reasoning_summary_text.done": obj(_SUMMED, _TEXT),
    "response.reasoning_text.delta": obj(_PIECE, _DELTA),
    "response.reasoning_text.done": obj(_PIECE, _TEXT),
    "response.code_interpreter_call_code.delta": obj(_AT, _DELTA),
    "response.code_interpreter_call_code.done": obj(_AT, code=need(text(), _SHAPE)),
    "response.image_generation_call.partial_image": obj(
        _AT,
        partial_image_index=need(integer(0), _SHAPE),
        partial_image_b64=need(text(), _SHAPE),
        size=may(text() | null),
        quality=may(text() | null),
        background=may(text() | null),
        output_format=may(text() | null),
    ),
    **{f"response.{what}.{step}": _PLACED for what, steps in _STEPS.items() for step in steps},
    **dict.fromkeys(
        ("response.shell_call_command.added", "response.shell_call_command.done"),
        obj(_COMMAND, command=should(text())),
    ),
    "response.shell_call_command.delta": obj(_COMMAND, _DELTA),
    "response.shell_call_output_content.delta": obj(
        _AT,
        command_index=should(integer(0)),
        delta=need(obj(stdout=may(text() | null), stderr=may(text() | null)), _SHAPE),
    ),
    "response.shell_call_output_content.done": obj(_AT, command_index=should(integer(0)), output=should(array(_RUN))),
    **dict.fromkeys(("response.audio.delta", "response.audio.transcript.delta"), obj(_ANY, _DELTA)),
    **dict.fromkeys(("response.audio.done", "response.audio.transcript.done"), obj(_ANY)),
    "error": cases(("error", _NESTED_FAULT), otherwise=_FAULT),
}
_CALL = {"call_id": need(text(1))}
_STUBS = by_some(
    {
        **dict.fromkeys(
            (
                *("custom_tool_call_output", "computer_call_output", "shell_call_output", "apply_patch_call_output"),
                "tool_search_output",
            ),
            obj(_CALL),
        ),
        "function_call_output": obj(_CALL, name=need(text(1))),
        "mcp_approval_response": obj(approval_request_id=need(text(1))),
    }
)
_STEERED = cite("OAR-S-023")
_STEER = obj(id=need(text(1)), previous_response_id=need(text(1)))
_UNSTEERED = obj(
    code=need(text(1)),  # an open list: more codes may come
    message=need(text()),
    type=need(word("invalid_request_error")),
)
STEERING = by_known(
    {
        **_EVENTS,  # those of the response that takes the input up
        "response.steer.accepted": obj(_STEERED, _ANY, steer=need(_STEER)),
        "response.steer.pending": obj(
            _STEERED, _ANY, steer=need(_STEER), reason=need(text(1)), required_input=need(array(_STUBS))
        ),
        "response.steer.failed": obj(
            _STEERED,
            _ANY,
            steer=need(obj(id=may(text(1)), previous_response_id=need(text(1)), input=need(text() | array(anything)))),
            error=need(_UNSTEERED),
        ),
    },
    {"type": cite("OAR-S-001"), "missing": cite("OAR-S-001")},
)
"""The frames that answer `response.steer`."""
EVENT_TYPES = frozenset(_EVENTS)
"""The documented event types."""
EVENT = by_known(
    _EVENTS,
    {
        "type": cite("OAR-S-001"),
        "missing": cite("OAR-S-001"),
    },
)
