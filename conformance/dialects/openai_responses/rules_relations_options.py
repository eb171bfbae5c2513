"""What a Responses request asks for, and what the response repeats, adds or keeps within its bounds."""

from conformance.dialects.openai_responses.relation_places import ELSEWHERE, output, reply
from conformance.judge.relations import (
    Identity,
    at_most,
    bounded,
    bytes_of,
    concatenates,
    decreases,
    echoes,
    forbids,
    has,
    mentions,
    never,
    not_less,
    refers,
    requires,
    row,
    strict_schema,
    structured,
    within,
)
from conformance.model.finding import Severity

_INCLUDED = "request /include/*[={}]"
_DELTA = "event[type=response.output_text.delta] "

# The response repeats the request ----------------------------------------------------------------------------------
_REPEATED = (
    *("background", "max_output_tokens", "max_tool_calls", "metadata", "prompt_cache_key", "safety_identifier"),
    *("store", "temperature", "tool_choice", "top_logprobs", "top_p", "truncation", "user", "text/format/type"),
    *("text/format/name", "text/format/strict", "text/verbosity", "reasoning/effort"),
)
_HISTORY = ("instructions", "previous_response_id")
"""Options that are null in the response without the request's, and are not null with it."""


def _own(path: str) -> str:
    """A place in a response without a stored prompt, which has options of its own."""
    return reply(f"[!prompt]{path}")


row(
    "responses-option-mismatch",
    "OAR-R-009",
    *(echoes(_own(f"/{each}[!type]"), f"request /{each}[!type]") for each in _REPEATED),
    *(echoes(_own(f"/{each}"), f"request /{each}") for each in _HISTORY),
    *(forbids(_own(f"[!{each}]/{each}"), f"request [{each}]") for each in _HISTORY),
    *(requires(_own(f"[{each}]/{each}"), f"request [{each}]") for each in _HISTORY),
    echoes(_own("/parallel_tool_calls"), "request /parallel_tool_calls", default=True),
    echoes(_own("/tool_choice[type]/name"), "request /tool_choice[type]/name"),
    forbids(_own("/tool_choice[!type]"), "request /tool_choice[type]"),
    forbids(_own("/tool_choice[type]"), "request /tool_choice[!type]"),
    requires(_own("/tool_choice[!=auto]"), "request [tool_choice]"),
    echoes(reply("/conversation/id"), "request /conversation/id | request /conversation[!id]"),
    echoes(reply("/prompt/id"), "request /prompt/id"),
    requirement="A response must repeat the options of its request.",
    why="A different value was not applied: a gateway dropped the option, or lost the history.",
)

# What `include` and other options ask for --------------------------------------------------------------------------


def _includes(name: str) -> str:
    return f"request /include/*[={name}]"


row(
    "responses-included-field-missing",
    "OAR-R-020",
    within(output("file_search_call"), has("/results"), given=_includes("file_search_call.results")),
    within(
        output("web_search_call", "/action[type=search]"),
        has("/sources"),
        given=_includes("web_search_call.action.sources"),
    ),
    within(
        output("message", "/content/*[type=output_text]"),
        has("/logprobs/first"),
        given=_includes("message.output_text.logprobs"),
    ),
    requirement="What `include` names must be in the output.",
    why="The client asked for it, and has nothing to show or to send back.",
)
row(
    "responses-output-encrypted-content-missing",
    "OAR-Q-013",
    within(output("reasoning"), has("/encrypted_content"), given=_includes("reasoning.encrypted_content")),
    why="A client that keeps its own history has nothing to send back, and the model loses its reasoning.",
)
row(
    "responses-included-field-unexpected",
    "OAR-R-020",
    requires(output("file_search_call", "/results/first"), _includes("file_search_call.results")),
    requires(output("web_search_call", "/action/sources/first"), _includes("web_search_call.action.sources")),
    requires(output("code_interpreter_call", "/outputs/first"), _includes("code_interpreter_call.outputs")),
    requires(
        output("message", "/content/*/logprobs/first"),
        f"{_includes('message.output_text.logprobs')} | request [top_logprobs]",
    ),
    requirement="The output must not have what only `include` adds, if it does not name it.",
    why="The reply is larger than the client expects, and holds what it did not want to keep.",
)
row(
    "responses-moderation-unexpected",
    "OAR-R-021",
    requires(reply("[moderation]/moderation"), "request [moderation]", unless="request [prompt]"),
    requires(
        reply("[prompt_cache_diagnostics]/prompt_cache_diagnostics"),
        "request /prompt_cache_options[comparison_response_id]",
        unless="request [prompt]",
    ),
    requirement="A response must have moderation and cache diagnostics only if the request asks for them.",
    why="The client pays for what it did not ask for, or reads the verdict of another request.",
)
row(
    "responses-moderation-missing",
    "OAR-R-021",
    within(reply("[status=completed]"), has("/moderation"), given="request [moderation]"),
    why="The client takes what nobody checked for checked.",
)
row(
    "responses-obfuscation-unexpected",
    "OAR-S-018",
    forbids("event /obfuscation", "request /stream_options[include_obfuscation=false]"),
    why="The client pays for bytes that it switched off.",
)

