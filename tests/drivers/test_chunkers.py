"""Cuts: however a body arrives, its events are the same."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.drivers import chunkers
from conformance.model import sse

CHUNKERS = pytest.mark.parametrize("name", chunkers.CHUNKERS)
STREAM = b'event: a\ndata: {"n": 1}\n\n: here already\n\ndata: one\ndata: two\n\ndata: [DONE]\n\n'


def arrived(name: str, body: bytes) -> bytes:
    return b"".join(chunkers.CHUNKERS[name](body))


def read(body: bytes) -> list[tuple[str | None, str, bool]]:
    return [(event.name, event.data, event.complete) for event in sse.events(body.decode())]


@CHUNKERS
@given(lines=st.lists(st.sampled_from(["data: é", "event: e", ": c", ":", "", "data:", "retry: 1"]), max_size=9))
def test_every_cut_leaves_the_events_as_they_are(name: str, lines: list[str]) -> None:
    for end in ("\n", "\r\n"):
        body = f"data: first{end}{end.join(lines)}{end}".encode()
        assert read(arrived(name, body)) == read(body)
        assert read(arrived(name, body + b"data: cut o")) == read(body + b"data: cut o")


@CHUNKERS
@given(body=st.binary())
def test_every_cut_leaves_a_body_that_is_no_event_stream_as_it_is(name: str, body: bytes) -> None:
    for other in (b"{" + body, b'[{"data: 1\n\n": 2}]\n', b""):
        assert arrived(name, other) == other


def test_crlf_is_cut_between_its_two_characters() -> None:
    chunks = list(chunkers.crlf(STREAM))
    assert b"".join(chunks) == STREAM.replace(b"\n", b"\r\n")
    assert all(chunk.endswith(b"\r") and chunk.startswith(b"\n") for chunk in chunks[1:-1])


def test_comments_stand_between_events_and_within() -> None:
    sent = arrived("comments", STREAM)
    assert sent.count(b": ping\n\n:\n") == 4
    assert sent.startswith(b": ping\n\n:\nevent: a\n")
