"""Gemini requests: tools, their declarations and the calling mode. docs/contract/gemini.md, GEM-Q."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.gemini.request import mode_of
from conformance.dialects.gemini.wire import at, declarations, get
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.pointer import join

_TYPES = "google-genai 2.34 google/genai/types.py"


@rule(
    "gemini-allowed-names-misplaced",
    scope="request",
    cites="GEM-Q-011",
    part="settings",
)
def allowed_names_misplaced(view: View) -> Iterator[Hit]:
    """`allowedFunctionNames` must contain declared names, and needs the mode ANY or VALIDATED.

    With another mode or an undeclared name, the server refuses the request.
    """
    tool_config = get(view.request, "toolConfig")
    config = get(tool_config, "functionCallingConfig")
    names = get(config, "allowedFunctionNames")
    if not isinstance(names, list) or not names:
        return
    base = at(tool_config, "functionCallingConfig", at(view.request, "toolConfig", ""))
    where = at(config, "allowedFunctionNames", base)
    if mode_of(config) not in ("ANY", "VALIDATED"):
        yield Hit(where, "allowedFunctionNames is not used in this mode", "the mode ANY", brief(get(config, "mode")))
    declared = [declaration.get("name") for declaration, _ in declarations(view.request)]
    if view.ask.tools is None and not view.complete:
        return
    for number, name in enumerate(names):
        if isinstance(name, str) and name not in declared:
            yield Hit(join(where, number), f"{name} is not declared", f"one of {declared}", name)
