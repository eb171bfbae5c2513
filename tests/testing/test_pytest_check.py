"""`pytest --conformance-check`: the traffic of a project's own tests is judged at their teardown."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
import yaml

from devtools.places import ROOT

URL = "https://llm.example.com/v1/chat/completions"
SECRET = "sk-proj-abcDEF0123456789abcDEF0123456789abcDEF01"
QUESTION = {"role": "user", "content": "How warm is it in Seoul?"}
TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "Get the weather.",
        "parameters": {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]},
    },
}
GOOD: dict[str, Any] = {"model": "gpt-4o-mini", "messages": [QUESTION], "tools": [TOOL]}
UNANSWERED: dict[str, Any] = {
    **GOOD,
    "messages": [
        QUESTION,
        {
            "role": "assistant",
            "tool_calls": [
                {
                    "id": "call_1",
                    "type": "function",
                    "function": {"name": "get_weather", "arguments": '{"city":"Seoul"}'},
                }
            ],
        },
        {"role": "user", "content": "Well?"},
    ],
}
REPLY: dict[str, Any] = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1700000000,
    "model": "gpt-4o-mini",
    "choices": [
        {"index": 0, "message": {"role": "assistant", "content": "14 °C", "refusal": None}, "finish_reason": "stop"}
    ],
    "usage": {"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13},
}
BROKEN_REPLY: dict[str, Any] = {
    **REPLY,
    "choices": [
        {
            "index": 0,
            "message": {
                "role": "assistant",
                "content": None,
                "tool_calls": [
                    {"type": "function", "function": {"name": "get_weather", "arguments": '{"city":"Seoul"}'}}
                ],
            },
            "finish_reason": "tool_calls",
        }
    ],
}
"""The call has no id."""
NO_XDIST = ("-p", "no:xdist", "-p", "no:randomly", "-p", "no:cov")


def needs(module: str) -> None:
    """Skips the test where a package of the `dev` extra is not installed; importing it here would be noticed there."""
    if find_spec(module) is None:
        pytest.skip(f"{module} is not installed; `make install` installs it")


def cassette(path: Path, request: Any = GOOD, reply: Any = REPLY) -> None:
    """A cassette as vcrpy writes it, without what a filter took out."""
    path.parent.mkdir(parents=True, exist_ok=True)
    interaction = {
        "request": {
            "method": "POST",
            "uri": URL,
            "headers": {"content-type": ["application/json"]},
            "body": json.dumps(request),
        },
        "response": {
            "status": {"code": 200, "message": "OK"},
            "headers": {"content-type": ["application/json"]},
            "body": {"string": json.dumps(reply)},
        },
    }
    path.write_text(yaml.safe_dump({"version": 1, "interactions": [interaction]}), encoding="utf-8")


def sample(sent: Any = GOOD, decorators: str = "", library: str = "httpx2") -> str:
    """A test file that sends one request under vcrpy."""
    return f"""
import {library}, pytest, vcr

def ask():
    headers = {{"authorization": "Bearer {SECRET}"}}
    return {library}.post({URL!r}, json={sent!r}, headers=headers).json()

{decorators}
def test_agent():
    with vcr.use_cassette("cassettes/agent.yaml", record_mode="none"):
        assert ask()["object"] == "chat.completion"
"""


def again(output: str) -> list[str]:
    """The words of the command that the failure names."""
    found = re.search(r"^  again     (conformance check .+)$", output, re.MULTILINE)
    assert found is not None, output
    return shlex.split(found[1])


def checked(words: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", *words], capture_output=True, text=True, cwd=folder, check=False, timeout=120
    )


@pytest.fixture
def project(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    """A project of somebody's own, outside of this repository."""
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    cassette(pytester.path / "cassettes" / "agent.yaml")
    return pytester


