"""`conformance proxy` as a command: its options, its verdict, its client, its report."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner

from conformance.commands import app
from conformance.model.data_files import data_dir
from conformance.proxy.upstream import Upstream
from tests.proxying import ANSWERED, Scripted, ask, json_response

CLIENT = """
import json, os, sys, urllib.request
body = json.dumps({"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "Hello"}]}).encode()
headers = {"content-type": "application/json", "authorization": "Bearer " + os.environ.get("OPENAI_API_KEY", "none")}
if "--none" not in sys.argv:
    urllib.request.urlopen(urllib.request.Request(os.environ["OPENAI_BASE_URL"] + "/chat/completions", body, headers))
sys.exit("the client gives up" if "--fail" in sys.argv else 0)
"""
WRONG = {**ANSWERED, "object": "completion"}


def proxy(*words: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "OPENAI_API_KEY": "sk-of-the-user"}
    return subprocess.run(
        [sys.executable, "-m", "conformance", "proxy", *words],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env=environment,
    )


@contextmanager
def running(*words: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command in the background, and its URL."""
    process = subprocess.Popen(
        [sys.executable, "-m", "conformance", "proxy", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        first = process.stdout.readline() or process.stderr.readline()
        yield process, first.split()[1]
    finally:
        process.kill()
        process.communicate()


@pytest.mark.process
@pytest.mark.parametrize(
    ("answer", "words", "code", "message"),
    [
        (ANSWERED, [], 0, "1 exchange in 1 conversation: 0 errors"),
        (WRONG, [], 1, "object-wrong"),
        (WRONG, ["--ignore", "chat-"], 0, "0 errors"),
        (WRONG, ["--select", "messages-"], 2, "nothing was judged"),
        (ANSWERED, ["--fail"], 1, "failed: the client exited with 1: the client gives up"),
        (ANSWERED, ["--none"], 2, "failed: no request was sent"),
    ],
)
def test_the_exit_code_is_the_verdict(answer: object, words: list[str], code: int, message: str) -> None:
    client = [each for each in words if each in ("--fail", "--none")]
    options = [each for each in words if each not in client]
    with Scripted([[json_response(answer)]]) as server:
        run = proxy("--upstream", server.url, *options, "--", sys.executable, "-c", CLIENT, *client)
    assert (run.returncode, message in run.stdout) == (code, True), run.stdout + run.stderr
    assert all(b"sk-of-the-user" in each.head for each in server.received)  # the key of the user stays


@pytest.mark.process
def test_the_json_report_is_valid_and_has_no_other_output(tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    with Scripted([[json_response(ANSWERED)]]) as server:
        words = ("--save", str(tmp_path / "kept"), "--format", "json", "--output", str(report))
        run = proxy("--upstream", server.url, *words, "--", sys.executable, "-c", CLIENT)
    assert (run.returncode, run.stdout) == (0, "")
    found = json.loads(report.read_text())
    jsonschema.validate(found, json.loads((data_dir("specs") / "report.schema.json").read_text(encoding="utf-8")))
    summary = found["proxy"]
    assert (summary["upstream"], summary["requests"], summary["cassettes"]["written"]) == (server.url, 1, 1)
    assert summary["client"]["exit_code"] == 0


@pytest.mark.process
@pytest.mark.parametrize("ended_by", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_ends_it_with_a_report(ended_by: signal.Signals, tmp_path: Path) -> None:
    with (
        Scripted([[json_response(WRONG)]]) as server,
        running("--upstream", server.url, "--save", str(tmp_path)) as (process, url),
    ):
        assert ask(url)[0] == 200
        live = json.loads(urllib.request.urlopen(f"{url}/_conformance/report.json").read())
        with urllib.request.urlopen(f"{url}/_conformance/report.html") as page:
            assert b"<html" in page.read()
        process.send_signal(ended_by)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert "1 exchange forwarded, recorded in 1 cassette" in out
    assert "openai-chat" in err
    assert (live["proxy"]["requests"], len(live["findings"]) > 0) in ((1, True), (0, False))  # judged, or soon


@pytest.mark.process
def test_the_first_lines_say_what_to_set() -> None:
    with Scripted([]) as server, running("--upstream", f"{server.url}/v1") as (process, url):
        assert process.stdout is not None
        lines = [process.stdout.readline().strip() for _ in range(3)]
    assert lines == [f"OPENAI_BASE_URL={url}", f"ANTHROPIC_BASE_URL={url}", f"GOOGLE_GEMINI_BASE_URL={url}"]


@pytest.mark.process
def test_strict_counts_warnings() -> None:
    unusual = {**ANSWERED, "choices": [{**ANSWERED["choices"][0], "finish_reason": "stop"}]}  # type: ignore[index]
    answer = json.dumps(unusual).encode()
    raw = b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: %d\r\n\r\n%s" % (len(answer), answer)
    codes = []
    for words in ((), ("--strict",)):
        with Scripted([[raw]]) as server:
            codes.append(proxy("--upstream", server.url, *words, "--", sys.executable, "-c", CLIENT).returncode)
    assert codes == [0, 1]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "proxy needs a server; pass --upstream URL, or the command of an MCP server over stdio after --"),
        (["--upstream", "ftp://x"], "--upstream ftp://x: not an http or https URL"),
        (["--upstream", "http://h:port"], "--upstream http://h:port: not a URL"),
        (["--upstream", "http://user:word@h"], "--upstream contains credentials; remove them"),
        (["--upstream", "http://h/?a=1"], "has a query or a fragment"),
        (["--upstream", "http://h", "--port", "70000"], "Invalid value for '--port'"),
        (["--port", "80", "--", "server"], "--port works only with --upstream"),
        (["--upstream", "http://h", "--save", __file__], "not a folder"),
        (["--upstream", "http://h", "--dialect", "openai"], "unknown dialect 'openai'"),
        (["--upstream", "http://h", "--profile", "nobody"], "nobody"),
        (["--upstream", "http://h", "--format", "xml"], "Invalid value for '--format'"),
        (["--upstream", "http://h", "--select", "nothing-"], "nothing-"),
        (["--upstream", "http://h", "--ignore", "nothing-"], "nothing-"),
        (["--upstream", "http://h", "--baseline", "no-such-file.yaml"], "no-such-file.yaml"),
        (["--upstream", "http://h", "--output", "no/such/folder/x", "--", "true"], "no/such/folder/x"),
        (["--upstream", "http://h", "--max-body", "0"], "Invalid value for '--max-body'"),
        pytest.param(
            ["--upstream", "http://h", "--", "./no-such-client"],
            "./no-such-client: cannot start the client",
            marks=pytest.mark.process,
        ),
        (["--upstream", "http://h", "-q", "-v"], "--verbose and --quiet exclude each other"),
        (["--upstream", "http://h", "--cause", "1"], "--cause works only with --format issue"),
    ],
)
def test_wrong_input_is_one_clear_line(words: list[str], message: str) -> None:
    run = CliRunner().invoke(app, ["proxy", *words])
    assert run.exit_code == 2, run.output
    assert message in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.process
def test_a_port_that_is_taken_is_wrong_input() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run = proxy("--upstream", "http://127.0.0.1:9", "--port", str(port))
    assert (run.returncode, run.stderr.startswith(f"conformance: 127.0.0.1:{port}: ")) == (2, True)


@pytest.mark.process
def test_two_proxies_do_not_write_to_one_folder(tmp_path: Path) -> None:
    with Scripted([]) as server, running("--upstream", server.url, "--save", str(tmp_path)):
        run = proxy("--upstream", server.url, "--save", str(tmp_path))
    assert (run.returncode, "is writing to it" in run.stderr) == (2, True)


def test_the_upstream_of_a_url() -> None:
    found = Upstream.of("https://api.example.com/openai/v1/")
    assert (found.authority, found.origin, found.prefix) == (
        "api.example.com",
        "https://api.example.com",
        "/openai/v1",
    )
    assert (found.port, found.versioned) == (443, True)
    assert Upstream.of("http://[::1]:8080").authority == "[::1]:8080"
    assert not Upstream.of("https://h/openai").versioned
