"""`history` on findings in Parquet: rates, first and last seen, what began with a deployment; and its large tests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from conformance.commands import app
from conformance.diff.drift import significance
from conformance.diff.drift.significance import Share, share_test
from tests.scale.local import check, without_ray

pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pytest.importorskip("duckdb", reason="duckdb is not installed")
__all__ = ["without_ray"]
pytestmark = pytest.mark.usefixtures("without_ray")
_DAYS = [f"2026-11-{day:02}" for day in range(20, 27)]


def exchange(conversation: str, *, faulty: bool, client: str) -> str:
    answer: dict[str, Any] = {"id": "x", "object": "chat.completion", "created": 1, "model": "gpt-5", "choices": []}
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Hi"}}
    body = {**answer, "choices": "none" if faulty else [choice]}
    return json.dumps({
        "conversation": conversation,
        "request": {
            "method": "POST",
            "url": "https://api.openai.com/v1/chat/completions",
            "headers": {"user-agent": f"OpenAI/Python {client}"},
            "body": {"model": "gpt-5", "messages": [{"role": "user", "content": "Hi"}]},
        },
        "response": {"status": 200, "headers": {"content-type": "application/json"}, "body": body},
    })  # fmt: skip


@pytest.fixture
def findings(tmp_path: Path) -> Path:
    """A week in which a fault comes with the last day, in one version of the client."""
    for day in _DAYS:
        (tmp_path / "in" / day).mkdir(parents=True)
        lines = [
            exchange(f"{day}{client}{n}", faulty=day == _DAYS[-1] and client == "2.2.0" and n % 2 == 0, client=client)
            for client in ("2.1.0", "2.2.0")
            for n in range(30)
        ]
        (tmp_path / "in" / day / "log.jsonl").write_text("\n".join(lines))
    assert check(tmp_path / "in", "--engine", "ray", "--findings", tmp_path / "out").exit_code == 1
    return tmp_path / "out"


def history(*words: str | Path) -> Any:
    result = CliRunner().invoke(app, ["history", *map(str, words)])
    assert result.exit_code == 0, result.output
    return result.output


def test_what_began_with_the_deployment_of_yesterday_is_named(findings: Path) -> None:
    found = json.loads(history(findings, "--format", "json"))
    assert found["days"] == _DAYS
    assert (found["conversations"], found["undated"]) == (420, 0)
    worst = next(each for each in found["rates"] if each["severity"] == "error")
    assert (worst["provider"], worst["model"], worst["client"]) == ("openai", "gpt-5", "OpenAI/Python 2.2.0")
    assert (worst["with_findings"], worst["conversations"], worst["first"], worst["last"]) == (15, 210, *_DAYS[-1:] * 2)
    change = next(each for each in found["changes"] if each["message"].startswith(worst["rule"]))
    assert (change["before"], change["first"], change["last"]) == (_DAYS[-2], _DAYS[-1], None)
    assert change["cells"] == ["openai-chat openai gpt-5 OpenAI/Python 2.2.0"]
    assert change["shares"] == [0] * 6 + [0.25]


def test_every_format_shows_the_changes_and_the_rates(findings: Path) -> None:
    for form, expected in (("text", "began on the last day"), ("markdown", "| rule | severity"), ("html", "<polyline")):
        assert expected in history(findings, "--format", form)
    assert "0 changes" not in history(findings, "--since", _DAYS[-1])


def test_a_folder_without_a_day_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text(exchange("c", faulty=True, client="1"))
    check(path, "--engine", "ray", "--findings", tmp_path / "out")
    result = CliRunner().invoke(app, ["history", str(tmp_path / "out")])
    assert (result.exit_code, "nothing has a day" in result.output) == (2, True)


@pytest.mark.parametrize(
    "strata",
    [
        [Share(40, 4000, 70, 4000)],
        [Share(300, 3000, 290, 3000), Share(10, 2000, 30, 2500)],
        [Share(0, 5000, 9, 5000)],
    ],
)
def test_the_test_of_very_many_samples_agrees_with_the_exact_one(
    strata: list[Share], monkeypatch: pytest.MonkeyPatch
) -> None:
    exact, least = share_test(strata)
    monkeypatch.setattr(significance, "_LARGE", 0)
    normal, least_normal = share_test(strata)
    assert exact / 2.5 < normal < exact * 2.5
    assert least_normal < 1e-9 > least or least_normal == pytest.approx(least, abs=0.01)
