"""`conformance proxy -- COMMAND`: an MCP server over standard input and output, byte for byte, recorded and judged."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from conformance.cassette.load import load_cassette
from conformance.inputs import read

pytestmark = pytest.mark.process

SERVER = r"""
import json, os, sys
print("server starts", file=sys.stderr, flush=True)
def send(text): sys.stdout.buffer.write(text.encode()); sys.stdout.buffer.flush()
def answer(number, **more): send(json.dumps({"jsonrpc": "2.0", "id": number, **more}, ensure_ascii=False) + "\n")
for line in sys.stdin:
    asked = json.loads(line) if line.strip() else {}
    method, number = asked.get("method"), asked.get("id")
    if method == "initialize":
        info = {"name": "s", "version": "1"}
        can = {"tools": {}, "logging": {}}
        answer(number, result={"protocolVersion": "2025-06-18", "capabilities": can, "serverInfo": info})
    elif method == "tools/list":
        answer(number, result={"tools": [{"name": each, "inputSchema": {"type": "object"}}
               for each in ("echo", "slow", "noise", "die", "env")]})
    elif method == "tools/call":
        tool = asked["params"]["name"]
        if tool == "die":
            sys.exit(7)
        if tool == "noise":
            send("oops\n")
        token = asked["params"].get("_meta", {}).get("progressToken")
        if tool == "slow":
            params = {"progressToken": token, "progress": 1}
            send(json.dumps({"jsonrpc": "2.0", "method": "notifications/progress", "params": params}) + "\n")
        if tool == "env":
            send(json.dumps({"jsonrpc": "2.0", "method": "notifications/message",
                             "params": {"level": "info", "data": "ghp_x9Kd7Fm2Qp4Rt6Yw8Zb1Nc3Vg5Hj0LsAeUi"}}) + "\r\n")
        answer(number, result={"content": [{"type": "text", "text": "기온 \U0001f321"}]})
