"""`make fuzz` notices what it looks for, and each of its commands really reads what a user has."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.commands import config
from conformance.commands.check import run as check
from conformance.reference.sessions import Sessions
from devtools.fuzzing import campaign, counts
from devtools.fuzzing.breaking import Choices, broken
from devtools.fuzzing.campaign import Fuzz
from devtools.fuzzing.surfaces import Seed, Surface, surfaces

_INTO = 1, 0, 0, 9
_INTO_THE_ARGUMENTS = 1, *_INTO, 1, 0, *_INTO, 1, 1
"""The choices that lead through the record to its body, and through the event to its arguments."""
SURFACES = {each.name: each for each in surfaces()}


@pytest.fixture
def fuzz(tmp_path: Path) -> Fuzz:
    kept = tmp_path / "kept"
    kept.mkdir()
    return Fuzz(tmp_path / "work", kept)


@pytest.mark.parametrize("name", SURFACES)
def test_each_command_reads_what_a_user_has(name: str, fuzz: Fuzz) -> None:
    surface = SURFACES[name]
    for command in surface.commands:
        codes = set()
        for seed in surface.seeds[:: max(1, len(surface.seeds) // 24)]:
            assert fuzz.read(surface, seed, command, seed.content) == ""
            codes.add(fuzz.code)
            if not {0, 1}.isdisjoint(codes):
                break
        assert not codes.isdisjoint({0, 1}) or (name == "targets" and "unknown target" in fuzz.stderr)
    if not surface.commands:
        assert {fuzz.read(surface, seed, (), seed.content) for seed in surface.seeds[::8]} == {""}


def test_an_internal_error_is_a_failure_and_its_input_is_kept(
    fuzz: Fuzz, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(config, "run", lambda _: 1 / 0)
    _only(fuzz, Surface("settings", 1, SURFACES["settings"].seeds, [("config",)]))
    fuzz.one(bytes(4))
    assert (fuzz.tried, len(fuzz.failures)) == (1, 1)
    assert "exit 3: conformance: internal error: ZeroDivisionError" in fuzz.failures[0]
    (kept,) = (tmp_path / "kept").iterdir()
    assert kept.name in fuzz.failures[0]


def test_an_exit_without_a_message_is_a_failure(fuzz: Fuzz, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check, "run", lambda _: 2)
    assert fuzz.read(SURFACES["settings"], Seed("x", b""), ("check", "{call}"), b"") == "exit 2 without a message"


def test_a_hang_is_a_failure(fuzz: Fuzz, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter(range(100))
    monkeypatch.setattr("devtools.fuzzing.campaign.time.process_time", lambda: 3.0 * next(clock))
    monkeypatch.setattr(fuzz, "read", lambda *_: "")
    fuzz.one(bytes(8))
    assert fuzz.failures[0].endswith("3.0 s")


def test_what_takes_long_only_once_is_no_failure(fuzz: Fuzz, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter((0.0, 3.0, 3.0, 3.5))
    monkeypatch.setattr("devtools.fuzzing.campaign.time.process_time", lambda: next(clock))
    monkeypatch.setattr(fuzz, "read", lambda *_: "")
    fuzz.one(bytes(8))
    assert (fuzz.tried, fuzz.failures) == (1, [])


def test_an_error_of_the_server_is_a_failure(fuzz: Fuzz, monkeypatch: pytest.MonkeyPatch) -> None:
    surface = SURFACES["requests"]
    monkeypatch.setattr(Sessions, "respond", lambda *_: 1 / 0)
    assert "ZeroDivisionError" in fuzz.read(surface, surface.seeds[0], (), surface.seeds[0].content)


def test_growth_counts_from_when_the_process_has_its_size(fuzz: Fuzz, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter((100, 500, 800))
    monkeypatch.setattr(campaign, "_size", lambda: next(sizes))
    assert fuzz.grown() == 0
    fuzz.tried = campaign.SETTLED - 1
    assert fuzz.grown() == 0
    fuzz.tried = campaign.SETTLED
    assert fuzz.grown() == 300


@given(st.binary(min_size=1, max_size=64), st.sampled_from([each.content for each in SURFACES["recordings"].seeds]))
def test_the_same_bytes_break_a_seed_in_the_same_way(drawn: bytes, content: bytes) -> None:
    assert broken(content, Choices(drawn)) == broken(content, Choices(drawn))


@pytest.mark.parametrize(("number", "name"), [(0, "city"), (1, "days")])
def test_values_are_broken_inside_of_strings_and_streams(number: int, name: str) -> None:
    arguments = {"city": "Oslo", "days": [1, 2]}
    event = json.dumps({"arguments": json.dumps(arguments)})
    record = {"body": f"data: {event}\n\ndata: [DONE]\n\n"}
    made = broken(json.dumps(record).encode(), Choices(bytes([*_INTO_THE_ARGUMENTS, number, 0, 9])))
    reported, done = json.loads(made)["body"].split("\n\n")[:2]
    assert json.loads(json.loads(reported.removeprefix("data: "))["arguments"]) == {
        **arguments,
        name: [arguments[name]],
    }
    assert done == "data: [DONE]"


def _only(fuzz: Fuzz, surface: Surface) -> None:
    fuzz._surfaces = [surface]


def test_the_committed_counts_add_up() -> None:
    kept = json.loads(counts.FILE.read_text())
    assert kept["runs"]
    assert kept == counts.summed(kept["runs"])
