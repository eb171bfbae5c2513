"""Bodies as recorders leave them, and the two formats that are taken apart by hand: YAML and AWS frames."""

import base64
import gzip
import json
import struct
import sys
import zlib
from dataclasses import replace
from typing import Any

import brotli
import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.errors import ConformanceError
from conformance.inputs import bodies, yamltext
from conformance.judge.checker import Checker
from conformance.model import eventstream
from conformance.model.exchange import Body, Exchange, Headers, Request, Response
from conformance.model.limits import limits

PLAIN = b'{"a": "\xc3\xa9", "b": [1, 2, 3], "c": "the quick brown fox"}'


def received(content: Any, *, own: bool = False, **headers: str) -> Body:
    return bodies.received(
        content, Headers((name.replace("_", "-"), value) for name, value in headers.items()), own=own
    )


def raw_deflate(data: bytes) -> bytes:
    machine = zlib.compressobj(wbits=-15)
    return machine.compress(data) + machine.flush()


@pytest.mark.parametrize(
    ("coding", "content"),
    [
        ("gzip", gzip.compress(PLAIN, mtime=0)),
        ("GZIP", gzip.compress(PLAIN, mtime=0)),
        ("x-gzip", gzip.compress(PLAIN, mtime=0)),
        ("gzip", gzip.compress(PLAIN, mtime=0).decode("latin-1")),
        ("deflate", zlib.compress(PLAIN)),
        ("deflate", raw_deflate(PLAIN)),
        ("deflate, gzip", gzip.compress(zlib.compress(PLAIN), mtime=0)),
        ("**REDACTED**", gzip.compress(PLAIN, mtime=0)),
        ("br", brotli.compress(PLAIN)),
        ("gzip", PLAIN),
        ("br", PLAIN),
        ("identity", PLAIN),
    ],
)
def test_a_content_coding_is_undone_where_it_is_still_on(coding: str, content: bytes | str) -> None:
    body = received(content, content_encoding=coding)
    assert (body.content, body.note) == (PLAIN, None)


def test_a_body_that_yaml_had_parsed_is_json() -> None:
    text = b"body: {string: {a: !!binary e30=, b: 2026-11-22, 3: [x]}}"
    body = bodies.recorded(yamltext.parse(text, "x.yaml"), Headers([]), own=False)
    assert body.json == {"a": "{}", "b": "2026-11-22", "3": ["x"]}
    assert json.loads(json.dumps(body.json)) == body.json


def test_text_that_a_recorder_unzipped_stays_text() -> None:
    assert received(PLAIN.decode(), content_encoding="gzip").content == PLAIN.decode()


@pytest.mark.parametrize(
    ("coding", "content", "note"),
    [
        ("br", b"\x1b\x0f\x00\xf8\xff", "the compressed bytes are invalid or truncated"),
        ("br", brotli.compress(PLAIN * 9)[:-3], "the compressed bytes are invalid or truncated"),
        ("zstd", b"\x28\xb5\x2f\xfd\x04\x00", "content coding zstd is not supported here"),
        ("gzip", gzip.compress(PLAIN, mtime=0)[:-9], "the compressed bytes are invalid or truncated"),
        (
            "gzip",
            gzip.compress(PLAIN, mtime=0).decode("utf-8", "replace"),
            "the recorder damaged the compressed bytes",
        ),
    ],
)
def test_what_cannot_be_undone_is_kept_with_a_note(coding: str, content: Any, note: str) -> None:
    body = received(content, content_encoding=coding)
    assert (body.content, body.note) == (content, note)


def test_brotli_needs_a_package_and_keeps_to_the_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    few = replace(limits(), body=4)
    monkeypatch.setattr(bodies, "limits", lambda: few)
    large = brotli.compress(bytes(8 << 20), quality=0)
    assert "larger than 4 MiB" in str(received(large, content_encoding="br").note)
    monkeypatch.setitem(sys.modules, "brotli", None)
    assert received(large, content_encoding="br").note == "content coding br needs the package `brotli`"


def test_an_unreadable_body_is_not_judged_and_not_green() -> None:
    request = Request(
        "POST", "https://api.openai.com/v1/chat/completions", body=Body('{"model": "m", "messages": [{}]}')
    )
    unreadable = Response(200, Headers(), received(b"\x1b\x0f\x00\xf8\xff", content_encoding="br"))
    checker = Checker()
    findings = checker.feed(Exchange(request, unreadable))
    assert [finding for finding in findings if finding.side == "response"] == []
    assert checker.summary.not_exercised == 1


