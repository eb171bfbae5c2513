"""`conformance demo`, and its pictures in README."""

from __future__ import annotations

import re
import webbrowser
from pathlib import Path

import pytest

from devtools.pictures import FOLDER, PICTURES
from tests.program import conformance

_RULE = "tool-call-unanswered"


def test_the_demo_shows_one_finding_and_what_to_do_next(tmp_path: Path) -> None:
    run = conformance("demo", cwd=tmp_path)
    assert run.returncode == 0
    assert run.stdout.count(_RULE) == 2  # the finding, and the command that explains it
    assert "conformance check PATH" in run.stdout
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("has_browser", [True, False])
def test_the_demo_opens_its_report_as_a_page(*, has_browser: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []

    def browser(url: str) -> bool:
        opened.append(url)
        return has_browser

    monkeypatch.setattr(webbrowser, "open", browser)
    run = conformance("demo", "--open")
    path = Path(run.stdout.splitlines()[-1].rpartition(": ")[2])
    assert opened == [path.as_uri()]
    assert f"<b>{_RULE}</b>" in path.read_text(encoding="utf-8")
    assert ("open it by hand" in run.stdout) is not has_browser


DIAGRAMS = {"places.svg", "flow.svg"}
"""Those without a report."""


@pytest.mark.parametrize("name", PICTURES)
def test_the_pictures_are_those_that_are_drawn_today(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "dumb")  # nothing of where it is drawn changes it
    drawn = PICTURES[name]()
    assert drawn == (FOLDER / name).read_text(encoding="utf-8"), "run `make pictures`"
    assert name in DIAGRAMS or _RULE in drawn.replace("&#45;", "-")
    assert not re.search(r"url\((?!#)|src=|@import", drawn)  # nothing is fetched
