"""Refusals are evidence: what a provider refuses for its form has a finding, or a reason why none is possible."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from devtools.refusals import Refusal, recorded, refusals
from tests.apart import apart


@pytest.fixture(scope="module")
def found(corpus: Path) -> list[Refusal]:
    files = recorded()
    assert all(file.is_relative_to(corpus) for file in files)
    return apart(_listed, files)


def _listed(files: list[Path]) -> list[Refusal]:
    return list(refusals(files))


def test_every_refusal_shows_in_its_request_or_cannot(found: list[Refusal]) -> None:
    assert [each.source for each in found if each.verdict == "MISSED"] == []
    verdicts = Counter(each.verdict for each in found)
    assert verdicts["found"] > 30


def test_what_is_decidable_is_an_error_at_the_place_that_the_refusal_names(found: list[Refusal]) -> None:
    decidable = [each for each in found if each.verdict == "found"]
    assert sum(each.is_error for each in decidable) >= len(decidable) - 1
    assert [each.source for each in decidable if each.named and not each.is_placed] == []


def test_every_reason_is_needed(found: list[Refusal]) -> None:
    assert len({each.reason for each in found if each.reason}) == 8
