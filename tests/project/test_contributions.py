"""Contributed results: what CI refuses, and that the shipped ones pass."""

from __future__ import annotations

from pathlib import Path

import pytest

from devtools.peers.contribution import problems
from devtools.places import ROOT
from tests.report.test_results import put, report

GOOD = (
    "kind: server\npackage: pypi:vllm\nrun: conformance run --base-url http://127.0.0.1:8000/v1 --dialect openai-chat\n"
)
PLACE = "vllm/0.33.0/2026-11-28.json"


def published(package: str, version: str) -> bool:
    return (package, version) == ("pypi:vllm", "0.33.0")


def test_the_shipped_results_pass_wherever_their_versions_are_published() -> None:
    assert list(problems(ROOT / "docs" / "results", lambda *_: True)) == []


@pytest.mark.parametrize(
    ("about", "place", "content", "wrong"),
    [
        (GOOD, PLACE, report(), None),
        (GOOD, "vllm/0.99.0/2026-11-28.json", report(), "pypi:vllm has no version 0.99.0"),
        (GOOD, PLACE, {"version": 1}, "not a JSON report of conformance"),
        (GOOD, "vllm/0.33.0/today.json", report(), "does not begin with a date"),
        ("kind: server\n", PLACE, report(), "about.yaml has no `run`"),
        (GOOD.replace("--dialect", "--dialekt"), PLACE, report(), "--dialekt"),
        (GOOD.replace("conformance run", "make reports"), PLACE, report(), "not a command that makes a report"),
    ],
)
def test_a_contribution_is_refused_with_what_to_change(
    about: str, place: str, content: object, wrong: str | None, tmp_path: Path
) -> None:
    put(tmp_path, "vllm/about.yaml", about)
    put(tmp_path, place, content)
    found = list(problems(tmp_path, published))
    assert (found == []) if wrong is None else (wrong in found[0])


def test_only_what_changed_is_looked_up(tmp_path: Path) -> None:
    put(tmp_path, "vllm/about.yaml", GOOD)
    put(tmp_path, PLACE, report())
    put(tmp_path, "vllm/0.1.0/2024-01-01.json", report())
    assert len(list(problems(tmp_path, published))) == 1
    assert list(problems(tmp_path, published, [tmp_path / PLACE])) == []
