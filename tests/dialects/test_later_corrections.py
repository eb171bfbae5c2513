"""What the later recordings taught: statements that were too strict, and what weighs less than it did."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.judge.checker import Checker, check
from conformance.judge.proofs.example import Edit, Example, change, drop, example, insert, put, swap
from conformance.model.exchange import Exchange
from conformance.model.finding import Severity

BODY, ANSWER, EVENTS = "/0/request/body", "/0/response/body", "/0/response/events"
NEXT = "/1/request/body"
URL = "/0/request/url"
MISTRAL = put(URL, "https://api.mistral.ai/v1/chat/completions")
GATEWAY = put(URL, "https://gateway.example/v1/chat/completions")
CALL_ID = "toolu_01A1b2C3d4E5f6G7h8I9j0K1"
AGAIN = {"index": 0, "delta": {}, "logprobs": None, "finish_reason": "tool_calls"}
SYSTEM = f"{BODY}/messages/0/content"
PROMPTED = Example("prompted/call").records()[0]["request"]["body"]["messages"][0]["content"]
LISTED = PROMPTED.partition("<tool_list>\n")[2].partition("\n</tool_list>")[0]
PICTURE = [{"type": "image_url", "image_url": {"url": "https://example.com/map.png"}}]


def replaced(placeholder: str) -> tuple[Edit, ...]:
    """A call's id, everywhere in a run of Messages, as a sanitiser leaves it."""
    return (
        put(f"{ANSWER}/content/1/id", placeholder),
        put(f"{NEXT}/messages/1/content/1/id", placeholder),
        put(f"{NEXT}/messages/2/content/0/tool_use_id", placeholder),
    )


def listing(text: str) -> Edit:
    """The tool list of a prompted request in another form."""
    return put(SYSTEM, PROMPTED.replace(LISTED, text))


def under_another_id() -> tuple[Edit, ...]:
    """The events of a message's parts with an id that no item has."""
    return tuple(put(f"{EVENTS}/{number}/data/item_id", "msg_other") for number in range(3, 8))


ONE_OBJECT = LISTED.removeprefix("[").removesuffix("]")
OTHER_OBJECT = ONE_OBJECT.replace("get_weather", "get_time")
LATER_TURN = (
    insert(f"{BODY}/messages/3", {"role": "assistant", "content": "Mild in both."}),
    insert(f"{BODY}/messages/4", {"role": "user", "content": "And now?"}),
    insert(
        f"{BODY}/messages/5",
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": CALL_ID, "name": "get_weather", "input": {"latitude": 1}}],
        },
    ),
    insert(
        f"{BODY}/messages/6",
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": CALL_ID, "content": "15"}]},
    ),
)
NOTHING, INFO, WARNING, ERROR = None, Severity.INFO, Severity.WARNING, Severity.ERROR

