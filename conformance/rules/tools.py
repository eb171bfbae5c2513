"""The tools that a request declares."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.rule import rule
from conformance.judge.tool_schema import is_valid_schema
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit, Severity


@rule("tool-name-duplicate", severity=Severity.WARNING, scope="request", cites=["ANY-171 property of this suite"])
def tool_name_duplicate(view: View) -> Iterator[Hit]:
    """The tools of a request have different names.

    A call by that name means either tool; some servers refuse the request.
    """
    seen: set[str] = set()
    for tool in view.ask.tools or ():
        if tool.name and tool.name in seen:
            yield Hit(tool.pointer, f"a second tool is called {tool.name}", "a name of its own", tool.name)
        seen.add(tool.name or "")


@rule("tool-schema-invalid", severity=Severity.WARNING, scope="request", cites=["ANY-172 JSON Schema 2020-12"])
def tool_schema_invalid(view: View) -> Iterator[Hit]:
    """The parameters of every tool are a valid JSON Schema.

    A server refuses it, or guesses; and nobody can say whether the arguments of a call fit it.
    """
    for tool in view.ask.tools or ():
        if isinstance(tool.parameters, dict) and not is_valid_schema(tool.parameters):
            yield Hit(tool.pointer, f"the parameters of {tool.name} are no valid JSON Schema", "a valid JSON Schema")


@rule(
    "tool-required-property-undeclared",
    severity=Severity.WARNING,
    scope="request",
    cites=["ANY-173 property of this suite"],
)
def tool_required_property_undeclared(view: View) -> Iterator[Hit]:
    """The parameters that a tool requires are among its declared properties.

    The model has to fill in what nobody described: it leaves it out, or guesses.
    """
    for tool in view.ask.tools or ():
        if not isinstance(tool.parameters, dict):
            continue
        required, properties = tool.parameters.get("required"), tool.parameters.get("properties", {})
        if isinstance(required, list) and isinstance(properties, dict):
            unknown = [name for name in required if isinstance(name, str) and name not in properties]
            if unknown:
                yield Hit(
                    tool.pointer,
                    f"{tool.name} requires {', '.join(unknown)}, which it does not declare",
                    "declared properties only",
                    f"{sorted(properties)}",
                )


@rule(
    "tool-definition-changed", severity=Severity.WARNING, scope="conversation", cites=["ANY-153 property of this suite"]
)
def tool_definition_changed(view: View) -> Iterator[Hit]:
    """A tool that the run has called keeps its parameters.

    The calls in the history no longer fit the declaration beside them, and what the provider had cached is void.
    """
    found = view.continues
    if found is None:
        return
    before = view.earlier[found.earlier]
    used = {call.name for turn in view.history for call in turn.calls}
    for tool in view.ask.tools or ():
        was = before.ask.tool(tool.name)
        if was is None or tool.name not in used or before.dialect is not view.dialect:
            continue
        if not jsontext.same(was.parameters, tool.parameters):
            yield Hit(
                tool.pointer,
                f"the parameters of {tool.name} are not those that it was called with",
                jsontext.brief(was.parameters),
                jsontext.brief(tool.parameters),
            )


@rule(
    "tools-dropped",
    severity=Severity.WARNING,
    scope="conversation",
    cites=["ANY-154 property of this suite"],
    needs_complete=True,
)
def tools_dropped(view: View) -> Iterator[Hit]:
    """A request that carries a run on declares the tools that the run has used so far.

    Some providers refuse a history with tool calls and no tools; others can not call again when they need to.
    """
    found = view.continues
    if found is None or view.dialect.plans_ahead:
        return
    declared = {tool.name for tool in view.ask.tools or ()}
    before = {tool.name for tool in view.earlier[found.earlier].ask.tools or () if tool.name}
    used = {call.name for turn in view.history for call in turn.calls}
    missing = sorted(name for name in (before & used) - declared if name)
    if missing:
        pointer = view.ask.tools[0].pointer.rpartition("/")[0] if view.ask.tools else None
        yield Hit(
            pointer,
            f"{', '.join(missing)} was declared and called earlier in the run, and is not declared any more",
            f"tools with {missing}",
            f"{sorted(name for name in declared if name)}",
        )
