"""`conformance run` against an endpoint that is not ours: in several dialects, well and misbehaving."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml
from click.testing import CliRunner, Result
from starlette.responses import Response

from conformance.campaign.attempt import Note, perform
from conformance.campaign.backoff import BackoffPolicy, RetryAfter, busy
from conformance.campaign.cost import Account, Budget, Usage, budget_of, used
from conformance.campaign.failures import is_unreachable
from conformance.campaign.statistics import Observation, measures, wilson
from conformance.campaign.target_endpoint import endpoint_of
from conformance.campaign.targets import Target
from conformance.campaign.task import Outcome, Task
from conformance.commands import app
from conformance.judge.run_rules import run_rules
from conformance.matrix.endpoint import Endpoint
from conformance.model.data_files import data_dir
from conformance.model.exchange import Body, Exchange, Headers, Request
from conformance.model.exchange import Response as Answer
from tests.cassettes import cell
from tests.foreign import Foreign, foreign, refused

WEATHER = cell("weather-openai-chat-openai-sync")
ONE = ["--scenario", "weather", "--driver", "openai", "--no-stream", "--dialect", "openai-chat", "--model", "gpt-4o"]
DIALECTS = {"openai-chat": "openai", "openai-responses": "openai", "anthropic-messages": "anthropic"}
DIALECTS["gemini"] = "google-genai"


def run(*arguments: str, verb: str = "run", **environ: str) -> Result:
    return CliRunner().invoke(app, [verb, *arguments], env={"OPENAI_API_KEY": None, **environ})


def at(server: Foreign, dialect: str = "openai-chat", *, timeout: float = 30) -> Endpoint:
    return endpoint_of(Target("own", server.origin, {dialect: "gpt-4o"}), dialect, timeout=timeout)


def findings(result: Result) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(result.stdout)["findings"]
    return found


def named(server: Foreign) -> str:
    """The name of the server as a target: its host and port."""
    return server.origin.removeprefix("http://").replace(":", "-")


class Waits:
    """Takes down how long somebody would have waited."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


# Driving


@pytest.mark.parametrize(("dialect", "driver"), DIALECTS.items())
@pytest.mark.parametrize("below", ["", "/v1"])
def test_a_foreign_endpoint_that_conforms_is_green(dialect: str, driver: str, below: str) -> None:
    if dialect == "gemini":
        below = below.replace("v1", "v1beta")
    with foreign() as server:
        result = run(
            *("--base-url", server.origin + below, "--dialect", dialect, "--model", "gpt-4o"),
            *("--scenario", "weather", "--scenario", "small-talk", "--driver", driver),
        )
    assert result.exit_code == 0, result.output
    assert "4 of 4 cells run without an error" in result.stdout
    assert len(server.requests) == 6


def test_nothing_is_kept_unless_it_is_wanted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with foreign() as server:
        assert run("--base-url", server.origin, *ONE).exit_code == 0
    assert list(tmp_path.rglob("*")) == []


def test_what_is_kept_is_replayed_by_the_same_client(tmp_path: Path) -> None:
    with foreign() as server:
        assert run("--base-url", f"{server.origin}/deep/v1", *ONE, "--save", str(tmp_path)).exit_code == 0
    (kept,) = tmp_path.rglob("*.yaml")
    name = server.origin.removeprefix("http://").replace(":", "-")
    assert kept.relative_to(tmp_path).as_posix() == f"openai-chat/weather/{name}--openai.yaml"
    metadata = yaml.safe_load(kept.read_text(encoding="utf-8"))["metadata"]
    assert (metadata["provenance"], metadata["model"]) == ("local", "gpt-4o")
    result = run("--cassettes", str(tmp_path), "--target", "127.0.0.1", verb="replay")
    assert result.exit_code == 0, result.output
    assert "1 of 1 cells replayed without an error" in result.stdout
    assert list(tmp_path.rglob(".*")) == []


@pytest.mark.process
def test_what_no_live_model_does_is_left_out_unless_it_is_named() -> None:
    with foreign() as server:
        base = ["--base-url", server.origin, "--dialect", "gemini", "--model", "m", "--driver", "google-genai"]
        some = run(*base, "--no-stream")
        named = run(*base, "--no-stream", "--scenario", "unknown-tool")
    assert "unknown-tool in gemini: Models do not call undeclared tools on request" in some.stdout
    assert "1 of 1 cells run without an error" in named.stdout


