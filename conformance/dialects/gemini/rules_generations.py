"""Combinations that models up to Gemini 2.5 refuse, and Gemini 3 accepts. docs/contract/gemini.md, GEM-Q-020."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.gemini.contract.tools import BUILT_IN
from conformance.dialects.gemini.wire import at, camel, declarations, each, generation, get
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity


def _weight(view: View) -> Severity | None:
    """The severity; None if the model accepts it. A name without a generation may or may not."""
    version = generation(view.model)
    if version is None:
        return Severity.WARNING
    return Severity.ERROR if version < 3 else None


def _built_in(view: View) -> Iterator[str]:
    """The places of built-in tools that the service runs: what uses a computer is the client."""
    for tool, pointer in each(view.request, "tools", ""):
        for name, value in tool.items() if isinstance(tool, dict) else ():
            if camel(name) in BUILT_IN and camel(name) != "computerUse" and value is not None:
                yield at(tool, name, pointer)


@rule(
    "gemini-tools-conflicting",
    scope="request",
    cites="GEM-Q-020",
)
def tools_conflicting(view: View) -> Iterator[Hit]:
    """Up to Gemini 2.5 a request must not have built-in tools and function declarations together.

    The server refuses it with a 400 ("Tool use with function calling is unsupported"). Gemini 3 accepts both, at the
    Gemini API only with `toolConfig.includeServerSideToolInvocations`.
    """
    if not any(True for _ in declarations(view.request)):
        return
    if view.ok and generation(view.model) is None:  # it may not, and did
        return
    weight, wanted = _weight(view), "only functions, or only built-in tools"
    if weight is None:
        config = get(view.request, "toolConfig")
        if view.provider != "google" or get(config, "includeServerSideToolInvocations") is True:
            return
        weight, wanted = Severity.WARNING, "`toolConfig.includeServerSideToolInvocations: true`"
    for pointer in _built_in(view):
        yield Hit(pointer, "a built-in tool beside function declarations", wanted, "both", severity=weight)
        return
