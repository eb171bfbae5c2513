"""Targets: data that holds together, endpoints made of them, and errors with what to do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from conformance.campaign.target_endpoint import NO_KEY, dialects_of, endpoint_of, header_of
from conformance.campaign.targets import Target, all_targets, known_targets, target_called
from conformance.drivers import all_drivers
from conformance.errors import ConformanceError
from conformance.judge.quirks import all_quirks
from conformance.matrix.cells import Cell, all_cells
from conformance.matrix.record import capture_run
from conformance.model.data_files import data_dir
from conformance.model.registry import all_dialects, path_of
from conformance.profiles.profiles import all_profiles
from conformance.profiles.recognition import provider_of
from tests.foreign import foreign

WANTED = [
    "openai",
    "anthropic",
    "google",
    "vertex",
    "azure-openai",
    "mistral",
    "groq",
    "deepseek",
    "xai",
    "openrouter",
    "together",
    "fireworks",
    "ollama",
    "vllm",
    "sglang",
    "llama-cpp",
    "lm-studio",
    "litellm",
]
KEYS = {
    "AZURE_OPENAI_ENDPOINT": "https://team.openai.azure.com",
    "GOOGLE_CLOUD_PROJECT": "a-project",
    **{target.api_key_env: "tp-0123456789-secret" for target in all_targets().values() if target.api_key_env},
}


def test_the_targets_that_ship_fit_their_schema() -> None:
    schema = json.loads((data_dir("specs") / "targets.schema.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    document = yaml.safe_load((data_dir("specs") / "targets.yaml").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator(schema).validate(document)


@pytest.mark.parametrize("name", WANTED)
def test_a_target_that_ships_can_be_driven_in_each_of_its_dialects(name: str) -> None:
    target = target_called(name, all_targets())
    assert target.models
    for dialect in target.models:
        made = endpoint_of(target, dialect, model=target.models[dialect] or "some-model", environ=KEYS)
        assert made.provenance == ("live" if made.origin.startswith("https://") else "local")
        assert not made.origin.endswith("/")
        assert any(driver.dialect == dialect for driver in all_drivers())


def test_the_reference_server_has_a_model_for_each_dialect_that_a_driver_speaks() -> None:
    models = all_targets()["reference"].models
    assert set(models) == {driver.dialect for driver in all_drivers()}
    assert all(models[name] == dialect.reference_model for name, dialect in all_dialects().items() if name in models)


def test_quirks_name_targets() -> None:
    assert {quirk.provider for quirks in all_quirks().values() for quirk in quirks} <= set(all_profiles())


@pytest.mark.parametrize(
    ("host", "name"),
    [
        ("api.openai.com", "openai"),
        ("team.openai.azure.com", "azure-openai"),
        ("europe-west4-aiplatform.googleapis.com", "vertex"),
        ("api.deepseek.com", "deepseek"),
        ("127.0.0.1", None),
        ("notopenai.com", None),
    ],
)
def test_who_answers_at_a_host(host: str, name: str | None) -> None:
    assert provider_of(host) == name


@pytest.mark.parametrize(
    ("name", "dialect", "origin", "root"),
    [
        ("openai", "openai-chat", "https://api.openai.com", None),
        ("groq", "openai-chat", "https://api.groq.com", "/openai/v1"),
        ("deepseek", "anthropic-messages", "https://api.deepseek.com", "/anthropic/v1"),
        ("azure-openai", "openai-responses", "https://team.openai.azure.com", "/openai/v1"),
        (
            "vertex",
            "gemini",
            "https://aiplatform.googleapis.com",
            "/v1/projects/a-project/locations/global/publishers/google",
        ),
    ],
)
def test_where_a_target_answers(name: str, dialect: str, origin: str, root: str | None) -> None:
    made = endpoint_of(all_targets()[name], dialect, model="m", environ=KEYS)
    assert (made.origin, made.root) == (origin, root)


@pytest.mark.parametrize(
    ("base_url", "origin", "root"),
    [
        ("http://127.0.0.1:8000", "http://127.0.0.1:8000", None),
        ("http://127.0.0.1:8000/v1", "http://127.0.0.1:8000", "/v1"),
        ("https://gateway.example/team/a", "https://gateway.example/team/a", None),
        ("https://gateway.example/team/v1beta/", "https://gateway.example", "/team/v1beta"),
    ],
)
def test_what_a_base_url_means(base_url: str, origin: str, root: str | None) -> None:
    made = endpoint_of(Target("own", base_url, {"openai-chat": "m"}), "openai-chat")
    assert (made.origin, made.root) == (origin, root)
    assert made.api_key == NO_KEY
    assert made.provenance == ("local" if "127.0.0.1" in base_url else "live")


PREFIXED = [each for each in all_cells() if each.scenario.id == "weather" and each.driver.name != "openai-websocket"]
"""The server here speaks HTTP alone."""


@pytest.mark.parametrize("cell", PREFIXED, ids=lambda cell: cell.id)
def test_every_driver_reaches_an_endpoint_below_a_path(cell: Cell, tmp_path: Path) -> None:
    with foreign() as server:
        below = Target(
            "own",
            f"{server.origin}/gate",
            {cell.dialect: "gpt-4o-mini"},
            paths={cell.dialect: "/deep/v1"},
            auth="api-key",
            headers={"x-team": "$TEAM"},
        )
        made = endpoint_of(below, cell.dialect, environ={"TEAM": "team-0123456789"})
        taken = capture_run(cell, made, tmp_path / "c.yaml")
    assert [act.error for act in taken.run.conversations] == [None]
    assert len(server.requests) == 2
    for request in server.requests:
        assert request.path.startswith(f"/gate/deep/v1{path_of(cell.dialect)}"), request.path
        assert request.headers.get("api-key") == NO_KEY
        assert request.headers.get("x-team") == "team-0123456789"
        assert not {"authorization", "x-api-key", "x-goog-api-key"} & {name.lower() for name, _ in request.headers}
    assert "team-0123456789" not in taken.cassette.text


def test_a_client_that_adds_the_version_itself_is_known() -> None:
    cell = next(each for each in all_cells() if each.id == "weather-anthropic-messages-anthropic-sync")
    target = Target("own", "http://127.0.0.1:9", {cell.dialect: "m"}, paths={cell.dialect: "/v2"})
    taken = capture_run(cell, endpoint_of(target, cell.dialect), Path("c.yaml"))
    assert "always adds /v1" in str(taken.run.conversations[0].error)


def test_a_key_that_is_missing_is_named_with_what_works_without() -> None:
    with pytest.raises(ConformanceError) as raised:
        endpoint_of(all_targets()["openai"], "openai-chat", environ={})
    assert str(raised.value).startswith("OPENAI_API_KEY is not set")
    assert "`conformance replay`" in str(raised.value)


def test_a_local_target_needs_no_key() -> None:
    assert endpoint_of(all_targets()["ollama"], "openai-chat", environ={}).api_key == NO_KEY
    assert endpoint_of(all_targets()["litellm"], "openai-chat", model="m", environ={}).api_key == NO_KEY


def test_a_key_that_is_asked_for_by_name_is_needed_even_locally() -> None:
    with pytest.raises(ConformanceError, match="MY_KEY is not set"):
        endpoint_of(all_targets()["ollama"], "openai-chat", api_key_env="MY_KEY", environ={})


def test_the_secrets_are_the_key_and_the_headers_that_come_out_of_variables_or_are_named_so() -> None:
    headers = {"x-a": "a $B c", "x-env": "production", "x-api-key": "written out"}
    target = Target("own", "https://own.example", {"gemini": "m"}, api_key_env="K", headers=headers)
    assert endpoint_of(target, "gemini", environ={"K": "key", "B": "b"}).secrets == ("key", "a b c", "written out")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("localhost:8000", "is not an http or https URL"),
        ("ftp://host", "is not an http or https URL"),
        ("http://host:port", "is not a URL"),
        ("http://[::1", "is not a URL"),
        ("http://user:word@host", "contains credentials"),
        ("http://host/v1?key=1", "has a query or a fragment"),
        ("http://host/v1/chat/completions", "remove /chat/completions"),
        ("$NOWHERE", "NOWHERE is not set"),
    ],
)
def test_a_base_url_that_is_none(url: str, message: str) -> None:
    with pytest.raises(ConformanceError) as raised:
        endpoint_of(Target("own", url, {"openai-chat": "m"}), "openai-chat", environ={})
    assert message in str(raised.value)
    assert "word" not in str(raised.value)


@pytest.mark.parametrize("text", ["no colon", ": word", "a b: word", "x: a\nword"])
def test_a_header_that_is_none_is_not_shown(text: str) -> None:
    with pytest.raises(ConformanceError) as raised:
        header_of(text)
    assert text not in str(raised.value)
    assert "word" not in str(raised.value)


def test_a_dialect_that_a_target_does_not_speak() -> None:
    with pytest.raises(ConformanceError, match="does not support gemini, only openai-chat, openai-responses"):
        dialects_of(all_targets()["groq"], ["gemini"], None)


def test_a_dialect_that_rides_is_spoken_when_it_is_wanted() -> None:
    vllm = all_targets()["vllm"]
    assert dialects_of(vllm, (), None) == ("openai-chat", "openai-responses", "anthropic-messages")
    assert dialects_of(vllm, ["qwen3", "prompted"], "m") == ("qwen3", "prompted")
    made = endpoint_of(all_targets()["groq"], "prompted", model="m", environ=KEYS)
    assert made.root == "/openai/v1"


GOOD: dict[str, Any] = {"base_url": "https://own.example", "models": {"openai-chat": "m"}}


def write(folder: Path, document: Any) -> str:
    path = folder / "own.yaml"
    path.write_text(document if isinstance(document, str) else yaml.safe_dump(document), encoding="utf-8")
    return str(path)


def test_targets_of_ones_own_are_added_and_go_first(tmp_path: Path) -> None:
    file = write(tmp_path, {"targets": {"mine": GOOD, "openai": GOOD}})
    known = known_targets([file])
    assert known["mine"].models == {"openai-chat": "m"}
    assert known["openai"].base_url == "https://own.example"
    assert known["groq"] == all_targets()["groq"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("targets:\n  own:\n    base_uri: https://x\n", ":3:5: targets.own: unknown key `base_uri`; did you mean"),
        ("targets:\n  own: {base_url: 'ftp://x', models: {gemini: m}}\n", ":2:19: targets.own.base_url"),
        ("targets:\n  own:\n    base_url: https://x\n    models: {gemnii: m}\n", ":4:14: own: unknown dialect"),
        ("targets:\n  own: {models: {gemini: m}}\n", ":2:3: own: base_url is missing"),
        ("targets:\n  own: {base_url: 'https://x'}\n", ":2:3: own: `models` names no dialect"),
        (
            "targets:\n  own:\n    base_url: https://x\n    models: {gemini: m}\n    provenance: reference\n",
            ":5:5: own: provenance `reference` is reserved",
        ),
        ("targets: [\n", "invalid YAML"),
        ("- a\n", ":1:"),
    ],
)
def test_a_file_of_targets_that_is_wrong_has_its_place(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(ConformanceError) as raised:
        known_targets([write(tmp_path, text)])
    assert message in str(raised.value)


def test_a_file_of_targets_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConformanceError, match="pass a readable targets file"):
        known_targets([str(tmp_path / "none.yaml")])


def test_a_name_that_is_nearly_right() -> None:
    with pytest.raises(ConformanceError, match="did you mean 'groq'"):
        target_called("grok-", all_targets())


def test_every_dialect_with_an_endpoint_has_the_end_of_its_paths() -> None:
    for driver in all_drivers():
        assert path_of(driver.dialect)
    assert path_of("qwen3") == "/completions"
    assert path_of("prompted") == "/chat/completions"
    assert all(path_of(name) == path_of(each.host) for name, each in all_dialects().items() if each.host)