sys.exit(int(os.environ.get("AT_END", "0")))
"""
FIRST = (
    {
        "jsonrpc": "2.0",
        "id": 0,
        "method": "initialize",
        "params": {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "1"}},
    },
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 1, "method": "tools/list"},
)


def call(tool: str, number: int = 2, **params: Any) -> dict[str, Any]:
    return {
        "jsonrpc": "2.0",
        "id": number,
        "method": "tools/call",
        "params": {"name": tool, "arguments": {}, **params},
    }


def proxied(*words: str) -> list[str]:
    return [sys.executable, "-m", "conformance", "proxy", *words, "--", sys.executable, "-c", SERVER]


class Client:
    """A client that writes lines to a proxy and reads lines from it."""

    def __init__(self, *words: str, command: list[str] | None = None) -> None:
        self.process = subprocess.Popen(
            command or proxied(*words), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.received = b""

    def send(self, *messages: dict[str, Any] | bytes) -> None:
        assert self.process.stdin is not None
        for each in messages:
            self.process.stdin.write(each if isinstance(each, bytes) else json.dumps(each).encode() + b"\n")
            self.process.stdin.flush()

    def line(self) -> bytes:
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.received += line
        return line

    def begin(self) -> None:
        self.send(FIRST[0])
        self.line()
        self.send(*FIRST[1:])
        self.line()

    def end(self) -> tuple[int, str]:
        """Closes the input; returns the exit code and what was written to standard error."""
        rest, log = self.process.communicate(timeout=60)
        self.received += rest
        return self.process.returncode, log.decode()


@pytest.fixture(scope="module")
def talked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes, bytes, int, str]:
    """A conversation through the proxy: its folder, the bytes with and without the proxy, its exit and its report."""
    folder = tmp_path_factory.mktemp("stdio")
    found = []
    for command in (None, [sys.executable, "-c", SERVER]):
        client = Client("--save", str(folder), command=command)
        client.begin()
        client.send(call("echo"), b"\n", call("slow", 3, _meta={"progressToken": "t"}), call("env", 4))
        for _ in range(5):
            client.line()
        code, log = client.end()
        found.append((client.received, code, log))
    (through, code, log), (direct, *_) = found
    return folder, through, direct, code, log


def test_both_sides_are_passed_on_byte_for_byte(talked: tuple[Path, bytes, bytes, int, str]) -> None:
    _, through, direct, _, _ = talked
    assert through == direct
    assert "기온 🌡".encode() in through


def test_a_conversation_without_faults_passes(talked: tuple[Path, bytes, bytes, int, str]) -> None:
    *_, code, log = talked
    assert (code, "server starts" in log, "the server exited with 0" in log) == (0, True, True)
    assert "7 exchanges forwarded, recorded in 1 cassette" in log


def test_a_conversation_is_recorded_in_the_form_of_streamable_http(
    talked: tuple[Path, bytes, bytes, int, str],
) -> None:
    folder, *_ = talked
    [path] = folder.glob("*.yaml")
    cassette = load_cassette(path)
    assert (cassette.metadata["transport"], cassette.metadata["provenance"]) == ("stdio", "local")
    methods = [
        (each.request.method, (each.request.body.json or {}).get("method"))
        for each in cassette.exchanges
        if each.request.method == "POST"
    ]
    assert [name for _, name in methods] == [
        "initialize",
        "notifications/initialized",
        "tools/list",
        *["tools/call"] * 3,
    ]
    assert all(each.lacks == {"headers", "status"} for each in cassette.exchanges)
    slow = cassette.exchanges[4].response
    assert [event.json.get("method") for event in slow.events] == ["notifications/progress", None]
    noted = next(each for each in cassette.exchanges if each.request.method == "GET")
    assert [event.json["method"] for event in noted.response.events] == ["notifications/message"]


def test_a_secret_is_passed_on_and_not_recorded(talked: tuple[Path, bytes, bytes, int, str]) -> None:
    folder, through, *_, log = talked
    secret = "ghp_x9Kd7Fm2Qp4Rt6Yw8Zb1Nc3Vg5Hj0LsAeUi"
    assert secret.encode() in through
    assert secret not in log + "".join(path.read_text(encoding="utf-8") for path in folder.iterdir())


def test_a_server_that_dies_is_reported_and_ends_the_client_side(tmp_path: Path) -> None:
    client = Client("--save", str(tmp_path), "--format", "json", "--output", str(tmp_path / "report.json"))
    client.begin()
    client.send(call("die"))
    assert client.line() == b""  # the end, although the client has not closed its side
    assert client.process.wait(30) == 1
    client.end()
    report = json.loads((tmp_path / "report.json").read_text())
    assert [each["message"] for each in report["findings"]] == ["the server exited with 7 before it answered"]
    assert report["proxy"]["server"]["exit_code"] == 7
    assert [each.response.status for each in read(str(tmp_path / "mcp-0001.yaml"))][-1] == 100


def test_output_that_is_no_message_is_a_finding(tmp_path: Path) -> None:
    client = Client("--format", "json", "--output", str(tmp_path / "report.json"))
    client.begin()
    client.send(call("noise"))
    assert client.line() == b"oops\n"
    client.line()
    assert client.end()[0] == 1
    report = json.loads((tmp_path / "report.json").read_text())
    assert [each["rule"] for each in report["findings"]] == ["response-malformed"]


def test_a_client_that_closes_its_side_ends_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AT_END", "3")
    client = Client("--save", str(tmp_path))
    client.begin()
    code, log = client.end()
    assert (code, "the server exited with 3" in log) == (0, True)


def test_sigterm_ends_the_server_and_reports(tmp_path: Path) -> None:
    client = Client("--save", str(tmp_path))
    client.begin()
    client.process.send_signal(signal.SIGTERM)
    assert client.process.wait(30) == 0
    assert "recorded in 1 cassette" in client.end()[1]


def test_a_killed_proxy_has_recorded_what_the_client_received(tmp_path: Path) -> None:
    client = Client("--save", str(tmp_path))
    client.begin()
    for number in range(20):
        client.send(call("echo", number + 2))
        client.line()
    os.kill(client.process.pid, signal.SIGKILL)
    client.process.wait()
    client.process.communicate()
    answered = [each.response.body.json["id"] for each in read(str(tmp_path)) if each.response.status == 200]
    assert answered == list(range(22))


def test_a_command_that_does_not_exist_is_wrong_usage() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "conformance", "proxy", "--", "./no-such-server"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (run.returncode, run.stdout) == (2, "")
    assert run.stderr.startswith("conformance: ./no-such-server: cannot start the server: ")


def test_the_official_client_talks_to_a_server_through_the_proxy(tmp_path: Path) -> None:
    program = f"""
import asyncio
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
async def main():
    command, *arguments = {proxied("--save", str(tmp_path))!r}
    async with stdio_client(StdioServerParameters(command=command, args=arguments)) as (reading, writing):
        async with ClientSession(reading, writing) as session:
            await session.initialize()
            tools = await session.list_tools()
            result = await session.call_tool("echo", {{}})
            print([each.name for each in tools.tools], result.content[0].text)
asyncio.run(main())
"""
    pytest.importorskip("mcp")
    started = time.monotonic()
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, timeout=120)
    assert "기온" in run.stdout, run.stderr
    assert time.monotonic() - started < 60
    assert [each.request.method for each in read(str(tmp_path))].count("POST") >= 4
