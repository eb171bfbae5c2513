"""The workflows to copy, and our own: the command line accepts what they run, and nobody gets more than they need."""

from __future__ import annotations

import re
import shlex
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from conformance.commands import app
from devtools.drift.job import LEVEL, LOOKS, TOGETHER
from devtools.places import ROOT

OWN = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TO_ATTEST = {"id-token": "write", "attestations": "write"}
"""What a job may do that signs where its files come from."""
FILES = sorted((ROOT / "docs" / "workflows").glob("*.yml"))
KEY = re.compile(r"secrets\.(?!GITHUB_TOKEN)\w+|_API_KEY")


def workflow(name: str, folder: Path = ROOT / "docs" / "workflows") -> dict[str, Any]:
    document = yaml.load((folder / name).read_text(encoding="utf-8"), Loader=yaml.BaseLoader)
    assert isinstance(document, dict)
    return document


def commands(document: dict[str, Any]) -> Iterator[list[str]]:
    """The words of every `conformance …` that the steps run, up to whatever the shell makes of the rest."""
    for job in document["jobs"].values():
        for step in job["steps"]:
            for line in step.get("run", "").replace("\\\n", " ").splitlines():
                lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
                lexer.whitespace_split = True
                words = list(lexer)
                for number, word in enumerate(words):
                    if word == "conformance" and (number == 0 or words[number - 1] in ("&&", "||", ";", "!")):
                        rest = words[number + 1 :]
                        end = next((n for n, each in enumerate(rest) if set(each) <= set("|&;<>")), len(rest))
                        stream = end < len(rest) and rest[end] == ">" and rest[end - 1] == "2"
                        yield rest[: end - stream]


RUN = [(path.name, words) for path in FILES for words in commands(workflow(path.name))]


NIGHTS = ("drift.yml", "nightly.yml")


def test_both_looks_of_the_nightly_job_together_alarm_no_more_than_one_does() -> None:
    looks = [words for name, words in RUN if (name, words[0]) == ("drift.yml", "diff")]
    assert [words.count("--new") for words in looks] == [1, TOGETHER]
    assert [float(words[words.index("--confidence") + 1]) for words in looks] == pytest.approx([LEVEL] * LOOKS)
    assert all("--strict" in words for words in looks)


def test_there_is_a_workflow_for_replay_one_for_a_client_and_two_for_the_night() -> None:
    assert [path.name for path in FILES] == ["client.yml", "drift.yml", "nightly.yml", "replay.yml"]
    assert {words[0] for name, words in RUN if name == "drift.yml"} == {"record", "diff", "history"}
    assert {words[0] for name, words in RUN if name == "replay.yml"} == {"replay", "check"}
    assert {words[0] for name, words in RUN if name == "nightly.yml"} == {"record", "diff"}
    assert {words[0] for name, words in RUN if name == "client.yml"} == {"serve"}


@pytest.mark.parametrize("words", [words for _, words in RUN], ids=" ".join)
def test_the_command_line_accepts_what_a_workflow_runs(words: list[str]) -> None:
    context = app.commands[words[0]].make_context(words[0], list(words[1:]))
    assert context.params


def test_the_command_line_would_refuse_a_wrong_option() -> None:
    with pytest.raises(click.UsageError):
        app.commands["diff"].make_context("diff", ["a", "b", "--formt", "markdown"])


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_workflow_parses_and_every_job_has_its_frame(path: Any) -> None:
    document = workflow(path.name)
    assert {"name", "on", "permissions", "jobs"} <= document.keys()
    for job in document["jobs"].values():
        assert "timeout-minutes" in job
        assert "permissions" in job or document["permissions"] == {"contents": "read"}


@pytest.mark.parametrize("night", NIGHTS)
def test_only_the_job_that_records_sees_keys_and_it_cannot_write(night: str) -> None:
    document = workflow(night)
    holders = {name for name, job in document["jobs"].items() if KEY.search(str(job))}
    assert holders == {"record"}
    assert not KEY.search(str({key: each for key, each in document.items() if key != "jobs"}))
    record = document["jobs"]["record"]
    assert record["permissions"] == {"contents": "read"}
    assert [step.get("name") for step in record["steps"] if KEY.search(str(step))] == ["Record"]
    assert not KEY.search(str({key: each for key, each in record.items() if key != "steps"}))
    assert document["permissions"] == {}


