"""Reading and writing ReWOO's plans; the rules themselves are proved by their examples."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.dialects.rewoo import DIALECT, lines
from conformance.dialects.rewoo.parse import Reader, parse
from conformance.dialects.rewoo.prompt import messages, solver, spoken
from conformance.dialects.rewoo.references import arguments_of
from conformance.dialects.text.scan import value_end
from conformance.judge.checker import Checker
from conformance.judge.proofs.example import Example
from conformance.matrix.expectations import turns_as_run
from conformance.model.exchange import Exchange
from conformance.model.registry import claimants
from conformance.model.transcript import (
    Ask,
    Malformed,
    Part,
    Reasoning,
    Text,
    ToolCall,
    ToolDefinition,
    ToolResult,
    Turn,
    Unknown,
)
from conformance.reference.model import Allowed, turn_of
from conformance.reference.plans import planned
from conformance.scenario.executor import Executed, ToolOutcome
from conformance.scenario.load import all_scenarios
from tests.text_turns import SPIKES, calls, in_pieces, plain, words
from tests.written import WEATHER, answered, asked, exchange

TASK = "How warm is it in Seoul?"
PROMPT, PLAN, CHAIN = asked("rewoo/call")[0]["content"], answered("rewoo/call"), answered("rewoo/chain")
SOLVE, FINAL = asked("rewoo/answer")[0]["content"], answered("rewoo/answer")
SOLVE_CHAIN = asked("rewoo/chain-answer")[0]["content"]
EVIDENCE = {"#E1": '{"temperature": 14.2}'}
CHAIN_EVIDENCE = {"#E1": '{"latitude": 37.57, "longitude": 126.98}', "#E2": '{"temperature": 14.2}'}
PLACE = {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]}
TOOLS = [ToolDefinition("geocode", "Coordinates of a place.", PLACE), WEATHER]
LABELS = ["Plan:", "\nPlan: x", "\n#E1 = f[", '\n#E2 = f[{"a": "]"}]', " #E3 = g[#E1]", "#E4:", "\nEvidence:", "]"]
texts = words([":", "#", "\n", "\r"])
CALL = ToolCall("#E1", "f", {"a": 1}, wire='{"a": 1}')


def text_call(number: int, text: str) -> ToolCall:
    return ToolCall(f"#E{number}", "f", text, wire=text, kind="custom")


@given(thoughts=st.lists(texts, min_size=1, max_size=3), call=calls)
def test_a_plan_reads_back_as_it_was_spoken(thoughts: list[str], call: ToolCall) -> None:
    turn = Turn("assistant", tuple(part for thought in thoughts for part in (Reasoning(thought), call)))
    parts = parse(spoken(turn))
    assert plain(parts) == plain(turn.parts)
    assert [part.id for part in parts if isinstance(part, ToolCall)] == [f"#E{n + 1}" for n in range(len(thoughts))]


def test_words_before_a_plan_are_spoken_without_its_mark() -> None:
    text = f"Here is the plan:\n{PLAN}"
    assert spoken(Turn("assistant", parse(text))) == text


@given(pieces=st.lists(st.sampled_from([*SPIKES, *LABELS, "\n", "f", '{"a": 1}']), max_size=9), data=st.data())
def test_a_text_reads_the_same_however_it_is_cut(pieces: list[str], data: st.DataObject) -> None:
    text = "".join(pieces)
    cuts = data.draw(st.lists(st.integers(0, 200), max_size=6))
    assert in_pieces(Reader, text, cuts) == list(parse(text))
    assert in_pieces(Reader, text, range(len(text))) == list(parse(text))


@given(text=st.lists(st.sampled_from([*SPIKES, *LABELS, "\n"]), max_size=9).map("".join))
def test_a_text_without_a_step_is_an_answer_word_for_word(text: str) -> None:
    parts = parse(text)
    if not any(isinstance(part, ToolCall) for part in parts):
        assert parts == ((Text(text),) if text else ())


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('Plan: Hm.\n#E1 = f[{"a": 1}]', [Reasoning("Hm."), CALL]),
        ('Plan: Hm. #E1 = f[{"a": 1}]', [Reasoning("Hm."), CALL]),
        ('Plan 1: Hm,\nor so.\n#E1=f [{"a": 1} ].\n', [Reasoning("Hm,\nor so."), CALL]),
        ('Here:\nPlan: Hm.\n#E1 = f[{"a": 1}]', [Text("Here:\n"), Reasoning("Hm."), CALL]),
        ("#E1 = f[Seoul]", [text_call(1, "Seoul")]),
        ("#E1 = f[a [b] c]", [text_call(1, "a [b] c")]),
        ("#E1 = f[]", [text_call(1, "")]),
        ("#E1 = f[[1]]", [text_call(1, "[1]")]),
        ('#E1 = f[{"a": "#E2"}]', [text_call(1, '{"a": "#E2"}')]),
        ("#E1 = f[a] #E2 = f[b]", [text_call(1, "a"), text_call(2, "b")]),
        (
            '#E1 = f[{"a": "x] #E2 = f[y]"}]',
            [text_call(1, '{"a": "x] #E2 = f[y]"}')],
        ),
        (
            '#E1 = f[{"a": "\\u0023E2]"}]',
            [ToolCall("#E1", "f", {"a": "#E2]"}, wire='{"a": "\\u0023E2]"}')],
        ),
        (
            '#E1 = f[{"a": 1',
            [ToolCall("#E1", "f", Malformed('{"a": 1', "no bracket closes the input"), wire='{"a": 1')],
        ),
        ("Plan: take the train.\nIt is late.", [Text("Plan: take the train.\nIt is late.")]),
        ("#E1 says so.", [Text("#E1 says so.")]),
        ("Evidence: none", [Text("Evidence: none")]),
        ('#E1 = f[{"a": 1}]\nEvidence:\n2\n\nPlan: Hm.', [CALL, Unknown("Evidence", "2"), Reasoning("Hm.")]),
        ('#E1 = f[{"a": 1}]\nThat is all.', [CALL, Text("That is all.")]),
        ("", []),
    ],
)
def test_pieces_of_every_kind(text: str, parts: list[Part]) -> None:
    assert list(parse(text)) == parts


@pytest.mark.parametrize("step", ["#E1 = f[{ ", '#E1 = f[{" ', "#E1 = f[{}] ", "#E1 = f[{}} "])
def test_no_text_is_searched_for_json_again_and_again(step: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = 0

    def counted(text: str, start: int = 0) -> int | None:
        nonlocal looked_at
        end = value_end(text, start)
        looked_at += (len(text) if end is None else end) - start
        return end

    monkeypatch.setattr(lines, "value_end", counted)
    for text in (step * 500, f"{step}\n" * 500):
        looked_at = 0
        assert sum(isinstance(part, ToolCall) for part in parse(text)) == 500
        assert 0 < looked_at <= len(text)


@pytest.mark.parametrize(
    ("text", "tool", "arguments"),
    [
        ('{"latitude": 1}', "get_weather", {"latitude": 1}),
        ("#E1", "get_weather", {"a": [1]}),
        ('{"latitude": "#E1"}', "get_weather", {"latitude": {"a": [1]}}),
        ('{"latitude": ["#E2", "at #E1"]}', "get_weather", {"latitude": ["Seoul", 'at {"a": [1]}']}),
        ('{"latitude": "#E9"}', "get_weather", {"latitude": "#E9"}),
        ('{"latitude": #E3}', "get_weather", {"latitude": 7}),
        ("#E2, Korea", "geocode", {"place": "Seoul, Korea"}),
        ("#E2, Korea", "get_weather", "Seoul, Korea"),
        ("Seoul", "nothing", "Seoul"),
    ],
)
def test_evidence_stands_in_the_place_of_a_reference(text: str, tool: str, arguments: Any) -> None:
    known = {each.name: each for each in TOOLS}
    assert arguments_of(text, known.get(tool), {"#E1": '{"a": [1]}', "#E2": "Seoul", "#E3": "7"}) == arguments


def read(body_messages: list[dict[str, Any]]) -> Ask:
    request = Exchange.of(exchange("rewoo", body_messages, FINAL)).request
    return DIALECT.readers.read_request(request, request.body.json)


@given(call=calls, thought=texts)
def test_a_conversation_reads_back(call: ToolCall, thought: str) -> None:
    history = [
        Turn("user", (Text(TASK),)),
        Turn("assistant", (Reasoning(thought), call)),
        Turn("tool", (ToolResult(None, None, {"t": 1}),)),
    ]
    ask = read(messages("Be kind.", TOOLS, history[:1]))
    assert [(tool.name, tool.description, tool.parameters) for tool in ask.tools or ()] == [
        (tool.name, tool.description, tool.parameters) for tool in TOOLS
    ]
    assert [(turn.role, turn.text) for turn in ask.history] == [("system", "Be kind."), ("user", TASK)]
    ask = read(messages("Be kind.", TOOLS, history))
    assert ask.tools is None
    assert [turn.role for turn in ask.history] == ["system", "user", "assistant", "tool"]
    assert ask.history[1].text == TASK
    assert plain(ask.history[2].parts) == plain(history[1].parts)
    assert [(result.call_id, result.content) for result in ask.history[3].results] == [("#E1", '{"t": 1}')]


def test_the_solver_gets_the_evidence_of_each_step_below_it() -> None:
    [user, plan, results] = read([{"role": "user", "content": SOLVE_CHAIN}]).history
    assert (user.text, [call.id for call in plan.calls]) == (TASK, ["#E1", "#E2"])
    assert {result.call_id: result.content for result in results.results} == CHAIN_EVIDENCE


def test_evidence_may_have_empty_lines_and_words_of_the_prompt() -> None:
    odd = "one\n\nNow answer this.\n\nthree"
    [_, _, results] = read([{"role": "user", "content": solver(TASK, PLAN, {"#E1": odd})}]).history
    assert [result.content for result in results.results] == [odd]


def test_the_prompts_of_the_original_are_read() -> None:
    asks = (
        "Make plans. You can store the evidence into a variable #E (#E1, #E2, ...).\n\nTools can be one of the "
        "following:\nGoogle[input]: Worker that searches.\nLLM[input]: A model.\n\n"
        f"Begin! Describe your plans. Each Plan should be followed by only one #E.\n\n{TASK}\n"
    )
    ask = read([{"role": "user", "content": asks}])
    assert [(tool.name, tool.description) for tool in ask.tools or ()] == [
        ("Google", "Worker that searches."),
        ("LLM", "A model."),
    ]
    assert [turn.text for turn in ask.history] == [TASK]
    solves = f"Solve it.\n\n{TASK}\nPlan: a\nEvidence:\n1\nPlan: b\nEvidence:\n2\n\nNow begin to solve it.\n\n{TASK}\n"
    [user, plan, found] = read([{"role": "user", "content": solves}]).history
    assert (user.text, plan.calls, [part.kind for part in found.parts if isinstance(part, Unknown)]) == (
        TASK,
        (),
        ["Evidence", "Evidence"],
    )


def test_moments_of_a_stream() -> None:
    events = Example("rewoo/stream-call").exchanges()[0].response.events
    assert [moment.kind for moment in DIALECT.readers.stream_events(events)] == [
        "reasoning",
        "tool_call_start",
        "tool_call_chunk",
        "tool_call_end",
        "stop",
    ]


@pytest.mark.parametrize(
    ("record", "claimed"),
    [
        (exchange("rewoo", [{"role": "user", "content": PROMPT}], PLAN), True),
        (exchange("rewoo", [{"role": "system", "content": PROMPT}], PLAN), True),
        (exchange("rewoo", [{"role": "user", "content": SOLVE}], FINAL), True),
        (exchange("rewoo", [{"role": "user", "content": solver(TASK, PLAN, {})}], FINAL), True),
        (exchange("rewoo", [{"role": "user", "content": PROMPT}], PLAN, tools=[{"type": "function"}]), False),
        (exchange("rewoo", [{"role": "user", "content": "What does #E1 mean in a Plan? Begin!"}], "A lot."), False),
        (exchange("rewoo", [{"role": "user", "content": f"My plan:\n\n{CHAIN}"}], "Good."), False),
        (exchange("rewoo", [{"role": "user", "content": "Plan: go.\nEvidence: none."}], "Good."), False),
    ],
)
def test_only_a_chat_that_asks_for_a_plan_or_its_answer_is_claimed(record: dict[str, Any], claimed: bool) -> None:  # noqa: FBT001
    names = [dialect.name for dialect in claimants(Exchange.of(record).request)]
    assert names == (["openai-chat", "rewoo"] if claimed else ["openai-chat"])


def test_the_reference_model_plans_ahead_and_refers_to_what_it_cannot_know() -> None:
    scenario = all_scenarios()["geocode-then-weather"]
    [conversation] = scenario.conversations
    plan, answer = planned(conversation, scenario).model
    allowed = Allowed.of(scenario, Ask(), None, reads_tools=False)
    said = spoken(turn_of(plan, allowed, ())[0])
    assert '#E1 = geocode[{"place": "Haeundae Beach, Busan"}]' in said
    assert "#E2 = get_weather[#E1]" in said
    assert answer == conversation.model[-1]
    weather = all_scenarios()["weather"]
    assert planned(weather.conversations[0], weather) == weather.conversations[0]


def test_a_call_that_takes_an_earlier_result_is_compared_as_a_turn_of_its_own() -> None:
    plan = Turn("assistant", parse(CHAIN), stop="tool-calls")
    place = json.loads(CHAIN_EVIDENCE["#E1"])
    run = [
        Executed("geocode", {"place": "Seoul"}, ToolOutcome(place)),
        Executed("get_weather", place, ToolOutcome({"temperature": 14.2})),
    ]
    turns = turns_as_run([(plan,), (Turn("assistant", (Text(FINAL),)),)], run)
    assert [[call.arguments for call in turn.calls] for turn in turns] == [[{"place": "Seoul"}], [place], []]
    together = Turn("assistant", parse("#E1 = geocode[Seoul]\n#E2 = geocode[Busan]"), stop="tool-calls")
    run = [Executed("geocode", {"place": name}, ToolOutcome(place)) for name in ("Seoul", "Busan")]
    assert [len(turn.calls) for turn in turns_as_run([(together,)], run)] == [2]


def test_two_plans_of_one_chat_may_use_the_same_ids() -> None:
    again = [
        {"role": "user", "content": PROMPT},
        {"role": "assistant", "content": PLAN},
        {"role": "user", "content": SOLVE},
        {"role": "assistant", "content": FINAL},
        {"role": "user", "content": PROMPT.replace("Seoul", "Busan")},
        {"role": "assistant", "content": PLAN},
        {"role": "user", "content": solver("How warm is it in Busan?", PLAN, EVIDENCE)},
    ]
    checker = Checker()
    assert list(checker.feed(Exchange.of(exchange("rewoo", again, FINAL)))) == []


def found_in_the_solver(plan: str, prompt: str) -> set[str]:
    """The rules that speak of a solver's prompt behind the plan that a planner wrote."""
    checker = Checker()
    checker.feed(Exchange.of(exchange("rewoo", [{"role": "user", "content": PROMPT}], plan)))
    return {
        each.rule for each in checker.feed(Exchange.of(exchange("rewoo", [{"role": "user", "content": prompt}], FINAL)))
    }