def test_zipped_bytes_without_a_header_are_undone_in_foreign_recordings_only() -> None:
    zipped = gzip.compress(PLAIN, mtime=0)
    assert received(zipped).content == PLAIN
    assert received(zipped, own=True).content == zipped


@pytest.mark.parametrize(
    "framed", [b"5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n", "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n"]
)
def test_left_over_chunk_framing_is_undone_in_foreign_recordings_only(framed: Any) -> None:
    assert received(framed).content == b"hello world"
    assert received(framed, own=True).content == framed


@pytest.mark.parametrize("content", ["5\r\nhello\r\n", "a\r\n\r\n", "0\r\nx", "12", "5\r\nhello world\r\n0\r\n\r\n"])
def test_text_that_only_looks_framed_stays_as_it_is(content: str) -> None:
    assert received(content).content == content
    assert received(content.encode()).content == content.encode()


@pytest.mark.parametrize(
    ("message", "content"),
    [
        ({"body": None}, None),
        ({"body": "text"}, "text"),
        ({"body": b"bytes"}, b"bytes"),
        ({"body": {"string": "text"}}, "text"),
        ({"body": {"string": None}}, None),
        ({"body": {"base64_string": "aGk="}}, b"hi"),
        ({"body": {"encoding": "utf-8", "base64_string": "aGk=", "string": ""}}, b"hi"),
        ({"body": {"model": "m", "string": "s"}}, {"model": "m", "string": "s"}),
        ({"body": {"model": "m"}}, {"model": "m"}),
        ({"body": {}}, {}),
        ({"body": {"parsed_body": [1]}}, [1]),
        ({"parsed_body": {"model": "m"}}, {"model": "m"}),
        ({"parsed_body": {"model": "m"}, "body": None}, {"model": "m"}),
        ({"parsed_body": {"model": "m"}, "body": '{"model":"m"}'}, '{"model":"m"}'),
        ({"body": ["one ", "two"]}, "one two"),
        ({"body": ["one ", b"two"]}, b"one two"),
        ({"body": [1, 2]}, [1, 2]),
        ({"body": []}, []),
        ({}, None),
        ({"body": "base64:eyJhIjogMX0="}, b'{"a": 1}'),
    ],
)
def test_a_body_is_found_in_every_shape_that_recorders_use(message: dict[str, Any], content: object) -> None:
    assert bodies.recorded(message, Headers(), own=False).content == content


def test_broken_base64_is_kept_with_a_note() -> None:
    note = bodies.from_base64("a", Headers()).note
    assert note is not None
    assert note.startswith("invalid base64")


def frame(payload: bytes, kind: str = "chunk", message: str = "event") -> bytes:
    headers = b"\x04flag\x00\x05count\x04\x00\x00\x00\x07"
    name = b":exception-type" if message == "exception" else b":event-type"
    for key, value in ((name, kind.encode()), (b":message-type", message.encode())):
        headers += bytes([len(key)]) + key + b"\x07" + struct.pack(">H", len(value)) + value
    prelude = struct.pack(">II", 16 + len(headers) + len(payload), len(headers))
    prelude += struct.pack(">I", zlib.crc32(prelude))
    whole = prelude + headers + payload
    return whole + struct.pack(">I", zlib.crc32(whole))


def wrapped(event: object) -> bytes:
    return frame(json.dumps({"bytes": base64.b64encode(json.dumps(event).encode()).decode()}).encode())


def test_the_frames_of_a_bedrock_stream_become_its_events() -> None:
    events = [{"type": "message_start"}, {"type": "message_stop"}]
    body = received(b"".join(map(wrapped, events)), content_type="**REDACTED**")
    assert body.json == events


def test_other_frames_become_objects_with_their_type_as_the_key() -> None:
    data = frame(b'{"role":"assistant"}', "messageStart") + frame(b'{"message":"slow"}', "throttling", "exception")
    assert received(data).json == [{"messageStart": {"role": "assistant"}}, {"throttling": {"message": "slow"}}]


def test_frames_that_hold_no_json_are_kept_as_they_are() -> None:
    data = frame(b"text", "x") + frame(b"", "y") + frame(b'{"bytes": "no base64"}') + frame(b'{"bytes": "e3s="}')
    assert received(data).json == [{"x": "text"}, {"y": {}}, {"bytes": "no base64"}, {"bytes": "e3s="}]


