"""The expectations of a scenario, checked over the whole run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from conformance.judge.run_rules import RunFinding
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.expressible import expressible_in
from conformance.model.finding import Hit
from conformance.model.transcript import Part, Reasoning, ToolCall, Turn
from conformance.scenario import matchers, templates, tool_values
from conformance.scenario.executor import Executed
from conformance.scenario.executor.scripted import ScriptedExecutor
from conformance.scenario.model import Scenario

_CUT = ("length", "filter")


def made_calls(views: Sequence[View]) -> list[tuple[int, ToolCall]]:
    """The calls that a client must run, each with its exchange number; not those of truncated turns."""
    return [
        (view.number, call)
        for view in views
        for turn in view.delivered[:1]
        if turn.stop not in _CUT
        for call in turn.calls
    ]


def last_reply(views: Sequence[View]) -> Turn | None:
    """The model's last turn; a stream that is resumed is a part of the one that was begun. None after a failure."""
    whole = [view for view in views if view.endpoint is None or not view.streamed]
    return whole[-1].delivered[0] if whole and whole[-1].delivered else None


def turns_as_run(replies: Iterable[Sequence[Turn]], executed: Sequence[Executed]) -> tuple[Turn, ...]:
    """The model's turns, reply by reply, and where a call's arguments are text, those with which its tool was run.

    A call whose arguments contain the result of an earlier call of its turn begins a new turn: in other dialects, the
    model would have made it after that result.
    """
    done = iter(executed)
    turns: list[Turn] = []
    for choices in replies:
        for number, turn in enumerate(choices):
            follows = number == 0 and turn.stop not in _CUT
            turns.extend(_as_run(turn, done) if follows else (turn,))
    return tuple(turns)


def _as_run(turn: Turn, done: Iterator[Executed]) -> Iterator[Turn]:
    parts: list[Part] = []
    before: list[Executed] = []
    for part in turn.parts:
        run = next(done, None) if isinstance(part, ToolCall) and part.kind != "server" else None
        if isinstance(part, ToolCall) and part.kind == "custom" and run is not None and run.tool == part.name:
            if any(_takes(run, each) for each in before) and not any(_takes(part, each) for each in before):
                yield replace(turn, parts=tuple(parts))
                parts, before = [], []
            parts.append(replace(part, arguments=run.arguments))
        else:
            parts.append(part)
        if run is not None:
            before.append(run)
    yield replace(turn, parts=tuple(parts))


def _takes(call: Executed | ToolCall, earlier: Executed) -> bool:
    """Whether the arguments of a call contain the result of an earlier one."""
    result = jsontext.brief(earlier.outcome.value, 10_000)
    return result in jsontext.brief(call.arguments, 100_000)


def judge_run(scenario: Scenario, views: Sequence[View], executed: Sequence[Executed]) -> Iterator[RunFinding]:
    """Compares the run with the scenario's expectations.

    `executed` are the real results of the tools, which the answer must contain.
    """
    made = made_calls(views)
    if scenario.expect.calls is not None:
        yield from _calls(scenario, _as_executed(made, executed))
    if len(executed) > len(made):
        message = "the client ran a tool call that was cut off by the token limit"
        hit = Hit(None, message, f"{len(made)} calls run", f"{len(executed)} calls run")
        yield RunFinding("truncation-ignored", None, hit)
    yield from _results(views, executed)
    if scenario.conversations[-1].fails is None:
        yield from _answer(scenario, views, executed)
    for what in unexercised(scenario, views, executed):
        yield RunFinding(
            "exercise-missing", None, Hit(None, f"the run did not exercise {what}", what, "it did not occur")
        )


def _as_executed(made: Sequence[tuple[int, ToolCall]], executed: Sequence[Executed]) -> Sequence[tuple[int, ToolCall]]:
    """The calls, and where arguments are text, those with which the tool was run."""
    runs = [*executed[: len(made)], *[None] * (len(made) - len(executed))]
    return [
        (number, replace(call, arguments=run.arguments) if call.kind == "custom" and run is not None else call)
        for (number, call), run in zip(made, runs, strict=True)
    ]


def _calls(scenario: Scenario, made: Sequence[tuple[int, ToolCall]]) -> Iterator[RunFinding]:
    wanted = scenario.expect.calls or ()
    for position, (exchange, call) in enumerate(made):
        if position >= len(wanted):
            message = f"tool {call.name!r} is called more often than the scenario expects"
            yield RunFinding("tool-call-unexpected", exchange, Hit(call.pointer, message, "no further call", call.name))
        elif call.name != wanted[position].tool:
            message = f"call {position} is to tool {call.name!r}"
            hit = Hit(call.pointer, message, wanted[position].tool, call.name)
            yield RunFinding("tool-call-unexpected", exchange, hit)
        else:
            for hit in _arguments(call, wanted[position].arguments):
                yield RunFinding("arguments-unexpected", exchange, hit)
    for missing in wanted[len(made) :]:
        message = f"tool {missing.tool!r} is not called"
        yield RunFinding(
            "expected-call-missing", None, Hit(None, message, missing.tool, f"{len(made)} calls in the run")
        )


