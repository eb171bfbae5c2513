"""`conformance serve -- COMMAND`: a client program runs with the variables set, and its verdict is the exit code."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import jsonschema
import pytest

from conformance.commands.common.client import _names_error as names_error
from conformance.commands.common.client import variables
from conformance.model.data_files import data_dir
from devtools.places import ROOT
from tests.cassettes import SHIPPED
from tests.talking import RESULT, WEATHER

CLIENT = f"""
import json, os, sys, urllib.request
tool = {{"type": "function", "function": {{"name": "get_weather", "description": "The weather.",
         "parameters": {{"type": "object", "properties": {{}}}}}}}}
messages = [{{"role": "user", "content": {WEATHER!r}}}]
while True:
    body = json.dumps({{"model": "gpt-4o-mini", "messages": messages, "tools": [tool]}}).encode()
    key = "Bearer " + os.environ["OPENAI_API_KEY"]
    headers = {{"content-type": "application/json", "authorization": key}}
    sent = urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body, headers)
    with urllib.request.urlopen(sent) as answer:
        message = json.load(answer)["choices"][0]["message"]
    if "--once" in sys.argv:
        break
    if not message.get("tool_calls"):
        print(message["content"])
        break
    messages.append({{"role": "assistant", "content": message["content"], "tool_calls": message["tool_calls"]}})
    for call in message["tool_calls"]:
        messages.append({{"role": "tool", "tool_call_id": call["id"], "content": {json.dumps(RESULT)!r}}})
if "--fail" in sys.argv:
    raise RuntimeError("the client gives up")
