"""A rule that found nothing in some tools is not asked about them again; about whatever differs, it is."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import Any

import pytest

from conformance.judge.known_tools import hits_of_tools
from conformance.judge.rule import rules_of
from conformance.judge.view import View
from conformance.model.exchange import Exchange
from conformance.model.finding import Hit
from conformance.model.registry import claimants

SCHEMA: dict[str, Any] = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
BROKEN = {**SCHEMA, "type": "objekt"}
NUMBERS = count()
"""What is known stays known in a process: each rule here has a name of its own."""


class Asked:
    """A rule that counts how often it is asked."""

    def __init__(self) -> None:
        self.times = 0
        shipped = rules_of("openai-chat")["tool-schema-invalid"]
        self._judged = shipped.judge
        self._rule = replace(shipped, id=f"counted-{next(NUMBERS)}", judge=self._judge)

    def hits(self, view: View) -> list[Hit]:
        return list(hits_of_tools(self._rule, view))

    def _judge(self, view: View) -> Iterator[Hit]:
        self.times += 1
        yield from self._judged(view)


def _view(
    parameters: Any = SCHEMA, *, host: str = "api.openai.com", model: str = "gpt-4o", day: int = 3, text: str = "Hi."
) -> View:
    tool = {"type": "function", "function": {"name": "weather", "description": "Weather.", "parameters": parameters}}
    body = {"model": model, "messages": [{"role": "user", "content": text}], "tools": [tool]}
    url, date = f"https://{host}/v1/chat/completions", f"Tue, {day:02} Nov 2026 10:00:00 GMT"
    exchange = Exchange.of(
        {
            "request": {"method": "POST", "url": url, "body": body},
            "response": {"status": 400, "headers": {"date": date}},
        }
    )
    return View(exchange, claimants(exchange.request)[0])


def test_a_rule_is_asked_once_about_the_same_tools_of_many_conversations() -> None:
    rule = Asked()
    assert [rule.hits(_view(text=f"Hi {number}.")) for number in range(4)] == [[], [], [], []]
    assert rule.times == 1


@pytest.mark.parametrize(
    "other", [{"parameters": {**SCHEMA, "required": []}}, {"host": "api.groq.com"}, {"model": "gpt-5"}, {"day": 4}]
)
def test_a_rule_is_asked_about_other_tools_and_by_another_provider_model_and_day(other: dict[str, Any]) -> None:
    rule = Asked()
    assert rule.hits(_view()) == rule.hits(_view(**other)) == []
    assert rule.times == 2


def test_a_rule_that_finds_something_is_asked_each_time() -> None:
    rule = Asked()
    first, second = (rule.hits(_view(BROKEN)) for _ in range(2))
    assert [each.pointer for each in first] == [each.pointer for each in second] != []
    assert rule.times == 2


def test_a_checker_that_judges_everything_again_asks_each_time() -> None:
    rule = Asked()
    views = [_view(), _view()]
    for view in views:
        view.reuses = False
        rule.hits(view)
    assert rule.times == 2
