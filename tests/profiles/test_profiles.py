"""Profiles: what is known of providers, as data; chosen by host, by name, or as a file of one's own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner

from conformance.commands import app
from conformance.contract import check as violations
from conformance.contract.profile_rows import node_of
from conformance.errors import ConformanceError
from conformance.judge.checker import check
from conformance.judge.chosen_profile import chosen_profile
from conformance.judge.proofs.example import Edit, Example, put
from conformance.model.data_files import data_dir, dateless, load_yaml
from conformance.model.finding import Finding, Severity
from conformance.profiles import profiles
from conformance.profiles.profiles import Profile, all_profiles

BODY = "/0/request/body"
SHIPPED = sorted((data_dir("specs") / "profiles").glob("*.yaml"))
HOSTS = {name: profile.hosts[0].replace("*", "one") for name, profile in all_profiles().items() if profile.hosts}


@pytest.fixture(autouse=True)
def _no_own_profiles(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(profiles, "_ADDED", {})


def judged(
    *edits: Edit, base: str = "openai-chat/call", status: int = 400, profile: str | None = None
) -> list[Finding]:
    """The findings about the request of an example that was answered with a status."""
    failed = [put("/0/response/status", status), put("/0/response/body", {"error": {"message": "no"}})]
    exchanges = Example(base, (*edits, *(failed if status >= 400 else ()))).exchanges()
    return [each for each in check(exchanges, profile=profile) if each.side == "request"]


def at(url: str) -> Edit:
    return put("/0/request/url", url)


def reported(findings: list[Finding], pointer: str) -> list[tuple[str, Severity]]:
    return [(each.rule, each.severity) for each in findings if each.pointer == pointer]


@pytest.mark.parametrize("file", SHIPPED, ids=lambda file: file.stem)
def test_a_shipped_profile_fits_the_schema_and_would_do_as_a_file_of_ones_own(file: Path) -> None:
    schema = json.loads((data_dir("specs") / "profile.schema.json").read_text(encoding="utf-8"))
    jsonschema.validate(dateless(load_yaml(f"profiles/{file.name}")), schema)
    assert chosen_profile(str(file)).name == file.stem


@pytest.mark.parametrize("name", [name for name, profile in all_profiles().items() if profile.generations])
def test_a_generation_has_its_example_and_evidence(name: str) -> None:
    for generation in all_profiles()[name].generations.values():
        assert re.search(generation.models, generation.example)
        assert generation.evidence
        assert set(generation.providers) <= all_profiles().keys()


def forbidden(schema: dict[str, Any]) -> Any:
    """A value that the schema does not allow; None where only its type is."""
    bounds: dict[str, Any] = next(
        (each for each in schema.get("anyOf", [schema]) if "minimum" in each or "maximum" in each), {}
    )
    if bounds:
        return bounds["maximum"] + 1 if "maximum" in bounds else bounds["minimum"] - 1
    return "xhigh" if "enum" in schema or "properties" in schema else None


def refusals() -> list[tuple[str, dict[str, Any]]]:
    return [
        (name, dict(entry))
        for name, profile in all_profiles().items()
        for entry in profile.deviations.get("openai-chat", ())
        if "unsupported" in entry
        or (re.match(r"request .*/\w+$", entry["at"]) and forbidden(entry.get("allows", {})) is not None)
    ]


@pytest.mark.statement("ANY-137")
@pytest.mark.parametrize(("name", "entry"), refusals(), ids=lambda each: str(each)[:40])
def test_what_a_provider_refuses_is_reported_there_and_nowhere_else(name: str, entry: dict[str, Any]) -> None:
    place = entry["at"].removeprefix("request ").replace("*:user", "0").replace("*:assistant", "1")
    place = place.removesuffix(":json_schema")
    model = next((each for each in MODELS if re.match(entry.get("model") or "$", each)), "m")
    value: Any = VALUES.get(place.rpartition("/")[2], "x") if "unsupported" in entry else forbidden(entry["allows"])
    url = f"https://{HOSTS[name]}/v1/chat/completions" if name in HOSTS else NOWHERE
    chosen = None if name in HOSTS else name
    edits = (put(f"{BODY}/model", model), put(f"{BODY}{place}", value))
    here = judged(at(url), *edits, base="openai-chat/answer", profile=chosen)
    elsewhere = judged(at(NOWHERE), *edits, base="openai-chat/answer")
    cited = [each for each in here if (each.cite or "").startswith("ANY-137 ") and each.pointer == place]
    assert max(each.severity for each in cited) == Severity[entry.get("severity", "error").upper()]
    assert cited[0].fix
    assert not [each for each in elsewhere if (each.cite or "").startswith("ANY-137 ")]
    accepted = judged(at(url), *edits, base="openai-chat/answer", status=200, profile=chosen)
    assert {each.severity for each in accepted if (each.cite or "").startswith("ANY-137 ")} == {Severity.WARNING}


NOWHERE = "http://127.0.0.1:9/v1/chat/completions"
MODELS = (
    *("grok-4", "MiniMax-M2.7", "grok-code-fast-1", "grok-3-mini", "meta-llama/llama-guard-4-12b", "deepseek-reasoner"),
    *("kimi-k2.5", "kimi-k2.6", "google/gemini-2.5-flash"),
)
VALUES: dict[str, Any] = {
    "max_completion_tokens": 5,
    "seed": 5,
    "logit_bias": {"1": 2},
    "service_tier": "auto",
    "store": False,
    "modalities": ["text"],
    "web_search_options": {},
    "verbosity": "low",
    "logprobs": True,
    "top_logprobs": 2,
    "n": 9,
    "tool_choice": {"type": "function", "function": {"name": "add"}},
    "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": {}}},
    "frequency_penalty": 1,
    "presence_penalty": 1,
    "metadata": {"a": "b"},
    "reasoning_effort": "xhigh",
    "tools": [{"type": "function", "function": {"name": "f"}}],
    "stop": "x",
}


def test_a_chosen_profile_stands_for_the_host() -> None:
    edits = (at(NOWHERE), put(f"{BODY}/seed", 5))
    assert reported(judged(*edits), "/seed") == []
    assert reported(judged(*edits, profile="mistral"), "/seed") == [("chat-request-field-unknown", Severity.ERROR)]


def test_a_generation_stands_for_the_model() -> None:
    edits = (put(f"{BODY}/model", "my-deployment"), put(f"{BODY}/temperature", 0))
    assert reported(judged(*edits), "/temperature") == []
    found = reported(judged(*edits, profile="openai/fixed-sampling"), "/temperature")
    assert found == [("chat-request-value-out-of-range", Severity.ERROR)]


def test_what_the_upstream_of_a_gateway_asks_for_is_a_warning() -> None:
    gateway = at("https://openrouter.ai/api/v1/chat/completions")
    edits = (gateway, put(f"{BODY}/model", "openai/gpt-5-mini"), put(f"{BODY}/temperature", 0))
    refused, accepted = judged(*edits), judged(*edits, status=200)
    assert reported(refused, "/temperature") == [("chat-request-value-out-of-range", Severity.WARNING)]
    assert reported(accepted, "/temperature") == [("chat-request-value-out-of-range", Severity.INFO)]
    [message] = [each.message for each in refused if each.pointer == "/temperature"]
    assert message.endswith("(by openai, behind openrouter)")
    assert reported(judged(gateway, put(f"{BODY}/model", "openai/gpt-4o"), *edits[2:]), "/temperature") == []


def test_a_gateway_translates_some_parameters_and_has_its_own() -> None:
    gateway = at("https://openrouter.ai/api/v1/chat/completions")
    edits = (put(f"{BODY}/model", "openai/gpt-5-mini"), put(f"{BODY}/max_tokens", 9), put(f"{BODY}/plugins", []))
    found = judged(gateway, *edits)
    assert reported(found, "/max_tokens") == []
    assert reported(found, "/plugins") == []


def test_an_upstream_looks_into_ids() -> None:
    gateway = at("https://openrouter.ai/api/v1/chat/completions")
    found = judged(gateway, put(f"{BODY}/model", "mistralai/mistral-small"), base="openai-chat/answer")
    assert ("tool-call-id-unsupported", Severity.WARNING) in [(each.rule, each.severity) for each in found]


OWN = """\
about: Our gateway.
deviations:
  openai-chat:
    - at: request /metadata
      unsupported: the header `x-metadata`
      evidence: our documentation
    - at: request /n
      allows: {type: integer, minimum: 1, maximum: 1}
      evidence: our documentation