@pytest.mark.process
def test_a_broken_reply_fails_the_test_that_played_it(project: pytest.Pytester) -> None:
    cassette(project.path / "cassettes" / "agent.yaml", reply=BROKEN_REPLY)
    project.makepyfile(test_it=sample())
    run = project.runpytest_inprocess("--conformance-check", *NO_XDIST)
    run.assert_outcomes(passed=1, errors=1)
    run.stdout.fnmatch_lines(
        [
            "conformance: 1 error in test_it.py::test_agent",
            "error    chat-reply-field-missing  cassettes/agent.yaml",
            "  rule      *",
            "  at        exchange 0, response /choices/0/message/tool_calls/0 (openai-chat)",
            "  found     *",
            "  expected  *",
            "  actual    *",
            "  change    add `id`",
            "  again     conformance check cassettes/agent.yaml --select chat-reply-field-missing",
            "conformance: 1 exchange checked: 1 error, *",
        ]
    )
    found = checked(again(run.stdout.str()), project.path)
    assert (found.returncode, "chat-reply-field-missing" in found.stdout) == (1, True)


def test_without_the_option_the_same_test_passes(project: pytest.Pytester) -> None:
    cassette(project.path / "cassettes" / "agent.yaml", reply=BROKEN_REPLY)
    project.makepyfile(test_it=sample())
    run = project.runpytest_inprocess(*NO_XDIST)
    run.assert_outcomes(passed=1)
    assert "conformance:" not in run.stdout.str()


@pytest.mark.process
@pytest.mark.parametrize("library", ["httpx", "httpx2", "requests"])
def test_what_the_client_sends_is_judged_and_not_what_was_recorded(project: pytest.Pytester, library: str) -> None:
    project.makepyfile(test_it=sample(UNANSWERED, library=library))
    run = project.runpytest_inprocess("--conformance-check", *NO_XDIST)
    run.assert_outcomes(passed=1, errors=1)
    run.stdout.fnmatch_lines(["error    tool-call-unanswered  cassettes/agent.yaml", "  at * request /messages/1/*"])
    words = again(run.stdout.str())
    kept = project.path / words[2]
    assert SECRET not in kept.read_text(encoding="utf-8") + run.stdout.str()
    found = checked(words, project.path)
    assert (found.returncode, "tool-call-unanswered" in found.stdout) == (1, True)


def test_what_was_recorded_is_judged_where_the_client_has_changed_since(project: pytest.Pytester) -> None:
    cassette(project.path / "cassettes" / "agent.yaml", request=UNANSWERED)
    project.makepyfile(test_it=sample())
    run = project.runpytest_inprocess("--conformance-check", *NO_XDIST)
    run.assert_outcomes(passed=1, errors=1)
    assert again(run.stdout.str())[2] == "cassettes/agent.yaml"


def test_the_same_fault_in_the_recording_and_in_the_request_is_reported_once(project: pytest.Pytester) -> None:
    cassette(project.path / "cassettes" / "agent.yaml", request=UNANSWERED)
    project.makepyfile(test_it=sample(UNANSWERED))
    run = project.runpytest_inprocess("--conformance-check", *NO_XDIST)
    report = run.stdout.str().partition("short test summary info")[0]  # the summary repeats it where CI is set
    assert report.count("error    tool-call-unanswered") == 1
    assert again(run.stdout.str())[2] == "cassettes/agent.yaml"


def test_a_request_that_no_cassette_answers_is_judged_too(project: pytest.Pytester) -> None:
    project.makepyfile(test_it=sample(UNANSWERED).replace("/chat/completions", "/other/chat/completions"))
    run = project.runpytest_inprocess("--conformance-check", *NO_XDIST)
    run.assert_outcomes(failed=1, errors=1)
    run.stdout.fnmatch_lines(["error    tool-call-unanswered *"])


@pytest.mark.parametrize(
    "setting", ["[pytest]\nconformance_check = true\n", "[pytest]\naddopts = --conformance-check\n"]
)
def test_the_configuration_switches_it_on(project: pytest.Pytester, setting: str) -> None:
    project.makefile(".ini", pytest=setting)
    project.makepyfile(test_it=sample(UNANSWERED))
    project.runpytest_inprocess(*NO_XDIST).assert_outcomes(passed=1, errors=1)


