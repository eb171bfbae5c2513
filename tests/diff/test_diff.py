"""Two recordings against each other: each behaviour of the reference server is graded, and reported, as it declares."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from click.testing import CliRunner, Result

from conformance.campaign.targets import all_targets
from conformance.cassette.format import dump
from conformance.cassette.load import Cassette, load_cassette
from conformance.commands import app
from conformance.diff.cassettes import Comparison, compare_cassettes, explain
from conformance.diff.difference import Difference, Grade
from conformance.diff.ids import Renaming, alike
from conformance.diff.rows import FACTS, PLACES
from conformance.drivers import all_drivers
from conformance.matrix.cells import Cell
from conformance.matrix.endpoint import Endpoint
from conformance.matrix.record import record
from conformance.model.behaviour import Behaviour, registered, shown_by
from conformance.model.data_files import data_dir
from conformance.model.registry import all_dialects, part_of
from conformance.reference.behaviours import all_behaviours
from conformance.reference.server import ReferenceServer
from conformance.report.catalogue.contract import all_statements
from conformance.report.diff_markdown import LIMIT, escaped
from conformance.scenario.load import all_scenarios, scenarios_in
from conformance.scenario.model import Scenario
from devtools.places import ROOT
from tests.cassettes import SHIPPED, CassetteEdit, broken, cell, in_request, in_response
from tests.sampling import sample

OWN = {each.id: each for each in scenarios_in(ROOT / "tests" / "data" / "scenarios")}
"""Scenarios that do not insist on what a behaviour takes away."""
SCENARIOS: dict[str, Scenario] = {**all_scenarios(), **OWN}
DRIVERS = [
    driver for driver in all_drivers() if driver.name == "raw-http" or all_dialects()[driver.dialect].name == "qwen3"
]
BEHAVIOURS = [each for each in all_behaviours().values() if not each.fault]

Record = Callable[[Cell, tuple[Behaviour, ...]], Cassette]


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Record]:
    """Records a cell from the reference server, which answers otherwise where it is to."""
    folder = tmp_path_factory.mktemp("recordings")
    kept: dict[tuple[str, str], Cassette] = {}
    with ReferenceServer(SCENARIOS) as server:

        def made(cell: Cell, behaviours: tuple[Behaviour, ...] = ()) -> Cassette:
            name = "+".join(each.name for each in behaviours) or "usual"
            if (name, cell.id) not in kept:
                server.behaviours = behaviours
                models = all_targets()["reference"].models
                endpoint = Endpoint("reference", server.origin, models[cell.dialect], "k" * 24, "reference")
                record(cell, endpoint, folder / name)
                kept[name, cell.id] = load_cassette(folder / name / cell.relative_path)
            return kept[name, cell.id]

        yield made
        assert server.faults == []


def cells_of(behaviour: Behaviour) -> list[Cell]:
    """A cell of each dialect that shows the behaviour, the modes in turn where both do."""
    scenario = SCENARIOS[behaviour.scenario]
    cells = []
    for number, driver in enumerate(DRIVERS):
        streamed = behaviour.streamed if behaviour.streamed is not None else bool(number % 2)
        each = Cell(scenario, driver, streamed)
        if behaviour.concerns(all_dialects()[driver.dialect]) and each.not_applicable is None:
            cells.append(each)
    return cells


def reported(differences: list[Difference] | Any) -> list[str]:
    return [f"{each.grade} {each.row} {each.side}: {each.message}" for each in differences]


SHOWN = sample(
    ((behaviour, each) for behaviour in BEHAVIOURS for each in cells_of(behaviour)),
    lambda shown: shown[0].name,
    lambda shown: (shown[1].dialect, shown[1].stream),
    risk="a behaviour whose difference is graded wrongly in some of the dialects that show it",
)


@pytest.mark.parametrize(("behaviour", "each"), SHOWN, ids=lambda value: getattr(value, "name", None) or value.dialect)
def test_a_behaviour_is_graded_and_reported_as_it_declares(behaviour: Behaviour, each: Cell, recorded: Record) -> None:
    comparison = compare_cassettes(recorded(each, ()), recorded(each, (behaviour,)))
    grade = Grade[behaviour.grade.upper()]
    assert comparison.faults == []
    assert comparison.grade is grade, (each.id, reported(comparison.differences))
    words = [found.message for found in comparison.differences if found.grade is grade]
    assert any(re.search(behaviour.words, message) for message in words), (each.id, reported(comparison.differences))
    assert grade is Grade.NOISE or comparison.drifted == ("response",), (each.id, reported(comparison.differences))


def test_there_are_behaviours_of_every_grade_and_each_is_shown() -> None:
    assert {behaviour.name for behaviour, _ in SHOWN} == {behaviour.name for behaviour in BEHAVIOURS}
    grades = [behaviour.grade for behaviour in BEHAVIOURS]
    assert len(grades) >= 25
    assert {grade: grades.count(grade) >= 8 for grade in ("noise", "review", "change")} == dict.fromkeys(
        ("noise", "review", "change"), True
    )
    assert all(behaviour.summary.endswith(".") for behaviour in BEHAVIOURS)


def test_a_dialect_may_name_only_behaviours_that_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(part_of("qwen3", "behaviours"), "SHARED", ("text-reworded", "text-rewordet"))
    shown_by.cache_clear()
    with pytest.raises(ValueError, match="qwen3: SHARED contains unknown behaviours: text-rewordet"):
        registered()
    monkeypatch.undo()
    shown_by.cache_clear()


def test_a_behaviour_of_a_dialects_folder_is_seen_there_and_where_it_is_hosted() -> None:
    concerned = {
        name: [each.name for each in all_dialects().values() if all_behaviours()[name].concerns(each)]
        for name in ("ping-more", "role-gone", "index-from-one")
    }
    assert concerned == {
        "ping-more": ["anthropic-messages"],
        "role-gone": ["openai-chat", "prompted", "react", "rewoo"],
        "index-from-one": ["openai-chat"],
    }


@pytest.mark.parametrize("driver", DRIVERS, ids=lambda driver: driver.dialect)
@pytest.mark.parametrize("stream", ["sync", "stream"])
def test_the_same_answers_recorded_twice_do_not_differ(
    driver: Any, stream: str, recorded: Record, tmp_path: Path
) -> None:
    each = Cell(SCENARIOS["weather"], driver, stream == "stream")
    first = recorded(each, ())
    with ReferenceServer(SCENARIOS) as server:
        endpoint = Endpoint("reference", server.origin, first.metadata["model"], "k" * 24, "reference")
        record(each, endpoint, tmp_path)
    assert compare_cassettes(first, load_cassette(tmp_path / each.relative_path)).differences == []


# What no behaviour of the server can show: requests, and answers that are damaged.

CHAT = "parallel-weather-openai-chat-raw-http-sync"
CHAT_STREAM = "parallel-weather-openai-chat-raw-http-stream"


def edited(cell_id: str, tmp_path: Path, edit: CassetteEdit, **metadata: str) -> Comparison:
    """The shipped cassette of a cell against a copy with something else in it."""
    each = cell(cell_id)
    path = broken(each, tmp_path, edit)
    if metadata:
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
        document["metadata"] |= metadata
        path.write_text(dump(document), encoding="utf-8")
    return compare_cassettes(load_cassette(SHIPPED / each.relative_path), load_cassette(path))


def ids_swapped(interactions: list[dict[str, Any]]) -> None:
    """The results change places, and so answer each other's calls."""
    request = interactions[1]["request"]
    one, other = re.findall(r'"tool_call_id":"([^"]+)"', request["body"])
    halves = request["body"].partition('"role":"tool"')
    swapped = halves[2].replace(one, "\0").replace(other, one).replace("\0", other)
    request["body"] = halves[0] + halves[1] + swapped