@pytest.mark.process
def test_two_processes_find_what_one_finds() -> None:
    def twice(_number: int, body: bytes) -> bytes:
        return body.replace(b'"object": "chat.completion"', b'"object": "chat"')

    messages = []
    with foreign(edit=twice) as server:
        for jobs in ("1", "2"):
            result = run(
                *("--base-url", server.origin, "--dialect", "openai-chat", "--model", "gpt-4o", "--driver", "openai"),
                *("--scenario", "weather", "--scenario", "no-arguments", "--scenario", "weather-over-mcp"),
                *("--jobs", jobs, "--format", "json"),
            )
            assert result.exit_code == 1, result.output
            messages.append(json.loads(result.stdout))
    assert messages[0] == messages[1]
    assert messages[0]["summary"]["conversations"] == 6
    assert messages[0]["findings"]


# What goes wrong


def test_a_cell_that_fails_does_not_lose_the_others() -> None:
    def fault(_number: int, request: Request) -> Response | None:
        return refused(500) if b"build" in (request.body.content or b"") else None

    with foreign(fault) as server:
        result = run(
            *("--base-url", server.origin, "--dialect", "openai-chat", "--model", "gpt-4o", "--driver", "openai"),
            *("--scenario", "no-arguments", "--scenario", "weather", "--no-stream", "--format", "json"),
        )
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert report["summary"]["conversations"] == 2
    assert {finding["source"] for finding in report["findings"]} == {
        f"{named(server)}:no-arguments-openai-chat-openai-sync"
    }
    assert "refusal-unexpected" in {finding["rule"] for finding in report["findings"]}
    assert "expected-call-missing" not in {finding["rule"] for finding in report["findings"]}


_REPLY = {
    "id": "chatcmpl-1",
    "object": "chat.completion",
    "created": 1782000000,
    "model": "gpt-4o",
    "choices": [
        {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "A wave.", "refusal": None}}
    ],
    "usage": {"prompt_tokens": 9, "completion_tokens": 3, "total_tokens": 12},
}


def test_a_refusal_of_a_request_in_which_nothing_is_wrong_is_a_fault_of_the_server_once() -> None:
    with foreign(lambda number, _request: refused(400) if number else None) as server:
        result = run("--base-url", server.origin, *ONE, "--driver", "raw-http", "--format", "json")
    [cause] = [each for each in json.loads(result.stdout)["causes"] if each["rule"] == "refusal-unexpected"]
    assert cause["message"] == "the server answered status 400 to a request without an error: no"
    assert "client-error-unexpected" not in {finding["rule"] for finding in findings(result)}


@pytest.mark.parametrize(
    ("status", "body", "wanted"),
    [
        (400, '{"error": {"message": "no", "type": "invalid_request_error", "param": null, "code": null}}', None),
        (422, '{"detail": "no"}', "chat-error-malformed"),
        (200, json.dumps(_REPLY), "refusal-missing"),
    ],
)
def test_the_error_of_a_server_is_judged_by_a_request_that_it_must_refuse(
    status: int, body: str, wanted: str | None
) -> None:
    options = ["--scenario", "refused", *ONE[2:], "--format", "json"]
    with foreign(lambda *_: refused(status, body=body)) as server:
        result = run("--base-url", server.origin, *options)
    found = {finding["rule"] for finding in findings(result) if finding["severity"] != "info"}
    assert found == ({wanted} if wanted else set())


def test_an_endpoint_that_hangs_is_given_up() -> None:
    def hang(number: int, _request: Request) -> Response | None:
        if number == 1:
            server.released.wait(60)
        return None

    with foreign(hang) as server:
        outcome = perform(Task(WEATHER, at(server, timeout=0.3), None))
    (finding,) = [each for each in outcome.findings if each.rule == "request-unanswered"]
    assert "/chat/completions got no response: timed out" in finding.message.lower().replace("timeout", "timed out")
    assert outcome.exchanges == 1


def test_nobody_answers() -> None:
    result = run("--base-url", "http://127.0.0.1:9", *ONE)
    assert result.exit_code == 2, result.output
    assert "no server answers at http://127.0.0.1:9" in result.stderr
    assert "check the base URL, and that the server is running" in result.stderr
    assert "nothing was judged" in result.stdout


