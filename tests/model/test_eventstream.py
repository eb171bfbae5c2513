"""Amazon's event stream: frames are read back as they were written, and changed ones are sealed again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from conformance.model import eventstream
from conformance.model.transcript import Malformed

NAMES = st.text("abcXYZ", min_size=1, max_size=20)


@given(st.lists(st.tuples(NAMES, st.binary(max_size=80)), max_size=5))
def test_frames_are_read_as_they_were_written(written: list[tuple[str, bytes]]) -> None:
    data = b"".join(eventstream.encoded(name, payload) for name, payload in written)
    read = list(eventstream.frames(data))
    assert [(each.headers[":event-type"], each.payload, each.fault) for each in read] == [
        (name, payload, None) for name, payload in written
    ]


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(data: bytes) -> None:
    for event in eventstream.numbered(data):
        assert event.json is not None


def test_the_first_frame_whose_lengths_are_wrong_is_the_last_event() -> None:
    one, other = eventstream.encoded("a", b"{}"), eventstream.encoded("b", b"{}")
    events = list(eventstream.numbered(one + other[:4] + b"\xff" + other[5:] + one))
    assert [isinstance(each.json, Malformed) for each in events] == [False, True]
    assert "CRC of the prelude" in events[1].json.reason


def test_a_frame_that_changed_is_sealed_again_and_a_broken_one_stays_broken() -> None:
    one, other = eventstream.encoded("a", b'{"key":"secret"}'), eventstream.encoded("b", b'{"key":"secret"}')
    broken = other[:-1] + bytes([other[-1] ^ 1])
    old = one + broken
    new = eventstream.resealed(old, old.replace(b"secret", b"REDACT"))
    assert [each.fault is None for each in eventstream.frames(new)] == [True, False]
    assert len(new) == len(old)