def refused(interactions: list[dict[str, Any]]) -> None:
    interactions[0]["response"]["status"]["code"] = 500


def answered_last(interactions: list[dict[str, Any]]) -> None:
    del interactions[1]


def without_credential(interactions: list[dict[str, Any]]) -> None:
    del interactions[0]["request"]["headers"]["authorization"]


def elsewhere(interactions: list[dict[str, Any]]) -> None:
    interactions[0]["request"]["uri"] = interactions[0]["request"]["uri"].replace("/v1/", "/v2/")


def cut_short(interactions: list[dict[str, Any]]) -> None:
    body = interactions[1]["response"]["body"]
    body["string"] = body["string"][: -len("data: [DONE]\n\n") - 9]


def with_query(interactions: list[dict[str, Any]]) -> None:
    interactions[0]["request"]["uri"] += "?beta=true"


EDITS: list[tuple[str, str, CassetteEdit, str]] = [
    ("an error instead of a success", CHAT, refused, "change error-appears response"),
    ("an exchange less", CHAT, answered_last, "review exchange-gone None"),
    (
        "arguments that do not parse",
        CHAT,
        in_response(0, r"{\"city\":\"Seoul\"}", r"{\"city\":\"Se"),
        "change arguments-broken response",
    ),
    ("results that answer other calls", CHAT, ids_swapped, "change id-graph request"),
    (
        "another tool schema",
        CHAT,
        in_request(0, '"required":["city"]', '"required":[]'),
        "change request-tools request",
    ),
    ("another role", CHAT, in_request(0, '"role":"user"', '"role":"developer"'), "change request-role request"),
    (
        "another number type",
        CHAT,
        in_request(0, '"max_completion_tokens":1024', '"max_completion_tokens":"1024"'),
        "change request-type request",
    ),
    (
        "another value",
        CHAT,
        in_request(0, '"max_completion_tokens":1024', '"max_completion_tokens":99'),
        "review request-value request",
    ),
    ("a field more", CHAT, in_request(0, '"model":', '"user":"me","model":'), "review request-new request"),
    (
        "another model asked for",
        CHAT,
        in_request(0, '"model":"gpt-4o-mini"', '"model":"gpt-5"'),
        "review request-model request",
    ),
    ("other spacing in the request", CHAT, in_request(0, '"model":', '"model": '), "noise bytes request"),
    (
        "the other spelling of a key, where both are right",
        "reasoning-gemini-raw-http-sync",
        in_request(0, "generationConfig", "generation_config"),
        "noise bytes request",
    ),
    (
        "the other spelling of a key, where one is wrong",
        CHAT,
        in_request(0, "max_completion_tokens", "maxCompletionTokens"),
        "review request-renamed request",
    ),
    ("no credential", CHAT, without_credential, "change credential request"),
    ("another path", CHAT, elsewhere, "change path request"),
    ("another query", CHAT, with_query, "change query request"),
    (
        "a choice that says it is another kind",
        CHAT,
        in_response(0, '"type": "function"', '"type": "tool"'),
        "change discriminator response",
    ),
    ("a stream that is cut off", CHAT_STREAM, cut_short, "change stream-cut response"),
    (
        "a whole number with decimals",
        "reasoning-anthropic-messages-raw-http-sync",
        in_response(0, '"number":7919', '"number":7919.0'),
        "review integer-form response",
    ),
    (
        "a number with decimals that are none",
        "weather-anthropic-messages-raw-http-sync",
        in_response(0, "126.978", "127"),
        "review argument-nudged response",
    ),
]


