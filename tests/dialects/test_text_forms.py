"""The forms of rows about texts: each with a passage that it accepts, and one that it does not."""

from __future__ import annotations

import re

import pytest

from conformance.dialects.text.forms import (
    at_most,
    begins_with,
    closed,
    each_of,
    ends_with,
    followed,
    follows,
    never,
    not_both,
    numbered,
    preceded,
    some,
)
from conformance.dialects.text.rows import Form, Passage, Span
from conformance.model.finding import Severity

ORDER = {"a": ("b",), "b": ("a", "c"), "c": ()}


def passage(kinds: str, *, cut: bool = False) -> Passage:
    """A span for each letter, numbered by the name; `b!` is a `b` without its end, `b?` one that is not whole."""
    found = re.findall(r"(\w)([!?]?)", kinds)
    return Passage(
        "/text",
        tuple(
            Span((kind,), f"the {kind}", name=f"#{number}", closed=not mark, whole=mark != "?")
            for number, (kind, mark) in enumerate(found, 1)
        ),
        cut,
        kinds,
    )


CASES: list[tuple[str, Form, list[str], list[str]]] = [
    ("never", never("b", "", ""), ["", "ac"], ["b", "acb", "b?"]),
    ("never one of several", never(("b", "c"), "", ""), ["aa"], ["ac", "ab"]),
    ("never with a text", never("b", "", "", matching=r"the b\Z"), ["a", "b?"], ["ab"]),
    ("never empty", never("b", "", "", matching=r"\A\s*\Z"), ["b"], []),
    ("never after", never("b", "", "", after="a"), ["b", "cb", "ba", "bca"], ["ab", "acb", "bab"]),
    ("never before", never("b", "", "", before="a"), ["b", "bc", "ab", "acb"], ["ba", "bca"]),
    ("never right after", never("b", "", "", right_after="a"), ["b", "acb"], ["ab"]),
    ("never between", never("b", "", "", right_after="a", right_before="c"), ["ab", "bc", "abac"], ["abc"]),
    ("closed", closed("b", "", ""), ["b", "a!", "b?"], ["b!", "bb!"]),
    ("some", some(("a", "b"), "", ""), ["a", "cb"], ["", "c"]),
    ("some if", some("a", "", "", given="c"), ["", "b", "ca"], ["c"]),
    ("some with a text", some("a", "", "", filled="b"), ["a", "b"], ["c"]),
    ("each of", each_of("a", "b", message=""), ["ab", "bca"], ["a", "c"]),
    ("at most", at_most(1, "a", ""), ["", "a", "ab"], ["aa"]),
    ("followed", followed("a", "b", ""), ["ab", "b", "cab"], ["a", "acb"]),
    ("followed among", followed("a", "b", "", among=("a", "b")), ["acb"], ["aab", "ac"]),
    ("followed unless", followed("a", "b", "", unless="c"), ["ac", "ab"], ["a"]),
    ("preceded", preceded("b", "a", ""), ["ab", "a"], ["b", "acb"]),
    ("preceded among", preceded("b", "a", "", among=("a", "b")), ["acb"], ["cb", "abb"]),
    ("numbered", numbered("a", "#{}", ""), ["", "a", "aab"], ["ba", "aba"]),
    ("not both", not_both("a", "b", "", ""), ["a", "bb"], ["ab", "bca"]),
    ("follows", follows(ORDER, "", ""), ["", "a", "abc", "abab"], ["ac", "cb"]),
    ("begins with", begins_with("a", "", ""), ["a", "ab"], ["", "ba"]),
    ("ends with", ends_with("a", "", ""), ["", "a", "ba"], ["ab"]),
]


@pytest.mark.parametrize(("form", "good", "bad"), [case[1:] for case in CASES], ids=[case[0] for case in CASES])
def test_a_form_accepts_and_refuses(form: Form, good: list[str], bad: list[str]) -> None:
    assert [kinds for kinds in good if form(passage(kinds)) is not None] == []
    assert [kinds for kinds in bad if form(passage(kinds)) is None] == []


def test_a_truncated_text_lacks_nothing() -> None:
    assert some("a", "", "")(passage("b", cut=True)) is None
    assert followed("a", "b", "")(passage("ca", cut=True)) is None
    assert followed("a", "b", "")(passage("ac", cut=True)) is not None


def test_a_finding_shows_the_span() -> None:
    hit = never("b", "{} is a b", "no b", severity=Severity.INFO)(passage("abb"))
    assert hit is not None
    assert (hit.pointer, hit.message, hit.expected, hit.actual, hit.severity) == (
        "/text",
        "#2 is a b",
        "no b",
        '"the b"',
        Severity.INFO,
    )
