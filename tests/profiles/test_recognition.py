"""Who answered an exchange: by its host, by the headers of the answer, by the name of the model."""

from __future__ import annotations

import re

import pytest

from conformance.judge.checker import check
from conformance.judge.proofs.example import Edit, Example, put
from conformance.model.exchange import Headers
from conformance.profiles.profiles import all_profiles
from conformance.profiles.recognition import Recognised, provider_of, recognised

MARKS = [(name, mark) for name, profile in all_profiles().items() for mark in profile.known_by]
HEADERS = [
    (name, header, mark.get("value", "1").replace("\\", ""))
    for name, mark in MARKS
    for header in mark.get("headers", ())
]
HOSTS = [(name, host.replace("*", "one")) for name, profile in all_profiles().items() for host in profile.hosts]
MODELS = [
    ("eu.amazon.nova-micro-v1:0", "bedrock"),
    ("anthropic.claude-sonnet-4-20250514-v1:0", "bedrock"),
    ("accounts/fireworks/models/qwen3-8b", "fireworks"),
    ("accounts/a-team/deployments/qwen3", "fireworks"),
    ("groq/compound-mini", "groq"),
    ("openrouter/auto", "openrouter"),
]
AMBIGUOUS = [
    "mistralai/Mistral-7B-Instruct-v0.3",  # Hugging Face's name: at many servers and gateways
    "deepseek-chat",
    "gpt-4o",
    "openai/gpt-4o:nitro",  # two gateways have these endings
    "openrouter/openai/gpt-4o",  # as LiteLLM routes
    "xaccounts/fireworks/models/a",
]


def found(host: str = "llm.example.com", model: str | None = None, **headers: str) -> Recognised | None:
    sent = Headers((name.replace("_", "-"), value) for name, value in headers.items())
    return recognised(host, sent, lambda: model)


@pytest.mark.parametrize(("name", "host"), HOSTS)
def test_a_host_is_known_and_what_lies_below_it_and_nothing_that_only_ends_alike(name: str, host: str) -> None:
    assert provider_of(host) == name
    assert provider_of(f"eu.{host}") == name
    assert provider_of(f"{host}.example.com") is None
    if "one" not in host:
        assert provider_of(f"not{host}") is None


@pytest.mark.parametrize(
    "host",
    [
        "ec2-1.compute.amazonaws.com",
        "my-lb.us-east-1.elb.amazonaws.com",
        "team.azure.com",
        "localhost",
        "127.0.0.1",
        "",
    ],
)
def test_a_host_in_the_same_cloud_is_not_the_provider(host: str) -> None:
    assert provider_of(host) is None


@pytest.mark.parametrize(("name", "header", "value"), HEADERS)
def test_a_header_of_the_answer_names_the_provider_at_a_host_in_no_profile(name: str, header: str, value: str) -> None:
    assert found(**{header: value}) == Recognised(name, "header", header)
    assert found(**{header.upper(): value}) == Recognised(name, "header", header)


def test_the_value_of_a_header_counts_where_others_send_it_too() -> None:
    assert found(server="llama.cpp") == Recognised("llama-cpp", "header", "server")
    assert found(server="uvicorn") is None


@pytest.mark.parametrize(("model", "name"), MODELS)
def test_a_name_of_a_model_that_one_provider_has_names_it(model: str, name: str) -> None:
    assert found(model=model) == Recognised(name, "model", model)


@pytest.mark.parametrize("model", AMBIGUOUS)
def test_a_name_that_several_have_names_none(model: str) -> None:
    assert found(model=model) is None


@pytest.mark.parametrize(
    ("model", "name"), [("grok-4-fast", "xai"), ("sonar-pro", "perplexity"), ("magistral-small-2507", "mistral")]
)
def test_an_answer_without_its_request_is_known_by_its_model_and_a_request_is_not(model: str, name: str) -> None:
    assert recognised("", Headers(), answering=lambda: model) == Recognised(name, "model", model)
    assert found(model=model) is None


def test_every_form_of_a_name_is_one_providers_alone() -> None:
    for model, name in MODELS:
        assert [each for each, mark in MARKS if re.fullmatch(mark.get("models", "-"), model)] == [name]
    assert {name for _, name in MODELS} == {name for name, mark in MARKS if "models" in mark}


@pytest.mark.parametrize(("name", "host"), HOSTS)
def test_a_known_host_is_never_mistaken_whatever_it_passes_on(name: str, host: str) -> None:
    others = {header: value for other, header, value in HEADERS if other != name}
    for model in (None, *(model for model, _ in MODELS)):
        assert found(host, model, **others) == Recognised(name, "host", host)


def test_a_header_wins_over_the_model() -> None:
    assert found(model="openrouter/auto", x_groq_region="us") == Recognised("groq", "header", "x-groq-region")