@pytest.mark.parametrize(("cell_id", "edit", "wanted"), [each[1:] for each in EDITS], ids=[each[0] for each in EDITS])
def test_what_was_recorded_otherwise_is_graded(cell_id: str, edit: CassetteEdit, wanted: str, tmp_path: Path) -> None:
    comparison = edited(cell_id, tmp_path, edit)
    assert wanted in {f"{each.grade} {each.row} {each.side}" for each in comparison.differences}


def test_a_difference_has_its_place_on_both_sides(recorded: Record) -> None:
    each = Cell(SCENARIOS["weather"], next(d for d in DRIVERS if d.dialect == "openai-responses"), False)
    [gone] = [all_behaviours()["text-before-calls-gone"]]
    nudged = all_behaviours()["number-nudged"]
    comparison = compare_cassettes(recorded(each, ()), recorded(each, (gone, nudged)))
    [found] = [one for one in comparison.differences if one.row == "argument-nudged" and "latitude" in one.message]
    assert (found.before.exchange, found.after.exchange) == (0, 0)
    assert (found.before.pointer, found.after.pointer) == ("/output/1", "/output/0")


def test_what_a_request_carries_back_is_reported_where_it_began(recorded: Record) -> None:
    each = Cell(SCENARIOS["weather"], next(d for d in DRIVERS if d.dialect == "openai-chat"), False)
    comparison = compare_cassettes(recorded(each, ()), recorded(each, (all_behaviours()["argument-added"],)))
    requests = {one.row for one in comparison.differences if one.side == "request" and one.grade > Grade.NOISE}
    assert requests == set()
    assert any(one.row == "echo" for one in comparison.differences)


