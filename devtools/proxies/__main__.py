"""Puts the proxy in front of real programs, kills each in the middle of an answer, then the proxy: `make proxies`.

`python -m devtools.proxies FOLDER` runs what is installed in the folder: `bin/litellm`, and npm packages. It prints
what each step showed, and fails if one is not as it should be.
"""

from __future__ import annotations

import argparse
import contextlib
import http.client
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from conformance.inputs import read
from devtools.proxies.programs import CHAT, ENVIRONMENT, STREAMED, Program, conformance, everything_in, programs
from tests.servers import NotStartedError, free_port, kill, listening

_START_SECONDS = 180
_CLIENT = [sys.executable, "-m", "devtools.proxies.mcp_client"]


class WrongError(Exception):
    """A step did not show what it should."""


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--only", default="", help="only programs with this text in their name")
    chosen = parser.parse_args(arguments)
    behind = free_port()
    known = [each for each in programs(chosen.folder.absolute(), behind) if chosen.only in each.name]
    wrong = 0
    for program in known:
        wrong += _shown(program.name, _over_http(program, behind))
    everything = everything_in(chosen.folder.absolute())
    if everything is not None and chosen.only in "MCP everything over stdio":
        wrong += _shown("MCP everything over stdio", _over_stdio(["node", str(everything), "stdio"]))
    _write(f"{len(known)} programs over HTTP, {wrong} not as they should be")
    return 1 if wrong else 0


def _shown(name: str, steps: Iterator[str]) -> int:
    _write(f"== {name}")
    try:
        for reported in steps:
            _write(f"   {reported}")
    except (WrongError, NotStartedError, OSError, subprocess.SubprocessError) as error:
        _write(f"   WRONG: {type(error).__name__}: {error}")
        return 1
    return 0


def _over_http(program: Program, behind: int) -> Iterator[str]:
    port, folder = free_port(), Path(tempfile.mkdtemp(prefix="conformance-proxied-"))
    upstream = f"http://127.0.0.1:{port}"
    with contextlib.ExitStack() as stack:
        if program.before is not None:
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            first = subprocess.Popen(program.before(behind), env=ENVIRONMENT, start_new_session=True, **quiet)  # type: ignore[call-overload]
            stack.callback(kill, first)
            listening(behind, seconds=_START_SECONDS)
        running = [program.start(port)]
        stack.callback(lambda: kill(running[-1]))
        listening(port, seconds=_START_SECONDS)
        with _proxy(upstream, folder) as (proxy, url):
            yield f"driven by official SDKs: {_driven(program, url)}"
            yield f"killed in the middle of an answer: the client saw {_interrupted(program, url, running[-1])}"
            status, reported = _post(url, program.path)
            _expect(status == 502, f"502 after the kill, not {status}")
            yield f"while it is down: 502, {reported}"
            running.append(program.start(port))
            listening(port, seconds=_START_SECONDS)
            yield f"started again: {_driven(program, url)}"
            before = _live(url)["proxy"]["requests"]
            proxy.kill()
            proxy.wait()
        kept = list(read(str(folder)))
        cut = sum(each.response.body.note is None and each.response.status == 100 for each in kept)
        _expect(len(kept) == before, f"{before} exchanges on disk after SIGKILL, not {len(kept)}")
        files = len(list(folder.glob("*.yaml")))
        yield f"SIGKILL of the proxy: all {len(kept)} exchanges are in {files} cassettes ({cut} without an answer)"
        with _proxy(upstream, folder) as (proxy, url):
            _driven(program, url)
            proxy.send_signal(signal.SIGTERM)
            proxy.wait(60)
            report = json.loads((folder.parent / f"{folder.name}.json").read_text())
        yield f"next run, ended by SIGTERM: exit {proxy.returncode}; {_findings(report)}"
        checked = subprocess.run(
            conformance("check", "-q", str(folder)), env=ENVIRONMENT, capture_output=True, text=True, check=False
        )
        _expect(checked.returncode in (0, 1), f"check reads the folder, not: {checked.stderr}")
        yield f"conformance check: {checked.stdout.strip()}"
        leaks = [path.name for path in folder.iterdir() if "sk-proxied" in path.read_text(encoding="utf-8")]
        _expect(not leaks, f"no key in a cassette, not in {leaks}")


