"""What clients do with faults: each behaviour is played without failing itself, and reports how the client reacts."""

from __future__ import annotations

import http.client
import json
import random
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import pytest

from conformance.cassette.load import load_cassette
from conformance.commands.serve.faults import behaviours_for, row_of, table
from conformance.model.behaviour import Behaviour
from conformance.model.exchange import Request
from conformance.model.registry import all_dialects, claim
from conformance.model.transcript import Text, ToolCall, ToolResult, Turn
from conformance.reference.answering import answer_to
from conformance.reference.behaviours import all_behaviours
from conformance.reference.played import Played, Sent, observe
from conformance.report.sessions import ClientRun, conclude, lines, records
from conformance.scenario.load import all_scenarios
from tests.cassettes import SHIPPED
from tests.sampling import amount
from tests.talking import CITIES, WEATHER, Talk, spoken, talking

BEHAVIOURS = all_behaviours()
FAULTS = [each for each in BEHAVIOURS.values() if each.fault]
_SAMPLE = amount(24, 4, risk="a behaviour that fails on the request of one scenario only")
_STEP = amount(1, 3, risk="a behaviour that fails on one request of a dialect and not on those before and after it")
"""Of the behaviours each request has every so many, the next request the next ones."""


def requests() -> list[Request]:
    """Recorded requests of every dialect and mode, among them those of truncated, nested and parallel calls."""
    chosen = []
    for dialect in sorted(each.name for each in SHIPPED.iterdir()):
        files = sorted((SHIPPED / dialect).glob("*/*raw-http*.yaml"))
        wanted = [path for path in files if path.parent.name in ("truncated", "weather", "provider-errors")]
        chosen += wanted or files[:2]
    chosen += random.Random(7).sample(sorted(SHIPPED.glob("*/*/*.yaml")), _SAMPLE)
    return [exchange.request for path in chosen for exchange in load_cassette(path).exchanges]


def test_no_behaviour_fails_on_any_request() -> None:
    failed = []
    played = 0
    for turn, request in enumerate(requests()):
        dialect = claim(request)
        if dialect is None or answer_to(request, all_scenarios()).refusal is not None:
            continue
        for each in [*BEHAVIOURS.values()][turn % _STEP :: _STEP]:
            if each.concerns(dialect):
                played += 1
                try:
                    answer_to(request, all_scenarios(), (each,))
                except Exception as error:  # noqa: BLE001 - whatever it is, it is reported below
                    failed.append(f"{each.name} on {dialect.name}: {error!r}")
    assert failed == []
    assert played > 80 * _SAMPLE // _STEP


def faulty(name: str) -> Behaviour:
    return BEHAVIOURS[name]


@pytest.mark.parametrize(("name", "status"), [("rate-limited", 429), ("overloaded", 529), ("gateway-error-page", 502)])
def test_a_provider_that_is_ill_answers_every_request_so(name: str, status: int) -> None:
    with talking([faulty(name)]) as talk:
        for _ in range(2):
            answer = talk.chat([{"role": "user", "content": WEATHER}], "get_weather")
            assert answer.status == status
        if status == 429:
            assert answer.headers["retry-after"] == "1"
            assert answer.headers["x-should-retry"] == "true"  # SDKs look for this word and no other
        [played] = talk.conversations(exit_code=1)
        assert (played["turn"], played["retries"], played["outcome"]) == (0, 1, "failed honestly")
        assert talk.conversations(exit_code=0)[0]["outcome"] == "silently wrong"


@pytest.mark.parametrize("name", ["rate-limited-once", "overloaded-once", "server-error-once"])
def test_a_second_request_is_answered(name: str) -> None:
    with talking([faulty(name)]) as talk:
        user = [{"role": "user", "content": WEATHER}]
        assert talk.chat(user, "get_weather").status >= 429
        assert talk.chat(user, "get_weather").status == 200
        [played] = talk.conversations()
        assert (played["turn"], played["retries"], played["faulted"]) == (1, 1, True)


def test_a_connection_is_cut_before_the_answer() -> None:
    with talking([faulty("connection-cut-before-the-answer-once")]) as talk:
        user = [{"role": "user", "content": WEATHER}]
        with pytest.raises((ConnectionError, http.client.RemoteDisconnected)):
            talk.chat(user, "get_weather")
        assert talk.chat(user, "get_weather").status == 200
        assert talk.conversations()[0]["retries"] == 1


@pytest.mark.parametrize("stream", [False, True], ids=["sync", "stream"])
def test_a_connection_is_cut_half_way(stream: bool) -> None:  # noqa: FBT001
    with (
        talking([faulty("connection-cut-half-way")]) as talk,
        pytest.raises((http.client.IncompleteRead, ConnectionError)),
    ):
        talk.chat([{"role": "user", "content": WEATHER}], "get_weather", stream=stream)