CASES: dict[str, tuple[str, tuple[Edit, ...], Severity | None]] = {
    "an id as a sanitiser leaves it": ("anthropic-messages/run", replaced("toolu…REDACTED…"), NOTHING),
    "an id as asterisks": ("anthropic-messages/run", replaced("***"), NOTHING),
    "an id in angle brackets": ("anthropic-messages/run", replaced("<redacted>"), NOTHING),
    "an id with a colon is no placeholder": ("anthropic-messages/run", replaced("call:1"), ERROR),
    "a sanitised id at Mistral": (
        "openai-chat/one-at-a-time",
        (
            MISTRAL,
            insert(f"{BODY}/messages/1", {"role": "user", "content": "And in Jeju?"}),
            put(f"{ANSWER}/choices/0/message/tool_calls/0/id", "call_REDACTED_1"),
        ),
        NOTHING,
    ),
    "null for an option of Chat": (
        "openai-chat/call",
        (put(f"{BODY}/temperature", None), put(f"{BODY}/tool_choice", None), put(f"{BODY}/stop", None)),
        NOTHING,
    ),
    "null for an option of Responses": (
        "openai-responses/call",
        (put(f"{BODY}/text", None), put(f"{BODY}/tool_choice", None), put(f"{BODY}/reasoning", None)),
        NOTHING,
    ),
    "null for an option of Gemini": (
        "gemini/call",
        (put(f"{BODY}/generationConfig", None), put(f"{BODY}/toolConfig", None)),
        NOTHING,
    ),
    "sound as base64 at Mistral": (
        "openai-chat/call",
        (MISTRAL, put(f"{BODY}/messages/0/content", [{"type": "input_audio", "input_audio": "AAAA"}])),
        NOTHING,
    ),
    "a part with a signature alone": (
        "gemini/run",
        (insert(f"{NEXT}/contents/1/parts/2", {"thoughtSignature": "EsYCCsMCAXLI2nwd/tSeaL+"}),),
        NOTHING,
    ),
    "a content without a role": ("gemini/call", (drop(f"{BODY}/contents/0/role"),), NOTHING),
    "a content of an unknown role": ("gemini/call", (put(f"{BODY}/contents/0/role", "assistant"),), ERROR),
    "the empty schema, spelled out": (
        "openai-responses/call",
        (
            put(f"{BODY}/tools/0/parameters", {}),
            put(f"{BODY}/tools/0/strict", False),
            put(f"{ANSWER}/tools/0/parameters", {"type": "object", "properties": {}}),
            put(f"{ANSWER}/tools/0/strict", False),
        ),
        NOTHING,
    ),
    "an event of unknown type in a stream of Messages": (
        "anthropic-messages/stream-answer",
        (insert(f"{EVENTS}/0", {"event": "keepalive", "data": {"type": "keepalive"}}),),
        INFO,
    ),
    "a second message_delta": (
        "anthropic-messages/stream-answer",
        (
            insert(
                f"{EVENTS}/6",
                {
                    "event": "message_delta",
                    "data": {
                        "type": "message_delta",
                        "delta": {"stop_reason": None, "stop_sequence": None},
                        "usage": {"output_tokens": 3},
                    },
                },
            ),
        ),
        NOTHING,
    ),
    "an id that comes back in a later turn": ("anthropic-messages/answer", LATER_TURN, WARNING),
    "a call in tags that ends in the other token": (
        "llama3-custom/call",
        (change(f"{ANSWER}/choices/0/text", "<|eot_id|>", "<|eom_id|>"),),
        INFO,
    ),
    "outputs in another order": (
        "openai-responses/answer",
        (swap(f"{BODY}/input/3", f"{BODY}/input/4"),),
        NOTHING,
    ),
    "calls and outputs alternate": ("openai-responses/run", (swap(f"{NEXT}/input/2", f"{NEXT}/input/3"),), NOTHING),
    "tool messages in another order": ("openai-chat/answer", (swap(f"{BODY}/messages/2", f"{BODY}/messages/3"),), INFO),
    "DeepSeek is out of resources": (
        "openai-chat/answer",
        (
            put(URL, "https://api.deepseek.com/chat/completions"),
            put(f"{ANSWER}/choices/0/finish_reason", "insufficient_system_resource"),
        ),
        NOTHING,
    ),
    "a tool list of one object a line": ("prompted/call", (listing(f"{ONE_OBJECT}\n{OTHER_OBJECT}"),), NOTHING),
    "a tool list in prose": (
        "prompted/call",
        (listing("get_weather: the weather at a latitude and longitude"),),
        NOTHING,
    ),
    "prose with a colon before a brace": (
        "llama3-json/plain",
        (change(f"{ANSWER}/choices/0/text", "", 'Here it is in JSON format: {"a" and more}. '),),
        NOTHING,
    ),
    "a tag that is only thought about": (
        "qwen3/call",
        (
            change(f"{BODY}/prompt", "<think>\n\n</think>\n\n", ""),
            change(f"{ANSWER}/choices/0/text", "<tool_call>", "<think>\nNow <tool_call>.\n</think>\n\n<tool_call>"),
        ),
        NOTHING,
    ),
    # What weighs less ------------------------------------------------------------------------------------------------
    "the same finish reason again": (
        "openai-chat/stream-call",
        (GATEWAY, put(f"{EVENTS}/8/data/choices", [AGAIN])),
        WARNING,
    ),
    "another finish reason later": (
        "openai-chat/stream-call",
        (GATEWAY, put(f"{EVENTS}/8/data/choices", [{**AGAIN, "finish_reason": "length"}])),
        ERROR,
    ),
    "a new id on a call and on its result": (
        "openai-chat/run",
        (put(f"{NEXT}/messages/1/tool_calls/0/id", "call_new"), put(f"{NEXT}/messages/2/tool_call_id", "call_new")),
        WARNING,
    ),
    "a new id on a call alone": ("openai-chat/run", (put(f"{NEXT}/messages/1/tool_calls/0/id", "call_new"),), ERROR),
    "results of the old role": ("gemini/answer", (put(f"{BODY}/contents/2/role", "function"),), INFO),
    "arguments that the limit cut off": (
        "openai-chat/one-at-a-time",
        (
            put(f"{ANSWER}/choices/0/finish_reason", "length"),
            put(f"{ANSWER}/choices/0/message/tool_calls/0/function/arguments", '{"latitude":'),
        ),
        INFO,
    ),
    "events without names": (
        "openai-responses/stream-answer",
        tuple(drop(f"{EVENTS}/{number}/event") for number in range(10)),
        WARNING,
    ),
    "a result as text": (
        "gemini/run",
        (put(f"{NEXT}/contents/2/parts", [{"text": "14.2"}, {"text": "17.9"}]),),
        WARNING,
    ),
    "a picture in a tool message elsewhere": (
        "openai-chat/answer",
        (GATEWAY, put(f"{BODY}/messages/2/content", PICTURE)),
        WARNING,
    ),
    "a picture in a tool message at OpenAI": (
        "openai-chat/answer",
        (put(f"{BODY}/messages/2/content", PICTURE),),
        ERROR,
    ),
}


