"""Where a printed example of the prompted fallback parts from its project (misconceptions.md), a rule says so."""

from __future__ import annotations

from typing import Any

import pytest

from conformance.dialects.prompted.parse import parse
from conformance.judge.checker import check
from conformance.model.transcript import ToolCall
from tests.written import run_of

CALL = (
    '<function_call>\n{\n  "name": "getTime",\n  "arguments": {\n    "offset_ms": -86400000\n  }\n}\n</function_call>'
)
SYSTEM = f"""You can use this tool:

function getTime(offset_ms: number): number
The time in milliseconds, moved by an offset.

To use it, write:
{CALL}"""
ASKED: list[Any] = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": "하루 전의 시각은?"}]
RECORD = (
    '<function_call>{"function_call_record": '
    '{"name": "getTime", "arguments": {"offset_ms": -86400000}, "response": 1}}</function_call>'
)


def rules(*exchanges: tuple[list[Any], str]) -> list[tuple[str, str]]:
    return [(finding.rule, str(finding.severity)) for finding in check(run_of("prompted", *exchanges))]


@pytest.mark.statement("D10")
def test_d10_the_flat_shape_is_fine() -> None:
    answered = [*ASKED, {"role": "assistant", "content": CALL}, {"role": "user", "content": RECORD}]
    assert rules((ASKED, CALL), (answered, "하루 전입니다.")) == []


@pytest.mark.statement("D09")
def test_d09_prose_before_the_tag() -> None:
    assert rules((ASKED, f"시각을 찾아볼게요.\n\n{CALL}")) == [("prompted-text-around-call-unexpected", "warning")]


@pytest.mark.statement("D11")
def test_d11_a_bare_result_in_the_voice_of_the_model() -> None:
    reported = [*ASKED, {"role": "assistant", "content": f"{CALL}\n\n나온 값은 1684713600000"}]
    assert rules((ASKED, CALL), (reported, "하루 전입니다.")) == [("prompted-result-record-missing", "warning")]


@pytest.mark.statement("D11")
def test_d11_a_bare_result_in_the_voice_of_the_user() -> None:
    reported = [*ASKED, {"role": "assistant", "content": CALL}, {"role": "user", "content": "나온 값은 1684713600000"}]
    assert rules((ASKED, CALL), (reported, "하루 전입니다.")) == [("prompted-result-record-missing", "warning")]


@pytest.mark.statement("D12")
def test_d12_every_tag_counts_and_the_last_one_need_not_be_closed() -> None:
    made = parse(f"{CALL}\n{CALL}\n{CALL.removesuffix('</function_call>')}")
    assert [part.name for part in made if isinstance(part, ToolCall)] == ["getTime"] * 3


@pytest.mark.statement("D12")
def test_d12_an_unclosed_block_is_named() -> None:
    assert rules((ASKED, CALL.removesuffix("\n</function_call>"))) == [("prompted-tags-unclosed", "warning")]