@pytest.mark.parametrize("module", ["httpx", "httpx2._exceptions", "httpcore"])
def test_a_refused_connection_is_known_by_its_name_in_every_layer_of_the_http_client(module: str) -> None:
    assert is_unreachable(type("ConnectError", (Exception,), {"__module__": module})("refused"))
    assert not is_unreachable(type("ReadError", (Exception,), {"__module__": module})("reset"))
    assert not is_unreachable(type("ConnectError", (Exception,), {"__module__": "database"})("refused"))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "no endpoint to test"),
        (["--target", "openai"], "OPENAI_API_KEY is not set"),
        (["--target", "grok"], "did you mean 'groq'?"),
        (["--base-url", "http://127.0.0.1:9"], "add --dialect with one of"),
        (["--base-url", "http://127.0.0.1:9", "--dialect", "gemini"], "set the model with --model"),
        (["--base-url", "nowhere", "--dialect", "gemini", "--model", "m"], "is not an http or https URL"),
        (["--target", "ollama", "--budget", "much"], "'much' is not a budget"),
        (["--target", "ollama", "--budget", "2.50"], "no known price for model qwen3:8b of target ollama"),
        (["--target", "ollama", "--resume"], "pass their folder with --save"),
        (["--target", "ollama", "--header", "nothing"], "is not of the form"),
        (["--target", "ollama", "--dialect", "gemini"], "does not support gemini"),
        (["--target", "ollama", "--scenario", "wether"], "did you mean 'weather'?"),
        (["--target", "ollama", "--target", "vllm", "--base-url", "http://h"], "--base-url works with one target only"),
        (["--target", "ollama", "--targets", "none.yaml"], "none.yaml: No such file"),
        (["--target", "ollama", "--scenario", "reasoning", "--dialect", "openai-chat"], "no cell can run"),
    ],
)
def test_wrong_usage_is_one_line_and_sends_nothing(arguments: list[str], message: str) -> None:
    result = run(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("conformance: ")


def test_a_key_that_an_answer_repeats_is_shown_nowhere(tmp_path: Path) -> None:
    key, team = "tp-0123456789-very-secret", "team-0123456789-secret"

    def answer(_number: int, request: Request) -> Response | None:
        assert request.headers.get("authorization") == f"Bearer {key}"
        assert request.headers.get("x-team") == team
        return refused(400, body=json.dumps({"error": {"message": f"{key} of {team} is wrong"}}))

    with foreign(answer) as server:
        result = run(
            *("--base-url", server.origin, *ONE, "--api-key-env", "OWN", "--header", "X-Team: $TEAM"),
            *("--save", str(tmp_path), "--verbose"),
            OWN=key,
            TEAM=team,
        )
    assert result.exit_code == 1
    texts = [result.output, *(path.read_text(encoding="utf-8") for path in tmp_path.rglob("*") if path.is_file())]
    assert len(texts) == 2
    assert not [text for text in texts if key in text or team in text]
    assert "REDACTED" in texts[0]


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_target_that_lets_nobody_in_is_not_judged(status: int) -> None:
    key = "tp-0123456789-very-secret"
    with foreign(lambda _number, _request: refused(status, body=f'{{"error": {{"message": "{key} no"}}}}')) as server:
        result = run("--base-url", server.origin, *ONE, "--api-key-env", "OWN", OWN=key)
    assert result.exit_code == 2
    assert f"every request so far returned {status}" in result.stderr
    assert "check the key, the model and the base URL" in result.stderr
    assert key not in result.output
    assert "client-error-unexpected" not in result.stdout


def test_one_answer_of_404_after_others_is_judged() -> None:
    with foreign(lambda number, _request: refused(404) if number > 0 else None) as server:
        result = run("--base-url", server.origin, *ONE, "--format", "json")
    assert result.exit_code == 1
    assert "refusal-unexpected" in {finding["rule"] for finding in findings(result)}


# Waiting


def exchange(status: int, headers: dict[str, str] | None = None, body: str = "{}") -> Exchange:
    request = Request("POST", "http://h/v1/chat/completions")
    return Exchange(request, Answer(status, Headers.of(headers or {}), Body(body)))


NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
DETAIL = '{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}'
GOOGLE = f'{{"error": {{"code": 429, "details": [{DETAIL}]}}}}'


@pytest.mark.parametrize(
    ("answer", "wanted"),
    [
        (exchange(429, {"retry-after": "7"}), RetryAfter("429", 7.0)),
        (exchange(429, {"retry-after-ms": "1500", "retry-after": "2"}), RetryAfter("429", 1.5)),
        (exchange(503, {"Retry-After": "Fri, 20 Nov 2026 12:01:00 GMT"}), RetryAfter("503", 60.0)),
        (exchange(429, {"retry-after": "Fri, 20 Nov 2026 11:00:00 GMT"}), RetryAfter("429", 0.0)),
        (exchange(429, body=GOOGLE), RetryAfter("429", 34.5)),
        (exchange(429, body=f"[{GOOGLE}]"), RetryAfter("429", 34.5)),
        (exchange(429, {"content-type": "text/event-stream"}, GOOGLE), RetryAfter("429", 34.5)),
        (exchange(529), RetryAfter("529")),
        (exchange(529, {"retry-after": "soon"}), RetryAfter("529")),
        (exchange(429, {"retry-after": "-1"}, "not json"), RetryAfter("429")),
        (
            exchange(429, body='{"error": {"code": "insufficient_quota"}}'),
            RetryAfter("429 insufficient_quota", hopeless=True),
        ),
        (exchange(500), None),
        (exchange(200), None),
        (
            exchange(
                200,
                {"content-type": "text/event-stream"},
                'event: error\ndata: {"type": "error", "error": {"type": "overloaded_error", "message": "m"}}\n\n',
            ),
            RetryAfter("overloaded_error event in the stream"),
        ),
    ],
)
def test_how_a_provider_reports_that_it_is_busy(answer: Exchange, wanted: RetryAfter | None) -> None:
    assert busy([answer], NOW) == wanted


def test_how_long_somebody_waits() -> None:
    backoff = BackoffPolicy(waits=3, longest=10, first=1)
    assert [backoff.delay(RetryAfter("429"), waited) for waited in range(4)] == [1, 2, 4, None]
    assert backoff.delay(RetryAfter("429", 10.0), 0) == 10
    assert backoff.delay(RetryAfter("429", 10.5), 0) is None
    assert backoff.delay(RetryAfter("429", hopeless=True), 0) is None


@pytest.mark.parametrize("status", [429, 503, 529])
def test_a_busy_provider_is_left_alone_as_long_as_it_asks(status: int, tmp_path: Path) -> None:
    def fault(number: int, _request: Request) -> Response | None:
        return refused(status, {"retry-after": "3"}) if number in (0, 2) else None

    waits, notes = Waits(), list[Note]()
    path = tmp_path / "c.yaml"
    with foreign(fault) as server:
        outcome = perform(Task(WEATHER, at(server), path, keep_good=True), notes.append, waits)
    assert outcome.refused is None
    assert outcome.findings == []
    assert waits.seconds == [3, 3]
    assert [note.line.partition(" returned ")[2] for note in notes] == [
        f"{status}: no; retrying in 3 s",
        f"{status}; retrying in 3 s",
    ]
    text = path.read_text(encoding="utf-8")
    assert text.count("- request:") == 2
    assert f"code: {status}" not in text
    assert len(server.requests) == 5


def test_patience_ends(tmp_path: Path) -> None:
    waits = Waits()
    with foreign(lambda _number, _request: refused(429)) as server:
        task = Task(WEATHER, at(server), tmp_path / "c.yaml", keep_good=True, backoff=BackoffPolicy(waits=2))
        outcome = perform(task, sleep=waits)
    assert outcome.refused == "it still returned 429 after 2 waits"
    assert waits.seconds == [1, 2]
    assert not (tmp_path / "c.yaml").exists()


def test_a_provider_that_asks_for_too_long_is_not_waited_for() -> None:
    with foreign(lambda _number, _request: refused(429, {"retry-after": "3600"})) as server:
        result = run("--base-url", server.origin, *ONE)
    assert result.exit_code == 2
    assert "not judged: it returned 429 and asks to wait 3600 s, longer than --max-wait 120" in result.stderr
    assert len(server.requests) == 1


def test_an_account_without_credit_is_asked_once_and_the_exit_code_is_2() -> None:
    def poor(_number: int, _request: Request) -> Response:
        return Response(
            '{"error": {"code": "insufficient_quota", "message": "no"}}', 429, media_type="application/json"
        )

    with foreign(poor) as server:
        result = run("--base-url", server.origin, *ONE, "--scenario", "yesterday")
    assert result.exit_code == 2
    assert len(server.requests) == 1
    assert "2 cells not judged: the account has no credit left (429 insufficient_quota)" in result.stderr
    assert "no endpoint gave a usable response; run it again later, raise --max-wait, or check" in result.stderr


def test_a_scenario_that_is_about_failures_waits_for_none() -> None:
    waits = Waits()
    with foreign() as server:
        outcome = perform(Task(cell("provider-errors-openai-chat-openai-sync"), at(server), None), sleep=waits)
    assert waits.seconds == []
    assert outcome.findings == []


# Cost


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("2.50", Budget(dollars=2.5)),
        ("$3", Budget(dollars=3)),
        ("200000tokens", Budget(tokens=200000)),
        ("200_000 tokens", Budget(tokens=200000)),
    ],
)
def test_a_budget(text: str, wanted: Budget) -> None:
    assert budget_of(text) == wanted


