"""No verb is green where it judged nothing: a sample of the ways of `make green`, and that it would notice."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from devtools.green.__main__ import wrong
from devtools.green.given import good
from devtools.green.ways import Way, ways
from tests.sampling import sample

_PROCESSES = ("serve", "proxy", "gateway")
_QUICK = [each for each in ways() if each.verb not in _PROCESSES]
_SLOW = [each for each in ways() if each.verb in _PROCESSES]


def _form(way: Way) -> str:
    return way.words[way.words.index("--format") + 1] if "--format" in way.words else ""


QUICK = sample(
    _QUICK,
    lambda each: (each.verb, _form(each)),
    lambda each: each.given.name,
    lambda each: [word for word in each.words if word.startswith("--")].__str__(),
    risk="an input that is missed in one format of one verb only",
)
SLOW = sample(_SLOW, lambda each: each.verb, risk="a client that is missed in one format only")


def test_there_are_enough_ways() -> None:
    assert len({each.id for each in ways()}) == len(ways()) > 200


@pytest.mark.parametrize("way", QUICK, ids=lambda each: each.id)
def test_nothing_judged_is_never_green(way: Way, tmp_path: Path) -> None:
    assert wrong(way, tmp_path / "given") is None


@pytest.mark.process
@pytest.mark.parametrize("way", SLOW, ids=lambda each: each.id)
def test_no_client_is_green_that_sends_nothing(way: Way, tmp_path: Path) -> None:
    assert wrong(way, tmp_path / "given") is None


@pytest.mark.parametrize("partly", [False, True])
def test_a_green_verdict_without_a_line_is_noticed(*, partly: bool, tmp_path: Path) -> None:
    given = replace(good(), partly=partly)
    way = Way("check", "something", ("check", "{file}"), given, partly)
    assert "exit code 0" in (wrong(way, tmp_path / "given") or "")