quirks:
  - rule: usage-empty
    severity: info
    evidence: it never counts
"""


def test_a_profile_of_ones_own_is_a_file(tmp_path: Path) -> None:
    file = tmp_path / "ours.yaml"
    file.write_text(OWN, encoding="utf-8")
    found = judged(at(NOWHERE), put(f"{BODY}/metadata", {}), put(f"{BODY}/n", 2), profile=str(file))
    assert reported(found, "/metadata") == [("chat-request-field-unknown", Severity.ERROR)]
    assert reported(found, "/n") == [("chat-request-value-out-of-range", Severity.ERROR)]


def test_bounds_can_be_excluded_and_fields_go_together_only_with_some_values(tmp_path: Path) -> None:
    file = tmp_path / "bounds.yaml"
    file.write_text(BOUNDS, encoding="utf-8")

    def at_place(place: str, **sent: Any) -> list[tuple[str, Severity]]:
        edits = (put(f"{BODY}/{name}", value) for name, value in sent.items())
        return reported(judged(at(NOWHERE), *edits, profile=str(file)), place)

    out_of_range = [("chat-request-value-out-of-range", Severity.ERROR)]
    assert [at_place("/top_p", top_p=each) for each in (0, 1, 1.1)] == [out_of_range, [], out_of_range]
    assert [at_place("/temperature", temperature=each) for each in (0, 1.9, 2)] == [[], [], out_of_range]
    assert at_place("/n", n=1) == []
    assert at_place("/n", n=2) == [("chat-request-fields-conflicting", Severity.WARNING)]
    assert at_place("/verbosity", verbosity="high", stream=True) == []
    assert at_place("/verbosity", verbosity="low") == []
    assert at_place("/verbosity", verbosity="high") == [("chat-request-field-orphaned", Severity.ERROR)]


BOUNDS = """\
about: Our gateway.
deviations:
  openai-chat:
    - at: request /top_p
      allows: {type: number, exclusiveMinimum: 0, maximum: 1}
      evidence: our documentation
    - at: request /temperature
      allows: {type: number, minimum: 0, exclusiveMaximum: 2}
      evidence: our documentation
    - at: request /
      excludes: [messages, {field: n, over: 1}]
      severity: warning
      evidence: our documentation
    - at: request /
      needs: [{field: verbosity, is: [high]}, {field: stream, is: [true]}]
      evidence: our documentation
    - at: request /seed
      ignored: ''
      default: 7
      evidence: our documentation
