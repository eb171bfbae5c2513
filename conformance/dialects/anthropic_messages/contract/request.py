"""A Messages request, field by field."""

from __future__ import annotations

from conformance.contract.nodes import Foreign
from conformance.contract.notation import *
from conformance.contract.situation import when
from conformance.dialects.anthropic_messages.contract.blocks import TEXT
from conformance.dialects.anthropic_messages.contract.common import CACHE, sent
from conformance.dialects.anthropic_messages.contract.messages import MESSAGE
from conformance.dialects.anthropic_messages.contract.places import *
from conformance.dialects.anthropic_messages.contract.schemas import STRICT_SCHEMA
from conformance.dialects.anthropic_messages.contract.tools import BROKEN_TOOL, TOOL_CHOICE, TOOLS
from conformance.model.finding import Severity

_FIELD = cite("ANT-Q-001", rule="messages-request-field-wrong-type", refused=400)
_NEEDED = {"missing": _FIELD, "type": _FIELD, "empty": _FIELD}
_HOSTED = {
    **_NEEDED,
    "value": cite("ANT-Q-001", rule="messages-request-field-wrong-type"),
}
_RANGE = refusal("ANT-Q-001")
_IN_PATH = cite(
    "ANT-Q-001",
    Severity.WARNING,
    because="a proxy may move the field into the path before the cloud sees it",
    refused=400,
)
_UNKNOWN = cite(
    "ANT-Q-010",
    Severity.WARNING,
    because="every beta adds fields that are then accepted",
    rule="messages-request-field-unknown",
    refused=400,
)
_SISTER = cite(
    "ANT-Q-010",
    rule="messages-request-field-unknown",
    refused=400,
)
_VERSION = cite(
    "ANT-Q-003",
    rule="messages-field-unsupported",
    refused=400,
)
_BUDGET = cite(
    "ANT-Q-001",
    rule="messages-thinking-option-invalid",
    refused=400,
)
_THINKS = refusal("ANT-Q-026")
_EFFORT = ("low", "medium", "high", "xhigh", "max")

# Nested objects -----------------------------------------------------------------------------------------------------
_SKILL = sent(type=need(word("anthropic", "custom")), skill_id=need(text(1, 64)), version=may(text(1, 64)))
CONTAINER = sent(id=may(text(1)), skills=may(array(_SKILL, 0, 8)))
_DISPLAY = may(word("summarized", "omitted", "updates"))
_BINDING = may(sent(prefix_mismatch_behavior=may(word("error", "drop_block"))))
_BROKEN = dict.fromkeys(("missing", "type", "range"), _BUDGET)
_NO_BUDGETS = refusal("ANT-Q-001", rule="messages-thinking-option-invalid")
_ENABLED = {"budget_tokens": need(integer(1024), _BROKEN), "display": _DISPLAY, "block_binding": _BINDING}
_NOT_ADAPTIVE = refusal("ANT-Q-001", rule="messages-thinking-option-invalid")
THINKING = by_known(
    {"missing": _BUDGET, "type": _BUDGET, "value": cite(rule="messages-thinking-option-invalid")},
    enabled=sent(
        _BROKEN,
        _ENABLED,
        type=first(
            need(Foreign("`adaptive` and `output_config.effort`", "`enabled`", _NO_BUDGETS), only=NO_BUDGET),
            need(word("enabled")),
        ),
    ),
    disabled=sent(),
    adaptive=sent(
        display=_DISPLAY,
        block_binding=_BINDING,
        type=first(
            need(Foreign("`enabled` and `budget_tokens`", "`adaptive`", _NOT_ADAPTIVE), only=NOT_ADAPTIVE),
            need(word("adaptive")),
        ),
    ),
    between_tools=sent(),
)
FORMAT = by(json_schema=sent(schema=need(STRICT_SCHEMA)))
_TASK_BUDGET = by(tokens=sent(total=need(integer(20_000)), remaining=may(integer(0))))
OUTPUT_CONFIG = sent(
    effort=first(
        may(
            Foreign("`thinking` with a budget: this model takes no effort"),
            refusal("ANT-Q-001"),
            only=NO_EFFORT,
        ),
        may(word("low", "medium", "high", "max"), refusal("ANT-Q-001"), only=EFFORT_TO_MAX),
        may(word("low", "medium", "high"), refusal("ANT-Q-001"), only=EFFORT_TO_HIGH),
        may(known(*_EFFORT)),
    ),
    format=may(FORMAT),
    task_budget=may(_TASK_BUDGET),
)
_TOKENS = {"input_tokens": sent(value=need(integer(1)))}
_EDITS = by_known(
    clear_tool_uses_20250919=sent(
        clear_at_least=may(by(input_tokens=sent(value=need(integer(0))))),
        clear_tool_inputs=may(boolean | array(text())),
        exclude_tools=may(array(text())),
        keep=may(by(tool_uses=sent(value=need(integer(0))))),
        trigger=may(by(_TOKENS, tool_uses=sent(value=need(integer(1))))),
    ),
    clear_thinking_20251015=sent(
        keep=may(by(thinking_turns=sent(value=need(integer(1))), all=sent()) | word("all")),
    ),
    compact_20260112=sent(
        instructions=may(text()),
        pause_after_compaction=may(boolean),
        trigger=may(by(input_tokens=sent(value=need(integer(50_000))))),
    ),
)
_MCP_SERVER = by(
    url=sent(
        url=need(text(1, pattern=r"https?://[\s\S]+")),
        name=need(text(1)),
        authorization_token=may(text()),
        tool_configuration=may(sent(allowed_tools=may(array(text())), enabled=may(boolean))),
    ),
)
_SPEED = may(word("standard", "fast"))
_FALLBACK = sent(
    model=need(text(1)),
    max_tokens=may(integer(0)),
    output_config=may(OUTPUT_CONFIG),
    speed=_SPEED,
    thinking=may(THINKING),
)

