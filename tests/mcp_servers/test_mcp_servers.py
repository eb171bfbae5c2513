"""Foreign MCP servers: a conforming one passes, each planted fault is named by its rule, and no tool runs unasked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.commands import app
from conformance.mcp_servers import channels
from conformance.mcp_servers.cells import RAW, Outcome, cells
from conformance.mcp_servers.choose import Call, Wish, calls, wrong_arguments
from conformance.mcp_servers.perform import perform
from conformance.mcp_servers.probes import PROBES
from conformance.mcp_servers.reach import Reach
from conformance.mcp_servers.sharing import groups
from devtools.places import ROOT
from tests.mcp_planted import ERASE, LOOK_UP, STATELESS, WAIT, planted

NEWEST = "2025-11-25"
HERE = [sys.executable, "-m", "tests.mcp_planted"]


def ran(
    reach: Reach,
    probes: Sequence[str] = (),
    revisions: Sequence[str] = (NEWEST,),
    drivers: Sequence[str] = (RAW,),
    wish: Wish = Wish(),  # noqa: B008 - it is frozen
) -> list[Outcome]:
    return list(perform(cells(probes, revisions, drivers), reach, wish, "planted", str))


def rules(outcomes: list[Outcome]) -> set[str]:
    return {finding.rule for outcome in outcomes for finding in outcome.findings}


def test_a_conforming_server_has_no_finding_in_any_revision_by_any_client() -> None:
    with planted() as (url, server):
        outcomes = ran(Reach(url, timeout=10), (), (), ())
    assert [(each.cell.id, each.findings, each.harness_errors) for each in outcomes if each.findings] == []
    assert [each.harness_errors for each in outcomes if each.harness_errors] == []
    played = {(each.cell.probe.name, each.cell.revision) for each in outcomes if each.skipped is None}
    assert {name for name, _ in played} == {each.name for each in PROBES}
    assert {revision for _, revision in played} == {"2025-03-26", "2025-06-18", NEWEST, STATELESS}
    assert set(server.ran) == {"look_up", "wait"}, "erase is not declared read-only"


FAULTS = [
    ("jsonrpc 1.0", "lifecycle", NEWEST, "mcp-jsonrpc-version-wrong"),
    ("id as a string", "tools-list", NEWEST, "mcp-response-id-mismatch"),
    ("no inputSchema", "tools-list", NEWEST, "mcp-tool-malformed"),
    ("pages that loop", "tools-list", NEWEST, "mcp-page-repeated"),
    ("any cursor", "unknown-cursor", NEWEST, "server-answer-unexpected"),
    ("result after cancel", "cancellation", NEWEST, "server-cancellation-ignored"),
    ("error after cancel", "cancellation", NEWEST, "server-cancellation-ignored"),
    ("content type", "tools-list", NEWEST, "content-type-mismatch"),
    ("body for a notification", "lifecycle", NEWEST, "mcp-notification-response-unexpected"),
    ("two responses", "tools-list", NEWEST, "mcp-response-repeated"),
    ("no capability", "tools-list", NEWEST, "mcp-tools-capability-missing"),
    ("any revision", "unknown-revision", NEWEST, "server-revision-unexpected"),
    ("ping with a result", "ping", NEWEST, "server-answer-unexpected"),
    ("unknown tool is a result", "unknown-tool", NEWEST, "mcp-unknown-tool-error-missing"),
    ("arguments are a protocol error", "invalid-arguments", NEWEST, "mcp-argument-error-misplaced"),
    ("any arguments", "invalid-arguments", NEWEST, "server-answer-unexpected"),
    ("content is a string", "tools-call", NEWEST, "mcp-call-result-malformed"),
    ("structured content", "tools-call", NEWEST, "mcp-structured-content-mismatch"),
    ("unknown method answered", "unknown-method", NEWEST, "server-answer-unexpected"),
    ("any body", "malformed-body", NEWEST, "server-status-unexpected"),
    ("any version header", "version-header", NEWEST, "server-status-unexpected"),
    ("no session needed", "session", NEWEST, "server-status-unexpected"),
    ("deleted session", "delete", NEWEST, "server-status-unexpected"),
    ("session id", "lifecycle", NEWEST, "server-answer-unexpected"),
    ("a page for GET", "listen", NEWEST, "server-answer-unexpected"),
    ("any origin", "origin", NEWEST, "server-status-unexpected"),
    ("no origin", "origin", NEWEST, "server-answer-unexpected"),
    ("any version header", "unknown-revision", STATELESS, "server-answer-unexpected"),
    ("status of an unknown method", "unknown-method", STATELESS, "mcp-error-status-wrong"),
    ("no resultType", "tools-list", STATELESS, "mcp-result-incomplete"),
]


@pytest.mark.parametrize(
    ("fault", "probe", "revision", "rule"), FAULTS, ids=[f"{each[0]}, {each[1]}" for each in FAULTS]
)
def test_a_planted_fault_is_named_by_its_rule(fault: str, probe: str, revision: str, rule: str) -> None:
    wish = Wish(("wait",)) if probe == "cancellation" else Wish()
    with planted(fault) as (url, _):
        [outcome] = ran(Reach(url, timeout=10), (probe,), (revision,), wish=wish)
    assert rule in rules([outcome]), outcome


def test_the_sdk_that_cannot_read_a_response_is_a_finding() -> None:
    with planted("content is a string") as (url, _):
        [outcome] = ran(Reach(url, timeout=10), ("tools-call",), drivers=("mcp",))
    assert {"client-error-unexpected", "mcp-call-result-malformed"} <= rules([outcome])


def test_a_server_that_never_answers_is_unreached() -> None:
    with planted("no answer") as (url, _):
        outcomes = ran(Reach(url, timeout=5))
    assert [each.unreached is not None for each in outcomes] == [True], "it stops at the first cell"


@pytest.mark.process
def test_a_server_on_standard_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    outcomes = ran(Reach(argv=HERE, timeout=20), ("lifecycle", "tools-call", "unknown-tool"), (NEWEST, STATELESS), ())
    assert [(each.cell.id, each.findings) for each in outcomes if each.findings] == []
    assert [each.skipped for each in outcomes if each.skipped] == []
    [noisy] = ran(Reach(argv=[*HERE, "noise"], timeout=20), ("lifecycle",))
    assert rules([noisy]) == {"server-output-malformed"}


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Sequence[str]]:
    """The commands of the processes that are started."""
    found: list[Sequence[str]] = []
    process = channels.process

    def counted(argv: Sequence[str]) -> AbstractAsyncContextManager[channels.Pipes]:
        found.append(argv)
        return process(argv)

    monkeypatch.setattr(channels, "process", counted)
    monkeypatch.chdir(ROOT)
    return found


@pytest.mark.process
def test_the_cells_of_a_revision_and_client_share_a_process(started: list[Sequence[str]]) -> None:
    probes = ("lifecycle", "ping", "tools-list", "tools-call", "unknown-tool")
    outcomes = ran(Reach(argv=HERE, timeout=20), probes, (NEWEST, STATELESS), ())
    played = [each for each in outcomes if each.skipped is None]
    # Two to find out about the revisions; for each of these, one by each client.
    assert (len(played), len(started)) == (16, 6)
    assert rules(outcomes) == set()
    firsts = {each.cell.id: json.loads(each.exchanges[0].request.body.text or "")["method"] for each in played}
    assert set(firsts.values()) == {"initialize", "server/discover", "tools/list"}, "each has its handshake"


def test_what_begins_with_a_wrong_handshake_shares_no_session() -> None:
    planned = cells(("ping", "unknown-revision", "tools-list"), (NEWEST, STATELESS), (RAW,))
    found = [[(each.probe.name, each.revision) for each in group] for group in groups(planned, Reach(argv=HERE))]
    assert found == [
        [("unknown-revision", NEWEST)],
        [("ping", NEWEST), ("tools-list", NEWEST)],
        [("unknown-revision", STATELESS), ("ping", STATELESS), ("tools-list", STATELESS)],
    ]
    assert all(len(group) == 1 for group in groups(planned, Reach("http://127.0.0.1:1/mcp")))


@pytest.mark.process
def test_a_server_that_ends_is_started_again_for_the_next_cells(started: list[Sequence[str]]) -> None:
    outcomes = ran(Reach(argv=[*HERE, "ends at a ping"], timeout=20), ("tools-list", "ping", "unknown-tool"))
    assert {each.cell.probe.name: {finding.rule for finding in each.findings} for each in outcomes} == {
        "ping": {"request-unanswered"},
        "tools-list": set(),
        "unknown-tool": set(),
    }
    assert len(started) == 4  # for the revision, for all of them, for the ping alone, for the rest


@pytest.mark.process
def test_what_the_sdk_of_a_server_does_is_an_info_for_its_author() -> None:
    server = ROOT / "tests" / "journeys" / "data" / "weekday_server.py"
    words = ["--dialect", "mcp", "--driver", RAW, "--revision", NEWEST, "--format", "json"]
    words += ["--scenario", "unknown-tool", "--scenario", "invalid-arguments"]
    found = {}
    for more in ((), ("--profile", "none")):
        done = CliRunner().invoke(app, ["run", *words, *more, "--", sys.executable, str(server)])
        [finding] = json.loads(done.stdout)["findings"]
        found[more] = done.exit_code, finding["severity"], finding["rule"]
        assert ("MCPServer" in finding["message"]) is (not more)
    assert found == {
        (): (0, "info", "mcp-unknown-tool-error-missing"),
        ("--profile", "none"): (1, "error", "mcp-unknown-tool-error-missing"),
    }


def test_only_tools_that_are_declared_read_only_are_called_by_themselves() -> None:
    made, _ = calls([ERASE, WAIT, LOOK_UP], Wish())
    assert [call.tool for call in made] == ["wait", "look_up"]
    assert calls([ERASE], Wish()) == ([], "no tool has the annotation readOnlyHint; allow one with --tool NAME")
    assert [call.tool for call in calls([ERASE, WAIT], Wish(("erase",)))[0]] == ["erase"]
    given = Wish(("erase",), {"erase": {"all": True}})
    assert [call.arguments for call in calls([ERASE], given)[0]] == [{"all": True}]
    assert calls([WAIT], Wish(("sleep",))) == ([], "the server has no tool 'sleep'")


def test_a_scenario_without_a_tool_to_call_is_counted_as_not_exercised() -> None:
    with planted() as (url, _):
        words = ["run", "--dialect", "mcp", "--base-url", url, "--scenario", "cancellation", "--scenario", "lifecycle"]
        done = CliRunner().invoke(app, [*words, "--revision", NEWEST, "--tool", "look_up"])
    assert done.exit_code == 0, done.output
    assert done.stdout.endswith(" cells run without an error, 1 not exercised\n")


def test_arguments_are_made_so_that_a_tool_can_succeed() -> None:
    members = {
        "day": {"type": "string", "format": "date"},
        "url": {"type": "string"},
        "city": {"type": "string", "description": "The city (e.g. 'Seoul')."},
        "unit": {"type": "string", "enum": ["celsius", "kelvin"]},
        "limit": {"anyOf": [{"type": "integer", "minimum": 5}, {"type": "null"}]},
        "tags": {"type": "array", "items": {"type": "string", "examples": ["news"]}},
        "deep": {"type": "object", "properties": {"way": {"type": "string", "default": "up"}}, "required": ["way"]},
        "left": {"type": "string"},
    }
    schema = {"type": "object", "properties": members, "required": [name for name in members if name != "left"]}
    [call] = calls([{**ERASE, "inputSchema": schema}], Wish(("erase",)))[0]
    assert call.arguments == {
        "day": "2026-01-15",
        "url": "https://example.com/",
        "city": "Seoul",
        "unit": "celsius",
        "limit": 5,
        "tags": ["news"],
        "deep": {"way": "up"},
    }


@pytest.mark.process
def test_several_cells_at_once_come_out_as_one_after_the_other() -> None:
    reach, some = Reach(argv=HERE, timeout=20), cells(("lifecycle", "unknown-tool"), (NEWEST, STATELESS), (RAW,))
    alone, together = (list(perform(some, reach, Wish(), "planted", str, jobs=jobs)) for jobs in (1, 4))
    assert [each.cell for each in alone] == [each.cell for each in together] == some
    assert rules(alone) == rules(together) == set()
    assert all(each.exchanges for each in together)


def test_wrong_arguments_are_wrong() -> None:
    schema = LOOK_UP["inputSchema"]
    assert isinstance(schema, dict)
    wrong = wrong_arguments(Call("look_up", {"word": "a"}, schema))
    assert wrong is not None
    assert not isinstance(wrong.get("word"), str)
    assert wrong_arguments(Call("erase", {}, {"type": "object"})) is None


def command(*arguments: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "NO_COLOR": "1"}
    return subprocess.run(
        [sys.executable, "-m", "conformance", "run", *arguments],
        capture_output=True, text=True, env=environment, cwd=ROOT, check=False, timeout=120,
    )  # fmt: skip


@pytest.mark.process
def test_the_command_reports_a_matrix_and_saves_what_it_saw(tmp_path: Path) -> None:
    with planted("unknown tool is a result") as (url, _):
        options = ("--dialect", "mcp", "--base-url", url, "--revision", NEWEST, "--driver", RAW, "--name", "mine")
        chosen = ("--scenario", "unknown-tool", "--scenario", "ping")
        done = command(*options, *chosen, "--save", str(tmp_path))
        run = command(*options, *chosen, "--format", "json")
    assert done.returncode == 1, done.stderr
    assert "1 of 2 cells run without an error" in done.stdout
    assert "mcp-unknown-tool-error-missing" in done.stdout
    saved = tmp_path / "mcp" / "unknown-tool" / f"mine--{RAW}--{NEWEST}.yaml"
    assert saved.is_file()
    report = json.loads(run.stdout)
    assert [finding["rule"] for finding in report["findings"]] == ["mcp-unknown-tool-error-missing"]
    assert report["summary"]["conversations"] == 2


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["--dialect", "mcp"], "given by its URL or by its command"),
        (["--dialect", "mcp", "--base-url", "http://127.0.0.1:9/", "--", "true"], "given by its URL or by its command"),
        (["--dialect", "mcp", "--base-url", "http://127.0.0.1:9/mcp"], "no MCP server answers"),
        pytest.param(["--dialect", "mcp", "--", "no-such-command"], "no MCP server answers", marks=pytest.mark.process),
        (["--dialect", "mcp", "--dialect", "gemini", "--", "true"], "cannot be combined"),
        (["--dialect", "mcp", "--base-url", "http://a", "--samples", "2"], "--samples has no meaning"),
        (["--dialect", "mcp", "--base-url", "http://a", "--stream"], "--stream has no meaning"),
        (["--dialect", "mcp", "--base-url", "http://a", "--arguments", "{}"], "exactly one --tool"),
        (["--dialect", "mcp", "--base-url", "http://a", "--tool", "a", "--arguments", "{"], "is not JSON"),
        (["--dialect", "mcp", "--base-url", "http://a", "--tool", "a", "--arguments", "[]"], "not a JSON object"),
        (["--dialect", "mcp", "--base-url", "http://a", "--scenario", "pong"], "did you mean 'ping'?"),
        (["--dialect", "mcp", "--base-url", "http://a", "--revision", "2025"], "unknown revision '2025'"),
        (["--dialect", "gemini", "--base-url", "http://a", "--tool", "a"], "--tool works only for an MCP server"),
        (["--base-url", "http://a", "--", "true"], "a command after `--` works only for an MCP server"),
    ],
)  # fmt: skip
def test_wrong_use_ends_with_2_and_what_to_change(options: list[str], text: str) -> None:
    run = CliRunner().invoke(app, ["run", *options])
    assert run.exit_code == 2, run
    assert text in run.stderr
    assert len(run.stderr.strip().splitlines()) == 1


@pytest.mark.process
def test_a_baseline_accepts_what_a_server_does_and_reports_when_it_no_longer_does(tmp_path: Path) -> None:
    baseline = tmp_path / "baseline.yaml"
    baseline.write_text("accepted: []\n", encoding="utf-8")
    options = ("--dialect", "mcp", "--revision", NEWEST, "--driver", RAW, "--scenario", "unknown-tool")
    with planted("unknown tool is a result") as (url, _):
        added = command(*options, "--base-url", url, "--name", "mine", "--baseline", str(baseline), "--baseline-update")
        assert "added 1 entry" in added.stderr
        assert "mcp-unknown-tool-error-missing" in baseline.read_text(encoding="utf-8")
        baseline.write_text(
            baseline.read_text(encoding="utf-8").replace('reason: ""', "reason: known"), encoding="utf-8"
        )
        again = command(*options, "--base-url", url, "--name", "mine", "--baseline", str(baseline))
    assert again.returncode == 0, again.stdout + again.stderr
    with planted() as (url, _):
        mended = command(*options, "--base-url", url, "--name", "mine", "--baseline", str(baseline), "-v")
        refused = command(*options, "--base-url", url, "--baseline", str(baseline), "--baseline-prune")
    assert "baseline-entry-unused" in mended.stdout
    assert refused.returncode == 2