"""


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("client") / "client.py"
    path.write_text(CLIENT, encoding="utf-8")
    return str(path)


def serve(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "conformance", "serve", *words], capture_output=True, text=True, timeout=120, check=False
    )


@pytest.mark.process
def test_a_client_that_plays_a_scenario_passes(client: str, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    run = serve("--format", "json", "--output", str(report), "--", sys.executable, client)
    assert (run.returncode, run.stdout) == (0, "")
    found = json.loads(report.read_text())
    jsonschema.validate(found, json.loads((data_dir("specs") / "report.schema.json").read_text(encoding="utf-8")))
    assert found["sessions"][0]["conversations"][0]["outcome"] == "complete"
    assert found["client"]["exit_code"] == 0
    assert "14.2" in run.stderr  # what the client prints


@pytest.mark.process
@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["--once"], "failed: weather 1"),
        (["--fail"], "failed: the client exited with 1: RuntimeError: the client gives up"),
        (["--none"], "failed: no request was sent"),
    ],
)
def test_a_client_that_stops_fails_or_sends_nothing_does_not_pass(client: str, words: list[str], line: str) -> None:
    run = serve("--", sys.executable, *(["-c", "pass"] if words == ["--none"] else [client, *words]))
    assert run.returncode == (2 if words == ["--none"] else 1)
    assert line in run.stdout


@pytest.mark.process
def test_under_a_fault_it_is_enough_to_fail_honestly(client: str) -> None:
    run = serve("--behaviour", "overloaded", "--", sys.executable, client)
    assert run.returncode == 0, run.stdout
    assert "failed honestly" in run.stdout
    assert "urllib.error.HTTPError: HTTP Error 529" in run.stdout


@pytest.mark.process
def test_a_client_that_does_not_end_is_ended() -> None:
    run = serve("--timeout", "1", "--", sys.executable, "-c", "import time; time.sleep(60)")
    assert run.returncode == 2  # it sent nothing
    assert "the client ran too long" in run.stdout


@pytest.mark.process
def test_of_an_error_with_json_its_words_are_shown(client: str) -> None:
    words = 'no luck {\\n  "code": null\\n}\\n\\t'
    script = f"import runpy, sys; runpy.run_path({client!r}); print('{words}', file=sys.stderr); sys.exit(3)"
    run = serve("--", sys.executable, "-c", script)
    assert "the client exited with 3: no luck {" in run.stdout


@pytest.mark.process
def test_a_command_that_cannot_start_is_a_usage_error() -> None:
    run = serve("--", "no-such-program-anywhere")
    assert run.returncode == 2
    assert "cannot start the client" in run.stderr


@pytest.mark.process
def test_all_behaviours_need_a_command() -> None:
    run = serve("--behaviour", "all")
    assert run.returncode == 2
    assert "add only the client's command after --" in run.stderr


@pytest.mark.process
def test_a_recording_and_a_behaviour_exclude_each_other() -> None:
    run = serve("--behaviour", "pings", "--cassette", "any.yaml")
    assert run.returncode == 2
    assert "--behaviour changes nothing in a recording" in run.stderr


@pytest.mark.process
def test_a_recording_is_played_to_a_client(client: str) -> None:
    path = SHIPPED / "openai-chat" / "weather" / "reference--openai.yaml"
    run = serve("--cassette", str(path), "--", sys.executable, client)
    assert (run.returncode, run.stderr.count("14.2")) == (0, 1), run.stdout
    assert "reference--openai 1" in run.stdout


@pytest.mark.process
def test_a_server_that_is_ended_reports_first() -> None:
    command = [sys.executable, "-m", "conformance", "serve"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONUNBUFFERED": "1"}
    ) as run:
        assert run.stdout is not None
        first = run.stdout.readline()
        assert first.startswith("serving ")
        time.sleep(0.2)
        run.send_signal(signal.SIGTERM)
        rest = run.stdout.read()
        assert run.wait(20) == 2
    assert "get_weather(latitude, longitude) returns {temperature: number" in rest
    assert rest.endswith("failed: no request was sent\n")


@pytest.mark.process
def test_the_client_runs_once_for_each_fault(client: str) -> None:
    run = serve("--behaviour", "faults", "--format", "json", "--", sys.executable, client)
    found = json.loads(run.stdout)
    rows = {each["behaviour"]: each["verdict"] for each in found["faults"]}
    assert rows["rate-limited"] == rows["connection-cut-half-way"] == "failed honestly"
    assert rows["chunks-of-one-byte"] == "handled"
    assert found["summary"]["exchanges"] == 2  # the findings are those of the run without a fault
    assert run.returncode == (1 if "silently wrong" in rows.values() else 0)


def test_the_page_names_every_variable() -> None:
    page = (ROOT / "docs" / "serve.md").read_text(encoding="utf-8")
    set_here = {name for name in variables("http://127.0.0.1:1") if name.isupper()}
    assert {name for name in set_here if f"`{name}`" not in page} == set()


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("openai.RateLimitError: Error code: 429", True),
        ("APICallError [AI_APICallError]: Overloaded.", True),
        ("TypeError: terminated", True),
        ("  at async main (file:///client.mjs:9:1)", False),
        ("[Symbol(vercel.ai.error.AI_RetryError)]: true", False),
        ("timeoutErrorFunction: undefined,", False),
        ("Traceback (most recent call last):", False),
    ],
)
def test_the_line_that_names_an_error_is_found(line: str, named: bool) -> None:  # noqa: FBT001
    assert names_error(line) is named


@pytest.mark.process
def test_findings_of_a_client_are_added_to_a_baseline(tmp_path: Path) -> None:
    odd = """
import json, os, urllib.error, urllib.request
body = json.dumps({"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "hello"}], "n": "two"}).encode()
headers = {"content-type": "application/json", "authorization": "Bearer x"}
try:
    urllib.request.urlopen(urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body, headers))
except urllib.error.HTTPError:
    pass
"""
    path = tmp_path / "baseline.yaml"
    path.write_text("accepted: []\n", encoding="utf-8")
    run = serve("--baseline", str(path), "--baseline-update", "--", sys.executable, "-c", odd)
    assert run.returncode == 1
    assert "added 1 entry; write a reason for each" in run.stderr
    assert "rule: " in path.read_text(encoding="utf-8")
