"""Every command in the README works as it stands there."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tomllib
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from conformance.errors import ConformanceError, HarnessError
from conformance.model.registry import all_dialects
from conformance.reference.server import ReferenceServer
from conformance.report import FORMATS
from conformance.scenario.load import all_scenarios
from devtools.gateways.starting import gateway
from devtools.places import ROOT
from tests.program import conformance

README = (ROOT / "README.md").read_text(encoding="utf-8")
COMMANDS = sorted(set(re.findall(r"`(conformance [^`]+)`", README)))
QUICK = ("check", "demo", "explain", "list", "show", "replay", "tools")


def run(*arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(  # type: ignore[call-overload,no-any-return]
        [sys.executable, "-m", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env=environment,
        **options,
    )


@pytest.mark.parametrize("command", [each for each in COMMANDS if each.split()[1] in QUICK])
def test_a_command_of_the_readme_ends_with_0(command: str) -> None:
    done = conformance(*shlex.split(command)[1:])
    assert done.returncode == 0, done.stderr
    assert done.stdout


def test_the_other_commands_of_the_readme_are_tested_here() -> None:
    assert {each.split()[1] for each in COMMANDS} - set(QUICK) == {"diff", "gateway", "proxy", "record", "run", "serve"}


def test_what_record_writes_is_compared_by_diff_as_the_readme_says(tmp_path: Path) -> None:
    [record] = [each for each in COMMANDS if each.split()[1] == "record"]
    assert record.endswith(" --cassettes recordings")
    done = conformance(*shlex.split(record)[1:-1], str(tmp_path), "--driver", "openai", "--dialect", "react")
    assert done.returncode == 0, done.stderr
    assert len(list(tmp_path.rglob("*.yaml"))) == 2
    [diff] = [each for each in COMMANDS if each.split()[1] == "diff"]
    done = conformance(*shlex.split(diff.replace("recordings", str(tmp_path)))[1:], "--dialect", "react")
    assert done.returncode == 0, done.stderr
    assert "2 " in done.stdout


@pytest.mark.process
def test_serve_answers_until_it_is_stopped() -> None:
    [command] = [each for each in COMMANDS if each.split()[1] == "serve"]
    assert shlex.split(command)[-2:] == ["--port", "8080"]
    words = [sys.executable, "-u", "-m", "conformance", "serve", "--port", "0"]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        assert server.stdout is not None
        found = re.search(r"http://127\.0\.0\.1:\d+", server.stdout.readline())
        assert found is not None
        with pytest.raises(urllib.error.HTTPError) as refused:
            urllib.request.urlopen(f"{found[0]}/v1/chat/completions", data=b"{}", timeout=10)
        refused.value.close()
        server.terminate()
    assert refused.value.code == 401  # it has no key


@pytest.mark.process
def test_proxy_records_as_the_readme_says(tmp_path: Path) -> None:
    [command] = [each for each in COMMANDS if each.split()[1] == "proxy"]
    with ReferenceServer(all_scenarios()) as upstream:
        words = shlex.split(command.replace("http://127.0.0.1:8080", upstream.origin))
        with subprocess.Popen(
            [sys.executable, "-u", "-m", *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=tmp_path,
        ) as proxy:
            assert proxy.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:\d+", proxy.stdout.readline())
            assert found is not None
            with pytest.raises(urllib.error.HTTPError) as refused:
                urllib.request.urlopen(f"{found[0]}/v1/chat/completions", data=b"{}", timeout=10)
            refused.value.close()
            proxy.terminate()
    assert [path.name for path in (tmp_path / "recordings").glob("*.yaml")] == ["openai-chat-0001.yaml"]


def test_run_drives_an_endpoint_as_the_readme_says() -> None:
    [command] = [each for each in COMMANDS if each.split()[1] == "run"]
    with ReferenceServer(all_scenarios()) as server:
        words = shlex.split(command.replace("http://127.0.0.1:8080", server.origin).replace("NAME", "gpt-4o-mini"))
        done = conformance(*words[1:], "--scenario", "weather", "--driver", "openai")
    assert done.returncode == 0, done.stderr
    assert "weather" in done.stdout


@pytest.mark.process
def test_gateway_drives_a_gateway_as_the_readme_says() -> None:
    [command] = [each for each in COMMANDS if each.split()[1] == "gateway"]
    with gateway("translating") as (url, upstream):
        words = shlex.split(command.replace("http://127.0.0.1:4000", url).replace("18960", str(upstream)))
        done = run(*words, "--scenario", "weather", "--driver", "openai")
    assert done.returncode == 0, done.stderr
    assert "the same on both sides" in done.stdout


@pytest.mark.process
def test_the_program_of_the_readme_runs() -> None:
    [program] = re.findall(r"```python\n(.*?)```", README, flags=re.DOTALL)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.process
def test_the_pytest_command_of_the_readme_chooses_cells() -> None:
    [choice] = re.findall(r'^pytest --conformance-matrix -k "(.+)"$', README, flags=re.MULTILINE)
    done = run("pytest", "--conformance-matrix", "-q", "--collect-only", "-k", choice, "tests/project/test_readme.py")
    assert "small-talk-gemini-google-genai-sync" in done.stdout


@pytest.mark.process
def test_the_make_targets_of_the_readme_exist() -> None:
    reported = subprocess.run(["make"], capture_output=True, text=True, cwd=ROOT, check=True).stdout
    assert set(re.findall(r"make ([a-z]+)", README)) - {"lists"} <= set(re.findall(r"make ([a-z]+)", reported))


def test_the_readme_counts_nothing_that_grows_with_the_suite() -> None:
    kinds = "cells|cassettes|dialects|drivers|examples|findings|mutants|rules|scenarios|statements"
    grown = rf"\b\d[\d,]*(?: of \d+)? (?:{kinds})\b"
    assert re.findall(grown, README) == []


def test_the_python_version_of_the_readme_is_the_lowest_supported() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert re.findall(r"Python (3\.\d+)", README) == [project["requires-python"].removeprefix(">=")]


@pytest.mark.process
def test_the_exit_codes_of_the_readme_are_those_of_the_program() -> None:
    codes = dict(re.findall(r"^\| (\d) \| (.+) \|$", README, flags=re.MULTILINE))
    assert list(codes) == ["0", "1", "2", "3"]
    assert (ConformanceError.exit_code, HarnessError.exit_code) == (2, 3)
    conforming, violating = "cassettes/gemini/weather", "tests/data/violating.jsonl"
    ended = [run("conformance", "check", path).returncode for path in (conforming, violating, "no/such/file")]
    assert ended == [0, 1, 2]


def test_the_dialects_and_formats_of_the_readme_are_all_there_are() -> None:
    table = README.partition("| dialect | wire format |")[2].partition("\n\n")[0]
    named = {name for row in table.splitlines()[2:] for name in re.findall(r"`([a-z0-9-]+)`", row)}
    assert set(all_dialects()) <= named
    [formats] = set(re.findall(r"`--format ([a-z]+\|[a-z|]+)`", README))
    assert set(formats.split("|")) == set(FORMATS)
