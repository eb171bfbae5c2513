"""Scanning text from its front: the same answers as looking at the text anew, and each place looked at once."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.dialects.text.scan import Buffer, value_end

TAGS = ("<a>", "</a>")
PIECES = st.lists(st.sampled_from(["<a>", "</a>", "{", "}", "[", '"', "\\", "\n", " ", "x"]), max_size=30).map("".join)


def test_a_buffer_is_empty_until_text_is_added() -> None:
    buffer = Buffer()
    assert (len(buffer), buffer.find("<a>"), buffer.after_blank(), buffer.take(1)) == (0, -1, 0, "")


class _Watched(str):
    """A text that notes from where it is searched."""

    __slots__ = ("searched",)
    searched: list[Any]

    def find(self, sought: str, *bounds: Any) -> int:
        self.searched.append(bounds[0])
        return super().find(sought, *bounds)


def test_a_text_is_searched_once_for_a_tag_that_is_not_consumed_yet() -> None:
    buffer, text = Buffer(), _Watched("some <a> and <a>")
    text.searched = []
    buffer._text = text
    assert [buffer.find("<a>"), buffer.find("<a>"), buffer.find("<a>", 2)] == [5, 5, 5]
    assert text.searched == [0]
    assert (buffer.find("<a>", 6), text.searched) == (13, [0, 6])


@given(st.lists(PIECES, max_size=4), st.lists(st.integers(0, 9), max_size=8))
def test_a_buffer_answers_as_the_text_that_is_left(chunks: list[str], taken: list[int]) -> None:
    buffer, left = Buffer(), ""
    for chunk in chunks:
        buffer.add(chunk)
        left += chunk
        for size in taken:
            start = min(size, len(left))
            assert [buffer.find(tag) for tag in TAGS] == [left.find(tag) for tag in TAGS]
            assert [buffer.find(tag, start) for tag in TAGS] == [left.find(tag, start) for tag in TAGS]
            assert buffer.after_blank(start) == len(left) - len(left[start:].lstrip())
            if left[start : start + 1] in ("{", "["):
                assert buffer.value_end(start) == value_end(left, start)
            assert buffer.take(size) == left[:size]
            left = left[size:]
            assert len(buffer) == len(left)


@pytest.mark.parametrize(
    ("text", "inside"),
    [
        ("", False),
        ('"a', True),
        ('"a"', False),
        ('"a\\"', True),
        ('"a" : "b', True),
        ('"a\n', False),
        ('"a\nb" "', False),
    ],
)
def test_the_end_of_a_text_is_inside_a_string_or_not(text: str, inside: bool) -> None:  # noqa: FBT001
    buffer = Buffer()
    buffer.add(f"{text}</a>")
    assert buffer.inside_string(len(text)) is inside


@given(st.recursive(st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_a_json_value_ends_where_its_brackets_close(value: object) -> None:
    text = json.dumps([value])
    assert value_end(f"{text} ]", 0) == len(text)
    assert value_end(text[:-1], 0) is None
