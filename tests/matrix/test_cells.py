"""Which cells a scenario has, and why not."""

from __future__ import annotations

from dataclasses import replace

from conformance.matrix.cells import Filter, all_cells, why_foreign


def test_a_plan_refuses_calls_that_are_sequential_only_by_their_order() -> None:
    """The plan has all calls in one turn, unless one takes the result of another: then it refers to it."""
    [cell, *_] = all_cells(Filter(scenarios=("geocode-then-weather",), dialects=("rewoo",)))
    assert cell.not_applicable is None
    [talk] = cell.scenario.conversations
    first, second, last = talk.model
    [call] = second.calls
    other = replace(second, calls=(replace(call, arguments={"latitude": 35.1587, "longitude": 0}),))
    changed = replace(cell.scenario, conversations=(replace(talk, model=(first, other, last)),))
    assert "calls are sequential only if one has as its arguments" in (
        replace(cell, scenario=changed).not_applicable or ""
    )
    parallel = replace(changed, exercise=("tool-call",))
    assert replace(cell, scenario=parallel).not_applicable is None


def test_a_client_that_is_made_for_one_provider_is_run_elsewhere_only_if_it_is_named() -> None:
    wanted = Filter(scenarios=("weather",), dialects=("openai-chat",))
    named = replace(wanted, drivers=("mistralai",))
    cells = all_cells(wanted)
    assert {each.driver.name for each in cells if why_foreign(each, "ollama", wanted)} == {"mistralai"}
    assert {each.driver.name for each in cells if why_foreign(each, None, wanted)} == {"mistralai"}
    assert not any(why_foreign(each, "mistral", wanted) for each in cells)
    assert not any(why_foreign(each, "ollama", named) for each in all_cells(named))
