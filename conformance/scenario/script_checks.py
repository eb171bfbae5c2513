"""The script of a scenario: names, arguments of calls, placeholders; and whether it meets the expectations."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.model import jsontext
from conformance.model.pointer import MISSING
from conformance.model.schema_words import near, nearest
from conformance.model.transcript import Malformed
from conformance.scenario import matchers, templates
from conformance.scenario.model import Scenario, ScriptedCall, ScriptedTurn
from conformance.scenario.problem import Problem, Steps
from conformance.scenario.schema_checks import value_problems
from conformance.scenario.tool_checks import NO_PARAMETERS, wanted_problems

_MODES = ("auto", "none", "required")
_ARGUMENT_RULES = {"arguments-schema-mismatch", "arguments-malformed"}


@dataclass
class _Played:
    """The state of a run with the reference model."""

    results: dict[str, list[Any]] = field(default_factory=dict)
    calls: list[tuple[Steps, ScriptedCall]] = field(default_factory=list)
    failures: int = 0


def script_problems(scenario: Scenario) -> Iterator[Problem]:
    """Mistakes in the script and the expectations, whose tools are correct."""
    yield from _choice(scenario)
    whole = _Played()
    for turns_at, turns in _scripts(scenario):
        yield from _ends(scenario, turns, turns_at)
        played = _Played()
        for number, turn in enumerate(turns):
            yield from _turn(scenario, turn, (*turns_at, number), played)
        whole.calls += played.calls
        whole.failures += played.failures
        for tool, values in played.results.items():
            whole.results.setdefault(tool, []).extend(values)
    yield from _exercise(scenario, whole)
    yield from _calls(scenario, whole)
    yield from _answer(scenario, whole)


def _scripts(scenario: Scenario) -> Iterator[tuple[Steps, tuple[ScriptedTurn, ...]]]:
    for number, conversation in enumerate(scenario.conversations):
        yield ("conversations", number, "model") if scenario.several else ("model",), conversation.model


def _choice(scenario: Scenario) -> Iterator[Problem]:
    choice = scenario.options.tool_choice
    names = [*_MODES, *(tool.name for tool in scenario.tools)]
    if choice is not None and choice not in names:
        hint = nearest(choice, names, f"choose one of {', '.join(names)}")
        yield Problem(("options", "tool_choice"), f"`{choice}` is not a tool of this scenario", hint)


def _ends(scenario: Scenario, turns: Sequence[ScriptedTurn], at: Steps) -> Iterator[Problem]:
    native = scenario.native
    last = turns[-1]
    if last.error is None and not last.cut_off and (last.calls or not last.text):
        hint = "end `model` with a turn that has `text` and no `calls`"
        yield Problem((*at, len(turns) - 1), "the last turn is not an answer", hint)
    for number, turn in enumerate(turns[:-1]):
        answered = native is not None and any(map(native.answer, turn.native))
        if turn.error is None and not (turn.cut_off or turn.calls or answered):
            message = "this turn calls no tool, so the conversation ends here"
            yield Problem((*at, number), message, "add `calls:`, or join it with the next turn")


def _turn(scenario: Scenario, turn: ScriptedTurn, at: Steps, played: _Played) -> Iterator[Problem]:
    if turn.native and scenario.native is None:
        yield Problem((*at, "native"), "the scenario names no dialect of these items", "add `native: {dialect: …}`")
    if turn.text:
        yield from _template(turn.text, scenario, played.results, (*at, "text"))
    results: list[tuple[str, Any]] = []
    for number, call in enumerate(turn.calls):
        here: Steps = (*at, "calls", number)
        found = [*_call(scenario, call, here)]
        yield from found
        if turn.cut_off:
            continue
        played.calls.append((here, call))
        tool = scenario.tool(call.tool)
        entry = tool.answer(call.arguments) if tool is not None and isinstance(call.arguments, dict) else None
        if tool is not None and entry is None and not found and "tool-error" not in scenario.exercise:
            hint = f"add an entry to `returns` of `{call.tool}`, or change the arguments"
            yield Problem((*here, _given(call)), f"`{call.tool}` returns nothing for these arguments", hint)
        played.failures += entry is None or entry.error is not None
        results.append((call.tool, entry.result if entry is not None and entry.error is None else _Failed()))
    for name, value in results:
        played.results.setdefault(name, []).append(value)


class _Failed:
    """The result of a call that failed: a text without fields."""


def _given(call: ScriptedCall) -> str:
    return "arguments" if call.text is None else "arguments_json"


def _call(scenario: Scenario, call: ScriptedCall, at: Steps) -> Iterator[Problem]:
    if isinstance(call.arguments, Malformed) or not isinstance(call.arguments, dict):
        message = f"arguments_json of `{call.tool}` is not a JSON object"
        yield Problem((*at, "arguments_json"), message, "write a JSON object in single quotes")
        return
    tool = scenario.tool(call.tool)
    if tool is None:
        if "unknown-tool" not in scenario.exercise:
            yield Problem((*at, "tool"), f"undeclared tool `{call.tool}`", _tool_hint(call.tool, scenario))
        return
    if _ARGUMENT_RULES & {*scenario.expect.findings, *scenario.expect.tolerates}:
        return
    schema = tool.parameters if tool.parameters is not None else NO_PARAMETERS
    properties = schema.get("properties", {})
    misspelt = [name for name in call.arguments if name not in properties and near(name, properties)]
    if misspelt and call.text is None:
        for name in misspelt:
            message = f"`{call.tool}` has no parameter `{name}`"
            yield Problem((*at, "arguments", name), message, nearest(name, properties, ""), key=True)
        return
    for each in value_problems(call.arguments, schema, (*at, _given(call))):
        place = each.steps if call.text is None else (*at, "arguments_json")
        yield each._replace(steps=place, message=f"`{call.tool}`: {each.message}", key=each.key and call.text is None)


def _tool_hint(name: str, scenario: Scenario) -> str:
    return nearest(name, [tool.name for tool in scenario.tools], "declare it under `tools`")


def _template(text: str, scenario: Scenario, results: Mapping[str, Sequence[Any]], at: Steps) -> Iterator[Problem]:
    """The placeholders of a text, and text that looks like one."""
    rest = text
    for each in templates.placeholders(text):
        rest = rest.replace(each.text, "", 1)
        if each.value(results) is MISSING:
            yield _unfilled(each, scenario, results, at)
    for tool in scenario.tools:
        for match in re.finditer(rf"\$?\{{+\s*{re.escape(tool.name)}(?![\w-])[^{{}}]*\}}*", rest):
            message = f"`{match[0].strip()}` is not a placeholder"
            yield Problem(at, message, f"write `{{{tool.name}.key}}`, without blanks", word=match[0].strip())


def _unfilled(
    each: templates.Placeholder, scenario: Scenario, results: Mapping[str, Sequence[Any]], at: Steps
) -> Problem:
    returned = results.get(each.tool, ())
    if scenario.tool(each.tool) is None and not returned:
        message = f"`{each.text}` names the undeclared tool `{each.tool}`"
        return Problem(at, message, _tool_hint(each.tool, scenario), word=each.text)
    if not returned:
        message = f"`{each.text}` needs a result of `{each.tool}`, which is not called before"
        return Problem(at, message, "add the call to an earlier turn", word=each.text)
    if each.number is not None and each.number >= len(returned):
        message = f"`{each.text}` needs result {each.number} of `{each.tool}`, which is called {len(returned)} times"
        return Problem(at, message, f"the last one is `[{len(returned) - 1}]`", word=each.text)
    value = returned[each.number if each.number is not None else -1]
    if isinstance(value, _Failed):
        message = f"`{each.text}`: this call of `{each.tool}` fails and has no result"
        return Problem(at, message, "name a call that succeeds", word=each.text)
    for step in each.steps:
        inner = templates.Placeholder("", "", None, (step,)).value({"": [value]})
        if inner is MISSING:
            known = list(value) if isinstance(value, dict) else [*map(str, range(len(value)))] * isinstance(value, list)
            otherwise = f"it has {', '.join(f'`{key}`' for key in known)}" if known else f"write `{{{each.tool}}}`"
            message = f"`{each.text}`: the result of `{each.tool}` has no `{step}`"
            return Problem(at, message, nearest(step, known, otherwise), word=each.text)
        value = inner
    raise AssertionError(each)  # every step was there, so the placeholder has a value


def _exercise(scenario: Scenario, played: _Played) -> Iterator[Problem]:
    """Words of `exercise` that the script itself does not do."""
    turns = [turn for conversation in scenario.conversations for turn in conversation.model]
    per_turn = [len(turn.calls) for turn in turns]
    known = {tool.name for tool in scenario.tools}
    does = {
        "tool-call": sum(per_turn) > 0,
        "parallel-tool-calls": max(per_turn) > 1,
        "sequential-tool-calls": sum(count > 0 for count in per_turn) > 1,
        "no-tool-call": sum(per_turn) == 0,
        "tool-error": played.failures > 0,
        "unknown-tool": any(call.tool not in known for turn in turns for call in turn.calls),
        "truncation": any(turn.cut_off for turn in turns),
        "reasoning": any(turn.reasoning for turn in turns),
        "provider-error": any(turn.error for turn in turns),
        "native-item": any(turn.native for turn in turns),
    }
    for number, word in enumerate(scenario.exercise):
        if not does[word]:
            hint = f"remove it, or add it to the script; the script does {', '.join(w for w in does if does[w])}"
            yield Problem(("exercise", number), f"`model` does not do `{word}`", hint)


def _calls(scenario: Scenario, played: _Played) -> Iterator[Problem]:
    """The calls that are expected, against the tools and against the script."""
    expected = scenario.expect.calls
    if expected is None:
        return
    for number, wanted in enumerate(expected):
        at: Steps = ("expect", "calls", number)
        tool = scenario.tool(wanted.tool)
        if tool is None and "unknown-tool" not in scenario.exercise:
            yield Problem((*at, "tool"), f"undeclared tool `{wanted.tool}`", _tool_hint(wanted.tool, scenario))
            continue
        if tool is not None and wanted.arguments is not None:
            yield from wanted_problems(wanted.arguments, tool, (*at, "arguments"))
        if number >= len(played.calls):
            yield Problem(at, f"`model` makes {len(played.calls)} calls, but this is call {number + 1}", "remove it")
            continue
        made = played.calls[number][1]
        if made.tool != wanted.tool:
            hint = f"write `{made.tool}`, or change the script"
            yield Problem((*at, "tool"), f"call {number + 1} of `model` is to `{made.tool}`", hint)
        elif wanted.arguments is not None and isinstance(made.arguments, dict):
            yield from _same_arguments(wanted.arguments, made.arguments, (*at, "arguments"))
    for at, made in played.calls[len(expected) :]:
        yield Problem((*at, "tool"), f"`expect.calls` does not have this call of `{made.tool}`", "add it there")


def _same_arguments(wanted: Mapping[str, Any], made: Mapping[str, Any], at: Steps) -> Iterator[Problem]:
    for name in wanted:
        if name not in made:
            yield Problem((*at, name), f"the call in `model` has no argument `{name}`", "remove it", key=True)
        elif not matchers.fits(made[name], wanted[name]):
            hint = f"the call has {jsontext.brief(made[name])}"
            yield Problem((*at, name), f"the call in `model` has another value of `{name}`", hint)
    for name in made:
        if name not in wanted:
            message = f"the call in `model` also has the argument `{name}`"
            yield Problem(at, message, f"add `{name}: {jsontext.brief(made[name])}`")


def _answer(scenario: Scenario, played: _Played) -> Iterator[Problem]:
    """The facts that the answer is to contain, against the scripted answer."""
    last = scenario.conversations[-1]
    answer = templates.fill(last.model[-1].text or "", played.results)
    start = 0
    facts = [
        *((("contains", number), text) for number, text in enumerate(scenario.expect.contains)),
        *((("in_order", number), text) for number, text in enumerate(scenario.expect.in_order)),
    ]
    for (kind, number), text in facts:
        at: Steps = ("expect", "answer", kind, number)
        found = [*_template(text, scenario, played.results, at)]
        yield from found
        if found or last.fails is not None:
            continue
        fact = templates.fill(text, played.results)
        where = answer.find(fact, start if kind == "in_order" else 0)
        if where < 0:
            order = " in this order" if kind == "in_order" else ""
            hint = f"the answer is {jsontext.brief(answer)}"
            yield Problem(at, f"the last turn of `model` does not contain {jsontext.brief(fact)}{order}", hint)
        elif kind == "in_order":
            start = where + len(fact)
