"""The matrix fits the terminal, and colors follow NO_COLOR and FORCE_COLOR."""

from __future__ import annotations

import io

import click
import pytest

from conformance.commands.common.matrix import print_matrix
from conformance.matrix.cells import all_cells, why_skipped
from conformance.matrix.verdict import Verdict
from conformance.model.registry import all_dialects
from conformance.report.console import wants_color


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_no_line_of_the_matrix_is_wider_than_the_terminal(columns: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    out = Terminal()
    cells = all_cells()
    print_matrix([], out, "replayed", planned=cells)
    table, _, _ = click.unstyle(out.getvalue()).partition("? not replayed")
    lines = table.splitlines()
    assert max(map(len, lines)) <= columns
    assert sum(line.count("?") for line in lines) == len(cells)
    tables = sum(line.startswith("scenario") for line in lines)
    assert (tables == 1) == (columns == 200)
    shown = table.replace("\n", " ").split()
    assert {each.partition("-")[0] for each in all_dialects()} - {"mcp"} <= set(shown)


@pytest.mark.parametrize(
    ("environment", "terminal", "colored"),
    [
        ({}, True, True),
        ({}, False, False),
        ({"NO_COLOR": "1"}, True, False),
        ({"FORCE_COLOR": "1"}, False, True),
        ({"NO_COLOR": "1", "FORCE_COLOR": "1"}, True, False),
        ({"NO_COLOR": "", "FORCE_COLOR": ""}, True, True),
        ({"TERM": "dumb"}, True, False),
    ],
)
def test_colors_follow_the_environment(
    environment: dict[str, str], *, terminal: bool, colored: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm")
    for name in ("NO_COLOR", "FORCE_COLOR"):
        monkeypatch.delenv(name, raising=False)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert wants_color(Terminal() if terminal else io.StringIO()) is colored


def test_what_is_not_installed_looks_different_from_what_does_not_apply(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("conformance.matrix.cells.why_unavailable", lambda _: "openai is not installed")
    out = io.StringIO()
    [applies, other] = [
        next(each for each in all_cells() if bool(each.not_applicable) is wanted) for wanted in (False, True)
    ]
    skipped = [Verdict(each, each.id, [], skipped=why_skipped(each)) for each in (applies, other)]
    print_matrix(skipped, out, "replayed")
    text = out.getvalue()
    assert "⊘ not installed" in text
    assert f"\nnot installed\n  {applies.scenario.id} in {applies.dialect}: openai is not installed\n" in text
    assert f"\nnot applicable\n  {other.scenario.id} in {other.dialect}: {other.not_applicable}\n" in text
