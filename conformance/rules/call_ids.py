"""Ids of tool calls that one provider refuses, or that mean nothing beyond one reply."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache

from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.data_files import load_yaml
from conformance.model.finding import Hit, Severity
from conformance.model.transcript import calls_of

_COUNTER = re.compile(r"[0-9]{1,4}")
_CALLS = "/0/response/body/choices/0/message/tool_calls"
_HISTORY = "/0/request/body/messages/1/tool_calls"
_MISTRAL = put("/0/request/url", "https://api.mistral.ai/v1/chat/completions")
_BEDROCK = (
    put(
        "/0/request/url",
        "https://bedrock-runtime.us-east-1.amazonaws.com/model/anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke",
    ),
    drop("/0/request/body/model"),
    put("/0/request/body/anthropic_version", "bedrock-2023-05-31"),
)
_NINE = (
    put(f"{_HISTORY}/0/id", "a1B2c3D4e"),
    put(f"{_HISTORY}/1/id", "m3N4o5P6q"),
    put("/0/request/body/messages/2/tool_call_id", "a1B2c3D4e"),
    put("/0/request/body/messages/3/tool_call_id", "m3N4o5P6q"),
)
_LONG = "toolu_" + "0" * 59
_BLOCKS = "/0/request/body/messages"


@dataclass(frozen=True, slots=True)
class IdPattern:
    """What one provider demands of the ids of calls; `model` matches from its start, empty matches all."""

    pattern: re.Pattern[str]
    says: str
    model: re.Pattern[str]
    severity: Severity


@cache
def id_patterns() -> Mapping[tuple[str, str], tuple[IdPattern, ...]]:
    """The patterns of `specs/tool_call_ids.yaml`, by provider and dialect."""
    found: dict[tuple[str, str], list[IdPattern]] = {}
    for entry in load_yaml("tool_call_ids.yaml")["ids"]:
        pattern = IdPattern(
            pattern=re.compile(entry["pattern"]),
            says=entry["says"],
            model=re.compile(entry.get("model") or ""),
            severity=Severity[entry["severity"].upper()],
        )
        found.setdefault((entry["provider"], entry["dialect"]), []).append(pattern)
    return {key: tuple(patterns) for key, patterns in found.items()}


@rule(
    "tool-call-id-unsupported",
    severity=Severity.ERROR,
    scope="request",
    basis="observed",
    cites=["0.4 langchain-ai/langchain#24668", "0.4 earendil-works/pi#781"],
    bugs=["anomalyco/opencode#1680", "langchain-ai/langchain#24668", "earendil-works/pi#781"],
    conforming=[
        example("openai-chat/answer"),
        example("openai-chat/answer", _MISTRAL, *_NINE),
        example("anthropic-messages/answer", *_BEDROCK),
    ],
    violating=[
        example("openai-chat/answer", _MISTRAL, *_NINE[1:], at="0 request /messages/1/tool_calls/0"),
        example(
            "anthropic-messages/answer",
            *_BEDROCK,
            put(f"{_BLOCKS}/1/content/1/id", _LONG),
            put(f"{_BLOCKS}/2/content/0/tool_use_id", _LONG),
            at="0 request /messages/1/content/1",
        ),
    ],
)
def tool_call_id_unsupported(view: View) -> Iterator[Hit]:
    """The ids of calls that a request repeats have the form that its provider takes.

    A conversation that began with one provider and goes on with another carries foreign ids: the provider refuses
    the whole request with a 400, and every later one.
    """
    for each in id_patterns().get((view.provider or "", view.dialect.name), ()):
        if not each.model.match(view.model or ""):
            continue
        for call in calls_of(view.history):
            if call.id and not each.pattern.fullmatch(call.id):
                said = f"{view.provider} refuses this id"
                yield Hit(call.pointer, said, each.says, call.id, severity=each.severity)


@rule(
    "tool-call-id-ambiguous",
    severity=Severity.WARNING,
    scope="reply",
    basis="observed",
    dialects=("openai-chat", "openai-responses", "anthropic-messages"),
    cites=[
        "OAC-R-009 InternLM/lmdeploy#3412",
        "OAC-S-009 InternLM/lmdeploy#3412",
        "OAR-R-003 InternLM/lmdeploy#3412",
        "ANT-R-006 InternLM/lmdeploy#3412",
    ],
    bugs=["InternLM/lmdeploy#3412"],
    conforming=[
        example("openai-chat/call"),
        example("openai-chat/call", put(f"{_CALLS}/0/id", "123456789")),
        example("openai-chat/stream-call"),
        example("openai-responses/call"),
        example("anthropic-messages/call"),
    ],
    violating=[
        example("openai-chat/call", put(f"{_CALLS}/0/id", "0"), at="0 response /choices/0/message/tool_calls/0"),
        example(
            "openai-chat/stream-call",
            put("/0/response/events/4/data/choices/0/delta/tool_calls/0/id", "1"),
            at="0 response event/4/choices/0/delta/tool_calls/0",
        ),
        example("openai-responses/call", put("/0/response/body/output/1/call_id", "1"), at="0 response /output/1"),
    ],
)
def tool_call_id_ambiguous(view: View) -> Iterator[Hit]:
    """The id of a call is more than a counter.

    The next reply counts from 0 again: a result in a longer history then belongs to two calls, and clients that
    keep results by id give the model an old one.
    """
    for call in calls_of(view.replies):
        if call.id and _COUNTER.fullmatch(call.id):
            yield Hit(call.pointer, "the id is a small number", "an id that no other reply has", call.id)