def test_a_marker_ignores_rules_and_those_of_class_and_function_add_up(project: pytest.Pytester) -> None:
    marker = '@pytest.mark.conformance(ignore=["tool-call-unanswered"])'
    project.makepyfile(test_it=sample(UNANSWERED, marker))
    project.runpytest_inprocess("--conformance-check", *NO_XDIST).assert_outcomes(passed=1)


def test_a_marker_alone_checks_its_test_and_no_other(project: pytest.Pytester) -> None:
    body = sample(UNANSWERED, "@pytest.mark.conformance")
    project.makepyfile(test_it=body, test_other=sample(UNANSWERED))
    project.runpytest_inprocess(*NO_XDIST, "--strict-markers").assert_outcomes(passed=2, errors=1)


def test_strict_makes_warnings_fail(project: pytest.Pytester) -> None:
    reply = {**REPLY, "usage": {**REPLY["usage"], "total_tokens": 12}}
    cassette(project.path / "cassettes" / "agent.yaml", reply=reply)
    project.makepyfile(test_it=sample(), test_strict=sample(decorators="@pytest.mark.conformance(strict=True)"))
    run = project.runpytest_inprocess("--conformance-check", *NO_XDIST)
    run.assert_outcomes(passed=2, errors=1)
    run.stdout.fnmatch_lines(["conformance: 1 warning in test_strict.py::test_agent", "  warning  *  2"])


def test_the_settings_of_the_project_hold(project: pytest.Pytester) -> None:
    project.makepyprojecttoml('[tool.conformance]\nignore = ["tool-call-unanswered"]\n')
    project.makepyfile(test_it=sample(UNANSWERED))
    project.runpytest_inprocess("--conformance-check", *NO_XDIST).assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ('ignore="chat"', "*`ignore` is not a list of rule ids or prefixes; write ignore=?*"),
        ('ignore=["chat-usge"]', "*no rule id starts with 'chat-usge'; did you mean *"),
        ('dialect="openai-chta"', "*unknown dialect 'openai-chta'; did you mean 'openai-chat'?*"),
        ('strict="yes"', "*`strict` is not True or False*"),
        ('ignored=["chat-"]', "*unknown argument `ignored`; its arguments are ignore, dialect, strict*"),
        ('"chat-"', "*takes no positional arguments*"),
    ],
)
def test_a_wrong_marker_is_one_line_and_a_usage_error(project: pytest.Pytester, arguments: str, message: str) -> None:
    project.makepyfile(test_it=sample(decorators=f"@pytest.mark.conformance({arguments})"))
    run = project.runpytest_inprocess(*NO_XDIST)
    assert run.ret == pytest.ExitCode.USAGE_ERROR
    run.stderr.fnmatch_lines([f"ERROR: test_it.py::test_agent: marker conformance: {message}"])
    assert "Traceback" not in run.stderr.str() + run.stdout.str()


@pytest.mark.parametrize(
    ("files", "options", "message"),
    [
        ({"pytest.ini": "[pytest]\nconformance_check = perhaps\n"}, (), "*conformance_check: *; write true or false*"),
        (
            {"pyproject.toml": '[tool.conformance]\nignore = "chat"\n'},
            ("--conformance-check",),
            "*`ignore` is not a list*",
        ),
        ({}, ("--conformance-record=always",), "*--conformance-record: invalid choice: 'always'*"),
    ],
)
def test_wrong_settings_are_usage_errors(
    project: pytest.Pytester, files: dict[str, str], options: tuple[str, ...], message: str
) -> None:
    for name, text in files.items():
        (project.path / name).write_text(text, encoding="utf-8")
    run = project.runpytest_inprocess(*options, *NO_XDIST)
    assert run.ret == pytest.ExitCode.USAGE_ERROR
    run.stderr.fnmatch_lines([message])
    assert "Traceback" not in run.stderr.str()


