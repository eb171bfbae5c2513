"""Where printed examples of Qwen3's template part from the template (misconceptions.md), the named rule fires."""

from __future__ import annotations

import json

import pytest

from conformance.dialects.qwen3.prompt import NO_THOUGHT, render
from conformance.judge.checker import check
from conformance.model.transcript import Text, ToolCall, ToolDefinition, ToolResult, Turn
from tests.written import run_of

SHAPE = {
    "type": "object",
    "properties": {"latitude": {"type": "number"}, "longitude": {"type": "number"}},
    "required": ["latitude", "longitude"],
    "additionalProperties": False,
}
TOOL = ToolDefinition("get_weather", "The weather.", SHAPE, strict=True)
CALL = ToolCall(None, "get_weather", {"latitude": 37.5665, "longitude": 126.978})
NOW = {"temperature_2m": 27.9, "weather_code": 51}
ASKED = [Turn("user", (Text("지금 서울은 따뜻한가요?"),))]
FIRST = render(None, [TOOL], ASKED)
SECOND = render(
    None, [TOOL], [*ASKED, Turn("assistant", (CALL,)), Turn("tool", (ToolResult(None, None, json.dumps(NOW)),))]
)
CALLING = '<tool_call>\n{"name": "get_weather", "arguments": {"latitude": 37.5665, "longitude": 126.978}}\n</tool_call>'
ANSWER = "네, 27.9°C예요."


def rules(*exchanges: tuple[str, str]) -> list[tuple[str, str]]:
    """The rules that fire on prompts and their replies, with the severity of each."""
    run = run_of("qwen3", *exchanges)
    return [(finding.rule, str(finding.severity)) for finding in check(run)]


def test_what_the_template_makes_is_fine() -> None:
    assert rules((FIRST, CALLING), (SECOND, ANSWER)) == []


def test_the_corrected_result_of_the_second_seed_is_fine() -> None:
    assert rules((SECOND, ANSWER)) == []


@pytest.mark.statement("D30")
def test_d30_a_result_in_quotes() -> None:
    quoted = SECOND.replace(json.dumps(NOW), f'"{json.dumps(NOW)}"')
    assert rules((quoted, ANSWER)) == [("qwen3-result-quotes-unexpected", "warning")]


@pytest.mark.statement("D31")
def test_d31_a_tool_line_that_lost_fields() -> None:
    shorter = {key: value for key, value in SHAPE.items() if key != "additionalProperties"}
    lost = SECOND.replace(json.dumps(SHAPE), json.dumps(shorter)).replace(', "strict": true', "")
    assert ("qwen3-tool-line-changed", "warning") in rules((FIRST, CALLING), (lost, ANSWER))


@pytest.mark.statement("D32")
def test_d32_neither_a_think_block_nor_the_empty_one() -> None:
    bare = FIRST.removesuffix(NO_THOUGHT)
    assert rules((bare, CALLING)) == [("qwen3-think-missing", "warning")]


@pytest.mark.statement("D34")
@pytest.mark.parametrize("prompt", [FIRST, SECOND])
def test_d34_a_line_end_before_the_end_token(prompt: str) -> None:
    reported = prompt.removesuffix(f"<|im_start|>assistant\n{NO_THOUGHT}")
    longer = f"{reported}<|im_start|>assistant\n{ANSWER}\n<|im_end|>\n<|im_start|>user\n그렇군요.<|im_end|>\n"
    found = rules((f"{longer}<|im_start|>assistant\n{NO_THOUGHT}", "네."))
    assert found == [("qwen3-turn-line-end-unexpected", "warning")]