def test_of_several_headers_that_of_the_gateway_counts() -> None:
    passed_on = {"openai_processing_ms": "12", "cf_aig_log_id": "a"}
    assert found(**passed_on) == Recognised("cloudflare", "header", "cf-aig-log-id")


def test_headers_that_contradict_each_other_name_nobody() -> None:
    assert found(model="openrouter/auto", x_groq_region="us", openai_processing_ms="12") is None
    assert found(x_litellm_version="1", cf_aig_log_id="a") is None


def _refusals(*edits: Edit, profile: str | None = None) -> list[str]:
    """The messages about `n`, which Groq refuses."""
    at = put("/0/request/url", "http://llm.example.com/v1/chat/completions")
    changed = Example("openai-chat/call", (at, put("/0/request/body/n", 2), *edits)).exchanges()
    return [each.message for each in check(changed, profile=profile) if each.pointer == "/n"]


def test_an_exchange_is_judged_by_the_profile_that_is_recognised() -> None:
    assert not _refusals()
    assert _refusals(put("/0/response/headers/x-groq-region", "us"))
    assert _refusals(put("/0/request/body/model", "groq/compound"))


def test_a_chosen_profile_wins_over_what_is_recognised() -> None:
    assert not _refusals(put("/0/response/headers/x-groq-region", "us"), profile="litellm")


def test_a_client_that_speaks_to_one_provider_names_it_where_no_host_and_no_header_does() -> None:
    agent = "mistral-client-python/3.7.0"
    named = Recognised("mistral", "client", agent)
    assert recognised("llm.example.com", Headers(()), lambda: "openrouter/auto", agent) == named
    assert recognised("reference.localhost", Headers(()), lambda: None, agent) == named  # it plays the provider
    for host, headers, provider in (
        ("api.groq.com", (), "groq"),
        ("llm.example.com", (("x-groq-region", "us"),), "groq"),
        ("llm.example.com", (), None),
    ):
        found = recognised(host, Headers(headers), lambda: None, agent if provider else "python-httpx/0.28")
        assert (found and found.provider) == provider


@pytest.mark.parametrize(
    ("member", "provider"), [("prompt_logprobs", "vllm"), ("timings", "llama-cpp"), ("usage", None)]
)
def test_a_member_of_the_reply_names_a_server_that_has_no_host_of_its_own(member: str, provider: str | None) -> None:
    reply = {"id": "chatcmpl-1", member: None}
    found = recognised("llm.example.com", Headers(()), lambda: None, reply=lambda: reply)
    assert (found and found.provider) == provider
    gateway = recognised("llm.example.com", Headers([("x-litellm-version", "1.0")]), lambda: None, reply=lambda: reply)
    assert gateway is not None
    assert gateway.provider == "litellm"
    assert recognised("llm.example.com", Headers(()), lambda: None, reply=lambda: [member]) is None


def test_the_profile_of_the_server_that_the_reply_names_is_that_of_the_judgement() -> None:
    at = put("/0/request/url", "http://10.0.0.7:8000/v1/chat/completions")
    empty = put("/0/response/body/choices/0/message/tool_calls", [])

    def severities(*edits: Edit) -> list[str]:
        found = check(Example("openai-chat/answer", (at, empty, *edits)).exchanges())
        return [str(each.severity) for each in found if each.rule == "chat-tool-calls-empty"]

    assert severities() == ["warning"]
    assert severities(put("/0/response/body/prompt_logprobs", None)) == ["info"]


@pytest.mark.parametrize(
    ("reply", "provider"),
    [
        ({"system_fingerprint": "3.3.4-native"}, "tgi"),
        ({"system_fingerprint": "2.1.1-sha-4dfdb48"}, "tgi"),
        ({"system_fingerprint": "fp_44709d6fcb"}, None),
        ({"system_fingerprint": None}, None),
        ({"choices": [{"index": 0, "matched_stop": None}]}, "sglang"),
        ({"choices": [{"index": 0}]}, None),
        ({"choices": []}, None),
        ({"choices": None}, None),
    ],
)
def test_a_member_names_a_server_by_its_value_or_within_the_first_choice(reply: object, provider: str | None) -> None:
    named = recognised("localhost", Headers(), reply=lambda: reply)
    assert (named and named.provider) == provider


def test_an_answer_that_shows_nothing_is_of_the_server_that_answered_before_with_the_same_model() -> None:
    at = [put(f"/{each}/request/url", "http://llm.example.com/v1/chat/completions") for each in (0, 1)]
    asked, shown = put("/1/request/body/n", 2), put("/0/response/headers/x-groq-region", "us")

    def is_refused(*edits: Edit) -> bool:
        found = check(Example("openai-chat/run", (*at, asked, *edits)).exchanges())
        return any(each.pointer == "/n" for each in found)

    assert is_refused(shown)
    assert not is_refused()
    assert not is_refused(shown, put("/1/request/url", "http://other.example.com/v1/chat/completions"))
    assert not is_refused(shown, put("/1/request/body/model", "another"))