BODIES = [
    ('{"usage": {"prompt_tokens": 10, "completion_tokens": 3, "total_tokens": 13}}', Usage(10, 3)),
    ('{"usage": {"input_tokens": 10, "output_tokens": 3}}', Usage(10, 3)),
    ('{"usage": {"input_tokens": 1, "cache_read_input_tokens": 9, "output_tokens": 3}}', Usage(10, 3)),
    ('{"usageMetadata": {"promptTokenCount": 10, "candidatesTokenCount": 1, "thoughtsTokenCount": 2}}', Usage(10, 3)),
    (
        (
            'data: {"type": "message_start", "message": {"usage": {"input_tokens": 10, "output_tokens": 1}}}\n\n'
            'data: {"type": "message_delta", "usage": {"output_tokens": 3}}\n\n'
        ),
        Usage(10, 3),
    ),
    ('data: {"usage": null}\n\ndata: {"usage": {"prompt_tokens": 10, "completion_tokens": 3}}\n\n', Usage(10, 3)),
    ('data: {"response": {"usage": {"input_tokens": 10, "output_tokens": 3}}}\n\n', Usage(10, 3)),
    ('{"choices": []}', Usage(0, 0, 1)),
    ('{"usage": {"prompt_tokens": "many"}}', Usage(0, 0, 1)),
    ("[1, 2", Usage(0, 0, 1)),
]


