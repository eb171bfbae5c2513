"""What once ended in an internal error, a hang, a lost file, or another verdict with more processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from conformance.model.local import why_not_local
from conformance.proxy.server import ProxyServer
from conformance.proxy.upstream import Upstream
from conformance.reference.server import ReferenceServer
from conformance.report import FORMATS
from conformance.scenario.load import all_scenarios
from tests.cassettes import SHIPPED
from tests.commands.test_bad_input import exchange, written
from tests.program import conformance

_URL = "https://api.openai.com/v1/chat/completions"


@pytest.mark.parametrize("status", ["'{}'", "'{} OK'", "{{code: '{}'}}"])
def test_a_status_of_thousands_of_digits_in_a_cassette(status: str, tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text(
        f"interactions:\n- request: {{method: POST, uri: '{_URL}', body: '{{}}', headers: {{}}}}\n"
        f"  response: {{status: {status.format('2' * 4400)}, body: {{string: x}}, headers: {{}}}}\nversion: 1\n"
    )
    done = conformance("check", str(path))
    assert (done.returncode, "status is missing" in done.stderr) == (2, True)


def test_an_empty_file_of_lines_in_a_folder_is_named(tmp_path: Path) -> None:
    written(tmp_path, "a.jsonl", exchange())
    (tmp_path / "b.jsonl").touch()
    done = conformance("check", str(tmp_path))
    assert done.returncode == 0
    assert f"1 of 2 files were not read: {tmp_path}/b.jsonl (the file is empty)" in done.stdout
    assert conformance("check", str(tmp_path), "--strict").returncode == 1


def test_a_file_that_is_cut_counts_once(tmp_path: Path) -> None:
    path = written(tmp_path, "a.jsonl", exchange())
    path.write_text(f"{path.read_text()}{json.dumps(exchange())[:100]}")
    done = conformance("check", str(path))
    assert done.returncode == 2
    assert f"1 of 1 file was not read: {path} (not JSON" in done.stdout


@pytest.mark.process
@pytest.mark.parametrize("depth", [300, 900])
def test_a_deep_value_has_the_same_verdict_in_several_processes(depth: int, tmp_path: Path) -> None:
    whole = exchange()
    whole["response"]["body"] = json.dumps(whole["response"]["body"]).replace(
        '"created": 1', f'"created": {"[" * depth + "]" * depth}'
    )
    path = str(written(tmp_path, "a.jsonl", whole))
    one, two = (conformance("check", path, "--jobs", number) for number in ("1", "2"))
    assert one.returncode == 1
    assert (one.returncode, one.stdout) == (two.returncode, two.stdout)


@pytest.mark.process
def test_a_key_in_the_command_of_a_client_is_not_shown() -> None:
    key = f"sk-proj-{'ab12' * 10}"
    done = conformance("serve", "--", "true", f"Authorization: Bearer {key}")
    assert done.returncode == 2  # it sends nothing
    assert "no request was sent" in done.stdout
    assert key not in done.stdout + done.stderr


def _bomb(last: str) -> str:
    lines = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    for before, name in zip("abcdefghi", "bcdefghij", strict=True):
        lines.append(f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]")
    return "\n".join([*lines, last, ""])


_SIZE = " YAML aliases expand to an excessive size"


@pytest.mark.parametrize(
    ("words", "last", "why"),
    [
        (("check", "{call}", "--baseline", "{}/bomb.yaml"), "accepted: *j", _SIZE),
        (("check", "{call}", "--profile", "{}/bomb.yaml"), "name: *j", _SIZE),
        (("run", "--targets", "{}/bomb.yaml", "--target", "x"), "targets: *j", _SIZE),
        (("list", "--scenarios", "{}"), "id: *j", _SIZE),
        (
            ("check", "{call}", "--baseline", "{}/bomb.yaml"),
            "accepted: &k [*k]",
            "11:11: invalid YAML",
        ),
    ],
)
def test_aliases_that_expand_without_end(words: tuple[str, ...], last: str, why: str, tmp_path: Path) -> None:
    call = written(tmp_path, "a.jsonl", exchange())
    (tmp_path / "bomb.yaml").write_text(_bomb(last))
    done = conformance(*(each.replace("{call}", str(call)).replace("{}", str(tmp_path)) for each in words))
    assert done.returncode == 2
    assert f"bomb.yaml:{why}" in done.stderr


def test_a_pipe_in_a_folder_is_not_opened(tmp_path: Path) -> None:
    written(tmp_path, "a.jsonl", exchange())
    os.mkfifo(tmp_path / "pipe.jsonl")
    done = conformance("check", str(tmp_path))
    assert (done.returncode, "pipe.jsonl (not a regular file)" in done.stdout) == (0, True)


@pytest.mark.process
@pytest.mark.parametrize(
    "words",
    [
        ("replay", "--cassettes", "{}"),
        ("list", "--cassettes", "{}"),
        ("diff", "{}", "{}"),
        ("diff", "{}", "--new", "{}"),
        ("history", "{}"),
        ("results", "{}", "--output", "{}-site"),
        ("list", "--scenarios", "{}"),
        ("tools", "{}"),
        ("check", "{}"),
    ],
)
def test_no_verb_waits_for_a_pipe(words: tuple[str, ...], tmp_path: Path) -> None:
    for name in ("openai-chat/weather/reference--openai.yaml", "own/1.0/2026-11-01.json", "scenario.yaml"):
        path = tmp_path / "given" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        os.mkfifo(path)
    command = [each.replace("{}", str(tmp_path / "given")) for each in words]
    done = subprocess.run([sys.executable, "-m", "conformance", *command], capture_output=True, timeout=60, check=False)
    assert done.returncode == 2, done.stderr


_OWN_PROFILE = (SHIPPED.parent / "specs" / "profiles" / "mistral.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "name", "text"),
    [
        (("check", "{call}", "--baseline", "{it}"), "b.yaml", "accepted: []\n"),
        (("check", "{call}", "--profile", "{it}"), "p.yaml", _OWN_PROFILE),
        (("run", "--targets", "{it}"), "t.yaml", "targets: {}\n"),
        (("replay", "--scenarios", "{}"), "s.yaml", "id: x\n"),
        (("serve", "--scenarios", "{}"), "s.yaml", "id: x\n"),
        (("proxy", "--upstream", "http://127.0.0.1:9", "--baseline", "{it}"), "b.yaml", "accepted: []\n"),
        (("tools", "{it}"), "tools.json", "[]"),
        (("diff", "{it}", "{call}"), "a.yaml", "interactions: []\n"),
    ],
)
def test_a_report_never_replaces_what_the_command_reads(
    words: tuple[str, ...], name: str, text: str, tmp_path: Path
) -> None:
    call, it = written(tmp_path, "a.jsonl", exchange()), tmp_path / name
    it.write_text(text)
    known = {"{call}": str(call), "{it}": str(it), "{}": str(tmp_path)}
    done = conformance(*(known.get(each, each) for each in words), "--output", str(it))
    assert (done.returncode, it.read_text()) == (2, text)
    assert "is one of the inputs" in done.stderr


def test_a_report_never_replaces_the_settings(tmp_path: Path) -> None:
    written(tmp_path, "a.jsonl", exchange())
    (tmp_path / "conformance.toml").write_text("strict = false\n")
    done = conformance("check", "a.jsonl", "--output", "conformance.toml", cwd=tmp_path)
    assert (done.returncode, "is one of the inputs" in done.stderr) == (2, True)


@pytest.mark.parametrize(
    ("method", "host", "origin", "named", "taken"),
    [
        ("POST", "127.0.0.1:8000", None, (), True),
        ("POST", "localhost", "http://localhost:3000", (), True),
        ("POST", "[::1]:80", None, (), True),
        ("POST", "app.localhost:1", None, (), True),
        ("POST", None, None, (), True),
        ("POST", "rebound.example", None, (), False),
        ("GET", "rebound.example", None, (), False),
        ("GET", "127.0.0.1.example.com", None, (), False),
        ("POST", "127.0.0.1", "https://evil.example", (), False),
        ("POST", "127.0.0.1", "null", (), False),
        ("GET", "127.0.0.1", "https://evil.example", (), True),
        ("POST", "gateway.example:8000", None, ("gateway.example",), True),
        ("POST", "127.0.0.1", "https://own.example", ("own.example",), True),
        ("POST", "[", None, (), False),
    ],
)
def test_which_requests_are_local(
    method: str, host: str | None, origin: str | None, named: tuple[str, ...], *, taken: bool
) -> None:
    assert (why_not_local(method, host, origin, named) is None) == taken


def _status(url: str, headers: dict[str, str]) -> int:
    request = urllib.request.Request(f"{url}/v1/models", b"{}" if "Origin" in headers else None, headers)
    try:
        with urllib.request.urlopen(request, timeout=5) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


class _Nothing:
    """Observes nothing: what is refused must not be forwarded, and so not be recorded."""

    def exchanged(self, captured: object) -> object:
        raise AssertionError(captured)

    def page(self, method: str, path: str) -> None:
        raise AssertionError(method, path)


@pytest.mark.parametrize("headers", [{"Host": "rebound.example"}, {"Origin": "https://evil.example"}])
def test_servers_on_loopback_refuse_other_pages(headers: dict[str, str]) -> None:
    with ReferenceServer(all_scenarios(), hosts=()) as server:
        assert _status(server.origin, headers) == 403
        assert _status(server.origin, {}) != 403
        with ProxyServer(Upstream.of(server.origin), _Nothing()) as proxy:  # type: ignore[arg-type]
            assert _status(proxy.origin, headers) == 403
    with ReferenceServer(all_scenarios(), hosts=("rebound.example", "evil.example")) as server:
        assert _status(server.origin, headers) != 403


@pytest.mark.process
def test_serve_takes_a_host_that_is_named(tmp_path: Path) -> None:
    script = tmp_path / "client.py"
    script.write_text(
        "import os, urllib.request as u\n"
        "url = os.environ['OPENAI_BASE_URL'] + '/models'\n"
        "u.urlopen(u.Request(url, headers={'Host': 'named.example'}))\n"
    )
    refused, taken = (
        conformance("serve", *more, "--", sys.executable, str(script))
        for more in ((), ("--allow-host", "named.example"))
    )
    assert "HTTP Error 403" in refused.stdout
    assert "HTTP Error 403" not in taken.stdout


def _memory(*words: str) -> int:
    """The most memory that a command needs, in MiB."""
    code = "import sys, resource; from conformance.commands.common.program import main\ntry: main()\n"
    code += "finally: sys.stderr.write(f'{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10}')"
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=False)
    return int(done.stderr.split("\n")[-1])


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux: elsewhere, the unit is another one")
def test_memory_does_not_grow_with_the_number_of_files(tmp_path: Path) -> None:
    whole = exchange()
    whole["response"]["body"]["choices"][0]["message"]["content"] = "x" * 100_000
    files = []
    for number in range(8):
        some = [{**whole, "conversation": str(each)} for each in range(50)]
        files.append(str(written(tmp_path, f"{number}.jsonl", *some)))
    assert _memory("check", *files) < _memory("check", files[0]) + 12


@pytest.mark.process
@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux: elsewhere, the unit is another one")
def test_a_page_about_a_large_body_needs_no_more_than_the_text(tmp_path: Path) -> None:
    whole = exchange()
    whole["response"]["body"]["choices"][0] |= {"finish_reason": "other"}
    whole["response"]["body"]["choices"][0]["message"]["content"] = "x" * 10_000_000
    path = str(written(tmp_path, "a.jsonl", whole))
    assert _memory("check", path, "--format", "html") < _memory("check", path, "--format", "json") + 100


def test_a_stream_that_is_too_large_to_be_shown_is_judged_all_the_same(tmp_path: Path) -> None:
    whole = exchange()
    chunk = {"id": "i", "object": "chat.completion.chunk", "created": 1, "model": "m"}
    delta = {"index": 0, "delta": {"role": "user", "content": "x" * 1_000_000}, "finish_reason": None}
    text = f"data: {json.dumps(chunk | {'choices': [delta]})}\n\n"
    whole["response"] |= {"headers": {"content-type": "text/event-stream"}, "body": text * 9}
    whole["request"]["body"]["stream"] = True
    done = conformance("check", str(written(tmp_path, "a.jsonl", whole)), "--format", "json")
    report = json.loads(done.stdout)
    assert done.returncode == 1
    assert [each["excerpt"] for each in report["causes"]] == [None] * len(report["causes"])


@pytest.mark.parametrize("form", [each for each in FORMATS if each != "json"])
def test_every_report_has_what_a_recording_does_not_contain(form: str, tmp_path: Path) -> None:
    body = tmp_path / "a.json"
    body.write_text(json.dumps(exchange()["request"]["body"]))
    done = conformance("check", str(body), "--format", form)
    assert "not judged, because the recordings do not contain it: " in done.stdout


@pytest.mark.process
@pytest.mark.parametrize("closed", [">&-", "2>&-"])
def test_an_output_that_is_closed_leaves_the_exit_code(closed: str, tmp_path: Path) -> None:
    path = written(tmp_path, "a.jsonl", exchange())
    for given, code in ((path, 0), (tmp_path / "none", 2)):
        command = f'"{sys.executable}" -m conformance check "{given}" {closed}'
        done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
        assert (done.returncode, "internal error" in done.stderr) == (code, False)
