"""Logs of concurrent runs without `conversation`: what belongs together is found by what it says."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

import pytest

from conformance.inputs import read
from conformance.judge.checker import Checker
from conformance.judge.folding import shape_of
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding
from conformance.model.pointer import without_numbers
from conformance.model.registry import claimants
from devtools.places import CORPUS
from tests.sampling import every

_FILES = ("openai-chat", "openai-responses", "anthropic-messages", "gemini-generate", "mistral", "openai-compatible")
_AT_ONCE = 6
"""How many conversations run at the same time."""

Reported = tuple[str, str, str | None, str, str]


def _conversations(name: str) -> list[list[Exchange]]:
    """The recorded conversations of a file that have several exchanges, of the dialects with a history."""
    found: dict[str, list[Exchange]] = defaultdict(list)
    for exchange in read([str(CORPUS / f"{name}.jsonl.gz")]):
        if exchange.conversation and any(dialect.name != "mcp" for dialect in claimants(exchange.request)):
            found[exchange.conversation].append(exchange)
    return [each for each in found.values() if len(each) > 1]


def _judged(exchanges: Iterable[Exchange]) -> list[Finding]:
    checker = Checker()
    return [finding for exchange in exchanges for finding in checker.feed(replace(exchange, group="one log"))]


def _said(findings: Iterable[Finding]) -> set[Reported]:
    """What is reported, without the numbers in it: of what several runs have alike, the first one."""
    return {
        (each.rule, str(each.severity), each.side, without_numbers(each.pointer or ""), shape_of(each.message))
        for each in findings
    }


def _shuffled(conversations: Sequence[Sequence[Exchange]], chance: random.Random) -> list[Exchange]:
    """All exchanges in one random order in which each conversation keeps its own."""
    turns = [number for number, each in enumerate(conversations) for _ in each]
    chance.shuffle(turns)
    left = [iter(each) for each in conversations]
    return [next(left[number]) for number in turns]


@pytest.mark.usefixtures("corpus")
@pytest.mark.parametrize("name", _FILES)
def test_real_conversations_side_by_side_give_the_findings_that_they_give_apart(name: str) -> None:
    conversations = _conversations(name)
    assert len(conversations) >= _AT_ONCE
    chance = random.Random(name)
    chance.shuffle(conversations)
    for start in every(range(0, len(conversations), _AT_ONCE), 8, risk="a conversation that only some others disturb"):
        some = conversations[start : start + _AT_ONCE]
        apart = [finding for each in some for finding in _judged(each)]
        together = _judged(_shuffled(some, chance))
        assert _said(together) == _said(apart)
        # What runs repeat of each other is reported once; nothing is reported more often.
        assert len(together) <= len(apart)


@pytest.mark.usefixtures("corpus")
def test_samples_of_one_prompt_side_by_side_give_the_findings_that_they_give_apart() -> None:
    """Copies of one conversation with ids of their own, as an agent makes that runs a task several times at once."""
    chance = random.Random(12)
    conversations = _conversations("openai-chat") + _conversations("anthropic-messages")
    for conversation in every(conversations, 8, risk="a conversation that copies of itself disturb, unlike others"):
        copies = [[_renamed(exchange, number) for exchange in conversation] for number in range(3)]
        apart = [finding for each in copies for finding in _judged(each)]
        together = _judged(_shuffled(copies, chance))
        assert {(each.rule, each.side) for each in together} == {(each.rule, each.side) for each in apart}


def _renamed(exchange: Exchange, number: int) -> Exchange:
    """The exchange as another run has it: other ids of calls and replies, of the same form."""
    bodies = []
    for body in (exchange.request.body, exchange.response.body):
        text = body.text or ""
        for prefix in ("call_", "toolu_", "msg_", "chatcmpl-"):
            text = text.replace(f'"{prefix}', f'"{prefix}{number}')
        bodies.append(type(body)(text) if body.text is not None else body)
    return replace(
        exchange,
        request=replace(exchange.request, body=bodies[0]),
        response=replace(exchange.response, body=bodies[1]),
    )