# The request --------------------------------------------------------------------------------------------------------
_NOT_IN_SECOND = may(Foreign("an instruction in the prompt"), _VERSION, only=SECOND_VERSION)
_NO_SAMPLING = (
    _NOT_IN_SECOND,
    may(Foreign("an instruction in the prompt"), refusal("ANT-Q-003"), only=NO_SAMPLING),
)
FIELDS = obj(
    closed,
    {"unknown": _UNKNOWN},
    model=first(
        may(Foreign("the model in the path"), _IN_PATH, only=CLOUD),
        need(text(1), _NEEDED),
    ),
    max_tokens=need(integer(0), _NEEDED, range=_RANGE),
    messages=need(
        array(MESSAGE, 1),
        _NEEDED,
        empty=cite("ANT-Q-019", rule="messages-request-field-wrong-type", refused=400),
    ),
    system=may(text() | array(by(text=TEXT)), type=_FIELD),
    # Sampling --------------------------------------------------------------------------------------------------------
    temperature=first(
        _NOT_IN_SECOND,
        may(number(1, 1), refusal("ANT-Q-003"), only=NO_SAMPLING),
        may(number(0, 1), type=_FIELD, range=_RANGE),
    ),
    top_p=first(
        *_NO_SAMPLING,
        may(number(0, 1), type=_FIELD, range=_RANGE),
    ),
    top_k=first(
        *_NO_SAMPLING,
        may(integer(0, 500), only=BEDROCK, type=_FIELD, range=_RANGE),
        may(integer(0), type=_FIELD, range=_RANGE),
    ),
    stop_sequences=may(array(text(1)), type=_FIELD),
    # Tools -----------------------------------------------------------------------------------------------------------
    tools=may(TOOLS, type=BROKEN_TOOL),
    tool_choice=may(TOOL_CHOICE, cite("ANT-Q-008", rule="messages-tool-choice-invalid", refused=400)),
    mcp_servers=may(array(_MCP_SERVER, 0, 20), type=_FIELD),
    container=may(CONTAINER | text(1), type=_FIELD),
    # Thinking and output ----------------------------------------------------------------------------------------------
    thinking=may(THINKING, type=_FIELD),
    output_config=may(OUTPUT_CONFIG, type=_FIELD),
    output_format=may(FORMAT, type=_FIELD),
    stream=first(
        may(
            Foreign("the path `invoke-with-response-stream`"),
            _IN_PATH,
            only=BEDROCK,
        ),
        may(boolean, type=_FIELD),
    ),
    speed=_SPEED,
    # Context ----------------------------------------------------------------------------------------------------------
    cache_control=CACHE,
    context_management=may(sent(edits=may(array(_EDITS))), type=_FIELD),
    compaction=may(by(summarize=sent(instructions=may(text())))),
    thread=may(by({"create": sent(), "continue": sent(previous_message_id=need(text(1)))})),
    diagnostics=may(sent(previous_message_id=may(text()))),
    # Bookkeeping ------------------------------------------------------------------------------------------------------
    metadata=may(sent({"unknown": cite("ANT-Q-010", refused=400)}, user_id=may(text(0, 512))), type=_FIELD),
    service_tier=may(word("auto", "standard_only"), type=_FIELD),
    inference_geo=may(text()),
    fallbacks=may(array(_FALLBACK) | word("default")),
    fallback_credit_token=may(text(1) | sent(token=need(text(1)), mode=may(word("strict", "best_effort")))),
    billing_policy=may(by(billing_policy=sent(bill_to=may(word("self", "user_profile"))))),
    user_profile_id=may(text()),
    workspace_id=may(text()),
    # Of the clouds ----------------------------------------------------------------------------------------------------
    anthropic_version=first(
        need(word("bedrock-2023-05-31"), _HOSTED, only=BEDROCK),
        need(word("vertex-2023-10-16"), _HOSTED, only=VERTEX),
        may(Foreign("the header `anthropic-version`"), _UNKNOWN),
    ),
    anthropic_beta=first(
        may(array(text(1)), only=CLOUD),
        may(Foreign("the header `anthropic-beta`"), _UNKNOWN),
    ),
    betas=may(Foreign("the header `anthropic-beta`"), _UNKNOWN),
)
"""The fields by themselves, before the rows about several fields."""

