"""The texts with which the parsers of other programs are compared, and the verdict on what each reads."""

from __future__ import annotations

from collections import Counter

import pytest

from devtools.markup_parsers.__main__ import RIGHT, differences, ours, table, verdict
from devtools.markup_parsers.texts import BROKEN, KINDS, MARKUPS, samples

ALL = list(samples())


def test_there_are_200_texts_of_25_kinds() -> None:
    assert len(ALL) == 200
    assert Counter(each.markup for each in ALL) == dict.fromkeys(MARKUPS, 25)
    assert set(BROKEN) <= set(KINDS)


def test_the_texts_are_the_same_each_time() -> None:
    assert list(samples()) == ALL
    assert list(samples(seed=1)) != ALL


def test_our_reader_finds_what_was_written() -> None:
    wrong = [
        (sample.markup, sample.kind) for sample, found in zip(ALL, ours(ALL), strict=True) if verdict(sample, found)
    ]
    assert wrong == []


@pytest.mark.parametrize(
    ("result", "words"),
    [
        (None, "not run"),
        ("ValueError: no", "fails: ValueError: no"),
        ([], "0 calls, not 1"),
        ([["f", "{}"]], "the name is `f`"),
        ([[ALL[0].calls[0][0], '{"city": "x"}']], '`city` is `"x"`'),
        ([[ALL[0].calls[0][0], "{"]], "the arguments are `{`"),
        ([[*ALL[0].calls[0]]], RIGHT),
    ],
)
def test_a_verdict_says_what_differs(result: object, words: str) -> None:
    assert verdict(ALL[0], result) == words


def test_the_tables_count_what_is_right_and_list_what_is_not() -> None:
    results = {"a": [RIGHT] * 199 + ["0 calls, not 1"], "b": ["not run"] * 200}
    assert list(table(results, ALL, broken=False))[-1] == "| all | 176 of 176 | not run |"
    assert list(table(results, ALL, broken=True))[-1] == "| all | 23 of 24 | not run |"
    assert list(differences(results, ALL))[2:] == ["| a | first call broken | granite | 0 calls, not 1 |"]