@pytest.mark.parametrize(
    "prompt",
    [
        SOLVE,
        SOLVE.replace("Plan: I have to look it up.\n", "  Plan:  I have to\tlook it up. "),
        solver(TASK, PLAN, {"#E1": "It costs 9 euros.\nPlan: Free"}),
        SOLVE.replace('[{"latitude": 37.57, "longitude": 126.98}]', "").replace("#E1 = get_weather\n", ""),
    ],
    ids=["as-it-is", "other-spaces", "evidence-with-a-mark", "original"],
)
def test_a_plan_that_reaches_the_solver_is_not_reported(prompt: str) -> None:
    assert "rewoo-plan-changed" not in found_in_the_solver(PLAN, prompt)


def test_what_the_planner_says_beside_its_plan_may_reach_the_solver() -> None:
    plan = CHAIN.replace("\nPlan: Then", "\nThat was the place.\nPlan: Then")
    assert "rewoo-plan-changed" not in found_in_the_solver(plan, solver(TASK, plan, CHAIN_EVIDENCE))
    assert "rewoo-plan-changed" not in found_in_the_solver(plan, SOLVE_CHAIN)


def test_of_two_plans_for_one_task_the_solver_may_get_either() -> None:
    checker = Checker()
    for plan in (CHAIN, PLAN):
        checker.feed(Exchange.of(exchange("rewoo", [{"role": "user", "content": PROMPT}], plan)))
    for prompt in (SOLVE, SOLVE_CHAIN):
        findings = checker.feed(Exchange.of(exchange("rewoo", [{"role": "user", "content": prompt}], FINAL)))
        assert "rewoo-plan-changed" not in {each.rule for each in findings}