def test_pytest_recording_and_its_cassettes_are_judged(project: pytest.Pytester) -> None:
    needs("pytest_recording")
    cassette(project.path / "cassettes" / "test_it" / "test_agent.yaml", reply=BROKEN_REPLY)
    body = sample(decorators="@pytest.mark.vcr").replace(
        'with vcr.use_cassette("cassettes/agent.yaml", record_mode="none")', "if True"
    )
    project.makepyfile(test_it=body)
    run = project.runpytest_inprocess("--conformance-check", *NO_XDIST)
    run.assert_outcomes(passed=1, errors=1)
    run.stdout.fnmatch_lines(["  again     conformance check cassettes/test_it/test_agent.yaml --select *"])


def test_the_test_cases_of_unittest_and_vcrpy_are_judged(project: pytest.Pytester) -> None:
    cassette(project.path / "cassettes" / "AgentTest.test_agent.yaml", reply=BROKEN_REPLY)
    project.makepyfile(
        test_it=f"""
import httpx2
from vcr.unittest import VCRTestCase

class AgentTest(VCRTestCase):
    def test_agent(self):
        self.assertIn("choices", httpx2.post({URL!r}, json={GOOD!r}).json())
"""
    )
    project.runpytest_inprocess("--conformance-check", *NO_XDIST).assert_outcomes(passed=1, errors=1)


@pytest.mark.parametrize("marker", ["asyncio", "anyio"])
@pytest.mark.parametrize("library", ["httpx2", "aiohttp"])
def test_asynchronous_tests_are_judged(project: pytest.Pytester, marker: str, library: str) -> None:
    if marker == "asyncio":
        needs("pytest_asyncio")
    needs(library)
    client = "httpx2.AsyncClient" if library == "httpx2" else "aiohttp.ClientSession"
    read = "reply.json()" if library == "httpx2" else "await reply.json()"
    project.makepyfile(
        test_it=f"""
import {library}, pytest, vcr

@pytest.mark.{marker}
async def test_agent():
    with vcr.use_cassette("cassettes/agent.yaml", record_mode="none"):
        async with {client}() as client:
            reply = await client.post({URL!r}, json={UNANSWERED!r})
            assert "choices" in {read}

@pytest.fixture
def anyio_backend():
    return "asyncio"
"""
    )
    run = project.runpytest_inprocess("--conformance-check", *NO_XDIST)
    run.assert_outcomes(passed=1, errors=1)
    run.stdout.fnmatch_lines(["error    tool-call-unanswered *"])


@pytest.mark.process
def test_the_workers_of_xdist_judge_and_the_summary_counts_all(project: pytest.Pytester) -> None:
    project.makepyfile(test_one=sample(), test_two=sample(UNANSWERED))
    run = project.runpytest_subprocess("--conformance-check", "-n", "2")
    run.assert_outcomes(passed=2, errors=1)
    run.stdout.fnmatch_lines(["conformance: 2 exchanges checked: 1 error, *"])


@pytest.mark.process
def test_a_wrong_marker_fails_the_tests_of_a_worker_in_one_line(project: pytest.Pytester) -> None:
    project.makepyfile(test_it=sample(decorators='@pytest.mark.conformance(ignore="chat")'))
    run = project.runpytest_subprocess("-n", "1")
    run.assert_outcomes(errors=1)
    run.stdout.fnmatch_lines(["test_it.py::test_agent: marker conformance: `ignore` is not a list *"])


def test_nothing_checked_is_reported(project: pytest.Pytester) -> None:
    project.makepyfile(test_it="def test_nothing(): pass")
    run = project.runpytest_inprocess("--conformance-check", *NO_XDIST)
    run.stdout.fnmatch_lines(["conformance: no exchange was checked: *"])


OTHERS = """
import json
import httpx

def test_another_api(conformance):
    inner = httpx.MockTransport(lambda _: httpx.Response(200, json={}))
    with httpx.Client(transport=conformance.transport(inner)) as client:
        client.post("https://example.test/other", json={"a": 1})
"""


