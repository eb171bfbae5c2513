"""A request, field by field."""

from __future__ import annotations

from conformance.contract.nodes import Node
from conformance.contract.notation import *
from conformance.model.finding import Severity

_REFUSED = cite(refused=400)
_IGNORED = cite("OLC-Q-007", rule="ollama-option-misplaced")
_ARGUMENTS = cite("OLC-Q-004", rule="ollama-arguments-wrong-type", refused=400)
_LAX = cite("OLC-Q-003", Severity.WARNING, because="the server reads what is there, and the model sees the rest")
_UNNAMED = cite("OLC-C-001", rule="ollama-result-name-empty")
_OLDER = cite("OLC-Q-006", Severity.WARNING, because="the document has a single text, the server refuses it")

CALL = obj(
    id=may(text()),
    type=may(word("function")),
    function=need(obj(index=may(integer(0)), name=need(text(1)), arguments=need(mapping(), type=_ARGUMENTS))),
)
_ROLE = cite("OLC-Q-002", rule="ollama-role-unknown")
_MESSAGE = obj(
    role=need(folded("system", "user", "assistant", "tool"), value=_ROLE, missing=_ROLE),
    content=may(text(), type=_REFUSED),
    thinking=may(text(), type=_REFUSED),
    images=may(array(text(1)), type=_REFUSED),
    tool_calls=may(array(CALL)),
    tool_name=may(text(1), empty=_UNNAMED, type=_REFUSED),
    tool_call_id=may(text(1), empty=_UNNAMED, type=_REFUSED),
)
"""The server reads every field in every role."""
_PROPERTY: Node = obj(
    {"": _REFUSED},
    type=may(text() | array(text())),
    description=may(text()),
    enum=may(array(anything)),
    items=may(anything),
    required=may(array(text())),
    properties=may(mapping(later("property", lambda: _PROPERTY))),
    anyOf=may(array(later("property", lambda: _PROPERTY))),
)
_PARAMETERS = obj(
    {"$defs": may(anything), "items": may(anything)},
    type=should(word("object"), _LAX),
    required=may(array(text()), type=_REFUSED),
    properties=may(mapping(_PROPERTY), type=_REFUSED),
)
_FUNCTION = obj(
    name=need(text(1)),
    description=may(text(), type=_REFUSED),
    parameters=should(
        _PARAMETERS | null,
        missing=cite("OLC-Q-003", Severity.INFO, because="the server takes it as a tool without arguments"),
        type=_REFUSED,
    ),
)
_TOOL = obj(type=need(word("function"), _LAX), function=need(_FUNCTION))
_COUNT = integer()
_OPTIONS = obj(
    {"": cite("OLC-Q-006")},
    foreign(_IGNORED, think="`think`, beside `options`", format="`format`, beside `options`"),
    num_keep=may(_COUNT),
    seed=may(_COUNT),
    num_predict=may(_COUNT),
    top_k=may(_COUNT),
    top_p=may(number(0, 1)),
    min_p=may(number(0, 1)),
    typical_p=may(number()),
    tfs_z=may(number()),
    repeat_last_n=may(_COUNT),
    temperature=may(number(0)),
    repeat_penalty=may(number()),
    presence_penalty=may(number()),
    frequency_penalty=may(number()),
    mirostat=may(_COUNT),
    mirostat_tau=may(number()),
    mirostat_eta=may(number()),
    penalize_newline=may(boolean),
    stop=may(array(text()), type=_OLDER),
    numa=may(boolean),
    num_ctx=may(_COUNT),
    num_batch=may(_COUNT),
    num_gpu=may(_COUNT),
    main_gpu=may(_COUNT),
    low_vram=may(boolean),
    f16_kv=may(boolean),
    logits_all=may(boolean),
    vocab_only=may(boolean),
    use_mmap=may(boolean),
    use_mlock=may(boolean),
    embedding_only=may(boolean),
    num_thread=may(_COUNT),
)
HEAD = obj(
    foreign(
        _IGNORED,
        temperature="`options.temperature`",
        top_p="`options.top_p`",
        top_k="`options.top_k`",
        seed="`options.seed`",
        stop="`options.stop`",
        max_tokens="`options.num_predict`",
        num_predict="`options.num_predict`",
        num_ctx="`options.num_ctx`",
        response_format="`format`",
        tool_choice="fewer tools",
        parallel_tool_calls="one tool",
        reasoning_effort="`think`",
    ),
    model=need(text(1), _REFUSED),
)
SETTINGS = obj(
    stream=may(boolean, type=_REFUSED),
    think=may(boolean | word("high", "medium", "low", "max"), cite("OLC-Q-005", refused=400)),
    format=may(word("", "json") | mapping(), cite("OLC-Q-008")),
    options=may(_OPTIONS, cite("OLC-Q-006", refused=400)),
    keep_alive=may(text(1) | number(), _REFUSED),
    truncate=may(boolean, type=_REFUSED),
    shift=may(boolean, type=_REFUSED),
    logprobs=may(boolean, type=_REFUSED),
    top_logprobs=may(integer(0, 20), _REFUSED),
    _debug_render_only=may(boolean),
)
"""What requests for a chat and for a completion have at the end, as `HEAD` at the beginning."""
REQUEST = obj(
    HEAD,
    obj(
        foreign(_IGNORED, system="a message with the role `system`"),
        messages=should(
            array(_MESSAGE),
            missing=cite("OLC-Q-001", Severity.INFO, because="without messages, the server loads the model"),
            type=_REFUSED,
        ),
        tools=may(array(_TOOL), cite("OLC-Q-003"), type=cite("OLC-Q-003", refused=400)),
    ),
    SETTINGS,
)
