"""The carrier of raw prompts: what it claims, how it reads texts, and what it does not mistake for its own."""

import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conformance.judge.checker import Checker, check
from conformance.judge.proofs.example import Example, change, drop, example, insert, put
from conformance.model.exchange import Body, Exchange, Request
from conformance.model.registry import all_dialects, claimants, part_of
from conformance.model.rendered import IdFactory
from conformance.model.sse import events
from conformance.model.transcript import Text, Turn

DIALECT = all_dialects()["openai-completions"]


def rules(made: Example) -> set[str]:
    return {finding.rule for finding in check(made.exchanges())}


@pytest.mark.parametrize(
    ("path", "claimed"),
    [
        ("/v1/completions", True),
        ("/openai/deployments/base/completions", True),
        ("/v1/completions/", True),
        ("/v1/chat/completions", False),
        ("/v1/fim/completions", False),
        ("/v1/complete", False),
        ("/v1/responses", False),
    ],
)
def test_the_path_says_whether_it_is_a_raw_prompt(path: str, *, claimed: bool) -> None:
    request = Request("POST", f"http://localhost{path}", body=Body('{"model": "m", "prompt": "Hello"}'))
    assert DIALECT.claims(request) is claimed


def test_a_plain_prompt_is_ridden_by_nobody() -> None:
    request = Example("openai-completions/answer").exchanges()[0].request
    assert [each.name for each in claimants(request)] == ["openai-completions"]


def test_a_prompt_is_one_text_of_the_user_and_the_reply_one_of_the_assistant() -> None:
    exchange = Example("openai-completions/answer").exchanges()[0]
    ask = DIALECT.readers.read_request(exchange.request, exchange.request.body.json)
    assert [(turn.role, turn.text) for turn in ask.history] == [("user", "The capital of Iceland is")]
    (reply,) = DIALECT.readers.read_reply(exchange.response.body.json)
    assert reply.parts == (Text(" Reykjavík, a town on the southwest coast.", "/choices/0/text"),)
    assert reply.stop == "end"


@given(text=st.text(), stream=st.booleans())
def test_what_the_reference_renders_is_read_back(text: str, *, stream: bool) -> None:
    body = {"model": "m", "prompt": "p", "max_tokens": 5, "stream": stream}
    request = Request("POST", "http://localhost/v1/completions", body=Body(body))
    ask = DIALECT.readers.read_request(request, body)
    rendered = part_of("openai-completions", "render").answer(
        Turn("assistant", (Text(text),), stop="length"), ask, request, IdFactory("x")
    )
    raw = rendered.body.decode("utf-8", "surrogatepass") if _encodable(text) else ""
    if not raw:
        return
    record = {"request": {"url": request.url, "body": body}, "response": {"status": 200, "body": raw}}
    exchange = Exchange.of(record)
    events = DIALECT.readers.sse_events(exchange)
    (turn,) = DIALECT.readers.read_stream(events) if events else DIALECT.readers.read_reply(exchange.response.body.json)
    assert turn.text == text
    assert turn.stop == "length"


def _encodable(text: str) -> bool:
    return "\ud800" not in text


def test_the_moments_of_a_stream_are_its_texts_and_its_stop() -> None:
    exchange = Example("openai-completions/stream-answer").exchanges()[0]
    found = DIALECT.readers.sse_events(exchange)
    assert found is not None
    moments = list(DIALECT.readers.stream_events(found))
    assert [moment.kind for moment in moments] == ["text", "text", "text", "stop"]
    assert "".join(moment.text or "" for moment in moments) == DIALECT.readers.read_stream(found)[0].text


@pytest.mark.parametrize(("last", "stop"), [({"error": {"message": "overloaded"}}, "error"), ({"choices": []}, None)])
def test_a_stream_without_a_stop_reason_ended_in_an_error_only_if_it_has_one(
    last: dict[str, object], stop: str | None
) -> None:
    chunks = [{"choices": [{"index": 0, "text": "Hi", "finish_reason": None}]}, last]
    [turn] = DIALECT.readers.read_stream(tuple(events("".join(f"data: {json.dumps(each)}\n\n" for each in chunks))))
    assert (turn.text, turn.stop) == ("Hi", stop)


STREAM = "openai-completions/stream-answer"
EVENTS = "/0/response/events"
FAULTS = [
    (example("openai-completions/answer", put("/0/response/body/choices/0", {"message": {"content": "x"}})), "missing"),
    (example("openai-completions/answer", put("/0/response/body/object", "chat.completion")), "object"),
    (example(STREAM, drop(f"{EVENTS}/4")), "done"),
    (example(STREAM, drop(f"{EVENTS}/2")), "finish"),
    (example(STREAM, insert(f"{EVENTS}/5", {"data": "[DONE]"})), "after-done"),
    (example(STREAM, change(f"{EVENTS}/1/data/object", "text_completion", "chat.completion.chunk")), "object"),
    (example(STREAM, put(f"{EVENTS}/1/data/choices/0", {"index": 0, "delta": {"content": "x"}})), "chunk-malformed"),
]


@pytest.mark.parametrize(("made", "part"), FAULTS)
def test_a_fault_of_the_envelope_is_found(made: Example, part: str) -> None:
    assert any(part in rule and rule.startswith("completions-") for rule in rules(made)), rules(made)


@pytest.mark.parametrize("file", ["openai-chat", "openai-compatible", "mistral", "huggingface", "cohere"])
def test_no_exchange_of_the_corpus_is_taken_for_a_raw_prompt(file: str, corpus: Path) -> None:
    checker = Checker()
    with gzip.open(corpus / f"{file}.jsonl.gz", "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            exchange = Exchange.of(json.loads(line))
            names = {each.name for each in claimants(exchange.request)}
            assert not {name for name in names if name.startswith(("llama3", "openai-completions"))}, number
    assert checker.summary.harness_errors == []
