"""The order of the events of one output item: docs/contract/openai-responses.md, OAR-S."""

from conformance.judge.relations import (
    Identity,
    ends,
    equal,
    follows,
    increases,
    leads_to,
    matched,
    refers,
    rises,
    row,
    within,
)

_TOOLS = {
    "web_search_call": ("searching",),
    "file_search_call": ("searching",),
    "code_interpreter_call": ("interpreting",),
    "image_generation_call": ("generating", "partial_image"),
    "mcp_call": (),
    "mcp_list_tools": (),
}
"""The server's own tools: what their events report between `in_progress` and the end."""
_PIECES = ("code_interpreter_call_code", "mcp_call_arguments", "reasoning_text", "shell_call_command")
"""Texts in pieces, beside those of `responses-part-out-of-order`."""


def _events(*types: str) -> str:
    return f"event[type={'|'.join(f'response.{each}' for each in types)}]"


_BEGUN = _events(*(f"{tool}.in_progress" for tool in _TOOLS))
_STEPS = _events(*(f"{tool}.{step}" for tool, steps in _TOOLS.items() for step in steps))
_MIDDLE = _events(*(f"{tool}.{step}" for tool, steps in _TOOLS.items() for step in ("in_progress", *steps)))
_FINAL = _events(*(f"{tool}.{step}" for tool in _TOOLS for step in ("completed", "failed")))
_WHOLE = _events("completed")

row(
    "responses-tool-progress-out-of-order",
    "OAR-S-016",
    follows(_STEPS, before=_BEGUN, by="/item_id"),
    follows(_FINAL, before=_BEGUN, by="/item_id"),
    ends(_FINAL, _MIDDLE, by="/item_id"),
    leads_to(_BEGUN, _FINAL, by="/item_id", end=_WHOLE),
    why="Clients show the progress of a tool by these events: it seems to hang, or to begin again.",
)
row(
    "responses-delta-after-done-unexpected",
    "OAR-S-017",
    ends(
        _events(*(f"{each}.done" for each in _PIECES)),
        _events(*(f"{each}.delta" for each in _PIECES)),
        by="/item_id /content_index /command_index",
    ),
    why="A client that takes the text of the `done` event loses what comes later.",
)

_COMMAND = _events("shell_call_command.added")
row(
    "responses-event-index-wrong",
    "OAR-S-020",
    rises(_events("image_generation_call.partial_image"), "/partial_image_index", by="/item_id", dense=True),
    rises(_events("output_text.annotation.added"), "/annotation_index", by="/item_id /content_index", dense=True),
    rises(_events("reasoning_summary_part.added"), "/summary_index", by="/item_id", dense=True),
    rises(_COMMAND, "/command_index", by="/output_index", dense=True),
    refers(
        _events(
            *(
                f"shell_call_{each}"
                for each in ("command.delta", "command.done", "output_content.delta", "output_content.done")
            )
        )
        + " /command_index",
        Identity("index of a command", f"{_COMMAND} /command_index", "exchange"),
        given=_COMMAND,
    ),
    requirement="Partial images, annotations, summary parts and shell commands must be numbered from 0 without a gap.",
    why="A client that keeps the pieces in an array loses one, or fails.",
)

# Items that are added and done -------------------------------------------------------------------------------------
_BEGIN, _END = _events("output_item.added"), _events("output_item.done")
row(
    "responses-output-index-wrong",
    "OAR-S-005",
    within("events", increases("/*[type=response.output_item.added]/output_index", by=1, start=0)),
    why="It is the item's place in the output; clients that assemble the reply by it overwrite or lose an item.",
)
row(
    "responses-item-done-missing",
    "OAR-S-005",
    # Servers are asked for their tools at once, and not every listing is reported as done (recorded traffic).
    leads_to(f"{_BEGIN}[!item.type=mcp_list_tools]", _END, by="/output_index", end=_WHOLE),
    why="Clients process an item when it is done; they wait for this one, or drop it.",
)
row(
    "responses-item-changed",
    "OAR-S-010",
    matched(
        _END,
        "/output_index",
        _BEGIN,
        "/output_index",
        *(equal(f"/that/item/{each}", f"/this/item/{each}") for each in ("id", "type", "call_id", "name")),
    ),
    why="A client may answer the first call_id that it saw, but the server may know only the last.",
)

# The item of an event ----------------------------------------------------------------------------------------------
_ADDED = "event[type=response.output_item.added] /item"
_ABOUT = {
    **{
        tool: tuple(f"{tool}.{step}" for step in ("in_progress", *steps, "completed", "failed"))
        for tool, steps in _TOOLS.items()
    },
    "function_call": ("function_call_arguments.delta", "function_call_arguments.done"),
    "custom_tool_call": ("custom_tool_call_input.delta", "custom_tool_call_input.done"),
    "message": (
        "output_text.delta",
        "output_text.done",
        "refusal.delta",
        "refusal.done",
        "output_text.annotation.added",
    ),
    "reasoning": ("reasoning_summary_part.added", "reasoning_summary_text.delta", "reasoning_text.delta"),
}
"""The types of items, each with those of the events about them."""
_IDS = {kind: Identity(f"id of a {kind}", f"{_ADDED}[type={kind}]/id", "exchange") for kind in _ABOUT}
row(
    "responses-event-item-mismatch",
    "OAR-S-019",
    *(
        refers(
            f"{_events(*types)} /item_id",
            _IDS[kind],
            others=tuple(each for name, each in _IDS.items() if name != kind),
            open=True,
        )
        for kind, types in _ABOUT.items()
    ),
    requirement="An event about an item must refer to an item of its type.",
    why="Clients that follow items by their ids show the progress, or write the text, of another one.",
)