@pytest.mark.parametrize(("body", "wanted"), BODIES)
def test_the_usage_that_an_answer_reports(body: str, wanted: Usage) -> None:
    assert used([exchange(200, body=body)]) == wanted


def test_the_reference_is_metered_in_every_dialect() -> None:
    for dialect, driver in DIALECTS.items():
        for mode in ("sync", "stream"):
            with foreign() as server:
                outcome = perform(Task(cell(f"weather-{dialect}-{driver}-{mode}"), at(server, dialect), None))
            assert outcome.usage.input > 0, (dialect, mode)
            assert outcome.usage.output > 0, (dialect, mode)
            assert outcome.usage.unmetered == 0, (dialect, mode)


def test_money_is_reported_only_where_the_price_is_known() -> None:
    account = Account(Budget(dollars=1.0))
    account.book(Usage(100, 10), None)
    assert str(account) == "100 tokens in, 10 out"
    target = Target("own", "http://h", {"gemini": "m"}, prices={"m": known_price()})
    account.book(Usage(1_000_000, 100_000), endpoint_of(target, "gemini", api_key_env=None, environ={"X": "y"}).price)
    assert str(account) == "1000100 tokens in, 100010 out, $0.7000 for models with a known price"
    assert not account.exhausted
    account.book(Usage(1_000_000, 0), known_price())
    assert account.exhausted


def known_price() -> Any:
    from conformance.matrix.endpoint import Price

    return Price(input=0.5, output=2.0)


SEVERAL = ["--scenario", "weather", "--scenario", "no-arguments", "--scenario", "yesterday", "--driver", "openai"]
SEVERAL += ["--dialect", "openai-chat", "--no-stream"]


def test_a_budget_stops_before_the_next_cell_and_reports_what_is_left() -> None:
    with foreign() as server:
        result = run("--base-url", server.origin, *SEVERAL, "--model", "m", "--budget", "100tokens")
    assert result.exit_code == 1
    assert "budget of 100 tokens spent; 2 of 3 cells not done: weather-openai-chat-openai-sync, " in result.stderr
    assert len(server.requests) == 2


def test_a_budget_in_money_counts_at_the_price_of_the_target(tmp_path: Path) -> None:
    with foreign() as server:
        own = {"base_url": server.origin, "models": {"openai-chat": "m"}, "prices": {"m": {"input": 1e4, "output": 0}}}
        (tmp_path / "own.yaml").write_text(yaml.safe_dump({"targets": {"own": own}}), encoding="utf-8")
        result = run("--targets", str(tmp_path / "own.yaml"), "--target", "own", *SEVERAL, "--budget", "0.50")
    assert result.exit_code == 1
    assert "budget of $0.50 spent; 2 of 3 cells not done" in result.stderr
    assert "out, $" in result.stderr


# Samples


