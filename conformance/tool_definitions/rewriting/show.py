"""The result of rewriting as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from conformance.model.pointer import MISSING
from conformance.tool_definitions.judgement import State
from conformance.tool_definitions.rewriting import Rewritten
from conformance.tool_definitions.rewriting.change import Change, Effect

_ALWAYS = ("name", "kind", "properties")
"""Changes that a user has to know although nothing is lost: other names, and tools that are left out."""
_SHOWS = {
    Effect.WIDER: "valid now, forbidden before",
    Effect.NARROWER: "valid before, forbidden now",
    Effect.SAME: "",
}


def lines_of(result: Rewritten, *, verbose: bool = False) -> Iterator[str]:
    """What was lost, what remains, and the counts; with `verbose`, also the changes that lose nothing."""
    for change in result.changes:
        if change.is_loss or verbose or change.keyword in _ALWAYS:
            yield from _of_change(change)
    for judged in result.judged:
        for tool in judged.tools:
            name = tool.tool.definition.name or ""
            for problem in tool.problems:
                if problem.loses or problem.outcome in ("refused", "unknown"):
                    place = f"{name} {problem.pointer or '/'}"
                    yield f"{place}: still {problem.outcome} by {judged.variant.full_name}: {problem.message}"
        yield from (f"still {each.outcome}: {each.message}" for each in judged.problems if each.outcome == "refused")
    losses, count = len(result.losses), len(result.definitions)
    states = ", ".join(f"{each.variant.full_name}: {each.state}" for each in result.judged)
    yield f"{count} tool{'' if count == 1 else 's'}, {losses or 'no'} loss{'' if losses == 1 else 'es'}; {states}"


def _of_change(change: Change) -> Iterator[str]:
    about = f" `{change.keyword}`" if change.keyword is not None else ""
    yield f"{change.tool} {change.pointer or '/'}:{about} {change.text}"
    if change.is_loss and change.instance is not MISSING:
        yield f"    {_SHOWS[change.effect]}: {json.dumps(change.instance, ensure_ascii=False)}"
    elif change.is_loss:
        yield f"    {change.effect}: no arguments were found that show it"


def as_json(result: Rewritten) -> dict[str, Any]:
    """The definitions, the changes, the names, and what the profiles make of the result."""
    return {
        "version": 1,
        "definitions": list(result.definitions),
        "changes": [_change(each) for each in result.changes],
        "names": result.names,
        "profiles": {each.variant.full_name: str(each.state) for each in result.judged},
    }


def _change(change: Change) -> dict[str, Any]:
    found: dict[str, Any] = {
        "tool": change.tool,
        "pointer": change.pointer,
        "keyword": change.keyword,
        "text": change.text,
        "effect": str(change.effect),
    }
    return found if change.instance is MISSING else {**found, "instance": change.instance}


def is_refused(result: Rewritten) -> bool:
    """Whether a profile still refuses the tools."""
    return any(each.state is State.REFUSED for each in result.judged)