# Bounds ------------------------------------------------------------------------------------------------------------
row(
    "responses-tool-calls-too-many",
    "OAR-R-022",
    at_most(
        "request /max_tool_calls",
        output("web_search_call|file_search_call|code_interpreter_call|image_generation_call|mcp_call"),
    ),
    why="The limit is what bounds the cost of the server's own tools.",
)
row(
    "responses-top-logprobs-too-many",
    "OAR-R-023",
    bounded(
        f"{output('message', '/content/*/logprobs/*/top_logprobs')} | {_DELTA}/logprobs/*/top_logprobs",
        by="request /top_logprobs",
    ),
    why="Clients that reserve room for so many alternatives overflow it.",
)
row(
    "responses-logprobs-mismatch",
    "OAR-R-024",
    within(output("message", "/content/*[type=output_text]"), concatenates("/logprobs/*/token", "/text")),
    within(
        f"{output('message', '/content/*/logprobs/*')} | {output('message', '/content/*/logprobs/*/top_logprobs/*')}",
        bytes_of("/bytes", "/token"),
    ),
    within(_DELTA, concatenates("/logprobs/*/token", "/delta")),
    requirement="The tokens of the log probabilities must add up to the text, and have their own bytes.",
    why="A client that marks the tokens in the text marks the wrong ones.",
)
row(
    "responses-top-logprobs-out-of-order",
    "OAR-R-043",
    within(f"{output('message', '/content/*/logprobs/*')} | {_DELTA}/logprobs/*", decreases("/top_logprobs/*/logprob")),
    why="Clients take the first alternative for the most likely one.",
)

# The form of the answer --------------------------------------------------------------------------------------------
_REFUSED = "response /output/*/content/*[type=refusal] | event[type=response.refusal.delta|response.refusal.done]"
row(
    "responses-structured-output-invalid",
    "OAR-R-016",
    structured(
        "request /text/format[type=json_schema]/schema", strict="request /text/format[strict=true]", unless=_REFUSED
    ),
    structured(
        "request /text/format[type=json_object]/type",
        strict="request /text/format[type=json_object]",
        unless=_REFUSED,
    ),
    why="Programs read the fields that the schema promises.",
)
row(
    "responses-strict-schema-incomplete",
    ["OAR-Q-003", "MAP-006"],
    within(
        "request /tools/*[type=function][strict=true] | request /tools/*[type=namespace]/tools/*[strict=true]"
        " | request /input/*[type=additional_tools]/tools/*[strict=true]"
        " | request /input/*[type=additional_tools]/tools/*/tools/*[strict=true]",
        strict_schema("/parameters"),
    ),
    within("request /text/format[type=json_schema][strict=true]", strict_schema("/schema")),
    why="The server refuses the request with a 400, code `invalid_function_parameters` or `invalid_json_schema`.",
)
row(
    "responses-json-word-missing",
    "OAR-Q-018",
    mentions(
        "request /text/format[type=json_object]",
        "json",
        "request /instructions | request /input | request /input/*/content | request /input/*/content/*/text"
        " | request /input/*/output",
        unless=ELSEWHERE,
    ),
    why="The server refuses the request; another one may send white space until the limit.",
    refused=True,
    elsewhere=Severity.WARNING,
)

# Tools -------------------------------------------------------------------------------------------------------------
_NAMED = "[type=function|custom]/name"
_TOOL = Identity(
    "tool",
    f"request /tools/*{_NAMED} | request /tools/*[type=namespace]/tools/*/name | request /tools/*[type=namespace]/name"
    f" | request /input/*[tools]/tools/*{_NAMED} | request /input/*[tools]/tools/*/tools/*/name",
    "exchange",
)
row(
    "responses-tool-choice-undeclared",
    "OAR-Q-005",
    refers(
        f"request /tool_choice{_NAMED} | request /tool_choice[type=allowed_tools]/tools/*{_NAMED}",
        _TOOL,
        unless="request [prompt]",
        given="request [tools]",
    ),
    severity=Severity.WARNING,
    because="the statement is about the form; no recording or thread shows the refusal",
    why="The server refuses a choice of a tool that the model does not know.",
)

# States ------------------------------------------------------------------------------------------------------------
_DONE = "[status=completed]"
_CALLED = "message|function_call|custom_tool_call"
_UNDONE = "[status=in_progress|incomplete]/status"
row(
    "responses-status-conflicting",
    ["OAR-R-007", "OAR-R-002"],
    never(reply(f"{_DONE}[error]/error")),
    never(reply(f"{_DONE}[incomplete_details]/incomplete_details")),
    never(reply(f"{_DONE}/output/*[type={_CALLED}][!caller.type=program]{_UNDONE}")),
    requirement="A completed response must have no error, no reason for being incomplete, and only completed items.",
    why="A client that relies on the status runs an unfinished call, or hides an error.",
)
row(
    "responses-completion-time-wrong",
    "OAR-R-025",
    never(reply("[completed_at][!status=completed]/completed_at")),
    within(reply(), not_less("/completed_at", "/created_at")),
    why="The client takes a response for finished that is not, or computes a negative duration.",
)