def test_a_client_that_changes_while_the_answers_do_not_is_request_drift(tmp_path: Path) -> None:
    edit = in_request(0, '"required":["city"]', '"required":[]')
    comparison = edited(CHAT, tmp_path, edit, driver_version="httpx2 9.9")
    assert comparison.drifted == ("request",)
    [sentence] = explain(comparison)
    assert re.fullmatch(r"request drift: .*httpx2 \S+ → httpx2 9\.9\)", sentence)


def test_a_provider_that_changes_says_whether_the_recordings_know_why(tmp_path: Path) -> None:
    edit = in_response(1, '"finish_reason": "stop"', '"finish_reason": "length"')
    [same] = explain(edited(CHAT, tmp_path, edit))
    [other] = explain(edited(CHAT, tmp_path, edit, model="gpt-5", target="gateway"))
    assert same.startswith("response drift")
    assert "→" not in same
    assert "target reference → gateway" in other
    assert "model gpt-4o-mini → gpt-5" in other


def test_another_model_is_noise_where_the_recordings_announce_it(tmp_path: Path) -> None:
    edit = in_request(0, '"model":"gpt-4o-mini"', '"model":"gpt-5"')
    comparison = edited(CHAT, tmp_path, edit, model="gpt-5")
    assert {each.grade for each in comparison.differences if each.row == "request-model"} == {Grade.NOISE}


def test_streamed_and_not_streamed_give_the_same_turn(recorded: Record) -> None:
    driver = next(each for each in DRIVERS if each.dialect == "openai-chat")
    sync, stream = (recorded(Cell(SCENARIOS["parallel-weather"], driver, mode), ()) for mode in (False, True))
    rows = {each.row for each in compare_cassettes(sync, stream).differences if each.grade is Grade.CHANGE}
    assert rows == {"streamed", "media-type", "request-stream"}


@pytest.mark.parametrize(
    ("old", "new", "wanted"),
    [
        ("call_xHbQz06pgLUa3tBDiz5bKDJE", "call_90bQz06pgLUa3tBDiz5bKDJE", "alike"),
        ("call_xHbQz06pgLUa3tBDiz5bKDJE", "toolu_01Qz06pgLUa3tBDiz5bKDJEab", "not alike"),
        ("call_xHbQz06pgLUa3tBDiz5bKDJE", "call_xHbQz06p", "not alike"),
        ("call_xHbQz06pgLUa3tBDiz5bKDJE", "call_0123456789abcdef01234567", "not alike"),
        ("a1b2c3d4", "zz_2c3d4", "alike"),
        ("0b5c1a2e-7f3d-4c55-9a54-0123456789ab", "0b5c1a2e-7f3d-4c55-9a54-0123456789ac", "alike"),
    ],
)
def test_ids_are_alike_by_prefix_length_and_alphabet(old: str, new: str, wanted: str) -> None:
    assert alike(old, new) is (wanted == "alike")


def test_two_ids_that_become_one_are_no_renaming() -> None:
    ids = Renaming()
    assert ids.consistent("a", "x")
    assert ids.consistent("a", "x")
    assert not ids.consistent("b", "x")
    assert not ids.consistent("a", "y")


def test_every_row_of_the_table_says_where_it_is_written() -> None:
    rows = [*FACTS.values(), *PLACES]
    stated = all_statements()
    assert [(row.id, row.grade) for row in rows if str(row.grade) != stated[row.cite].severity] == []
    listed = {
        name: set(re.findall(r"`([\w-]+)`", each.note)) for name, each in stated.items() if each.page == "diff.md"
    }
    assert {name: rows for name, rows in listed.items() if rows} == {
        cite: {row.id for row in rows if row.cite == cite} for cite in {row.cite for row in rows}
    }
    names = [row.id for row in PLACES if row.id not in ("id", "request-model")]
    assert len(names) == len(set(names))


def test_every_fact_of_the_table_is_found_by_somebody() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "conformance" / "diff").glob("*.py"))
    for name in FACTS:
        stem, _, end = name.rpartition("-")
        assert f'"{name}"' in code.replace(f'Row("{name}"', "") or f'f"{stem}-{{' in code or f"{stem}-{{" in code, (
            name,
            end,
        )


# Folders, and the command.


def diff(*arguments: str | Path) -> Result:
    return CliRunner().invoke(app, ["diff", *map(str, arguments)])


