"""Which tools of a foreign server may be called, with which arguments; and arguments that its schema forbids."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.profiles.tool_schema import NotExercisedError, misfits
from conformance.reference.plausible import fits, plausible
from conformance.reference.samples import sample
from conformance.tool_definitions.rewriting.values import Sampler

_TEXT = "conformance"
_SEEDS = 20
_MOST = 5
"""How many tools are called where none is named."""
_WRONG: tuple[Any, ...] = ({"unexpected": True}, "not this type", -1, None, [])


@dataclass(frozen=True, slots=True)
class Wish:
    """What the user allows: tools by name, and the arguments of some of them."""

    tools: tuple[str, ...] = ()
    arguments: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Call:
    """A call that may be made."""

    tool: str
    arguments: Mapping[str, Any]
    schema: Mapping[str, Any]


def calls(tools: Sequence[Any], wish: Wish) -> tuple[list[Call], str]:
    """The calls that may be made, and why there is none if there is none.

    Without a name, only tools that their server calls read-only are called: others may change something.
    """
    known = {tool["name"]: tool for tool in tools if isinstance(tool, dict) and isinstance(tool.get("name"), str)}
    if wish.tools:
        missing = [name for name in wish.tools if name not in known]
        if missing:
            return [], f"the server has no tool {missing[0]!r}"
        named = [known[name] for name in wish.tools]
    else:
        named = [tool for tool in known.values() if _read_only(tool)]
        if not named:
            return [], "no tool has the annotation readOnlyHint; allow one with --tool NAME"
    made = [call for tool in named if (call := _call(tool, wish.arguments.get(tool["name"]))) is not None]
    return made[: None if wish.tools else _MOST], "no arguments were found that fit the inputSchema; pass --arguments"


def _read_only(tool: Mapping[str, Any]) -> bool:
    hints = tool.get("annotations")
    return isinstance(hints, Mapping) and hints.get("readOnlyHint") is True and _runs_at_once(tool)


def _runs_at_once(tool: Mapping[str, Any]) -> bool:
    """Whether the tool can be called without a task, which only some clients can start (2025-11-25)."""
    execution = tool.get("execution")
    return not isinstance(execution, Mapping) or execution.get("taskSupport") != "required"


def _call(tool: Mapping[str, Any], given: Mapping[str, Any] | None) -> Call | None:
    schema = tool.get("inputSchema")
    schema = schema if isinstance(schema, dict) else {}
    if given is not None:
        return Call(str(tool["name"]), given, schema)
    for value in _candidates(schema):
        if isinstance(value, dict) and fits(value, schema):
            return Call(str(tool["name"]), value, schema)
    return None


def _candidates(schema: dict[str, Any]) -> Iterator[Any]:
    """Arguments, the plainest first: none at all, then the required ones with which it can succeed, then drawn ones."""
    yield {}
    yield plausible(schema, _TEXT)
    yield sample(schema, _TEXT, {})
    for seed in range(_SEEDS):
        yield Sampler(schema, seed).value(schema, plain=True)


def wrong_arguments(call: Call) -> Mapping[str, Any] | None:
    """Arguments that the schema of the tool forbids; None if it forbids nothing that was tried."""
    properties = call.schema.get("properties")
    required = call.schema.get("required")
    names = [*(required if isinstance(required, list) else ()), *(properties if isinstance(properties, dict) else ())]
    tried = [{**call.arguments, name: wrong} for name in names if isinstance(name, str) for wrong in _WRONG]
    tried += [{key: value for key, value in call.arguments.items() if key != name} for name in names]
    tried.append({**call.arguments, "undeclared": 1})
    for each in tried:
        try:
            if next(misfits(each, call.schema), None) is not None:
                return each
        except NotExercisedError:
            continue
    return None
