"""What the contract of Completions asks of OpenAI's own host and of inference servers."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.contract import Situation
from conformance.dialects.openai_completions.contract import CHUNK, ERROR, REPLY, REQUEST
from conformance.model.finding import Severity

BODY: dict[str, Any] = {"model": "m", "prompt": "The capital of Iceland is", "max_tokens": 16}
REPLIED: dict[str, Any] = {
    "id": "cmpl-1",
    "object": "text_completion",
    "created": 1790000000,
    "model": "m",
    "choices": [{"index": 0, "text": "x", "logprobs": None, "finish_reason": "stop"}],
}
OPENAI, LOCAL = Situation(provider="openai"), Situation()


def reported(more: dict[str, Any], situation: Situation) -> list[tuple[str, Severity]]:
    return [(each.pointer, each.severity) for each in REQUEST.violations({**BODY, **more}, situation)]


@pytest.mark.parametrize(
    "more",
    [
        {"prompt": ["a", "b"]},
        {"prompt": [9906, 11]},
        {"prompt": [[9906], [11]]},
        {"stop": ["a", "b", "c", "d"], "logprobs": 5, "best_of": 3, "n": 2, "echo": True},
        {"temperature": None, "stop": None, "stream": True, "stream_options": {"include_usage": True}},
    ],
)
def test_legal_everywhere(more: dict[str, Any]) -> None:
    assert reported(more, OPENAI) == reported(more, LOCAL) == []


@pytest.mark.parametrize(
    "more",
    [
        {"skip_special_tokens": False, "include_stop_str_in_output": True, "add_special_tokens": False},
        {"top_k": -1, "min_p": 0.1, "repetition_penalty": 1.1, "stop_token_ids": [128008]},
        {"n_predict": 10, "cache_prompt": True},
    ],
)
def test_fields_of_inference_servers_are_not_openais(more: dict[str, Any]) -> None:
    assert reported(more, LOCAL) == []
    assert {severity for _, severity in reported(more, OPENAI)} == {Severity.WARNING}


@pytest.mark.parametrize(
    ("more", "place"),
    [
        ({"max_tokens": -1}, "/max_tokens"),
        ({"temperature": 3}, "/temperature"),
        ({"prompt": [[1, "a"]]}, "/prompt/0"),
        ({"best_of": 21}, "/best_of"),
        ({"stream": True, "best_of": 2}, "/best_of"),
        ({"stream_options": {}}, "/stream_options"),
        ({"skip_special_tokens": "false"}, "/skip_special_tokens"),
        ({"guided_json": {}, "guided_regex": "x"}, "/guided_regex"),
    ],
)
def test_faults(more: dict[str, Any], place: str) -> None:
    assert (place, Severity.ERROR) in reported(more, LOCAL)


def test_bounds_that_other_servers_go_beyond_are_warnings_there() -> None:
    more = {"stop": ["1", "2", "3", "4", "5"], "logprobs": 20}
    assert {severity for _, severity in reported(more, OPENAI)} == {Severity.ERROR}
    assert {severity for _, severity in reported(more, LOCAL)} == {Severity.WARNING}


def test_a_prompt_may_come_as_embeddings() -> None:
    body = {"model": "m", "max_tokens": 5}
    assert list(REQUEST.violations({**body, "prompt_embeds": "eA=="})) == []
    assert [each.rule for each in REQUEST.violations(body)] == ["completions-request-field-missing"]


def test_azure_has_the_model_in_its_path() -> None:
    azure = Situation(provider="azure-openai", path="/openai/deployments/d/completions")
    assert list(REQUEST.violations({"prompt": "x", "max_tokens": 1}, azure)) == []


def test_a_finish_is_null_in_chunks_alone() -> None:
    body = {**REPLIED, "choices": [{**REPLIED["choices"][0], "finish_reason": None}]}
    assert list(CHUNK.violations(body)) == list(REPLY.violations(REPLIED)) == []
    assert [each.rule for each in REPLY.violations(body)] == ["completions-reply-field-wrong-type"]


def test_errors_of_servers_have_the_status_as_their_code() -> None:
    error = {"error": {"message": "no such model", "type": "NotFoundError", "code": 404}}
    assert list(ERROR.violations(error, LOCAL)) == []
    assert {each.pointer for each in ERROR.violations(error, OPENAI)} == {"/error", "/error/code"}