def folder_of(
    tmp_path: Path, name: str, cell_id: str = CHAT, *, target: str | None = None, edit: CassetteEdit | None = None
) -> Path:
    """A folder with the shipped cassette of one cell in it, under the name of a target."""
    folder = tmp_path / name
    path = broken(cell(cell_id), folder, edit or (lambda _: None))
    if target is not None:
        path.rename(path.with_name(path.name.replace("reference--", f"{target}--")))
    return folder


def test_identical_folders_end_with_0(tmp_path: Path) -> None:
    done = diff(folder_of(tmp_path, "a"), folder_of(tmp_path, "b"))
    assert done.exit_code == 0
    assert done.output == "identical: 1 cassette\n"


NOISE = in_response(0, '"created": 1790000000', '"created": 1790000001')
REVIEW = in_response(0, '"object": "chat.completion"', '"region": "kr", "object": "chat.completion"')
CHANGE = in_response(0, '"finish_reason": "tool_calls"', '"finish_reason": "stop"')


@pytest.mark.parametrize(
    ("edit", "code", "strict"), [(NOISE, 0, 0), (REVIEW, 0, 1), (CHANGE, 1, 1)], ids=["noise", "review", "change"]
)
def test_the_exit_code_follows_the_worst_grade(edit: CassetteEdit, code: int, strict: int, tmp_path: Path) -> None:
    folders = folder_of(tmp_path, "a"), folder_of(tmp_path, "b", edit=edit)
    assert diff(*folders).exit_code == code
    assert diff(*folders, "--strict").exit_code == strict


def test_the_text_shows_a_change_and_counts_noise(tmp_path: Path) -> None:
    folders = folder_of(tmp_path, "a"), folder_of(tmp_path, "b", edit=CHANGE)
    done = diff(*folders)
    assert "change  the stop reason changed from tool_calls to stop\n" in done.output
    assert "first at exchange 0, response /choices/0/finish_reason" in done.output
    assert "openai-chat / parallel-weather\n  raw-http, sync\n" in diff(*folders, "-v").output
    noisy = folder_of(tmp_path, "c", edit=NOISE)
    assert "1 of 1 cassettes differ only in noise; use -v to show it" in diff(folders[0], noisy).output
    assert "time: statement 11.1.2 of docs/contract/diff.md" in diff(folders[0], noisy, "-v").output


def test_another_target_is_compared_where_it_is_unambiguous(tmp_path: Path) -> None:
    old, new = folder_of(tmp_path, "a", target="openai"), folder_of(tmp_path, "b", target="vllm")
    assert diff(old, new).output == "identical: 1 cassette\n"
    folder_of(tmp_path, "b", target="sglang")
    done = diff(old, new)
    assert done.exit_code == 1
    assert "the cassette is not in the new recordings" in done.output
    [line] = [each for each in done.output.splitlines() if "the cassette is not in the old recordings" in each]
    assert line.startswith("review")
    assert "1 change, 1 to review, 0 noise in 3 cassettes" in done.output


def test_the_same_target_is_preferred_to_another(tmp_path: Path) -> None:
    old, new = folder_of(tmp_path, "a", target="openai"), folder_of(tmp_path, "b", target="openai")
    folder_of(tmp_path, "b", target="vllm", edit=CHANGE)
    document = json.loads(diff(old, new, "--format", "json").output)
    assert document["summary"]["identical"] == 1
    assert document["summary"]["only_new"] == 1


def test_a_cassette_on_one_side_only_is_a_difference(tmp_path: Path) -> None:
    old, new = folder_of(tmp_path, "a"), folder_of(tmp_path, "b")
    folder_of(tmp_path, "a", CHAT_STREAM)
    assert diff(old, new).exit_code == 1
    assert diff(new, old).exit_code == 0
    assert diff(new, old, "--strict").exit_code == 1
    assert diff(old, new, "--no-stream").exit_code == 0


def test_a_file_that_is_no_cassette_is_not_compared(tmp_path: Path) -> None:
    old, new = folder_of(tmp_path, "a"), folder_of(tmp_path, "b")
    (old / "report.json").write_text('{"version": 1}', encoding="utf-8")
    assert diff(old, new).output == "identical: 1 cassette\n"


def test_two_files_are_compared_whatever_they_are_called(tmp_path: Path) -> None:
    shipped = SHIPPED / cell(CHAT).relative_path
    other = tmp_path / "mine.yaml"
    other.write_bytes(broken(cell(CHAT), tmp_path, CHANGE).read_bytes())
    assert diff(shipped, other).exit_code == 1


