"""What the documents of single providers have: `specs/documented`, beside the profiles that people write."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from conformance.contract import Situation, Violation
from conformance.judge.contracted import Contracts, contracts_of
from conformance.model.data_files import data_dir
from conformance.model.finding import Severity
from conformance.profiles.documented import documented
from conformance.profiles.profiles import all_profiles

FILES = sorted((data_dir("specs") / "documented").glob("*.json"))
ASKED: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "Hi"}]}
REPLY: dict[str, Any] = {
    "id": "1",
    "object": "chat.completion",
    "created": 1_760_000_000,
    "model": "m",
    "choices": [
        {
            "index": 0,
            "message": {"role": "assistant", "content": "Hi", "refusal": None},
            "finish_reason": "stop",
            "logprobs": None,
        }
    ],
}


def contracts() -> Contracts:
    found = contracts_of("openai-chat")
    assert found is not None
    return found


def asked(provider: str, body: Any, *, ok: bool = False) -> list[Violation]:
    request = contracts().request
    assert request is not None
    return list(request.violations({**ASKED, **body}, Situation(provider=provider, ok=ok)))


def shown(violations: list[Violation]) -> list[tuple[str, str, str | None]]:
    return [(each.pointer, str(each.severity), each.number) for each in violations]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_is_that_of_a_profile_and_names_its_document(file: Path) -> None:
    found = documented(file.stem)
    assert found is not None
    assert file.stem in all_profiles()
    assert found.version in found.evidence
    assert found.read.startswith("20")
    assert all(each["difference"] for rows in found.rows.values() for each in rows)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_a_file_has_one_row_a_line(file: Path) -> None:
    rows = json.loads(file.read_bytes())["rows"]["openai-chat"]
    assert len(file.read_text(encoding="utf-8").splitlines()) == len(rows) + 2


def test_a_provider_without_a_document_has_none() -> None:
    assert documented("nobody") is None


@pytest.mark.statement("ANY-180")
def test_what_the_document_has_is_allowed_and_nothing_else_is() -> None:
    assert asked("groq", {"service_tier": "on_demand"}) == []
    assert shown(asked("groq", {"service_tier": "fast"})) == [("/service_tier", "error", "ANY-180")]
    assert shown(asked("groq", {"reasoning_format": 1})) == [("/reasoning_format", "error", "ANY-180")]
    assert asked("nobody", {"reasoning_format": 1}) == []


def test_what_the_provider_answered_with_success_contradicts_its_document() -> None:
    assert shown(asked("groq", {"service_tier": "fast"}, ok=True)) == [("/service_tier", "warning", "ANY-180")]


def test_a_field_that_only_the_owner_documents_is_an_info() -> None:
    (found,) = asked("groq", {"verbosity": 7})
    assert (found.pointer, found.severity, found.number) == ("/verbosity", Severity.INFO, "ANY-180")
    assert found.message == "`verbosity` is not in the document of groq"
    assert found.source.startswith("groq ")


@pytest.mark.parametrize(
    ("provider", "idle", "asks"),
    [
        ("openrouter", {"n": 1}, {"n": 2}),
        ("together", {"parallel_tool_calls": True}, {"parallel_tool_calls": False}),
        ("cerebras", {"store": False}, {"store": True}),
        ("groq", {"stream_options": None}, {"stream_options": {"include_usage": True}}),
    ],
)
def test_null_and_the_default_of_an_undocumented_field_ask_for_nothing(
    provider: str, idle: dict[str, Any], asks: dict[str, Any]
) -> None:
    def undocumented(body: dict[str, Any]) -> list[str]:
        return [each.pointer for each in asked(provider, body) if each.number == "ANY-180"]

    assert undocumented(idle) == []
    assert undocumented(asks) == [f"/{name}" for name in asks]


def test_a_default_has_the_type_of_the_field() -> None:
    assert [each.kind for each in asked("openrouter", {"n": True})] == ["unknown"]


def test_a_limit_that_only_the_owner_documents_is_an_info() -> None:
    assert shown(asked("together", {"temperature": 3})) == [("/temperature", "info", "OAC-Q-025")]


def test_a_kind_of_object_that_the_document_lacks_is_an_error() -> None:
    audio = {"type": "input_audio", "input_audio": {"data": "eA==", "format": "wav"}}
    found = asked("groq", {"messages": [{"role": "user", "content": [audio]}]})
    assert shown(found) == [("/messages/0/content/0", "error", "ANY-180")]


def test_a_kind_of_object_that_the_document_adds_is_allowed_with_its_fields() -> None:
    def video(url: Any) -> list[Violation]:
        part = {"type": "video_url", "video_url": {"url": url}}
        return asked("together", {"messages": [{"role": "user", "content": [part]}]})

    assert video("https://example.com/a") == []
    assert shown(video(7)) == [("/messages/0/content/0/video_url/url", "error", "ANY-180")]


def test_what_the_document_requires_and_what_it_lets_be_left_out() -> None:
    assert shown(asked("together", {"model": None})) == [("/model", "error", "OAC-Q-001")]
    request = contracts().request
    assert request is not None
    assert list(request.violations({"messages": ASKED["messages"]}, Situation(provider="vllm"))) == []


def test_what_a_reply_lacks_of_the_document_is_a_warning_and_of_the_owners_an_info() -> None:
    reply = contracts().reply
    assert reply is not None
    found = list(reply.violations(REPLY, Situation(provider="sglang")))
    assert shown(found) == [("", "warning", "ANY-180")]
    usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
    without = {key: value for key, value in REPLY.items() if key != "object"} | {"usage": usage}
    assert shown(list(reply.violations(without, Situation(provider="sglang")))) == [("", "info", "OAC-R-001")]


def test_a_profile_has_the_last_word() -> None:
    (found,) = [each for each in asked("groq", {"n": 2}) if each.pointer == "/n"]
    assert (found.number, found.severity) == ("ANY-137", Severity.ERROR)


def test_fields_that_the_document_excludes_are_not_sent_together() -> None:
    together = {"continue_final_message": True, "add_generation_prompt": True}
    assert shown(asked("vllm", together)) == [("/add_generation_prompt", "error", "ANY-180")]
    assert asked("vllm", {"continue_final_message": True}) == []
    assert shown(asked("vllm", {"logprob_token_ids": [1]})) == [("/logprob_token_ids", "error", "ANY-180")]


def test_relations_hold_in_what_the_document_adds() -> None:
    tool = {"type": "web_search", "allowed_domains": ["a.example"], "excluded_domains": ["b.example"]}
    assert [each.number for each in asked("openrouter", {"tools": [tool]})] == ["ANY-180"]


def test_a_field_of_another_api_in_what_the_document_adds_is_an_error() -> None:
    tool = {"type": "openrouter:subagent", "parameters": {"inherit_functions": True}}
    found = shown(asked("openrouter", {"tools": [tool]}))
    assert found == [("/tools/0/parameters/inherit_functions", "error", "ANY-180")]


def test_values_that_only_a_description_states_are_judged() -> None:
    def subagent(kind: str) -> list[Violation]:
        tool = {"type": "openrouter:subagent", "parameters": {"tools": [{"type": kind}]}}
        return asked("openrouter", {"tools": [tool]})

    assert subagent("openrouter:web_search") == []
    for kind in ("function", "openrouter:subagent"):
        assert shown(subagent(kind)) == [("/tools/0/parameters/tools/0/type", "error", "ANY-180")]
