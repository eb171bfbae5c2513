"""The tools that a request declares."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit
from conformance.model.jsontext import brief


@rule(
    "tool-definition-changed",
    scope="conversation",
    cites="ANY-153",
    about="continuation",
)
def tool_definition_changed(view: View) -> Iterator[Hit]:
    """A tool that was called in the run must keep its parameters.

    The calls in the history no longer match the declaration, and the provider's prompt cache is lost.
    """
    found = view.continues
    if found is None:
        return
    before = view.earlier[found.earlier]
    if view.ask.tools is before.ask.tools:
        return
    used = {call.name for turn in view.history for call in turn.calls}
    for tool in view.ask.tools or ():
        was = before.ask.tool(tool.name, tool.namespace)
        if was is None or tool.name not in used or before.dialect is not view.dialect:
            continue
        if not jsontext.same(was.parameters, tool.parameters):
            yield Hit(
                tool.pointer,
                f"the parameters of {tool.name} changed after it was called",
                jsontext.brief(was.parameters),
                jsontext.brief(tool.parameters),
            )


@rule(
    "tools-dropped",
    scope="conversation",
    cites="ANY-154",
    needs_complete=True,
    about="continuation",
)
def tools_dropped(view: View) -> Iterator[Hit]:
    """A request that continues a run must declare the tools that the run has used so far.

    Some providers reject a history with tool calls but no tools; elsewhere the model cannot call the tool again.
    """
    found = view.continues
    if view.ask.stored or any(tool.kind == "toolset" for tool in view.ask.tools or ()):
        return  # the server keeps tools whose names are not in the request
    if found is None or view.dialect.plans_ahead or view.ask.tools is view.earlier[found.earlier].ask.tools:
        return
    declared = {tool.name for tool in view.ask.tools or ()}
    history = view.dialect.readers.history
    kept = f"/{history.key}/" if history is not None and view.ask.continues is not None else None
    earlier = (tool for tool in view.earlier[found.earlier].ask.tools or () if tool.name)
    before = {tool.name for tool in earlier if kept is None or not tool.pointer.startswith(kept)}
    used = {call.name for turn in view.history for call in turn.calls}
    missing = sorted(name for name in (before & used) - declared if name)
    if missing:
        pointer = view.ask.tools[0].pointer.rpartition("/")[0] if view.ask.tools else None
        yield Hit(
            pointer,
            f"{', '.join(missing)} was declared and called earlier in the run, but is no longer declared",
            f"tools with {brief(missing)}",
            brief(sorted(name for name in declared if name)),
        )
