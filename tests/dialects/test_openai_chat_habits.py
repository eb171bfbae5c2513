"""Chat behind other URLs, and habits of servers that are not what they look like at first."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conformance.judge.checker import Checker
from conformance.model.exchange import Body, Exchange, Request
from conformance.model.finding import Finding
from conformance.model.registry import claim

MESSAGES = {"model": "m", "messages": [{"role": "user", "content": "Weather in Oslo?"}]}
WRITER = "https://api.writer.com/v1/chat"
BEDROCK = "https://bedrock-runtime.us-east-1.amazonaws.com/model"


def request(url: str, body: Any) -> Request:
    return Request("POST", url, body=Body(body))


def chunk(delta: dict[str, Any], finish: str | None = None, **more: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    return {
        "id": "1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [choice],
        **more,
    }


SAID = chunk({"role": "assistant", "content": "Cold."})


def judged(response: Any, *, url: str = "https://example.com/v1/chat/completions", **body: Any) -> list[Finding]:
    checker = Checker()
    record = {
        "request": {"method": "POST", "url": url, "headers": {}, "body": {**MESSAGES, **body}},
        "response": {"status": 200, "headers": {}, "body": response},
    }
    found = checker.feed(Exchange.of(record, source="example:1"))
    assert checker.summary.harness_errors == []
    assert checker.summary.unclaimed == 0
    return found


def streamed(*chunks: dict[str, Any], done: bool = True) -> list[tuple[str, str]]:
    text = "".join(f"data: {json.dumps(each)}\n\n" for each in chunks) + ("data: [DONE]\n\n" if done else "")
    return [(each.rule, str(each.severity)) for each in judged(text, stream=True)]


class TestWhereItIsSpoken:
    @pytest.mark.parametrize(
        ("url", "body"),
        [
            (WRITER, MESSAGES),
            (WRITER, '{"model": "m", "messages": [{"role": "user"'),
            (f"{BEDROCK}/openai.gpt-oss-20b-1%3A0/invoke", MESSAGES),
            (f"{BEDROCK}/us.mistral.pixtral-large-2502-v1:0/invoke-with-response-stream", MESSAGES),
            (f"{BEDROCK}/ai21.jamba-1-5-mini-v1:0/invoke", MESSAGES),
        ],
    )
    def test_it_is_claimed_behind_other_urls(self, url: str, body: Any) -> None:
        dialect = claim(request(url, body))
        assert dialect is not None
        assert dialect.name == "openai-chat"

    @pytest.mark.parametrize(
        ("url", "body"),
        [
            ("https://api.cohere.com/v1/chat", {"model": "command-r", "message": "Weather in Oslo?"}),
            ("https://gigachat.example.com/api/v2/chat/completions", MESSAGES),
            ("https://api.cohere.com/v2/chat", MESSAGES),
            ("http://localhost:11434/api/chat", MESSAGES),
            (f"{BEDROCK}/us.amazon.nova-lite-v1:0/invoke", MESSAGES),
            (f"{BEDROCK}/mistral.mistral-7b-instruct-v0:2/invoke", {"prompt": "<s>[INST] Weather? [/INST]"}),
        ],
    )
    def test_other_wire_grammars_are_not(self, url: str, body: Any) -> None:
        dialect = claim(request(url, body))
        assert dialect is None or dialect.name != "openai-chat"

    def test_bedrock_names_the_model_and_the_stream_in_its_path(self) -> None:
        sent = request(f"{BEDROCK}/openai.gpt-oss-20b-1%3A0/invoke-with-response-stream", MESSAGES)
        dialect = claim(sent)
        assert dialect is not None
        ask = dialect.readers.read_request(sent, {"messages": []})
        assert (ask.model, ask.stream) == ("openai.gpt-oss-20b-1:0", True)

    def test_a_stream_that_bedrock_wrapped_is_read_without_its_mark(self) -> None:
        url = f"{BEDROCK}/openai.gpt-oss-20b-1:0/invoke-with-response-stream"
        assert judged([SAID, chunk({}, "stop")], url=url) == []
        assert [each.rule for each in judged([SAID], url=url)] == ["chat-finish-missing"]


class TestHabits:
    def test_a_clock_in_created_is_no_error_and_another_id_is(self) -> None:
        finish = chunk({}, "stop")
        assert streamed(SAID, {**finish, "created": 2}) == [("chat-chunk-identity-changed", "warning")]
        assert streamed(SAID, {**finish, "id": "2"}) == [("chat-chunk-identity-changed", "error")]

    def test_a_number_in_the_finish_chunk_says_nothing_and_a_text_does(self) -> None:
        assert streamed(SAID, chunk({"token_id": 7}, "stop")) == []
        assert streamed(SAID, chunk({"content": "!"}, "stop")) == [("chat-finish-delta-unexpected", "warning")]

    def test_an_index_below_nothing_is_one_finding(self) -> None:
        call = {"index": -1, "id": "c", "type": "function", "function": {"name": "f", "arguments": "{}"}}
        begun = chunk({"role": "assistant", "content": None, "tool_calls": [call]})
        assert streamed(begun, chunk({}, "tool_calls")) == [("chat-tool-call-index-missing", "error")]

    def test_an_error_under_status_200_is_one_finding_that_reports_it(self) -> None:
        (finding,) = judged({"error": {"message": "the provider failed", "code": 502}})
        assert (finding.rule, str(finding.severity)) == ("chat-reply-field-missing", "error")
        assert finding.message == "the body is an error, but the status is a success"

    def test_a_stream_that_nobody_read_is_no_evidence(self) -> None:
        record = {
            "request": {"method": "POST", "url": "https://example.com/v1/chat/completions", "body": MESSAGES},
            "response": {"status": 200, "headers": {"content-type": "text/event-stream"}, "body": ""},
        }
        for complete, severities in ((False, []), (True, ["error"])):
            found = Checker().feed(Exchange.of(record, source="example:1", complete=complete))
            assert [str(each.severity) for each in found if each.rule == "stream-empty"] == severities

    def test_a_quirk_excuses_what_it_names_and_nothing_else(self) -> None:
        message = {"role": "assistant", "content": "Cold.", "refusal": None}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        reply = {"id": "1", "created": 1, "model": "m", "choices": [choice], "usage": usage}
        url = "https://api.z.ai/api/paas/v4/chat/completions"
        assert [str(each.severity) for each in judged(reply, url=url)] == ["warning"]
        del reply["created"]
        found = {each.message: str(each.severity) for each in judged(reply, url=url)}
        assert found == {"`object` is missing (known quirk of zai)": "warning", "`created` is missing": "info"}
