"""Where a widely read walk-through of Llama's tool calling leaves the wire (misconceptions.md, D22 to D28).

Each exchange is made anew: only the fault is the walk-through's. The rule that names it has to fire, at its severity.
"""

from pathlib import Path

import pytest

from conformance.judge.checker import check
from conformance.judge.proofs.example import Edit, Example, change, drop, example, put
from conformance.matrix.replay import replay
from conformance.model.finding import Severity
from tests.cassettes import SHIPPED, broken, cell, in_response

FIRST, SECOND = "/0/request/body/prompt", "/1/request/body/prompt"
TEXT = "/0/response/body/choices/0/text"
IPYTHON = "<|start_header_id|>ipython<|end_header_id|>"
USER = "<|start_header_id|>user<|end_header_id|>\n\n"
_TABLE = '{"n": {"param_type": "int", "description": "How many.", "required": true}}'
_SCHEMA = '{"type": "object", "properties": {"latitude": {"type": "number"}, "longitude": {"type": "number"}}, '
_SCHEMA += '"required": ["latitude", "longitude"]}'
_SONGS: tuple[Edit, ...] = (
    change(FIRST, "Cutting", "Environment: ipython\nTools: brave_search, wolfram_alpha\nCutting"),
    change(FIRST, _SCHEMA, _TABLE),
)

SEEDS = {
    "D22 end token without bars, in the reply": (
        example("llama3-json/answer", change(TEXT, "<|eot_id|>", "<eot_id>")),
        ("llama-token-malformed", Severity.ERROR, "LLA-Q-006"),
    ),
    "D22 end token without bars, in the prompt": (
        example("llama3-builtin/answer", change(FIRST, "<|eom_id|>", "<eom_id>")),
        ("llama-token-malformed", Severity.ERROR, "LLA-Q-006"),
    ),
    "D23 a number in quotes where an integer is declared": (
        example("llama3-custom/call", *_SONGS, put(TEXT, '<function=get_weather>{"n": "5"}</function><|eot_id|>')),
        ("arguments-schema-mismatch", Severity.WARNING, "LLA-R-006"),
    ),
    "D24 a call in tags that ends as a call of an environment": (
        example("llama3-custom/call", *_SONGS, put(TEXT, '<function=get_weather>{"n": 5}</function><|eom_id|>')),
        ("llama-call-end-token-wrong", Severity.INFO, "LLA-R-008"),
    ),
    "D25 a heading before the result": (
        example("llama3-json/answer", change(FIRST, IPYTHON, f"\n\n## What the tool gave back\n{IPYTHON}")),
        ("llama-text-between-messages-unexpected", Severity.WARNING, "LLA-Q-009"),
    ),
    "D26 the system's words change between the turns": (
        example("llama3-json/run", change(SECOND, "You are a helpful assistant.", "You are a helpful helper.")),
        ("llama-earlier-message-changed", Severity.WARNING, "LLA-C-003"),
    ),
    "D26 the function is printed otherwise in the second turn": (
        example("llama3-custom/run", change(SECOND, '{"name": "get_weather", ', '{\n  "name": "get_weather",\n  ')),
        ("llama-earlier-message-changed", Severity.WARNING, "LLA-C-003"),
    ),
    "D27 tag, call and end token on lines of their own": (
        example(
            "llama3-builtin/search",
            change(TEXT, "<|python_tag|>", "<|python_tag|>\n"),
            change(TEXT, "<|eom_id|>", "\n<|eom_id|>"),
        ),
        ("llama-call-whitespace-unexpected", Severity.WARNING, "LLA-R-002"),
    ),
    "D27 an empty line behind a header": (
        example("llama3-builtin/answer", change(FIRST, USER, f"{USER}\n")),
        ("llama-message-frame-malformed", Severity.WARNING, "LLA-Q-002"),
    ),
}


@pytest.mark.statement("D22", "D23", "D24", "D25", "D26", "D27")
@pytest.mark.parametrize("name", SEEDS)
def test_a_divergence_is_named(name: str) -> None:
    made, (rule, severity, requirement) = SEEDS[name]
    found = [finding for finding in check(made.exchanges()) if finding.rule == rule]
    assert found
    assert {finding.severity for finding in found} == {severity}
    assert {(finding.cite or "").split(" ")[0] for finding in found} == {requirement}


VALID = {
    "a built-in call": example("llama3-builtin/search-run"),
    "a call in JSON, result in an envelope": example(
        "llama3-json/run", change(SECOND, '{"temperature": 14.2}', '{"output": "Sunny, 14.2 °C"}')
    ),
    "a result that is cut short and no JSON": example(
        "llama3-builtin/search-run", change(SECOND, "From 17:30", '{"hits": [{"title": "Hours"}, ...]} From 17:30')
    ),
    "tokens of the sentence's own": example("llama3-json/answer", change(TEXT, "14.2", "x < 14.2 | y > 2")),
    "no begin token, the server adds it": example(
        "llama3-json/call", change(FIRST, "<|begin_of_text|>", ""), drop("/0/request/body/add_special_tokens")
    ),
}


@pytest.mark.parametrize("name", VALID)
def test_what_is_legal_stays_silent(name: str) -> None:
    made: Example = VALID[name]
    assert check(made.exchanges()) == []


@pytest.mark.statement("D28")
def test_d28_an_answer_that_is_not_the_tools_is_found(tmp_path: Path) -> None:
    weather = cell("weather-llama3-json-openai-sync")
    assert (SHIPPED / weather.relative_path).is_file()
    verdict = replay(weather, broken(weather, tmp_path, in_response(1, "14.2", "21.0")))
    assert "answer-fact-missing" in {finding.rule for finding in verdict.findings}