def test_a_stream_of_frames_that_was_cut_off_yields_the_whole_ones() -> None:
    data = wrapped({"n": 1}) + wrapped({"n": 2})
    assert received(data[:-1]).json == [{"n": 1}]
    assert received(data[: len(wrapped({"n": 1})) + 20]).json == [{"n": 1}]
    assert received(wrapped({"n": 1}) + b"junk" * 8).json == [{"n": 1}]


def test_a_recorders_list_of_frames_is_unwrapped_and_any_other_list_is_not() -> None:
    one = {"headers": {":message-type": "event", ":event-type": "a"}, "payload": {"b": 1}}
    assert received([one]).content == [{"a": {"b": 1}}]
    assert received([one, {"c": 1}]).content == [one, {"c": 1}]


def test_frames_that_a_recorder_kept_as_text_are_not_judged() -> None:
    body = received("\x00\x00\x00\ufffd", content_type="application/vnd.amazon.eventstream")
    assert body.note == "binary frames were saved as text"


@given(st.binary(max_size=200))
def test_no_bytes_break_the_decoder_of_frames(data: bytes) -> None:
    eventstream.events(data)
    frame_of_junk = struct.pack(">II", 16 + len(data), len(data))
    frame_of_junk += struct.pack(">I", zlib.crc32(frame_of_junk)) + data + b"0000"
    assert len(eventstream.events(frame_of_junk)) == 1


@given(st.one_of(st.binary(max_size=100), st.text(max_size=100)), st.sampled_from(["", "gzip", "deflate", "br", "?"]))
def test_no_body_breaks_the_reader(content: bytes | str, coding: str) -> None:
    body = received(content, content_encoding=coding)
    assert body.content is not None


def yaml_value(text: str) -> Any:
    return yamltext.parse(text.encode(), "x.yaml")


def test_yaml_is_read_as_json_types() -> None:
    assert yaml_value("{a: 1, b: 1.5, c: true, d: null, e: 2026-01-01, f: =, g: !!binary aGk=}") == {
        "a": 1,
        "b": 1.5,
        "c": True,
        "d": None,
        "e": "2026-01-01",
        "f": "=",
        "g": b"hi",
    }


def test_aliases_and_merges_are_legal() -> None:
    assert yaml_value("a: &x {k: [1, 2]}\nb: *x\nc: {<<: *x, l: 3}\n") == {
        "a": {"k": [1, 2]},
        "b": {"k": [1, 2]},
        "c": {"k": [1, 2], "l": 3},
    }


@pytest.mark.parametrize(
    "text",
    [
        "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 12)),
        "a0: &a0 {k: x}\n" + "".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}\n" for n in range(1, 12)),
        f"a: &a '{'x' * 100_000}'\nb: [{', '.join(['*a'] * 100_000)}]\n",
    ],
    ids=["lists", "merges", "text"],
)
def test_an_alias_bomb_does_not_go_off(text: str) -> None:
    # Unfolded, each has more than a thousand million values or characters: whoever unfolds them never gets to refuse.
    with pytest.raises(ConformanceError, match="aliases expand to an excessive size"):
        yaml_value(text)


@pytest.mark.parametrize("text", ["&a [*a]", "&a {b: {c: *a}}", "*a", "a: &a 1\nb: &a [*a]"])
def test_an_alias_to_nothing_or_in_a_circle_is_refused(text: str) -> None:
    with pytest.raises(ConformanceError, match="has no anchor before it"):
        yaml_value(text)


@pytest.mark.parametrize("text", ["[" * 100_000, "- " * 100_000, "{a: " * 100_000, "[" * 500 + "]" * 500])
def test_yaml_that_is_nested_without_measure_is_refused(text: str) -> None:
    with pytest.raises(ConformanceError, match=r"nested more than 400 levels deep|invalid or truncated YAML"):
        yaml_value(text)


@given(st.one_of(st.binary(max_size=80), st.text(alphabet="ab&*-:[]{}!?|>'\"<#% \n\t0", max_size=80).map(str.encode)))
def test_no_bytes_break_the_reader_of_yaml(data: bytes) -> None:
    try:
        yamltext.parse(data, "x.yaml")
    except ConformanceError as error:
        assert "x.yaml" in str(error)  # noqa: PT017 - raising is one of two right answers