def test_nothing_that_a_pull_request_can_trigger_sees_a_key() -> None:
    for path in FILES:
        triggers = workflow(path.name)["on"]
        if any("pull_request" in trigger for trigger in triggers):
            assert not KEY.search(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("night", NIGHTS)
def test_the_job_that_writes_runs_nothing_that_was_installed(night: str) -> None:
    jobs = workflow(night)["jobs"]
    writers = [job for job in jobs.values() if "write" in job.get("permissions", {}).values()]
    assert len(writers) == 1
    runs = "\n".join(step.get("run", "") for step in writers[0]["steps"])
    assert "pip" not in runs
    assert "conformance diff" not in runs


@pytest.mark.parametrize("night", NIGHTS)
def test_every_key_of_the_night_is_that_of_a_target_that_is_recorded(night: str) -> None:
    from conformance.campaign.targets import all_targets

    recorded = [words[words.index("--target") + 1] for name, words in RUN if (name, words[0]) == (night, "record")]
    text = (ROOT / "docs" / "workflows" / night).read_text(encoding="utf-8")
    assert {all_targets()[target].api_key_env for target in recorded} == set(re.findall(r"secrets\.(\w+)", text))


def test_every_action_is_pinned_by_its_commit_and_each_by_the_same_one() -> None:
    used: dict[str, set[tuple[str, str]]] = {}
    for path in (*OWN, *FILES, *sorted((ROOT / "docs" / "adopt").glob("*.yml"))):
        for line in re.findall(r"^.*\buses: .*$", path.read_text(encoding="utf-8"), flags=re.MULTILINE):
            pinned = re.fullmatch(r"\s+- uses: (actions/[a-z-]+)@([0-9a-f]{40}) # (v\d+\.\d+\.\d+)", line)
            assert pinned is not None, f"{path.name}: {line}"
            used.setdefault(pinned[1], set()).add((pinned[2], pinned[3]))
    assert used.keys() >= {"actions/checkout", "actions/setup-python"}
    assert {action: pins for action, pins in used.items() if len(pins) > 1} == {}


@pytest.mark.parametrize("path", OWN, ids=lambda path: path.name)
def test_a_job_of_our_own_may_only_read_and_sees_no_key(path: Path) -> None:
    document = workflow(path.name, path.parent)
    assert document["permissions"] == {}
    for job in document["jobs"].values():
        attests = any(step.get("uses", "").startswith("actions/attest@") for step in job["steps"])
        assert job["permissions"] == {"contents": "read"} | (TO_ATTEST if attests else {})
        assert "timeout-minutes" in job
        checkouts = [step for step in job["steps"] if step.get("uses", "").startswith("actions/checkout@")]
        assert [step["with"]["persist-credentials"] for step in checkouts] == ["false"]
    assert "secrets." not in path.read_text(encoding="utf-8")


def test_our_own_workflows_run_targets_that_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z]+):", makefile, flags=re.MULTILINE))
    run = {name for path in OWN for name in re.findall(r"\bmake ([a-z]+)", path.read_text(encoding="utf-8"))}
    assert {"locked", "test", "coverage", "full", "wheel", "lowest"} <= run <= targets
    assert "make check\n" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")


def test_pre_commit_runs_nothing_but_our_own_targets() -> None:
    document = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    hooks = [hook for each in document["repos"] for hook in each["hooks"]]
    assert [each["repo"] for each in document["repos"]] == ["local"]
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert all(f"\n{hook['entry'].removeprefix('make ')}: " in makefile for hook in hooks)


def test_every_python_that_is_called_proven_is_checked() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    proven = re.findall(r"Python :: (3\.\d+)", "\n".join(project["classifiers"]))
    jobs = workflow("check.yml", ROOT / ".github" / "workflows")["jobs"]
    [whole] = [
        step["with"]["python-version"] for step in jobs["full"]["steps"] if "python-version" in step.get("with", {})
    ]
    nightly = workflow("nightly.yml", ROOT / ".github" / "workflows")["jobs"]["full"]["strategy"]["matrix"]["python"]
    assert project["requires-python"] == f">={whole}" == f">={proven[0]}"
    assert set(proven) <= {whole, *jobs["quick"]["strategy"]["matrix"]["python"]} == set(nightly)
