"""What refers to what among responses and items: stored ones, and calls with their outputs."""

from conformance.dialects.openai_responses.relation_places import (
    CALL,
    CONVERSATION,
    DELETED,
    ITEM,
    RESPONSE,
    UNSTORED_ITEM,
    UNSTORED_RESPONSE,
    output,
    sent,
)
from conformance.judge.relations import (
    Identity,
    answered,
    differ,
    once,
    pending,
    refers,
    row,
    within,
)
from conformance.model.finding import Severity

_TALK = "request /conversation/id | request /conversation[!id]"

# Responses and stored items ----------------------------------------------------------------------------------------
row(
    "responses-previous-response-orphaned",
    "OAR-C-010",
    refers(
        "request /previous_response_id",
        RESPONSE,
        others=(UNSTORED_RESPONSE, ITEM, UNSTORED_ITEM, CALL, CONVERSATION),
        open=True,
        ended=DELETED,
    ),
    refers(
        "request /prompt_cache_options/comparison_response_id",
        Identity("response", f"{RESPONSE.made}"),
        others=(ITEM, UNSTORED_ITEM, CALL, CONVERSATION),
        open=True,
    ),
    why="The server does not find the response, and refuses the request.",
    refused=True,
)
row(
    "responses-conversation-orphaned",
    "OAR-C-011",
    refers(
        _TALK,
        CONVERSATION,
        others=(RESPONSE, UNSTORED_RESPONSE, ITEM, CALL),
        open=True,
        ended=DELETED,
    ),
    why="The server does not find the conversation, and refuses the request.",
    refused=True,
)
row(
    "responses-item-reference-orphaned",
    "OAR-Q-016",
    refers(sent("item_reference", "/id"), ITEM, others=(UNSTORED_ITEM, CALL, RESPONSE, UNSTORED_RESPONSE), open=True),
    why="The server kept no such item, and refuses the request: the client has to send the item itself.",
    refused=True,
)
row(
    "responses-input-item-id-duplicate",
    "OAR-C-012",
    once("request /input/*[!type=local_shell_call_output|item_reference|tool_search_call|tool_search_output]/id"),
    why="The server refuses a request with an item that comes twice, or the model reads it twice.",
)
row(
    "responses-id-reused",
    "OAR-R-018",
    once("response /id | event[type=response.created] /response/id", within="run"),
    why="A client continues the other response with the same id.",
)

# Calls that the client runs ----------------------------------------------------------------------------------------
_KINDS = {
    "function_call": ("function_call_output", "/call_id"),
    "custom_tool_call": ("custom_tool_call_output", "/call_id"),
    "computer_call": ("computer_call_output", "/call_id"),
    "shell_call": ("shell_call_output", "/call_id"),
    "local_shell_call": ("local_shell_call_output", "/id"),
    "apply_patch_call": ("apply_patch_call_output", "/call_id"),
    "tool_search_call": ("tool_search_output", "/call_id"),
    "program": ("program_output", "/call_id"),
}
"""The calls, each with its output, and where this has the `call_id`."""
_ANSWERED_ALSO = {"function_call": "tool_search_call"}
"""OpenAI takes the output of a function for that of a tool search (recorded)."""
_CALLS = {
    kind: Identity(f"call_id of a {kind}", f"{output(kind, '/call_id')} | {sent(kind, '/call_id')}") for kind in _KINDS
}
_LOCAL = "[type=shell_call][!environment.type=container_auto|container_reference]/call_id"
_WAITING = "[type=computer_call|local_shell_call|apply_patch_call]/call_id"
_BY_CLIENT = Identity(
    "call",
    f"request /input/*{_WAITING} | request /input/*{_LOCAL} | response /output/*{_WAITING} | response /output/*{_LOCAL}"
    f" | event[type=response.output_item.done] /item{_WAITING} | event[type=response.output_item.done] /item{_LOCAL}",
)
_SENT_BY_CLIENT = Identity("call", f"request /input/*{_WAITING} | request /input/*{_LOCAL}", "exchange")
_OUTPUTS = sent("computer_call_output|shell_call_output|apply_patch_call_output|local_shell_call_output", "/call_id")
_OUTPUTS = f"{_OUTPUTS} | {sent('local_shell_call_output', '/id')}"
_SEARCH = "[execution=client]/call_id"

row(
    "responses-result-call-mismatch",
    "OAR-C-013",
    *(
        refers(
            sent(result, at),
            _CALLS[kind],
            others=tuple(other for name, other in _CALLS.items() if name not in (kind, _ANSWERED_ALSO.get(kind))),
            open=True,
        )
        for kind, (result, at) in _KINDS.items()
    ),
    why="The server finds no call of this type with the id.",
    refused=True,
)
row(
    "responses-client-call-unanswered",
    "OAR-C-014",
    answered(_SENT_BY_CLIENT, by=_OUTPUTS),
    pending(_BY_CLIENT, by=_OUTPUTS, at="request /previous_response_id", link=RESPONSE),
    pending(_BY_CLIENT, by=_OUTPUTS, at=_TALK, link=Identity("conversation", _TALK)),
    pending(
        Identity("call", output("function_call|custom_tool_call", "/call_id")),
        by=sent("function_call_output|custom_tool_call_output", "/call_id"),
        at=_TALK,
        link=Identity("conversation", _TALK),
    ),
    why="The server refuses a request that leaves one of the calls of the model without an output.",
    refused=True,
)
row(
    "responses-tool-search-unanswered",
    "OAR-C-001",
    answered(
        Identity("tool search", sent("tool_search_call", _SEARCH), "exchange"),
        by=f"{sent('tool_search_output', '/call_id')} | request /input/*[output]/call_id",
    ),
    pending(
        Identity("tool search", output("tool_search_call", _SEARCH)),
        by=f"{sent('tool_search_output', '/call_id')} | request /input/*[output]/call_id",
        at="request /previous_response_id",
        link=RESPONSE,
    ),
    severity=Severity.WARNING,
    because="no refusal is known",
    why="The server refuses a call without an output, or the model continues without the tools.",
)
row(
    "responses-result-id-wrong",
    "OAR-C-003",
    refers(
        sent("function_call_output|custom_tool_call_output", "/call_id"),
        Identity("call_id", f"{output(path='/call_id')} | request /input/*[!output]/call_id"),
        others=(
            Identity(
                "id of the item",
                f"{output(path='/id')} | {sent('function_call|custom_tool_call', '/id')}",
            ),
        ),
        open=True,
    ),
    why="The server finds no call with that id and refuses the request with a 400.",
)
row(
    "responses-call-id-reused",
    "OAR-R-003",
    within(output(path="[call_id]"), differ("/id", "/call_id")),
    severity=Severity.WARNING,
    because="the item has all its members; only a client that confuses the two ids fails",
    why="With one id for both, a gateway hides clients that refer to the wrong one; the provider itself refuses them.",
)
