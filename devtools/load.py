"""How many requests the reference server answers, beside another server that plays the same conversations.

    python -m devtools.load --seconds 5 --beside 'npx -y -p @copilotkit/aimock llmock -p {port} -f {fixtures}'

Each of 16 connections plays a conversation of two requests over and over, with other ids and texts each time. The
servers are measured in turns, so that a busy machine slows all of them. Requests per second are those that the client
saw; the CPU time of a request is what the server's own processes took.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import shlex
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

import click

from conformance.scenario.load import all_scenarios
from devtools.peers.aimock_fixtures import fixtures
from tests.servers import free_port, running

CONNECTIONS = 16
_SCENARIO = "weather"
_CALL = re.compile(rb'"id":\s?"(call_[^"]+)"')
_TICKS = os.sysconf("SC_CLK_TCK")
_OURS = [sys.executable, "-m", "conformance", "serve", "--quiet", "--port", "{port}"]
_BARE = [sys.executable, "-m", "devtools.load", "--bare", "{port}"]


@dataclass
class Seen:
    """What a client saw."""

    answers: int = 0
    wrong: dict[str, int] = field(default_factory=dict)
    latencies: list[float] = field(default_factory=list)


def _body(number: int, call: str | None, *, stream: bool) -> bytes:
    scenario = all_scenarios()[_SCENARIO]
    conversation, tool = scenario.conversations[0], scenario.tools[0]
    arguments, result = tool.returns[0].when, tool.returns[0].result
    messages: list[dict[str, object]] = [
        {"role": "system", "content": f"You are assistant {number}. Today is day {number % 365}."},
        {"role": "user", "content": conversation.user},
    ]
    if call is not None:
        function = {"name": tool.name, "arguments": json.dumps(arguments)}
        messages += [
            {
                "role": "assistant",
                "content": None,
                "tool_calls": [{"id": call, "type": "function", "function": function}],
            },
            {"role": "tool", "tool_call_id": call, "content": json.dumps(result)},
        ]
    declared = {"name": tool.name, "description": tool.description, "parameters": tool.parameters}
    body = {
        "model": "gpt-4o-mini",
        "messages": messages,
        "tools": [{"type": "function", "function": declared}],
        "stream": stream,
        "user": f"user-{number}",
    }
    return json.dumps(body).encode()


def _request(body: bytes) -> bytes:
    head = (
        "POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer test-key\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


async def _response(reader: asyncio.StreamReader) -> tuple[int, bytes]:
    head = (await reader.readuntil(b"\r\n\r\n")).lower()
    status = int(head.split(b" ", 2)[1])
    found = re.search(rb"content-length: (\d+)", head)
    if found:
        return status, await reader.readexactly(int(found[1]))
    body = b""
    while size := int(await reader.readline(), 16):
        body += (await reader.readexactly(size + 2))[:-2]
    await reader.readline()
    return status, body


async def _converse(port: int, first: int, until: float, seen: Seen, *, stream: bool) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    number, call = first, None
    while time.monotonic() < until:
        began = time.monotonic()
        writer.write(_request(_body(number, call, stream=stream)))
        status, body = await _response(reader)
        seen.latencies.append(time.monotonic() - began)
        seen.answers += 1
        asked = call
        found = _CALL.search(body)
        call = found[1].decode() if found and asked is None else None
        if status != 200 or (asked is None and call is None):
            answer = f"{status} {body[:200].decode(errors='replace')}"
            seen.wrong[answer] = seen.wrong.get(answer, 0) + 1
        number += CONNECTIONS
    writer.close()


async def _load(port: int, seconds: float, connections: int, *, stream: bool) -> Seen:
    seen, until = Seen(), time.monotonic() + seconds
    await asyncio.gather(*(_converse(port, each, until, seen, stream=stream) for each in range(connections)))
    return seen


def _processes(root: int) -> Iterator[int]:
    yield root
    for task in Path(f"/proc/{root}/task").glob("*/children"):
        for child in task.read_text().split():
            yield from _processes(int(child))


def _cpu(root: int) -> float:
    """The seconds of CPU of a process and its children."""
    fields = (Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split() for each in _processes(root))
    return sum(int(each[11]) + int(each[12]) for each in fields) / _TICKS


def _memory(root: int) -> int:
    """The MiB that a process and its children hold."""
    return sum(
        int(line.split()[1]) // 1024
        for each in _processes(root)
        for line in Path(f"/proc/{each}/status").read_text().splitlines()
        if line.startswith("VmRSS")
    )


@click.command()
@click.option("--seconds", type=float, default=5.0, show_default=True, help="Length of one measurement.")
@click.option("--rounds", type=int, default=3, show_default=True, help="Measurements of each server and mode.")
@click.option("--connections", type=int, default=CONNECTIONS, show_default=True)
@click.option("--beside", help="Command of another server; {port} and {fixtures} are filled in.")
@click.option("--bare", type=int, hidden=True, help="Serve on this port without judging.")
def main(seconds: float, rounds: int, connections: int, beside: str | None, bare: int | None) -> None:
    """Print requests per second, CPU milliseconds for each request, latency and memory of each server."""
    if bare is not None:
        _serve_bare(bare)
        return
    commands = {"serve": _OURS, "serve, not judging": _BARE}
    if beside:
        commands["beside"] = shlex.split(beside)
    click.echo(
        f"{'server':20} {'mode':7} {'requests/s':>10} {'CPU ms':>7} {'p50 ms':>7} {'p99 ms':>7} {'MiB':>5} wrong"
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "fixtures.json").write_text(json.dumps({"fixtures": list(fixtures())}))
        for stream in (False, True):
            _measured(commands, folder, seconds, rounds, connections, stream=stream)


def _measured(
    commands: dict[str, list[str]], folder: Path, seconds: float, rounds: int, connections: int, *, stream: bool
) -> None:
    rows: dict[str, list[tuple[float, float, Seen, int]]] = {name: [] for name in commands}
    for _ in range(rounds):
        for name, command in commands.items():
            port = free_port()
            filled = [each.format(port=port, fixtures=folder / "fixtures.json") for each in command]
            with running(filled, port) as process:
                root = process.pid
                asyncio.run(_load(port, 1.0, connections, stream=stream))
                before, began = _cpu(root), time.monotonic()
                seen = asyncio.run(_load(port, seconds, connections, stream=stream))
                spent, took = _cpu(root) - before, time.monotonic() - began
                rows[name].append((seen.answers / took, 1000 * spent / max(seen.answers, 1), seen, _memory(root)))
    for name, each in rows.items():
        latencies = sorted(1000 * one for _, _, seen, _ in each for one in seen.latencies)
        wrong = {answer: number for _, _, seen, _ in each for answer, number in seen.wrong.items()}
        click.echo(
            f"{name:20} {'stream' if stream else 'plain':7} {median(one[0] for one in each):10.0f} "
            f"{median(one[1] for one in each):7.2f} {latencies[len(latencies) // 2]:7.1f} "
            f"{latencies[len(latencies) * 99 // 100]:7.1f} {max(one[3] for one in each):5} {wrong or 'none'}"
        )


def _serve_bare(port: int) -> None:
    from conformance.reference.server import ReferenceServer

    with ReferenceServer(all_scenarios(), port) as server:
        server.wait()


if __name__ == "__main__":
    main()
