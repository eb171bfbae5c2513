"""`conformance.recording()` and the fixtures: any code is recorded, played again and judged."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import httpx2
import pytest
import requests
import vcr
import yaml

import conformance
from conformance.errors import ConformanceError
from conformance.inputs import read
from conformance.reference.server import ReferenceServer
from conformance.scenario.load import all_scenarios
from conformance.testing.fixture import Conformance
from conformance.testing.mode import default_mode, session_mode
from tests.testing.test_pytest_check import BROKEN_REPLY, GOOD, REPLY, SECRET, UNANSWERED, URL, cassette, needs

PATH = "/v1/chat/completions"
WEATHER: dict[str, Any] = {
    "model": "gpt-4o-mini",
    "messages": [{"role": "user", "content": "지금 서울 날씨가 어때? 기온을 알려줘."}],
    "tools": [
        {
            "type": "function",
            "function": {
                "name": "get_weather",
                "description": "Get the weather.",
                "parameters": {
                    "type": "object",
                    "properties": {"latitude": {"type": "number"}, "longitude": {"type": "number"}},
                    "required": ["latitude", "longitude"],
                },
            },
        }
    ],
}
HELLO: dict[str, Any] = {**WEATHER, "messages": [{"role": "user", "content": "안녕! 오늘 기분 어때?"}]}
HEADERS = {"authorization": f"Bearer {SECRET}"}


@pytest.fixture(scope="module")
def origin() -> Iterator[str]:
    with ReferenceServer(all_scenarios()) as server:
        yield server.origin


@pytest.fixture(autouse=True)
def once(monkeypatch: pytest.MonkeyPatch) -> None:
    """CI sets CI, and these tests record."""
    monkeypatch.delenv("CI", raising=False)


def send(library: str, url: str, body: Any) -> Any:
    """The parsed reply to one request."""
    if library == "requests":
        return requests.post(url, json=body, headers=HEADERS, timeout=10).json()
    if library in ("httpx", "httpx2"):
        return {"httpx": httpx, "httpx2": httpx2}[library].post(url, json=body, headers=HEADERS).json()
    return asyncio.run(send_async(library, url, body))


async def send_async(library: str, url: str, body: Any) -> Any:
    if library == "aiohttp":
        aiohttp: Any = import_module("aiohttp")
        async with aiohttp.ClientSession() as session, session.post(url, json=body, headers=HEADERS) as reply:
            return await reply.json()
    async with httpx.AsyncClient() as client:
        return (await client.post(url, json=body, headers=HEADERS)).json()


def finish_reason(reply: Any) -> str:
    return str(reply["choices"][0]["finish_reason"])


@pytest.mark.parametrize("library", ["httpx", "httpx2", "requests", "aiohttp", "async httpx"])
def test_what_was_recorded_is_played_the_next_time(library: str, origin: str, tmp_path: Path) -> None:
    if library == "aiohttp":
        needs("aiohttp")
    path = tmp_path / "weather.yaml"
    with conformance.recording(path) as recorded:
        first = send(library, origin + PATH, WEATHER)
    with conformance.recording(path) as played:
        again = send(library, "http://127.0.0.1:9" + PATH, WEATHER)
    assert again == first
    assert finish_reason(first) == "tool_calls"
    assert [each.request.body.json for each in recorded.exchanges] == [WEATHER]
    assert recorded.findings == played.findings == ()
    text = path.read_text(encoding="utf-8")
    assert SECRET not in text
    assert "Bearer REDACTED" in text
    [exchange] = read([str(path)])
    assert exchange.complete
    assert exchange.request.headers.get("content-type") == "application/json"


def test_a_recording_loads_in_plain_vcrpy(origin: str, tmp_path: Path) -> None:
    with conformance.recording(tmp_path / "weather.yaml"):
        send("httpx2", origin + PATH, WEATHER)
    with vcr.use_cassette(str(tmp_path / "weather.yaml"), record_mode="none"):
        assert finish_reason(send("httpx2", origin + PATH, WEATHER)) == "tool_calls"


def test_requests_that_are_sent_at_the_same_time_get_their_own_answers(origin: str, tmp_path: Path) -> None:
    async def both(first: Any, second: Any) -> list[str]:
        async with conformance.recording(tmp_path / "both.yaml"):
            replies = await asyncio.gather(*(send_async("httpx", origin + PATH, each) for each in (first, second)))
        return [finish_reason(each) for each in replies]

    assert asyncio.run(both(WEATHER, HELLO)) == ["tool_calls", "stop"]
    assert asyncio.run(both(HELLO, WEATHER)) == ["stop", "tool_calls"]


def test_what_breaks_a_rule_is_an_assertion_with_the_command_that_shows_it(
    origin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(AssertionError) as failed, conformance.recording("it.yaml"):
        send("httpx2", origin + PATH, UNANSWERED)
    text = str(failed.value)
    assert text.startswith("conformance: 1 error in it.yaml\n\nerror    tool-call-unanswered  it.yaml\n")
    assert text.endswith("\n  again     conformance check it.yaml --select tool-call-unanswered")
    assert [each.rule for each in conformance.check(read(["it.yaml"]))] == ["tool-call-unanswered"]


def test_ignored_rules_and_severities_below_do_not_fail(origin: str) -> None:
    with conformance.recording(ignore=["tool-call-unanswered"]) as made:
        send("httpx2", origin + PATH, UNANSWERED)
    assert made.findings == ()


def raise_after(_reply: Any) -> None:
    raise ZeroDivisionError


def test_an_exception_of_the_code_is_passed_on_and_has_the_findings_as_a_note(origin: str, tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError) as failed, conformance.recording(tmp_path / "it.yaml"):
        raise_after(send("httpx2", origin + PATH, UNANSWERED))
    assert "tool-call-unanswered" in failed.value.__notes__[0]
    assert not (tmp_path / "it.yaml").exists()


def send_all(bodies: list[Any]) -> None:
    for body in bodies:
        send("httpx2", "http://127.0.0.1:9" + PATH, body)


def changed(path: Path, bodies: list[Any]) -> list[str]:
    """The rules that fail when these bodies are sent against a cassette."""
    made = conformance.recording(path)
    with pytest.raises((AssertionError, vcr.errors.CannotOverwriteExistingCassetteException)), made:
        send_all(bodies)
    return [each.rule for each in made.findings]


def test_a_request_that_differs_from_its_recording_is_drift(origin: str, tmp_path: Path) -> None:
    path = tmp_path / "it.yaml"
    with conformance.recording(path):
        send("httpx2", origin + PATH, WEATHER)
        send("httpx2", origin + PATH, HELLO)
    assert changed(path, [{**WEATHER, "temperature": 0}, HELLO]) == ["request-drift"]
    assert changed(path, [WEATHER]) == ["exchange-unused"]
    assert changed(path, [WEATHER, HELLO, HELLO]) == ["exchange-repeated"]
    assert changed(path, [WEATHER, HELLO, {**HELLO, "temperature": 0}]) == ["exchange-unexpected"]
    with conformance.recording(path, mode="rewrite"):
        send("httpx2", origin + PATH, HELLO)
    assert changed(path, [{**HELLO, "temperature": 0}]) == ["request-drift"]


@pytest.mark.parametrize(("ci", "mode"), [("true", "none"), ("", "once")])
def test_in_ci_nothing_is_recorded(ci: str, mode: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("CI", ci)
    assert default_mode() == mode
    with session_mode("rewrite"):
        assert default_mode() == "rewrite"
    if mode == "none":
        with pytest.raises(ConformanceError, match="no such cassette, and the record mode is none; record it with"):
            conformance.recording(tmp_path / "it.yaml").__enter__()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"mode": "always"}, "unknown mode 'always'; choose one of none, once, rewrite"),
        ({"dialect": "openai"}, "unknown dialect 'openai'"),
        ({"ignore": "chat"}, "`ignore` is not a list"),
        ({"strict": 1}, "`strict` is not True or False"),
    ],
)
def test_wrong_arguments_are_refused(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ConformanceError, match=message):
        conformance.recording(**arguments)


def test_a_block_that_sends_nothing_is_not_recorded(tmp_path: Path) -> None:
    with pytest.raises(ConformanceError, match="no request crossed"), conformance.recording(tmp_path / "it.yaml"):
        pass
    assert list(tmp_path.iterdir()) == []


def test_a_secret_that_redaction_misses_is_not_written(
    origin: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("conformance.cassette.saving.Redactor.document", lambda _self, document: document)
    with pytest.raises(ConformanceError, match="would contain a secret"), conformance.recording(tmp_path / "it.yaml"):
        send("httpx2", origin + PATH, WEATHER)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def fixture(tmp_path: Path) -> Conformance:
    return Conformance(tmp_path, "test_it", "pytest test_it.py::test_it")


def test_check_judges_files_folders_tapes_and_exchanges(fixture: Conformance, tmp_path: Path) -> None:
    record = {
        "request": {"method": "POST", "url": URL, "headers": {}, "body": GOOD},
        "response": {"status": 200, "headers": {}, "body": BROKEN_REPLY},
    }
    cassette(tmp_path / "agent.yaml", reply=BROKEN_REPLY)
    with vcr.use_cassette(str(tmp_path / "agent.yaml"), record_mode="none") as tape:
        for source in (tmp_path, str(tmp_path / "agent.yaml"), tape, [record], list(read([str(tmp_path)]))):
            with pytest.raises(
                AssertionError, match=r"error    chat-reply-field-missing[^§]*again     (conformance|pytest) "
            ):
                fixture.check(source)
            assert [each.rule for each in fixture.findings(source, ignore=["chat-usage"]) if each.severity == "error"]
            fixture.check(source, ignore=["chat-reply-field-missing"])
    with pytest.raises(ConformanceError, match="int is not a recording"):
        fixture.check(1)
    with pytest.raises(ConformanceError, match=r"`request\.url` is not a string"):
        fixture.check([{"request": {}, "response": {}}])
    with pytest.raises(ConformanceError, match="no such file"):
        fixture.check(tmp_path / "other.yaml")


@pytest.mark.parametrize("library", [httpx, httpx2])
def test_a_transport_is_judged_when_the_test_ends(fixture: Conformance, library: Any) -> None:
    inner = library.MockTransport(lambda _request: library.Response(200, json=BROKEN_REPLY))
    with library.Client(transport=fixture.transport(inner)) as client:
        assert client.post(URL, json=GOOD).json() == BROKEN_REPLY
    with pytest.raises(AssertionError, match="chat-reply-field-missing"):
        fixture.finish()


def test_an_asynchronous_transport_passes_a_stream_on_as_it_comes(fixture: Conformance) -> None:
    chunk = {
        **REPLY,
        "object": "chat.completion.chunk",
        "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}],
    }

    class Stream(httpx.AsyncByteStream):
        async def __aiter__(self) -> Any:
            for line in (json.dumps(chunk), "[DONE]"):
                yield f"data: {line}\n\n".encode()

    headers = {"content-type": "text/event-stream"}
    inner = httpx.MockTransport(lambda _request: httpx.Response(200, headers=headers, stream=Stream()))

    async def lines() -> list[str]:
        async with (
            httpx.AsyncClient(transport=fixture.transport(inner)) as client,
            client.stream("POST", URL, json=GOOD) as reply,
        ):
            return [line async for line in reply.aiter_lines() if line]

    assert len(asyncio.run(lines())) == 2
    with pytest.raises(AssertionError, match="stream-unexpected"):
        fixture.finish()


def test_only_transports_of_httpx_are_transports(fixture: Conformance) -> None:
    with pytest.raises(ConformanceError, match="Session is not a transport of httpx or httpx2; pass one"):
        fixture.transport(requests.Session())


SAMPLE = """
import unittest
import httpx2, pytest

