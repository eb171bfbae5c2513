"""No reader sees a value as Python writes it, in a page or in a finding: JSON is the language of the wire."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner

from conformance.commands import app
from conformance.judge.rule import Rule, all_rules
from conformance.judge.rule_ids import defect_of
from conformance.report.site.site import build
from devtools.places import CASSETTES, ROOT, TEST_DATA
from tests.judged import judged
from tests.sampling import every, sample

_PYTHON = re.compile(
    r"\['|\{'|\('(?!/)|(?<![\w\"'`.-])(?:None|True|False)(?![\w\"'`-])"
    r"|object at 0x|frozenset\(|Severity\.|dict_\w+\(|PosixPath"
)
_RAISED = re.compile(r"(raised \w+|[\w.]+Error): .*")
"""The words of a client's own exception."""
QUOTED = {"llama-call-quoting-invalid"}
"""Rules about text that is written as in Python."""
RULES = sample(
    all_rules().values(),
    lambda rule: (rule.judge.__module__.split(".")[:3][-1], rule.scope),
    lambda rule: defect_of(rule.id),
    risk="a message that only one rule writes as Python does",
)


class _Text(HTMLParser):
    """What a page shows, without its style and script."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.pieces: list[str] = []
        self._hidden = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._hidden = tag in ("style", "script")
        self.pieces += [f" {value} " for name, value in attrs if value and name in ("title", "aria-label")]

    def handle_endtag(self, _: str) -> None:
        self._hidden = False

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.pieces.append(data)


def python_values(page: str) -> list[str]:
    text = _RAISED.sub("", "\n".join(_Text(page).pieces))
    return [text[max(0, found.start() - 40) : found.end() + 40] for found in _PYTHON.finditer(text)]


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_no_finding_has_a_python_value(rule: Rule) -> None:
    found = judged(rule.id)[0]
    texts = (text for each in found for text in (each.message, each.expected, each.actual, each.fix) if text)
    assert [text for text in texts if _PYTHON.search(text)] == [] or rule.id in QUOTED


def test_no_page_has_a_python_value(tmp_path: Path) -> None:
    broken = tmp_path / "new" / "openai-chat" / "weather" / "reference--openai.yaml"
    broken.parent.mkdir(parents=True)
    text = (CASSETTES / broken.relative_to(tmp_path / "new")).read_text(encoding="utf-8")
    broken.write_text(text.replace('"prompt_tokens"', '"input_tokens"').replace("null", "true", 3), encoding="utf-8")
    traffic = str(TEST_DATA / "logs" / "openinference" / "spans.jsonl")
    lines = (
        ("check", str(broken), "--format", "html"),
        ("check", str(TEST_DATA / "recordings"), "--format", "html"),
        ("diff", str(CASSETTES), str(tmp_path / "new"), "--scenario", "weather", "--format", "html"),
        ("show", traffic, "--format", "html"),
        ("show", str(broken), "--cause", "1", "--format", "html"),
        ("tools", str(ROOT / "tests" / "journeys" / "data" / "tools.json"), "--for", "google", "--format", "html"),
    )
    for line in lines:
        page = CliRunner().invoke(app, line).stdout
        assert page.lower().startswith("<!doctype html>"), line
        assert python_values(page) == [], line
    build(ROOT / "docs" / "results", tmp_path / "site")
    for path in sorted((tmp_path / "site").rglob("*.html")):
        assert python_values(path.read_text(encoding="utf-8")) == [], path.name


def test_no_page_of_a_rule_has_a_python_value(pages: dict[str, str]) -> None:
    quoted = {f"rules/{rule}.md" for rule in QUOTED}
    some = every(pages.items(), 5, risk="a page that only the text of one rule spoils")
    assert {path: found for path, text in some if path not in quoted and (found := python_values(text))} == {}