def _over_stdio(command: Sequence[str]) -> Iterator[str]:
    folder = Path(tempfile.mkdtemp(prefix="conformance-proxied-"))
    report = folder / "report.json"
    words = ["proxy", "--save", str(folder / "kept"), "--format", "json", "--output", str(report)]
    proxied = [*conformance(*words), "--", *command]
    direct, through = (
        subprocess.run([*_CLIENT, *each], env=ENVIRONMENT, capture_output=True, text=True, timeout=120, check=False)
        for each in (command, proxied)
    )
    _expect(
        direct.stdout == through.stdout != "", f"the same with and without the proxy: {through.stdout}{through.stderr}"
    )
    yield f"driven by the official SDK: {', '.join(through.stdout.split(chr(10)))}the same as without the proxy"
    yield f"report: {_findings(json.loads(report.read_text()))}"
    client = subprocess.Popen(
        [*_CLIENT, "--long", *proxied], env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    assert client.stdout is not None
    while (line := client.stdout.readline()) and line != "progress\n":
        pass
    server = subprocess.run(["pgrep", "-P", str(_child(client.pid))], capture_output=True, text=True, check=True)
    os.kill(int(server.stdout.split()[0]), signal.SIGKILL)
    rest, _ = client.communicate(timeout=60)
    _expect("the long call ended" not in rest and client.returncode != 0, "the client sees the end of the server")
    reported = json.loads(report.read_text())
    code = reported["proxy"]["server"]["exit_code"]
    yield f"server killed in the middle of a call: the client failed, exit code of the server {code}"
    unanswered = [each["message"] for each in reported["findings"] if each["rule"] == "request-unanswered"]
    yield f"report: {_findings(reported)}: {', '.join(unanswered)}"


def _child(parent: int) -> int:
    found = subprocess.run(["pgrep", "-P", str(parent)], capture_output=True, text=True, check=True)
    return int(found.stdout.split()[0])


def _driven(program: Program, url: str) -> str:
    """What official SDKs have of the program: our drivers with the scenario `weather`, or the MCP client."""
    if not program.dialects:
        run = subprocess.run(
            [*_CLIENT, f"{url}{program.path}"],
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
        _expect(run.returncode == 0, f"the client ends well, not: {run.stderr[-400:]}")
        return ", ".join(run.stdout.split("\n")).strip(", ")
    reported = []
    for dialect in program.dialects:
        words = ["run", "--base-url", url, "--dialect", dialect, "--model", "gpt-4o-mini", "--scenario", "weather"]
        words += ["--api-key-env", "OPENAI_API_KEY", "--attempts", "1", "--format", "json"]
        run = subprocess.run(
            conformance(*words), env=ENVIRONMENT, capture_output=True, text=True, timeout=300, check=False
        )
        _expect(run.returncode in (0, 1), f"the run ends, not: {run.stderr[-400:]}")
        summary = json.loads(run.stdout)["summary"]
        _expect(summary["exchanges"] > 0, "exchanges in the run")
        reported.append(f"{dialect} {summary['conversations']} runs, {summary['exchanges']} exchanges")
    return "; ".join(reported)


def _interrupted(program: Program, url: str, server: subprocess.Popen[bytes]) -> str:
    """Kills the program in the middle of an answer; returns what the client got of it."""
    if not program.dialects:
        client = subprocess.Popen(
            [*_CLIENT, "--long", f"{url}{program.path}"],
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert client.stdout is not None
        while (line := client.stdout.readline()) and line != "progress\n":
            pass
        _expect(line == "progress\n", "progress before the kill")
        kill(server)
        time.sleep(1)
        client.kill()
        rest = client.communicate()[0]
        _expect("the long call ended" not in rest, "no end of the call")
        return "progress, and no end of the call"
    connection = _connection(url)
    headers = {"Content-Type": "application/json", "Authorization": "Bearer sk-proxied"}
    connection.request("POST", CHAT, json.dumps(STREAMED), headers)
    stream = connection.getresponse()
    got = stream.read1(1 << 16)
    kill(server)
    try:
        got += stream.read()
    except (http.client.IncompleteRead, ConnectionError) as error:
        return f"{len(got)} bytes, then {type(error).__name__}"
    finally:
        connection.close()
    raise WrongError(f"the client saw a clean end after {len(got)} bytes")


def _post(url: str, path: str) -> tuple[int, str]:
    connection = _connection(url)
    connection.request("POST", path, json.dumps({**STREAMED, "stream": False}), {"Content-Type": "application/json"})
    got = connection.getresponse()
    body = got.read()
    connection.close()
    return got.status, json.loads(body)["error"]["message"]


def _live(url: str) -> dict[str, dict[str, int]]:
    connection = _connection(url)
    seen = -1
    while True:  # the last exchanges may still be judged
        connection.request("GET", "/_conformance/report.json")
        report: dict[str, dict[str, int]] = json.loads(connection.getresponse().read())
        if report["proxy"]["requests"] == seen:
            return report
        seen = report["proxy"]["requests"]
        connection.close()
        time.sleep(1)


def _findings(report: dict[str, object]) -> str:
    summary = report["summary"]
    assert isinstance(summary, dict)
    return ", ".join(f"{summary[name]} {name}" for name in ("exchanges", "conversations", "errors", "warnings"))


@contextmanager
def _proxy(upstream: str, folder: Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    output = str(folder.parent / f"{folder.name}.json")
    words = ["proxy", "--upstream", upstream, "--save", str(folder), "--format", "json", "--output", output]
    process = subprocess.Popen(conformance(*words), env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    try:
        yield process, process.stderr.readline().split()[1]
    finally:
        process.kill()
        process.communicate()


def _connection(url: str) -> http.client.HTTPConnection:
    return http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)


def _expect(holds: bool, what: str) -> None:  # noqa: FBT001 - a condition
    if not holds:
        raise WrongError(f"expected {what}")


def _write(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - a program


if __name__ == "__main__":
    sys.exit(main())