def _arguments(call: ToolCall, wanted: Mapping[str, object] | None) -> Iterator[Hit]:
    if wanted is None:
        return
    if not isinstance(call.arguments, dict):
        message = f"the arguments of {call.name!r} are not a JSON object"
        yield Hit(call.pointer, message, "a JSON object", jsontext.brief(call.arguments))
        return
    for name in sorted(wanted.keys() | call.arguments.keys()):
        if name not in call.arguments:
            yield Hit(call.pointer, f"argument {name} is missing", matchers.describe(wanted[name]), "absent")
        elif name not in wanted:
            given = jsontext.brief(call.arguments[name])
            yield Hit(call.pointer, f"argument {name} is unexpected", "no such argument", given)
        elif not matchers.fits(call.arguments[name], wanted[name]):
            given = jsontext.brief(call.arguments[name])
            yield Hit(
                call.pointer,
                f"argument {name} has a different value than expected",
                matchers.describe(wanted[name]),
                given,
            )


def _results(views: Sequence[View], executed: Sequence[Executed]) -> Iterator[RunFinding]:
    """Compares the tool results in the client's last request with what the tools returned."""
    sent = tool_values.returned(views[-1].history) if views else {}
    for tool in dict.fromkeys(call.tool for call in executed):
        outcomes = [call.outcome for call in executed if call.tool == tool]
        for outcome, value in zip(outcomes, sent.get(tool, ()), strict=False):
            same = str(outcome.value) in str(value) if outcome.is_error else jsontext.same(outcome.value, value)
            if not same:
                message = f"the result of {tool!r} sent to the model is not what the tool returned"
                hit = Hit(None, message, jsontext.brief(outcome.value), jsontext.brief(value), side="request")
                yield RunFinding("tool-result-changed", views[-1].number, hit)


def _answer(scenario: Scenario, views: Sequence[View], executed: Sequence[Executed]) -> Iterator[RunFinding]:
    last = last_reply(views)
    cut_off = last is not None and last.stop in _CUT
    if last is None or ((last.calls or not last.text) and not cut_off):
        found = "tool calls" if last is not None and last.calls else "no text"
        hit = Hit(None, "the run has no final answer", "a turn with text and without calls", found, side="response")
        yield RunFinding("final-answer-missing", views[-1].number if views else None, hit)
        return
    returned: dict[str, list[object]] = {}
    for call in executed:
        returned.setdefault(call.tool, []).append(call.outcome.value)
    start = 0
    wanted_facts = [(False, each) for each in scenario.expect.contains] + [
        (True, each) for each in scenario.expect.in_order
    ]
    for ordered, wanted in wanted_facts:
        fact = templates.fill(wanted, returned)
        found_at = last.text.find(fact, start if ordered else 0)
        if found_at < 0:
            shown = templates.fill(fact, _as_scripted(scenario))
            message = f"the answer does not contain {shown!r}" + (" in the expected order" if ordered else "")
            hit = Hit(last.pointer or None, message, shown, jsontext.brief(last.text), side="response")
            yield RunFinding("answer-fact-missing", views[-1].number, hit)
        elif ordered:
            start = found_at + len(fact)


def _as_scripted(scenario: Scenario) -> Mapping[str, Sequence[object]]:
    """What the tools return for the calls of the script: the values of tools that were not called."""
    run = ScriptedExecutor(scenario)
    returned: dict[str, list[object]] = {}
    for conversation in scenario.conversations:
        for turn in conversation.model:
            for call in turn.calls:
                returned.setdefault(call.tool, []).append(run(call.tool, call.arguments).value)
    return returned


def unexercised(scenario: Scenario, views: Sequence[View], executed: Sequence[Executed]) -> list[str]:
    """What the scenario exercises but the run did not do, apart from what the dialect has no form for."""
    turns = turns_as_run([view.delivered[:1] for view in views], executed)
    per_turn = [len(turn.calls) for turn in turns]
    names = {tool.name for tool in scenario.tools}
    native = {
        each["type"] for conversation in scenario.conversations for turn in conversation.model for each in turn.native
    }
    received = [view.exchange.response.body.text or "" for view in views]
    done = {
        "tool-call": sum(per_turn) > 0,
        "parallel-tool-calls": any(count > 1 for count in per_turn),
        "sequential-tool-calls": sum(count > 0 for count in per_turn) > 1,
        "no-tool-call": bool(turns) and sum(per_turn) == 0,
        "tool-error": any(call.outcome.is_error for call in executed),
        "unknown-tool": any(call.name not in names for turn in turns for call in turn.calls),
        "truncation": any(turn.stop == "length" for turn in turns),
        "reasoning": any(isinstance(part, Reasoning) for turn in turns for part in turn.parts),
        "provider-error": any(not view.ok for view in views) or any(turn.stop == "error" for turn in turns),
        "native-item": all(any(f'"{kind}"' in text for text in received) for kind in native),
    }
    formless = expressible_in(views[0].dialect.name).lacks if views else {}
    return [what for what in scenario.exercise if not done[what] and what not in formless]