@pytest.mark.parametrize(
    ("held", "n", "low", "high"),
    # Computed by scipy.stats.binomtest(held, n).proportion_ci(method="wilson").
    [
        (5, 10, 0.2366, 0.7634),
        (0, 10, 0.0, 0.2775),
        (10, 10, 0.7225, 1.0),
        (8, 10, 0.4902, 0.9433),
        (1, 3, 0.0615, 0.7923),
    ],
)
def test_the_interval_of_wilson(held: int, n: int, low: float, high: float) -> None:
    assert wilson(held, n) == pytest.approx((low, high), abs=5e-5)


def test_nothing_counted_is_no_line() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


def test_precision_recall_and_f1() -> None:
    good: dict[str, bool | None] = dict.fromkeys(
        ("tool_selection", "argument_validity", "argument_match", "answer_correctness", "wire_conformance", "success"),
        True,
    )
    found = measures(
        [
            Observation(good, hits=2),
            Observation({**good, "answer_correctness": None}, hits=1, extra=1),
            Observation(good, missed=1),
            Observation(good, negative=True),
            Observation({**good, "wire_conformance": False}, negative=True, extra=1),
        ]
    )
    calls = found["tool_calls"]
    assert (calls["true_positives"], calls["false_positives"], calls["false_negatives"]) == (3, 2, 1)
    assert calls["precision"]["value"] == 3 / 5
    assert calls["recall"]["value"] == 3 / 4
    assert calls["f1"] == pytest.approx(2 * 0.6 * 0.75 / 1.35)
    assert (calls["specificity"]["held"], calls["specificity"]["n"]) == (1, 2)
    assert found["checks"]["answer_correctness"]["n"] == 4
    assert found["all_rules_kept"] is False


def every_second_wrong(number: int, body: bytes) -> bytes:
    """Wrong in the first exchange of each second run: another city's coordinates."""
    return body.replace(b"37.5665", b"10.5665") if number % 4 == 2 else body