"""


def test_a_field_without_effect_is_an_info_unless_it_asks_for_nothing(tmp_path: Path) -> None:
    file = tmp_path / "bounds.yaml"
    file.write_text(BOUNDS, encoding="utf-8")
    for value in (None, 7):
        assert reported(judged(at(NOWHERE), put(f"{BODY}/seed", value), profile=str(file)), "/seed") == []
    (found,) = [
        each for each in judged(at(NOWHERE), put(f"{BODY}/seed", 5), profile=str(file)) if each.pointer == "/seed"
    ]
    assert (found.severity, found.message) == (Severity.INFO, "`seed` has no effect at bounds")


def test_of_two_profiles_with_one_file_name_each_call_uses_its_own(tmp_path: Path) -> None:
    one, other = tmp_path / "one" / "ours.yaml", tmp_path / "other" / "ours.yaml"
    for file, text in ((one, OWN), (other, OWN.replace("request /metadata", "request /user"))):
        file.parent.mkdir()
        file.write_text(text, encoding="utf-8")
    edits = at(NOWHERE), put(f"{BODY}/metadata", {}), put(f"{BODY}/user", "x")
    unknown = ("chat-request-field-unknown", Severity.ERROR)
    for _ in range(2):
        assert reported(judged(*edits, profile=str(one)), "/metadata") == [unknown]
        assert reported(judged(*edits, profile=str(one)), "/user") == []
        assert reported(judged(*edits, profile=str(other)), "/metadata") == []
        assert reported(judged(*edits, profile=str(other)), "/user") == [unknown]


@pytest.mark.parametrize(
    ("old", "new", "place", "message"),
    [
        ("about: Our gateway.", "abuot: Our gateway.", "1:1", "did you mean `about`"),
        ("openai-chat:", "openai-chatt:", "3:3", "unknown dialect"),
        ("request /metadata", "request /metadatas/x", "4:11", "the request of openai-chat has no /metadatas/x"),
        ("request /metadata", "event /metadata", "4:11", "openai-chat has no event"),
        ("request /metadata", "/metadata", "4:11", "at"),
        ("rule: usage-empty", "rule: usage-emty", "11:11", "unknown rule"),
        ("severity: info", "severity: low", "12:15", "severity"),
        ("maximum: 1}\n", "maximum: 1}\n      model: '('\n", "9:14", "not a regular expression"),
        ("evidence: it never", "evidenc: it never", "13:5", "did you mean `evidence`"),
    ],
)
def test_a_mistake_in_a_profile_is_reported_with_its_place(
    tmp_path: Path, old: str, new: str, place: str, message: str
) -> None:
    file = tmp_path / "ours.yaml"
    file.write_text(OWN.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ConformanceError) as caught:
        chosen_profile(str(file))
    assert f"ours.yaml:{place}: " in str(caught.value)
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("given", "hint"),
    [
        ("mistrall", "did you mean `mistral`"),
        ("google/up-to-2", "did you mean `up-to-2.5`"),
        ("none.yaml", "none.yaml"),
    ],
)
def test_a_profile_that_does_not_exist_is_a_usage_error(given: str, hint: str, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("", encoding="utf-8")
    result = CliRunner().invoke(app, ["check", str(tmp_path / "a.jsonl"), "--profile", given])
    assert result.exit_code == 2
    assert hint in result.output


def test_several_processes_judge_by_the_chosen_profile(tmp_path: Path) -> None:
    file = tmp_path / "ours.yaml"
    file.write_text(OWN, encoding="utf-8")
    line = {
        "request": {
            "method": "POST",
            "url": NOWHERE,
            "headers": {},
            "body": {"model": "m", "messages": [{"role": "user", "content": "Hi"}], "metadata": {}},
        },
        "response": {"status": 400, "headers": {}, "body": {"error": {"message": "no"}}},
    }
    (tmp_path / "a.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    reports = [
        json.loads(
            CliRunner()
            .invoke(app, ["check", str(tmp_path / "a.jsonl"), "--profile", str(file), "--format", "json", "-j", jobs])
            .stdout
        )
        for jobs in ("1", "2")
    ]
    assert reports[0] == reports[1]
    assert "/metadata" in [each["pointer"] for each in reports[0]["findings"]]


def test_the_list_shows_every_profile_with_its_generations() -> None:
    shown = CliRunner().invoke(app, ["list", "--profiles"]).output
    assert {line.split()[0] for line in shown.splitlines() if not line.startswith(" ")} == all_profiles().keys()
    assert "google/up-to-2.5" in shown


def test_json_schema_becomes_rows_of_a_contract() -> None:
    schema = {
        "anyOf": [
            {"properties": {"type": {"const": "a"}, "n": {"type": "integer", "maximum": 2}}, "required": ["n"]},
            {"properties": {"type": {"const": "b"}, "s": {"type": "string", "minLength": 1}}},
        ]
    }
    node = node_of(schema)
    assert [each.kind for each in violations(node, {"type": "a", "n": 3}, "", "request")] == ["range"]
    assert [each.kind for each in violations(node, {"type": "b", "s": ""}, "", "request")] == ["empty"]
    assert list(violations(node, {"type": "a", "n": 2}, "", "request")) == []


def test_an_unknown_profile_has_no_upstream() -> None:
    assert Profile("p", "made up").upstream_of("openai/gpt-4o") is None