@pytest.mark.parametrize(
    ("text", "line"),
    [("def test_it(): pass", "*no exchange was checked*"), (OTHERS, "*nothing was judged*")],
)
def test_a_run_that_judged_nothing_fails_who_asked_for_it(text: str, line: str, project: pytest.Pytester) -> None:
    project.makepyfile(test_it=text)
    run = project.runpytest_inprocess("--conformance-check", *NO_XDIST)
    run.stdout.fnmatch_lines([line])
    assert run.ret == pytest.ExitCode.NO_TESTS_COLLECTED
    assert project.runpytest_inprocess("-o", "conformance_check=true", *NO_XDIST).ret == pytest.ExitCode.OK


@pytest.mark.process
def test_an_internal_error_of_the_checker_is_not_green(project: pytest.Pytester) -> None:
    project.makepyfile(test_it=sample())
    project.makeconftest(
        """
import conformance.judge.checker as checker

def broken(view, **_):
    raise RuntimeError("a fault of ours")

checker.contract_hits = broken
"""
    )
    run = project.runpytest_subprocess("--conformance-check", *NO_XDIST)
    assert run.ret == pytest.ExitCode.INTERNAL_ERROR
    run.stdout.fnmatch_lines(["  internal error  *a fault of ours*"])


OFF = """
import sys
from devtools.places import ROOT

def test_off():
    found = {name for name in sys.modules if name.partition(".")[0] == "conformance"}
    assert found == {
        "conformance",
        "conformance.model",
        "conformance.model.version",
        "conformance.testing",
        "conformance.testing.plugin",
    }
    assert "vcr" not in sys.modules
"""


@pytest.mark.process
def test_where_it_is_off_nothing_of_it_is_imported(project: pytest.Pytester) -> None:
    project.makepyfile(test_it=OFF)
    run = project.runpytest_subprocess(*NO_XDIST, "-p", "no:recording", "-p", "no:langsmith_plugin")
    run.assert_outcomes(passed=1)


OTHER = """
def pytest_addoption(parser):
    parser.addoption("--conformance", metavar="LEVEL")

def pytest_report_header(config):
    return f"level {config.getoption('--conformance')}"
"""


def test_another_plugin_may_have_the_short_name(project: pytest.Pytester) -> None:
    project.makepyfile(other=OTHER)
    project.syspathinsert()
    run = project.runpytest_inprocess("-p", "other", "--conformance=high", "--conformance-check", *NO_XDIST)
    run.stdout.fnmatch_lines(["level high"])
    run = project.runpytest_inprocess(
        "-p", "other", "--conformance-matrix", "--collect-only", "-q", "-k", "small-talk and gemini", *NO_XDIST
    )
    run.stdout.fnmatch_lines(["*small-talk-gemini-google-genai-sync*"])


def test_a_project_may_have_the_short_name(project: pytest.Pytester) -> None:
    """Its own files are loaded after every plugin: an option of ours of this name would be the end of the run."""
    project.makeconftest(OTHER)
    run = project.runpytest_inprocess("--conformance=high", *NO_XDIST)
    run.stdout.fnmatch_lines(["level high"])


def test_the_names_of_all_options_begin_with_the_name_of_the_package(project: pytest.Pytester) -> None:
    parser = project.parseconfigure(*NO_XDIST)._parser
    [group] = [group for group in parser._groups if group.name == "conformance"]
    names = [name for option in group.options for name in (option.dest, *option.names())]
    assert all(name.lstrip("-").startswith("conformance") for name in names)
    assert len(names) == 12


def test_the_cells_of_the_matrix_are_not_judged_twice(project: pytest.Pytester) -> None:
    run = project.runpytest_inprocess(
        "--conformance-matrix", "--conformance-check", "-k", "small-talk and gemini-google", *NO_XDIST
    )
    assert run.parseoutcomes()["passed"] == 2
    run.stdout.fnmatch_lines(["conformance: no exchange was checked: *"])