def test_samples_show_what_holds_every_second_time() -> None:
    with foreign(edit=every_second_wrong) as server:
        result = run("--base-url", server.origin, *ONE, "--samples", "4", "--format", "json")
        text = run("--base-url", server.origin, *ONE, "--samples", "4")
    assert result.exit_code == 0, result.output
    report = json.loads(result.stdout)
    schema = json.loads((data_dir("specs") / "report.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(report)
    assert report["findings"] == []
    (target,) = report["statistics"]["targets"]
    (only,) = target["cells"]
    assert (only["scenario"], only["driver"], only["stream"], only["samples"]) == ("weather", "openai", False, 4)
    checks = only["checks"]
    assert (checks["argument_match"]["held"], checks["argument_match"]["n"]) == (2, 4)
    assert checks["argument_match"]["low"] == pytest.approx(0.15, abs=0.005)
    assert checks["argument_match"]["high"] == pytest.approx(0.85, abs=0.005)
    assert checks["argument_validity"]["held"] == checks["tool_selection"]["held"] == 4
    assert checks["success"]["held"] == 2
    assert checks["wire_conformance"]["held"] == 4
    assert target["all_rules_kept"] is True
    assert target["tool_calls"]["f1"] == 1.0
    assert "50% (15% to 85%) 2/4" in text.stdout


def test_without_samples_what_the_model_answers_is_apart_from_the_wire() -> None:
    with foreign(edit=lambda _number, body: body.replace(b"37.5665", b"10.5665")) as server:
        result = run("--base-url", server.origin, *ONE, "--format", "json")
        text = run("--base-url", server.origin, *ONE)
    assert result.exit_code == text.exit_code == 0
    found = {finding["rule"]: finding["severity"] for finding in findings(result)}
    assert found["arguments-unexpected"] == "info"
    assert json.loads(result.stdout)["summary"]["model"] == len(findings(result))
    assert "The model: " in text.stdout
    assert f"  arguments-unexpected    {run_rules()['arguments-unexpected'].requirement}\n" in text.stdout
    assert "not shown" not in text.stdout


def test_a_fault_of_the_wire_decides_beside_what_the_model_answers() -> None:
    def edit(_number: int, body: bytes) -> bytes:
        return body.replace(b"37.5665", b"10.5665").replace(b'"chat.completion"', b'"chat.completions"')

    with foreign(edit=edit) as server:
        result = run("--base-url", server.origin, *ONE)
    assert result.exit_code == 1
    assert re.search(r"^The wire: \d+ findings? from .*\n(.*\n)*The model: ", result.stdout, re.MULTILINE)


@pytest.mark.parametrize(("samples", "runs"), [(("--samples", "2"), "all of 2 runs"), (("--attempts", "1"), "1 run")])
def test_runs_in_which_nothing_was_exercised_are_no_success(samples: tuple[str, ...], runs: str) -> None:
    def talks(_number: int, body: bytes) -> bytes:
        answer = json.loads(body)
        answer["choices"][0] |= {"message": {"role": "assistant", "content": "No.", "refusal": None}}
        return json.dumps(answer | {"choices": [answer["choices"][0] | {"finish_reason": "stop"}]}).encode()

    with foreign(edit=talks) as server:
        result = run("--base-url", server.origin, *ONE, *samples)
    assert result.exit_code == 2, result.output
    assert f"nothing was exercised: in {runs}, the run did not exercise" in result.stderr


def test_a_rule_that_is_broken_in_one_sample_is_broken() -> None:
    def edit(number: int, body: bytes) -> bytes:
        return body.replace(b'"role": "assistant"', b'"role": "user"') if number == 3 else body

    with foreign(edit=edit) as server:
        result = run("--base-url", server.origin, *ONE, "--samples", "3", "--format", "json")
    assert result.exit_code == 1
    report = json.loads(result.stdout)
    assert {finding["source"] for finding in report["findings"]} == {
        f"{named(server)}:weather-openai-chat-openai-sync#2"
    }
    (target,) = report["statistics"]["targets"]
    assert target["all_rules_kept"] is False
    assert target["checks"]["wire_conformance"]["held"] == 2


def test_a_call_where_none_is_due_costs_specificity() -> None:
    call = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1700000000,
        "model": "gpt-4o",
        "choices": [{"index": 0, "finish_reason": "stop", "logprobs": None, "message": {}}],
    }
    message = {"role": "assistant", "content": None, "refusal": None}
    made = {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Seoul"}'}}
    call["choices"] = [
        {"index": 0, "finish_reason": "tool_calls", "logprobs": None, "message": {**message, "tool_calls": [made]}}
    ]

    def fault(number: int, _request: Request) -> Response | None:
        return Response(json.dumps(call), 200, {"content-type": "application/json"}) if number == 0 else None

    with foreign(fault) as server:
        result = run(
            *("--base-url", server.origin, "--dialect", "openai-chat", "--model", "gpt-4o", "--driver", "openai"),
            *("--scenario", "forbidden-choice", "--no-stream", "--samples", "2", "--format", "json"),
        )
    (target,) = json.loads(result.stdout)["statistics"]["targets"]
    assert (target["tool_calls"]["specificity"]["held"], target["tool_calls"]["specificity"]["n"]) == (1, 2)
    assert target["tool_calls"]["false_positives"] == 1


def test_two_targets_side_by_side(tmp_path: Path) -> None:
    with foreign() as good, foreign(edit=every_second_wrong) as bad:
        own = {
            name: {"base_url": server.origin, "models": {"openai-chat": "gpt-4o"}}
            for name, server in (("good", good), ("bad", bad))
        }
        (tmp_path / "own.yaml").write_text(yaml.safe_dump({"targets": own}), encoding="utf-8")
        both = [
            "--targets",
            str(tmp_path / "own.yaml"),
            "--target",
            "good",
            "--target",
            "bad",
            *SEVERAL[:2],
            *SEVERAL[6:],
        ]
        text = run(*both, "--driver", "openai", "--samples", "2")
        result = run(*both, "--driver", "openai", "--samples", "2", "--format", "json")
    assert text.exit_code == result.exit_code == 0, text.output
    head = next(line for line in text.stdout.splitlines() if "good" in line)
    assert head.index("good") < head.index("bad")
    assert "success" in text.stdout
    messages = {
        each["target"]: each["checks"]["success"]["held"] for each in json.loads(result.stdout)["statistics"]["targets"]
    }
    assert messages == {"good": 2, "bad": 1}


def test_each_sample_is_kept_in_a_folder_of_its_own(tmp_path: Path) -> None:
    with foreign() as server:
        run("--base-url", server.origin, *ONE, "--samples", "2", "--save", str(tmp_path))
    assert sorted(path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*.yaml")) == ["sample-1", "sample-2"]


# Attempts


def without_call(_number: int, _body: bytes) -> Response:
    message = {"role": "assistant", "content": "I would rather not.", "refusal": None}
    choice = {"index": 0, "finish_reason": "stop", "logprobs": None, "message": message}
    reply = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1700000000, "model": "m", "choices": [choice]}
    return Response(json.dumps(reply), 200, {"content-type": "application/json"})


@pytest.mark.parametrize("lazy", [1, 2])
def test_what_the_model_did_not_do_is_tried_again(lazy: int, tmp_path: Path) -> None:
    def fault(number: int, _request: Request) -> Response | None:
        return without_call(number, b"") if number < lazy else None

    messages: list[Note] = []
    with foreign(fault) as server:
        outcome = perform(Task(WEATHER, at(server), tmp_path / "c.yaml", keep_good=True, attempts=3), messages.append)
    assert outcome.refused is None
    assert len(messages) == lazy
    assert f"attempt {lazy + 1}" in messages[-1].line
    assert (tmp_path / "c.yaml").read_text(encoding="utf-8").count("- request:") == 2


def test_attempts_end_with_the_reason(tmp_path: Path) -> None:
    with foreign(lambda number, _request: without_call(number, b"")) as server:
        task = Task(WEATHER, at(server), tmp_path / "c.yaml", keep_good=True, attempts=2)
        outcome = perform(task)
        judged = perform(Task(WEATHER, at(server), None, attempts=2))
    assert outcome.refused == "the run did not exercise tool-call (after 2 attempts)"
    assert not (tmp_path / "c.yaml").exists()
    assert "exercise-missing" in {finding.rule for finding in judged.findings}
    assert len(server.requests) == 4


def test_a_sample_is_never_drawn_again() -> None:
    with foreign(lambda number, _request: without_call(number, b"")) as server:
        result = run("--base-url", server.origin, *ONE, "--samples", "2", "--format", "json")
    assert len(server.requests) == 2
    (target,) = json.loads(result.stdout)["statistics"]["targets"]
    assert (target["tool_calls"]["recall"]["held"], target["tool_calls"]["recall"]["n"]) == (0, 2)


# Going on


def test_an_outcome_survives_the_journal() -> None:
    with foreign(edit=lambda _number, body: body.replace(b"37.5665", b"10.5665")) as server:
        outcome = perform(Task(WEATHER, at(server), None, sample=3))
    assert outcome.observation is not None
    assert Outcome.from_json(json.loads(json.dumps(outcome.as_json()))) == outcome


def test_what_was_done_is_not_done_again(tmp_path: Path) -> None:
    save = ["--save", str(tmp_path)]
    with foreign() as server:
        base = ["--base-url", server.origin, *SEVERAL, "--model", "m"]
        first = run(*base, *save, "--budget", "100tokens")
        asked = len(server.requests)
        second = run(*base, *save, "--resume", "--format", "json")
        third = run(*base, *save, "--resume")
    assert first.exit_code == 1
    assert "2 of 3 cells not done" in first.stderr
    assert second.exit_code == 0, second.output
    assert "resumed: 1 of 3 cells are already done" in second.stderr
    assert json.loads(second.stdout)["summary"]["conversations"] == 3
    assert (asked, len(server.requests)) == (2, 6)
    assert third.exit_code == 2
    assert "nothing to resume" in third.stderr


def test_another_run_is_not_gone_on_with(tmp_path: Path) -> None:
    save = ["--save", str(tmp_path)]
    with foreign() as server:
        run("--base-url", server.origin, *SEVERAL, "--model", "m", *save, "--budget", "100tokens")
        result = run("--base-url", server.origin, *SEVERAL, "--model", "another", *save, "--resume")
    assert result.exit_code == 2
    assert "the interrupted run had different options: targets" in result.stderr


@pytest.mark.process
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_an_interrupt_ends_with_what_was_done_and_can_be_gone_on_with(jobs: str, tmp_path: Path) -> None:
    def hang(_number: int, request: Request) -> Response | None:
        if b"build" in (request.body.content or b"") or process is None:
            return None
        process.send_signal(signal.SIGINT)  # while this request waits for its answer
        server.released.wait(60)
        return None

    process: subprocess.Popen[str] | None = None
    with foreign(hang) as server:
        command = [sys.executable, "-m", "conformance", "run", "--base-url", server.origin, "--model", "m", *SEVERAL]
        command += ["--save", str(tmp_path), "--timeout", "60", "--jobs", jobs]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            out, err = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "Traceback" not in err
        assert "interrupted by SIGINT; " in err
        assert "cells not done" in err
        process = None
        result = run("--base-url", server.origin, *SEVERAL, "--model", "m", "--save", str(tmp_path), "--resume")
    assert result.exit_code == 0, result.output
    assert "3 of 3 cells run without an error" in result.stdout
    if jobs == "1":
        assert "1 of 3 cells run without an error" in out
        assert "resumed: 1 of 3 cells are already done" in result.stderr