def test_input_that_cannot_be_compared_ends_with_2_and_one_line(tmp_path: Path) -> None:
    folder, empty, broken_file = folder_of(tmp_path, "a"), tmp_path / "empty", tmp_path / "b.yaml"
    empty.mkdir()
    broken_file.write_text("interactions: [", encoding="utf-8")
    nothing = tmp_path / "nothing.yaml"
    nothing.write_text("version: 1\ninteractions: []\n", encoding="utf-8")
    spoilt = folder_of(tmp_path, "spoilt")
    next(spoilt.rglob("*.yaml")).write_text("interactions: [", encoding="utf-8")
    cases: list[tuple[tuple[str | Path, ...], str]] = [
        ((folder, tmp_path / "none"), "no such file or folder"),
        ((folder, broken_file), "cannot compare folder"),
        ((broken_file, broken_file), "b.yaml"),
        ((nothing, nothing), "no exchange of a dialect"),
        ((empty, empty), "contain no cassette that matches the filters"),
        ((folder, spoilt), "reference--raw-http.yaml"),
        ((folder,), "diff needs two recordings"),
        ((folder, folder, "--against-target", "reference"), "diff needs two recordings"),
        ((folder, folder, "--scenario", "wether"), "did you mean 'weather'?"),
        ((folder, "--against-target", "refrence"), "did you mean 'reference'?"),
        ((empty, "--against-target", "reference"), "contains no cassette that matches the filters"),
    ]
    for arguments, words in cases:
        done = diff(*arguments)
        assert done.exit_code == 2, (arguments, done.output)
        assert words in done.stderr
        assert done.stderr.startswith("conformance: ")
        assert done.stderr.count("\n") == 1
        assert done.stdout == ""


def test_the_new_side_can_be_recorded_now(tmp_path: Path) -> None:
    same = folder_of(tmp_path, "a")
    folder_of(tmp_path, "a", CHAT_STREAM)
    done = diff(same, "--against-target", "reference")
    assert done.exit_code == 0, done.output
    other = folder_of(tmp_path, "b", edit=CHANGE)
    done = diff(other, "--against-target", "reference", "--no-stream")
    assert done.exit_code == 1
    assert "the stop reason changed from stop to tool_calls" in done.output


def test_a_recording_of_a_behaviour_says_so(tmp_path: Path) -> None:
    words = ["record", "--scenario", "weather", "--dialect", "openai-chat", "--driver", "raw-http", "--no-stream"]
    CliRunner().invoke(app, [*words, "--behaviour", "text-reworded", "--cassettes", str(tmp_path)])
    [path] = tmp_path.rglob("*.yaml")
    assert "behaviours: text-reworded" in path.read_text(encoding="utf-8")


def test_record_and_serve_take_behaviours(tmp_path: Path) -> None:
    base = ["record", "--scenario", "weather", "--dialect", "openai-chat", "--driver", "raw-http", "--no-stream"]
    done = CliRunner().invoke(app, [*base, "--behaviour", "stop-reason-of-an-end", "--cassettes", str(tmp_path)])
    assert (tmp_path / "openai-chat/weather/reference--raw-http.yaml").exists(), done.output
    compared = diff(SHIPPED, tmp_path, *base[1:])
    assert compared.exit_code == 1
    assert "the stop reason changed from tool_calls to stop" in compared.output
    unknown = CliRunner().invoke(app, [*base, "--behaviour", "stop-reason-of-end", "--cassettes", str(tmp_path)])
    assert (unknown.exit_code, "did you mean 'stop-reason-of-an-end'?" in unknown.stderr) == (2, True)
    listed = CliRunner().invoke(app, ["serve", "--list"]).output.splitlines()
    assert [line.split()[0] for line in listed if line[0] != " "] == sorted(all_behaviours())
    assert max(map(len, listed)) <= 160


# Reports.