def chunks(talk: Talk) -> list[bytes]:
    """The chunks of a streamed Chat answer as they come over the connection."""
    body = {
        "model": "gpt-4o-mini",
        "stream": True,
        "messages": [{"role": "user", "content": WEATHER}],
        "tools": [{"type": "function", "function": {"name": "get_weather", "parameters": {"type": "object"}}}],
    }
    connection = http.client.HTTPConnection(urlsplit(talk.server.origin).netloc, timeout=20)
    headers = {"authorization": "Bearer key", "content-type": "application/json"}
    connection.request("POST", "/v1/chat/completions", json.dumps(body), headers)
    found = []
    with connection.getresponse() as got:
        while piece := got.read1(65536):
            found.append(piece)
    connection.close()
    return found


@pytest.mark.parametrize(
    ("name", "shows"),
    [
        ("character-split", lambda found: any(_broken(piece) for piece in found)),
        ("chunks-of-one-byte", lambda found: max(map(len, found)) < 4096),
        ("events-foreign", lambda found: b"event: vendor.progress\n" in b"".join(found)),
        ("pings", lambda found: b"".join(found).startswith(b": ping\n\n")),
        ("lines-end-in-crlf", lambda found: b"\r\n\r\n" in b"".join(found)),
        ("chunks-slow", lambda found: len(found) > 3),
        ("stream-ends-half-way", lambda found: b"[DONE]" not in b"".join(found)),
        ("terminator-gone", lambda found: b"[DONE]" not in b"".join(found)),
    ],
)
def test_a_stream_has_the_fault(name: str, shows: Callable[[list[bytes]], bool]) -> None:
    with talking([faulty(name)]) as talk:
        found = chunks(talk)
        assert shows(found)
        assert talk.conversations()[0]["faulted"]


def _broken(piece: bytes) -> bool:
    try:
        piece.decode()
    except UnicodeDecodeError:
        return True
    return False


def test_a_retry_that_the_client_announces_belongs_to_the_same_conversation() -> None:
    with talking() as talk:
        talk.chat([{"role": "user", "content": WEATHER}], "get_weather")
        talk.chat([{"role": "user", "content": WEATHER}], "get_weather", headers={"x_stainless_retry_count": "1"})
        [played] = talk.conversations()
        assert (played["requests"], played["retries"]) == (2, 1)


def test_running_a_call_that_was_cut_off_is_silently_wrong() -> None:
    with talking() as talk:
        user = {"role": "user", "content": "Delete every file in the folder called old."}
        first = spoken(talk.chat([user], "delete_files").message)
        name = first["tool_calls"][0]["id"]
        for text, wrong in (("The arguments are not valid JSON.", []), ('{"deleted": 7}', ["ran delete_files"])):
            talk.chat([user, first, {"role": "tool", "tool_call_id": name, "content": text}], "delete_files")
            assert [each[:16] for each in talk.conversations()[0]["wrong"]] == wrong


def played(turn: Turn, *, cut: bool = False) -> Played:
    return Played(
        1, "weather", 0, "openai-chat", False, 2, sent={0: Sent(turn, 200, cut=cut, whole=1 if cut else None)}
    )


SEOUL, BUSAN = ToolCall("a", "get_weather", {"city": "Seoul"}), ToolCall("b", "get_weather", {"city": "Busan"})
OK = Turn("tool", (ToolResult("a", None, "{}"), ToolResult("b", None, "{}")))


@pytest.mark.parametrize(
    ("history", "cut", "wrong"),
    [
        ((Turn("assistant", (SEOUL, BUSAN)), OK), False, []),
        ((Turn("assistant", (SEOUL,)), Turn("assistant", (BUSAN,)), OK), False, []),
        ((Turn("assistant", (SEOUL,)), Turn("tool", OK.parts[:1])), False, ["lost get_weather"]),
        ((Turn("assistant", (BUSAN,)), Turn("tool", OK.parts[1:])), False, ["lost get_weather"]),  # not changed, too
        ((Turn("assistant", (replace(BUSAN, id=None),)), Turn("tool", ())), False, ["lost get_weather"]),
        ((Turn("assistant", (replace(BUSAN, id="x"), replace(SEOUL, id="y"))), OK), False, []),
        ((Turn("assistant", (SEOUL, BUSAN, SEOUL)), OK), False, ["made 3 calls out of 2"]),
        ((Turn("assistant", (SEOUL, BUSAN)), Turn("tool", (*OK.parts, OK.parts[0]))), False, ["sent two results"]),
        (
            (Turn("assistant", (ToolCall("a", "get_weather", '{"city": "Seoul"}'), BUSAN)), OK),
            False,
            ["took a string for the arguments of get_weather"],
        ),
        (
            (Turn("assistant", (ToolCall("a", "get_weather", {"city": "SeoulBusan"}), BUSAN)), OK),
            False,
            ["changed the arguments of get_weather"],
        ),
        ((Turn("assistant", (SEOUL, BUSAN)), OK), True, ["ran get_weather, a call that was cut off"]),
        ((Turn("assistant", (SEOUL,)), Turn("tool", OK.parts[:1])), True, ["took 1 of 2 calls for all of them"]),
        ((Turn("assistant", (Text("as text"),)), Turn("user", (Text("result"),))), False, []),
    ],
)
def test_what_comes_back_is_compared_with_what_was_sent(history: tuple[Turn, ...], cut: bool, wrong: list[str]) -> None:  # noqa: FBT001
    found = played(Turn("assistant", (SEOUL, BUSAN)), cut=cut)
    observe(found, 1, history)
    assert len(found.wrong) == len(wrong)
    assert all(text.startswith(start) for text, start in zip(found.wrong, wrong, strict=True))