_FORCED = cite("ANT-Q-009", rule="messages-tool-choice-conflicting", refused=400)
_OPTION = cite(
    "ANT-Q-008",
    Severity.WARNING,
    because="no refusal of an option beside a choice that has none is known",
    rule="messages-tool-choice-invalid",
)
_CHOOSES = is_("tool_choice.type", "auto", "any", "tool")
_LOOSE = ("enabled", "adaptive")

REQUEST = obj(
    FIELDS,
    foreign(
        _SISTER,
        parallel_tool_calls="`tool_choice.disable_parallel_tool_use`",
        functions="`tools`",
        function_call="`tool_choice`",
        max_completion_tokens="`max_tokens`",
        max_output_tokens="`max_tokens`",
        response_format="`output_config`",
        reasoning_effort="`thinking` and `output_config.effort`",
        reasoning="`thinking` and `output_config.effort`",
        stop="`stop_sequences`",
        n="one request for each reply",
        instructions="`system`",
        input="`messages`",
        prompt="`messages`",
        contents="`messages`",
        generationConfig="its settings as fields of the request itself",
        system_instruction="`system`",
        systemInstruction="`system`",
        toolConfig="`tool_choice`",
        tool_config="`tool_choice`",
        stream_options="`usage`, which every stream has",
        frequency_penalty="an instruction in the prompt",
        presence_penalty="an instruction in the prompt",
        logit_bias="an instruction in the prompt",
        logprobs="no such field: Messages returns no probabilities",
        top_logprobs="no such field: Messages returns no probabilities",
        seed="no such field: Messages has no seed",
        user="`metadata.user_id`",
        safety_identifier="`metadata.user_id`",
        store="no such field: Messages does not store replies",
        modalities="no such field: Messages returns only text",
        audio="no such field: Messages returns only text",
        prediction="no such field",
        verbosity="`output_config.effort`",
        text="`output_config`",
        include="fields that every reply has",
        previous_response_id="the earlier turns in `messages`",
        conversation="the earlier turns in `messages`",
        truncation="`context_management`",
        background="`stream`",
        max_tool_calls="a limit in the client",
        prompt_cache_key="`cache_control`",
        web_search_options="a tool of type `web_search_20250305`",
    ),
    # Rows about several fields -----------------------------------------------------------------------------------
    excludes(is_("thinking.type", "enabled"), is_("tool_choice.type", "any", "tool"), cite=_FORCED),
    below("thinking.budget_tokens", "max_tokens", cite=_THINKS, only=when(no=INTERLEAVED)),
    excludes(is_("thinking.type", *_LOOSE), over("temperature", 1), cite=_THINKS),
    excludes(is_("thinking.type", *_LOOSE), under("temperature", 1), cite=_THINKS),
    excludes(is_("thinking.type", *_LOOSE), under("top_p", 0.95), cite=refusal("ANT-Q-026")),
    excludes(is_("thinking.type", *_LOOSE), "top_k", cite=refusal("ANT-Q-026")),
    excludes("temperature", "top_p", cite=refusal("ANT-Q-003"), only=ONE_SAMPLER),
    excludes("output_format", "output_config.format"),
    needs(_CHOOSES, "tools", cite=_OPTION, only=when(complete=True)),
    excludes(is_("tools", []), _CHOOSES, cite=_OPTION, only=when(complete=True)),
)