def ask():
    return httpx2.post("{origin}{path}", json={body!r}, headers={headers!r}).json()

def test_function(conformance_recording):
    assert ask()["object"] == "chat.completion"

@pytest.mark.usefixtures("conformance_recording")
class TestCase(unittest.TestCase):
    def test_method(self):
        self.assertEqual(ask()["object"], "chat.completion")

def test_named(conformance):
    with conformance.recording("named"):
        ask()
"""


def test_the_fixtures_name_the_cassettes_after_the_tests(
    pytester: pytest.Pytester, origin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makepyfile(test_it=SAMPLE.format(origin=origin, path=PATH, body=WEATHER, headers=HEADERS))
    options = ("-p", "no:xdist", "-p", "no:randomly")
    run = pytester.runpytest_inprocess("--conformance-record=once", *options)
    run.assert_outcomes(passed=3)
    names = sorted(each.name for each in (pytester.path / "cassettes" / "test_it").iterdir())
    assert names == ["TestCase.test_method.yaml", "named.yaml", "test_function.yaml"]
    monkeypatch.setenv("CI", "true")
    (pytester.path / "cassettes" / "test_it" / "named.yaml").unlink()
    run = pytester.runpytest_inprocess("--conformance-check", *options)
    run.assert_outcomes(passed=2, failed=1)
    run.stdout.fnmatch_lines(
        ["*named.yaml: no such cassette, and the record mode is none*", "conformance: 2 exchanges *"]
    )


@pytest.mark.parametrize(
    ("options", "mode"),
    [
        ((), "none"),
        (("--record-mode=new_episodes",), "once"),
        (("--record-mode=all", "--conformance-record=none"), "none"),
    ],
)
def test_the_record_mode_of_pytest_recording_is_followed(
    pytester: pytest.Pytester, options: tuple[str, ...], mode: str
) -> None:
    needs("pytest_recording")
    pytester.makepyfile(
        test_it=f"""
from conformance.testing.mode import default_mode

def test_mode():
    assert default_mode() == {mode!r}
"""
    )
    pytester.runpytest_inprocess(*options, "-p", "no:xdist").assert_outcomes(passed=1)


def test_the_metadata_says_where_the_recording_comes_from(origin: str, tmp_path: Path) -> None:
    with conformance.recording(tmp_path / "it.yaml"):
        send("httpx2", origin + PATH, WEATHER)
    document = yaml.safe_load((tmp_path / "it.yaml").read_text(encoding="utf-8"))
    assert document["metadata"].keys() == {"provenance", "recorded_at", "conformance_version"}
    assert document["metadata"]["provenance"] == "local"
