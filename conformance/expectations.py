"""What a scenario expects, judged over the whole run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from conformance import expected, jsontext, templates
from conformance.executor import Executed
from conformance.finding import Hit
from conformance.scenario import Scenario
from conformance.statements import RunHit
from conformance.transcript import ToolCall, Turn
from conformance.view import View


def judge_run(scenario: Scenario, views: Sequence[View], executed: Sequence[Executed]) -> Iterator[RunHit]:
    """What the run of a scenario did against what the scenario expects.

    `executed` is what the tools really returned, which is what the answer has to hold.
    """
    made = [(number, call) for number, view in enumerate(views) for turn in view.replies for call in turn.calls]
    if scenario.expect.calls is not None:
        yield from _calls(scenario, made)
    yield from _answer(scenario, views, executed)
    for what in unexercised(scenario, [turn for view in views for turn in view.replies], executed):
        yield RunHit("not-exercised", None, Hit(None, f"the run did not exercise {what}", what, "nothing of the kind"))


def _calls(scenario: Scenario, made: Sequence[tuple[int, ToolCall]]) -> Iterator[RunHit]:
    wanted = scenario.expect.calls or ()
    for position, (exchange, call) in enumerate(made):
        if position >= len(wanted):
            message = f"the tool {call.name!r} is called once more than the scenario expects"
            yield RunHit("unexpected-tool-call", exchange, Hit(call.pointer, message, "no further call", call.name))
        elif call.name != wanted[position].tool:
            message = f"call {position} goes to the tool {call.name!r}"
            hit = Hit(call.pointer, message, wanted[position].tool, call.name)
            yield RunHit("unexpected-tool-call", exchange, hit)
        else:
            for hit in _arguments(call, wanted[position].arguments):
                yield RunHit("unexpected-arguments", exchange, hit)
    for missing in wanted[len(made) :]:
        message = f"the tool {missing.tool!r} is not called"
        yield RunHit("expected-call-missing", None, Hit(None, message, missing.tool, f"{len(made)} calls in the run"))


def _arguments(call: ToolCall, wanted: Mapping[str, object] | None) -> Iterator[Hit]:
    if wanted is None:
        return
    if not isinstance(call.arguments, dict):
        message = f"the arguments of {call.name!r} are not an object"
        yield Hit(call.pointer, message, "a JSON object", jsontext.brief(call.arguments))
        return
    for name in sorted(wanted.keys() | call.arguments.keys()):
        if name not in call.arguments:
            yield Hit(call.pointer, f"the argument {name} is missing", expected.describe(wanted[name]), "nothing")
        elif name not in wanted:
            given = jsontext.brief(call.arguments[name])
            yield Hit(call.pointer, f"the argument {name} is not expected", "no such argument", given)
        elif not expected.fits(call.arguments[name], wanted[name]):
            given = jsontext.brief(call.arguments[name])
            yield Hit(call.pointer, f"the argument {name} is another", expected.describe(wanted[name]), given)


def _answer(scenario: Scenario, views: Sequence[View], executed: Sequence[Executed]) -> Iterator[RunHit]:
    last = views[-1].replies if views else ()
    if not last or last[0].calls or not last[0].text:
        exchange = len(views) - 1 if views else None
        found = "tool calls" if last and last[0].calls else "no text"
        hit = Hit(None, "the run has no final answer", "a turn with text and without calls", found, side="response")
        yield RunHit("final-answer-missing", exchange, hit)
        return
    text = last[0].text
    returned: dict[str, list[object]] = {}
    for call in executed:
        returned.setdefault(call.tool, []).append(call.outcome.value)
    start = 0
    for ordered, wanted in [(False, each) for each in scenario.expect.contains] + [
        (True, each) for each in scenario.expect.in_order
    ]:
        fact = templates.fill(wanted, returned)
        found_at = text.find(fact, start if ordered else 0)
        if found_at < 0:
            message = f"the answer does not contain {fact!r}" + (" where it is due" if ordered else "")
            hit = Hit(last[0].pointer or None, message, fact, jsontext.brief(text), side="response")
            yield RunHit("answer-lacks-fact", len(views) - 1, hit)
        elif ordered:
            start = found_at + len(fact)


def unexercised(scenario: Scenario, replies: Sequence[Turn], executed: Sequence[Executed]) -> list[str]:
    """What the scenario names as its exercise and the run did not do."""
    per_turn = [len(turn.calls) for turn in replies]
    done = {
        "tool-call": sum(per_turn) > 0,
        "parallel-tool-calls": any(count > 1 for count in per_turn),
        "sequential-tool-calls": sum(count > 0 for count in per_turn) > 1,
        "no-tool-call": sum(per_turn) == 0,
        "tool-error": any(call.outcome.is_error for call in executed),
    }
    return [what for what in scenario.exercise if not done[what]]
