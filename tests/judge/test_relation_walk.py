"""The walk finds each place at which a row begins, and nothing else: the same as reading each pattern by itself."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from conformance.inputs import read
from conformance.judge.relations.places import places
from conformance.judge.relations.rows import rows, walk_of
from conformance.judge.relations.scan import Scan, scan_of
from conformance.judge.rule import rules_of
from conformance.judge.view import View
from conformance.model.exchange import Exchange
from conformance.model.registry import all_dialects, claim
from tests.cassettes import SHIPPED
from tests.conversations import CONVERSATIONS


def _patterns(dialect: str) -> set[str]:
    known = (rows()[rule] for rule in rules_of(dialect) if rule in rows())
    return {begin for row in known for relation in row.relations for begin in relation.begins}


def _views(exchanges: list[Exchange]) -> list[View]:
    views: list[View] = []
    for number, exchange in enumerate(exchanges):
        dialect = claim(exchange.request)
        if dialect is not None:
            views.append(View(exchange, dialect, views[-2:], number))
    return views


def _differences(view: View) -> tuple[set[str], set[str]]:
    """The patterns that have something by the walk, and by a scan that reads each of them and knows no earlier one."""
    reached = scan_of(view).walk(walk_of(view.dialect.name))
    patterns = _patterns(view.dialect.name)
    anew = View(view.exchange, view.dialect, view.earlier, view.number, reuses=False)
    alone = Scan(anew)
    return (
        {each for each in patterns if not reached.isdisjoint(place.node for place in places(each))},
        {each for each in patterns if alone.at(each)},
    )


@pytest.mark.parametrize("dialect", sorted(all_dialects()))
def test_the_walk_finds_what_each_pattern_finds(dialect: str) -> None:
    files = sorted(Path(SHIPPED).glob(f"{dialect}/*/*.yaml"))[::7]
    exchanges = [list(read([file])) for file in files]
    judged = 0
    for view in itertools.chain.from_iterable(map(_views, exchanges)):
        walked, alone = _differences(view)
        assert walked == alone, (view.exchange.source, walked ^ alone)
        judged += bool(walked)
    assert judged or not files or not _patterns(dialect)


@pytest.mark.parametrize("dialect", CONVERSATIONS)
def test_the_walk_of_a_repeated_history_finds_what_all_of_it_has(dialect: str) -> None:
    make, _ = CONVERSATIONS[dialect]
    views = _views([Exchange.of(each, group="one") for each in make(8)])
    assert len(views) > 4
    for view in views:
        walked, alone = _differences(view)
        assert walked == alone, (view.number, walked ^ alone)
        assert walked
    assert any(view.repeated for view in views)
