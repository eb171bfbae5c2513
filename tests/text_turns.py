"""Random turns for the dialects whose turns are text, and random ways to cut a text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from hypothesis import strategies as st

from conformance.dialects.text.reading import Reader, merged
from conformance.model.transcript import Part, ToolCall

SPIKES = [
    "</tool_call>",
    "<tool_call>",
    "</function_call>",
    "<function_call>",
    "<|eot_id|>",
    "<|im_end|>",
    "<think>",
    "</think>",
    "\nObservation: none",
    "\nAction: x",
    'say "hi"',
    "\\",
    "\\u003c",
    "한글 🧪",
    "{",
    "}]",
    "",
    "\n",
    " ",
]
strings = st.lists(st.sampled_from(SPIKES) | st.text(max_size=6), max_size=4).map("".join)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**30), 10**30)
    | st.floats(allow_nan=False, allow_infinity=False)
    | strings,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(strings, inner, max_size=3),
    max_leaves=6,
)
names = st.from_regex(r"\A[a-z][a-z_0-9.-]{0,11}\Z")
calls = st.builds(lambda name, given: ToolCall(None, name, given), names, st.dictionaries(strings, values, max_size=3))


def words(forbidden: Sequence[str]) -> st.SearchStrategy[str]:
    """Text without white space at its ends, and without what would be markup."""
    return (
        st.text(min_size=1, max_size=30)
        .map(str.strip)
        .filter(lambda text: bool(text) and not any(each in text for each in forbidden))
    )


def plain(parts: Sequence[Part]) -> list[Any]:
    """What the parts say, without places and without the wire text of calls."""
    return [(part.name, part.arguments) if isinstance(part, ToolCall) else replace(part, pointer="") for part in parts]


def in_pieces(new_reader: Callable[[], Reader], text: str, cuts: Sequence[int], *, cut: bool = False) -> list[Part]:
    """What a reader makes of a text that comes in pieces."""
    reader = new_reader()
    edges = [0, *sorted(each % (len(text) + 1) for each in cuts), len(text)]
    parts = [part for start, end in pairwise(edges) for part in reader.feed(text[start:end])]
    return list(merged((*parts, *reader.finish(cut=cut))))