def rows(name: str, exit_code: int, play: Callable[[Talk], Any]) -> str:
    """The row of a client that does this under a behaviour."""
    with talking() as talk:
        talk.play()
        usual = records(talk.sessions.all, exit_code=0)
    with talking([faulty(name)]) as talk:
        play(talk)
        client = ClientRun(("client",), exit_code, "Error: it failed" if exit_code else None)
        return str(row_of(faulty(name), records(talk.sessions.all, exit_code=exit_code), usual, client))


def test_a_row_names_what_the_client_did() -> None:
    user = [{"role": "user", "content": WEATHER}]
    assert rows("model-other", 0, lambda talk: talk.play()) == "model-other: handled"
    assert rows("rate-limited", 1, lambda talk: talk.chat(user)) == "rate-limited: failed honestly (Error: it failed)"
    assert (
        rows("rate-limited", 0, lambda talk: talk.chat(user))
        == "rate-limited: silently wrong (stopped at turn 0 of 2 without an error)"
    )
    assert rows("calls-merged", 0, lambda talk: talk.play()) == "calls-merged: not exercised"
    assert rows("model-other", 0, lambda _: None) == "model-other: not exercised"
    assert "silently wrong (took a part of the last answer for all of it)" in rows(
        "answer-ends-half-way",
        0,
        lambda talk: talk.chat([{"role": "user", "content": "안녕! 오늘 기분 어때?"}], stream=True),
    )


def test_a_lost_call_has_its_evidence() -> None:
    with talking() as talk:
        user = {"role": "user", "content": CITIES}
        first = spoken(talk.chat([user], "get_weather").message)
        kept, lost = first["tool_calls"]
        result = {"role": "tool", "tool_call_id": kept["id"], "content": "{}"}
        talk.chat([user, {**first, "tool_calls": [kept]}, result], "get_weather")
        [session] = records(talk.sessions.all)
    [conversation] = session["conversations"]
    [evidence] = conversation["evidence"]
    assert conversation["wrong"] == ["lost get_weather: 2 calls were sent, 1 come back (turn 1)"]
    assert any(lost["id"] in line for line in evidence["came"])
    assert (evidence["turn"], evidence["missing"]) == (1, [])
    assert [kept["id"] in line for line in evidence["had"]] == [True]
    assert evidence["stopped"].startswith("it went on with request 2")
    text = "\n".join(lines([session]))
    assert f"        evidence: {evidence['what']} (turn 1)\n          came     " in text


def test_a_client_that_stops_without_an_error_has_what_came_and_what_did_not() -> None:
    with talking([faulty("answer-ends-half-way")]) as talk:
        talk.chat([{"role": "user", "content": "안녕! 오늘 기분 어때?"}], stream=True)
        [session] = records(talk.sessions.all, exit_code=0)
    [conversation] = session["conversations"]
    assert conversation["outcome"] == "silently wrong"
    [evidence] = conversation["evidence"]
    assert evidence["came"]
    assert evidence["missing"][-1] == "data: [DONE]"
    assert evidence["stopped"] == "no request came after turn 1 of 1; the client exited with 0"


def test_a_conversation_is_not_handled_where_its_tool_ran_twice() -> None:
    with talking() as talk:
        talk.play()
        for _ in range(2):
            talk.send("/_conformance/tools/get_weather", {"latitude": 37.57, "longitude": 126.98})
        [session] = records(talk.sessions.all, exit_code=0)
    assert session["wrong"] == ["ran get_weather 2 times, 1 calls were sent in full"]
    assert {each["outcome"] for each in session["conversations"]} == {"silently wrong"}
    [evidence] = session["evidence"]
    assert len(evidence["had"]) == 2
    found, verdict = conclude(talk.sessions.all)
    assert found[0]["evidence"]
    assert len([text for text in verdict.wrong if "ran get_weather" in text]) == 1


def test_answers_that_show_nothing_wrong_are_not_kept() -> None:
    with talking() as talk:
        talk.play()
        kept = [sent.wire for session in talk.sessions.all for each in session.played for sent in each.sent.values()]
    assert kept == [None, None]


def test_only_behaviours_that_the_client_can_meet_are_run() -> None:
    with talking() as talk:
        talk.play(CITIES)
        names = [each.name for each in behaviours_for(records(talk.sessions.all))]
    assert "ping-more" not in names
    assert "terminator-gone" not in names  # it does not stream
    assert {"rate-limited", "content-empty", "calls-merged"} <= set(names)
    assert list(table([])) == ["0 behaviours: "]


def test_every_fault_is_in_every_dialect_and_has_a_summary() -> None:
    assert len(FAULTS) >= 19
    for each in FAULTS:
        assert each.summary.endswith(".")
        assert all(each.concerns(dialect) for dialect in all_dialects().values())