def test_the_json_report_keeps_to_its_schema(tmp_path: Path) -> None:
    schema = json.loads((data_dir("specs") / "diff.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    old = folder_of(tmp_path, "a")
    folder_of(tmp_path, "a", CHAT_STREAM)
    for name, edit in (("same", None), ("noise", NOISE), ("review", REVIEW), ("change", CHANGE)):
        done = diff(old, folder_of(tmp_path, name, edit=edit), "--format", "json")
        document = json.loads(done.stdout)
        validator.validate(document)
        assert done.stdout.isascii()
        assert document["summary"]["only_old"] == 1
        assert document["summary"]["cassettes"] == len(document["cassettes"]) == 2
    differences = [each for one in document["cassettes"] for each in one["differences"]]
    [found] = [each for each in differences if each["row"] == "stop-reason"]
    assert found["old"] == found["new"] == {"exchange": 0, "pointer": "/choices/0/finish_reason"}
    assert (found["grade"], found["side"]) == ("change", "response")


HOSTILE = "a|b `c` <img src=x> [d](http://e) *f* @someone #12 ~~g~~ www.h.org\n\x1b[31m"


def test_markdown_shows_recorded_text_to_the_letter() -> None:
    shown = escaped(HOSTILE)
    for mark in ("|", "`", "<img", "[d]", "*f*", "@someone", " #12", "~~", "://", "www.h", "\n", "\x1b"):
        assert mark not in shown, mark


def test_the_markdown_report_is_a_table_that_nothing_breaks(tmp_path: Path) -> None:
    hostile = json.dumps(HOSTILE)[1:-1]
    edit = in_response(0, '"object": "chat.completion"', f'"object": "{hostile}"')
    out = tmp_path / "drift.md"
    done = diff(folder_of(tmp_path, "a"), folder_of(tmp_path, "b", edit=edit), "--format", "markdown", "--output", out)
    text = out.read_text(encoding="utf-8")
    assert (done.exit_code, done.stdout) == (1, "")
    assert text.startswith("## Wire drift: behaviour changed\n")
    rows = [line for line in text.splitlines() if line.startswith("| 🔴 change")]
    assert rows
    assert all(line.count("|") == 4 for line in rows)
    assert "`" not in text


def test_the_markdown_report_fits_a_comment(tmp_path: Path) -> None:
    old = tmp_path / "a"
    new = tmp_path / "b"
    shipped = (SHIPPED / cell(CHAT).relative_path).read_text(encoding="utf-8")
    for number in range(45):
        fields = ", ".join(f'"region_{number}_{each}": 1' for each in range(10))
        changed = shipped.replace('"index"', f'{fields}, "index"')
        for folder, text in ((old, shipped), (new, changed)):
            path = folder / "openai-chat" / f"scenario-{number}" / "reference--raw-http.yaml"
            path.parent.mkdir(parents=True)
            path.write_text(text, encoding="utf-8")
    text = diff(old, new, "--format", "markdown").stdout
    assert LIMIT * 0.9 < len(text) <= LIMIT
    assert re.search(r"… and \d+ changes more, left out because of GitHub's length limit", text)


# Git.


@pytest.mark.process
def test_git_shows_a_cassette_as_a_conversation(tmp_path: Path) -> None:
    def git(*words: str) -> str:
        identity = ["-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "commit.gpgsign=false"]
        done = subprocess.run(["git", *identity, *words], cwd=tmp_path, capture_output=True, text=True, check=True)
        return done.stdout

    attribute = (ROOT / ".gitattributes").read_text(encoding="utf-8")
    shown = f'"{sys.executable}" -m conformance show'
    git("init", "--quiet")
    (tmp_path / ".gitattributes").write_text(attribute, encoding="utf-8")
    broken(cell(CHAT), tmp_path / "cassettes", lambda _: None)
    git("add", ".")
    git("commit", "--quiet", "--message", "one")
    git("config", "diff.conformance.textconv", f"PYTHONPATH='{ROOT}' {shown}")
    broken(cell(CHAT), tmp_path / "cassettes", CHANGE)
    text = git("diff")
    assert "-              (stops: tool_calls)\n+              (stops: stop)\n" in text
    assert "finish_reason" not in text
    assert "finish_reason" in git("diff", "--no-textconv")


def test_show_prints_the_same_plain_text_each_time() -> None:
    path = SHIPPED / cell(CHAT).relative_path
    first, second = (CliRunner().invoke(app, ["show", str(path)]) for _ in range(2))
    assert first.exit_code == 0
    assert first.output == second.output
    assert "\x1b" not in first.output


def test_the_page_about_git_says_what_is_tested_here() -> None:
    page = (ROOT / "docs" / "git-diff.md").read_text(encoding="utf-8")
    assert 'git config diff.conformance.textconv "conformance show"' in page
    assert (ROOT / ".gitattributes").read_text(encoding="utf-8").splitlines()[0] in page
