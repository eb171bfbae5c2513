"""A server that answers with the key in use, in many spellings: no file, report, journal or message has it.

`make secrets` plants secrets in documents; here they come over HTTP, through `run --save` and `record`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from starlette.responses import Response

from conformance.campaign.journal import Journal
from conformance.campaign.task import Outcome
from conformance.cassette.redact import Redactor
from conformance.commands import app
from conformance.drivers import all_drivers
from conformance.model.exchange import Request
from conformance.model.finding import Finding, Severity
from conformance.reference.answering import answer_to
from conformance.report import FORMATS
from conformance.scenario.load import all_scenarios
from devtools.leaks.made import CODED, spellings
from tests.foreign import Fault, Foreign, foreign
from tests.proxying import proxy

KEY = "tp-9f/8a+7b=6c5d~4e3fQz01"
_CHAT = ("--dialect", "openai-chat", "--driver", "openai")
_TEXTS = {name: content.decode() for name, content in spellings(KEY).items() if name not in CODED}
_IN_HEADER = {name: text for name, text in _TEXTS.items() if "\n" not in text}
_CLIENTS = {each.dialect: each.name for each in all_drivers() if each.name != "langchain"}
_BODY = "".join(f"{number:064}" for number in range(12)).translate(str.maketrans("0123456789", "MIIEvQaB+/"))
_PEM = f"-----BEGIN PRIVATE KEY-----\n{chr(10).join(re.findall('.{64}', _BODY))}\n-----END PRIVATE KEY-----"


def planted(request: Request) -> Response:
    """A good answer with the key in unknown members, in comment lines of a stream, and in header fields."""
    rendered = answer_to(request, all_scenarios()).delivery.rendered
    body = b"".join(rendered.chunks)
    if body.lstrip().startswith(b"{"):
        extra = "".join(f"{json.dumps(f'x_{name}')}: {json.dumps([text])}, " for name, text in _TEXTS.items())
        body = body.replace(b"{", b"{" + extra.encode() + json.dumps(KEY).encode() + b": 1, ", 1)
    elif b"data:" in body:
        half = len(KEY) // 2
        comments = "".join(f": {text}\n" for text in _IN_HEADER.values())
        body = f"{comments}: {KEY[:half]}\n: {KEY[half:]}\n\n".encode() + body
    headers = {name: value for name, value in rendered.headers if name.lower() != "content-length"}
    reported = {f"x-told-{number}": text for number, text in enumerate(_IN_HEADER.values())}
    return Response(body, rendered.status, headers | reported)


def planting(status: int | None = None) -> Fault:
    """A server that plants the key in each answer, or refuses each request with a message that quotes it."""

    def fault(number: int, request: Request) -> Response:
        if status is None:
            return planted(request)
        reported = f"key {_TEXTS[list(_TEXTS)[number % len(_TEXTS)]]} of {KEY} is wrong"
        body = json.dumps({"error": {"message": reported, "type": reported, "code": KEY, "status": reported}})
        return Response(body, status, {"content-type": "application/json", "x-told": KEY})

    return fault


def leaks(*texts: str) -> list[str]:
    """The names of the spellings that stand in the texts."""
    return [
        name
        for name, spelled in _TEXTS.items()
        for text in texts
        if spelled.strip("/=\n") in text or json.dumps(spelled)[1:-1] in text or KEY in text
    ]


def invoked(verb: str, origin: str, *words: str) -> Result:
    """A command that sends the key to a server."""
    arguments = [verb, "--base-url", origin, "--scenario", "weather", "--model", "gpt-4o", *words]
    return CliRunner().invoke(app, [*arguments, "--api-key-env", "PLANTED_KEY"], env={"PLANTED_KEY": KEY})


def got_the_key(server: Foreign) -> bool:
    """Whether the server was sent the key."""
    return any(KEY in str(list(each.headers)) + each.url for each in server.requests)


def written(folder: Path) -> Iterator[str]:
    for path in folder.rglob("*"):
        if path.is_file():
            yield path.read_text(encoding="utf-8")


@pytest.mark.parametrize("mode", ["--stream", "--no-stream"])
@pytest.mark.parametrize(("dialect", "driver"), sorted(_CLIENTS.items()))
def test_run_saves_no_spelling_of_the_key(dialect: str, driver: str, mode: str, tmp_path: Path) -> None:
    with foreign(lambda _, request: planted(request)) as server:
        result = invoked("run", server.origin, "--dialect", dialect, "--driver", driver, mode, "--save", str(tmp_path))
    assert result.exit_code in (0, 1), result.output
    assert server.requests
    assert got_the_key(server)
    cassettes = list(written(tmp_path))
    assert any("REDACTED" in text for text in cassettes), result.output
    assert leaks(result.stdout, result.stderr, *cassettes) == []


@pytest.mark.parametrize("mode", ["--stream", "--no-stream"])
@pytest.mark.parametrize(("dialect", "driver"), sorted(_CLIENTS.items()))
def test_record_writes_no_spelling_of_the_key(dialect: str, driver: str, mode: str, tmp_path: Path) -> None:
    into = "--cassettes", str(tmp_path)
    with foreign(lambda _, request: planted(request)) as server:
        result = invoked("record", server.origin, "--dialect", dialect, "--driver", driver, mode, *into)
    assert result.exit_code in (0, 1), result.output
    assert got_the_key(server)
    assert leaks(result.stdout, result.stderr, *written(tmp_path)) == []


@pytest.mark.parametrize("mode", ["--stream", "--no-stream"])
@pytest.mark.parametrize(("dialect", "driver"), sorted(_CLIENTS.items()))
def test_the_proxy_saves_no_spelling_of_the_key(dialect: str, driver: str, mode: str, tmp_path: Path) -> None:
    with foreign(lambda _, request: planted(request)) as server, proxy(server.origin, tmp_path) as proxied:
        result = invoked("run", proxied.url, "--dialect", dialect, "--driver", driver, mode)
        assert result.exit_code in (0, 1), result.output
        findings = proxied.findings()
    assert got_the_key(server)
    cassettes = list(written(tmp_path))
    assert any("REDACTED" in text for text in cassettes)
    assert leaks(*cassettes, *(f"{each}{each.traffic}" for each in findings)) == []


@pytest.mark.parametrize("form", FORMATS)
def test_no_report_of_a_run_has_a_spelling_of_the_key(form: str, tmp_path: Path) -> None:
    for status in (None, 401):
        output = "--output", str(tmp_path / f"report-{status}")
        with foreign(planting(status)) as server:
            result = invoked("run", server.origin, *_CHAT, "--format", form, *output)
        assert result.exit_code in (0, 1, 2), result.output
        assert leaks(result.stdout, result.stderr, *written(tmp_path)) == []


def test_record_refuses_and_writes_no_spelling_of_the_key(tmp_path: Path) -> None:
    for status in (None, 401):
        with foreign(planting(status)) as server:
            result = invoked("record", server.origin, *_CHAT, "--cassettes", str(tmp_path))
        assert result.exit_code in (0, 1, 2), result.output
        assert leaks(result.stdout, result.stderr, *written(tmp_path)) == []


@pytest.mark.parametrize("spelling", sorted(_TEXTS))
def test_an_outcome_in_the_journal_has_no_spelling_of_the_key(
    spelling: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLANTED_API_KEY", KEY)
    reported = f"wrong: {_TEXTS[spelling]} and {KEY}"
    finding = Finding(
        "x-rule", Severity.ERROR, reported, source="s", actual=reported, expected=reported, pointer=f"/{reported}"
    )
    with Journal(tmp_path, {"verb": "run", "targets": [reported]}, resume=False) as journal:
        journal.note(Outcome(reported, "cell", findings=[finding]))
    resumed = Journal(tmp_path, {"verb": "run", "targets": [reported]}, resume=True)
    assert len(resumed.done) == 1
    assert leaks(*written(tmp_path)) == []


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_private_key_over_comment_lines_of_a_stream_is_removed(end: str) -> None:
    lines = _PEM.split("\n")
    body = end.join([*(f": {line}" for line in lines), "", 'data: {"a": 1}', "", ""])
    left = Redactor().body(body.encode())
    assert isinstance(left, bytes)
    assert [line for line in lines[1:-1] if line in left.decode()] == []
    assert left.decode().endswith(end.join(['data: {"a": 1}', "", ""]))


@pytest.mark.parametrize("name", ["data", "id", "event"])
def test_a_private_key_over_fields_of_a_stream_is_removed(name: str) -> None:
    lines = _PEM.split("\n")
    body = "\n".join([*(f"{name}: {line}" for line in lines), "", ""])
    left = Redactor().body(body.encode())
    assert isinstance(left, bytes)
    assert [line for line in lines[1:-1] if line in left.decode()] == []
