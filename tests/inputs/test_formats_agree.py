"""No format of recordings accuses more than another: what it does not contain is not held against anybody."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache
from itertools import groupby
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from conformance.errors import ConformanceError
from conformance.inputs import read
from conformance.inputs.formats import all_formats
from conformance.judge.checker import Checker
from conformance.judge.rule import all_rules
from conformance.model.exchange import Exchange, Headers
from conformance.model.finding import Finding
from conformance.model.registry import claimants
from devtools.places import ROOT
from tests.inputs.converting import WRITERS, Writer, exchange_jsonl
from tests.sampling import amount, every

_RISK = "a rule that needs what one format does not contain, beside similar ones"
Found = set[tuple[str, str | None, str | None]]


def conversations() -> Iterator[tuple[str, Sequence[Exchange]]]:
    """Cassettes of every dialect, which have next to no findings, and examples of faults of every kind."""
    for path in sorted((ROOT / "cassettes").rglob("*.yaml"))[::60]:
        yield path.name, list(read(path))
    for name, rule in [*all_rules().items()][::12]:
        exchanges = rule.violating[0].exchanges() if rule.violating else ()
        # No log has frames of a WebSocket, or lines of standard input.
        if exchanges and not any(each.request.in_frame or each.request.is_line for each in exchanges):
            yield name, exchanges


@cache
def sample() -> Sequence[tuple[str, Sequence[Exchange]]]:
    return every(conversations(), 2, risk=_RISK)


def real_conversations(corpus: Path, number: int) -> Iterator[tuple[str, Sequence[Exchange]]]:
    """So many conversations of the corpus for each dialect, spread over its files."""
    names: dict[str, list[str]] = {}
    for name, exchanges in all_conversations(corpus):
        for dialect in claimants(exchanges[0].request)[:1]:
            names.setdefault(dialect.name, []).append(name)
    chosen = {name for each in names.values() for name in each[:: max(1, len(each) // number)][:number]}
    yield from (each for each in all_conversations(corpus) if each[0] in chosen)


def all_conversations(corpus: Path) -> Iterator[tuple[str, Sequence[Exchange]]]:
    """The conversations of the corpus, one after the other: all of them at once take 100 MB."""
    for path in sorted(corpus.glob("*.jsonl.gz")):
        for number, (_, some) in enumerate(groupby(read(path), lambda each: each.conversation)):
            yield f"{path.name} {number}", list(some)


def anonymous(exchange: Exchange) -> Exchange:
    """The exchange without what shows the provider, whose own document and habits then excuse nothing."""
    request, response = exchange.request, exchange.response
    url = urlsplit(request.url)._replace(netloc="unknown.example").geturl()
    nothing = Headers({})
    return replace(
        exchange, request=replace(request, url=url, headers=nothing), response=replace(response, headers=nothing)
    )


def judged(exchanges: Sequence[Exchange], write: Writer, folder: Path) -> list[Finding] | None:
    """The findings of the exchanges in another format; None if it has no place for them."""
    folder.mkdir()
    write(exchanges, folder)
    checker = Checker()
    try:
        found = [finding for exchange in read(folder) for finding in checker.feed(exchange)]
    except ConformanceError:
        return None
    assert checker.summary.harness_errors == []
    return found


def rules_of(findings: Sequence[Finding]) -> Found:
    return {(each.rule, each.side, each.dialect) for each in findings}


def _spoken(findings: Sequence[Finding] | None, exchanges: Sequence[Exchange]) -> Found:
    """The findings in the dialects of the exchanges; logs may be in another one."""
    spoken = {dialect.name for each in exchanges for dialect in claimants(each.request)}
    return {each for each in rules_of(findings or []) if each[2] in spoken}


@cache
def whole(number: int, folder: Path) -> Found:
    """What is found in exchange JSONL, which contains everything, and without what shows the provider."""
    return everything(sample()[number][1], folder / str(number))


def everything(exchanges: Sequence[Exchange], folder: Path) -> Found:
    folder.mkdir(parents=True)
    known = rules_of(judged(exchanges, exchange_jsonl, folder / "whole") or [])
    return known | rules_of(judged(list(map(anonymous, exchanges)), exchange_jsonl, folder / "anonymous") or [])


@pytest.fixture(scope="module")
def complete(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("exchange-jsonl")


def test_every_format_has_a_writer() -> None:
    assert {*WRITERS, "exchange-jsonl"} == {*all_formats(), "langchain"}


@pytest.mark.parametrize("name", WRITERS)
def test_a_format_reports_nothing_that_the_whole_exchange_does_not_show(
    name: str, complete: Path, tmp_path: Path
) -> None:
    read_ones = 0
    for number, (about, exchanges) in enumerate(sample()):
        found = judged(exchanges, WRITERS[name], tmp_path / str(number))
        read_ones += found is not None
        assert _spoken(found, exchanges) <= whole(number, complete), about
    assert read_ones > (10 if name != "dataset" else 5) // amount(1, 3, risk=_RISK), "a dataset has only Chat"


def test_no_format_reports_more_of_real_conversations(corpus: Path, tmp_path: Path) -> None:
    number = amount(60, 4, risk="a habit of a provider that only a rare recording shows")
    read_ones: Counter[str] = Counter()
    for place, (about, exchanges) in enumerate(real_conversations(corpus, number)):
        folder = tmp_path / str(place)
        known = everything(exchanges, folder)
        for name, write in WRITERS.items():
            found = judged(exchanges, write, folder / name)
            read_ones[name] += found is not None
            assert _spoken(found, exchanges) <= known, (name, about)
    assert all(read_ones[name] >= number for name in WRITERS if name != "dataset"), read_ones
    assert read_ones["dataset"], "only conversations of Chat"