@pytest.mark.parametrize(("base", "edits", "worst"), CASES.values(), ids=CASES)
def test_what_was_accepted_weighs_what_it_weighs(base: str, edits: tuple[Edit, ...], worst: Severity | None) -> None:
    found = check(example(base, *edits).exchanges())
    assert max((finding.severity for finding in found), default=None) == worst, found


def test_parts_under_another_id_are_not_parts_that_never_came() -> None:
    found = check(example("openai-responses/stream-answer", *under_another_id()).exchanges())
    assert [finding.rule for finding in found] == ["responses-event-item-unknown"]


def test_an_event_of_unknown_type_says_nothing_about_the_beginning() -> None:
    event: dict[str, Any] = {"event": "response.keepalive", "data": {"type": "response.keepalive"}}
    found = check(example("openai-responses/stream-answer", insert(f"{EVENTS}/0", event)).exchanges())
    about_order = {"responses-stream-start-misplaced", "responses-in-progress-misplaced"}
    assert not about_order & {finding.rule for finding in found}


def test_a_chat_at_the_path_of_raw_prompts_is_a_chat() -> None:
    body = {"agent_id": "ag_1", "messages": [{"role": "user", "content": "Hello?"}]}
    record = {
        "request": {"method": "POST", "url": "https://api.mistral.ai/v1/agents/completions", "body": body},
        "response": {"status": 500, "headers": {}, "body": ""},
    }
    checker = Checker()
    assert [each.dialect for each in checker.feed(Exchange.of(record))] == []
    assert checker.summary.unclaimed == 0
    raw = {**record, "request": {**record["request"], "body": {"model": "m", "prompt": "Hello"}}}  # type: ignore[dict-item]
    assert {each.dialect for each in Checker().feed(Exchange.of(raw, complete=True))} == {"openai-completions"}
