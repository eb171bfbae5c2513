"""The HTML pages in a real browser: no message on its console, no breach of the content policy, and a picture."""

from __future__ import annotations

import io
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner
from markdown_it import MarkdownIt

from conformance.commands import app
from conformance.judge.rule import all_rules
from conformance.model.finding import Finding, Severity
from conformance.report import open_report
from conformance.report.base import Case
from conformance.report.html_report import HtmlReport
from tests.cassettes import broken, cell, in_response
from tests.report.test_html import ANSWER, ASKED, CHAT, STREAM, exchange, folder_of, measured
from tests.report.test_report import summary

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome", "chrome"))), None)
pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(CHROMIUM is None, reason="no Chromium is installed (Debian: apt-get install chromium)"),
]

Browser = Callable[..., tuple[str, list[str]]]
"""Opens a page with options of Chromium: what it prints, and the messages on its console."""


@pytest.fixture
def browser(tmp_path: Path) -> Browser:
    def opened(page: Path, *options: str, place: str = "") -> tuple[str, list[str]]:
        done = subprocess.run(
            [
                str(CHROMIUM),
                "--headless=new",
                "--no-sandbox",  # which a container does not allow; the page is ours
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--hide-scrollbars",
                "--enable-logging=stderr",
                "--v=0",
                f"--user-data-dir={tmp_path / 'profile'}",
                *options,
                page.as_uri() + place,
            ],
            capture_output=True,
            text=True,
            timeout=180,
            check=True,
        )
        return done.stdout, re.findall(r":CONSOLE:\d+\] (.*)", done.stderr)

    return opened


@pytest.fixture
def report_page(tmp_path: Path) -> Path:
    """A run with a matrix, three causes, an exchange and statistics."""
    stream = io.StringIO()
    report = open_report("html", stream)
    assert isinstance(report.inner, HtmlReport)
    report.inner.statistics = measured()
    for scenario, rules in (("weather", ("a", "b")), ("talk", ("c",)), ("quiet", ())):
        source = f"{scenario}.yaml"
        report.judged(source, Case(scenario, "local", scenario, "openai-chat", "openai", "sync"))
        for rule in rules:
            severity = Severity.WARNING if rule == "b" else Severity.ERROR
            found = Finding(f"made-up-{rule}", severity, f"message {rule}", "openai-chat", source)
            place = Finding(
                found.rule, severity, found.message, "openai-chat", source, exchange=0, side="response",
                pointer="/choices/0/finish_reason", traffic=exchange(ASKED, ANSWER),
            )  # fmt: skip
            report.finding(place)
    report.close(summary())
    page = tmp_path / "report.html"
    page.write_text(stream.getvalue(), encoding="ascii")
    return page


@pytest.fixture
def diff_page(tmp_path: Path) -> Path:
    old, new, page = folder_of(tmp_path / "a", CHAT, STREAM), folder_of(tmp_path / "b", CHAT), tmp_path / "diff.html"
    broken(cell(CHAT), new, in_response(1, '"finish_reason": "stop"', '"finish_reason": "length"'))
    done = CliRunner().invoke(app, ["diff", str(old), str(new), "--format", "html", "--output", str(page)])
    assert done.exit_code == 1
    return page


def size_of(picture: Path) -> tuple[int, int]:
    content = picture.read_bytes()
    assert content.startswith(b"\x89PNG\r\n\x1a\n")
    return int.from_bytes(content[16:20]), int.from_bytes(content[20:24])


LOOKS = {"light": (1280,), "dark": (1280, "--force-dark-mode"), "narrow": (500,)}
"""The width of the window, and further options."""


@pytest.mark.parametrize("page", ["report_page", "diff_page"])
@pytest.mark.parametrize("look", LOOKS)
def test_a_page_is_drawn_without_a_message_on_the_console(
    page: str, look: str, browser: Browser, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    width, *options = LOOKS[look]
    picture = tmp_path / f"{page}-{look}.png"
    _, messages = browser(
        request.getfixturevalue(page), f"--window-size={width},1400", f"--screenshot={picture}", *options
    )
    assert messages == []
    assert size_of(picture) == (width, 1400)
    assert picture.stat().st_size > 20_000  # an empty page of this size has some 5,000 bytes


def test_a_breach_of_the_policy_would_be_seen(report_page: Path, browser: Browser) -> None:
    text = report_page.read_text("ascii")
    report_page.write_text(
        text.replace("<h1 ", '<script>alert(1)</script><h1 style="color: red" ', 1), encoding="ascii"
    )
    _, messages = browser(report_page, "--dump-dom")
    assert len([each for each in messages if "Content Security Policy" in each]) == 2


def causes(dom: str) -> Iterator[tuple[str, bool, bool]]:
    """Each cause with whether it is hidden and open."""
    for attributes in re.findall(r'<details class="cause ([^>]*)>', dom):
        number = re.search(r'data-number="(\d+)"', attributes)
        assert number is not None
        yield number[1], "hidden" in attributes, "open" in attributes


def test_the_link_of_a_cell_leads_to_its_causes(report_page: Path, browser: Browser) -> None:
    dom, messages = browser(report_page, "--dump-dom")
    assert messages == []
    assert [number for number, hidden, _ in causes(dom) if not hidden] == ["1", "2", "3"]
    assert "3 of 3 causes" in dom
    [weather] = re.findall(r'<li id="(cell-\d)" data-causes="1 3">', dom)
    dom, messages = browser(report_page, "--dump-dom", place=f"#{weather}")
    assert messages == []
    assert [(number, opened) for number, hidden, opened in causes(dom) if not hidden] == [("1", True), ("3", True)]
    assert "2 of 3 causes, those of one cell" in dom


def test_without_scripts_nothing_is_lost(report_page: Path, browser: Browser) -> None:
    text = re.sub(r"<script>.*?</script>", "", report_page.read_text("ascii"), flags=re.DOTALL)
    report_page.write_text(text, encoding="ascii")
    dom, messages = browser(report_page, "--dump-dom")
    assert messages == []
    assert 'class="scripted"' not in dom  # so the style hides the filter, which would do nothing
    assert [number for number, hidden, _ in causes(dom) if not hidden] == ["1", "2", "3"]
    assert dom.count("<summary>Conversation</summary>") == 3


def test_a_page_can_be_printed(report_page: Path, browser: Browser, tmp_path: Path) -> None:
    paper = tmp_path / "report.pdf"
    _, messages = browser(report_page, f"--print-to-pdf={paper}")
    assert messages == []
    assert paper.read_bytes().startswith(b"%PDF-")


def test_the_list_of_rules_filters_by_dialect_severity_and_side(
    browser: Browser, pages: dict[str, str], tmp_path: Path
) -> None:
    """The list as Markdown makes it, opened as a file; a choice is made as a reader would make it."""
    text = pages["rules/index.md"]
    choices = "".join(
        f"document.querySelectorAll('.filter select')[{number}].value = '{value}';"
        for number, value in enumerate(("qwen3", "error", "response"))
    )
    choose = f"<script>{choices} document.querySelector('.filter').dispatchEvent(new Event('input'));</script>"
    page = tmp_path / "index.html"
    markdown = MarkdownIt("commonmark", {"html": True}).enable("table").render(text)
    page.write_text(f"<!doctype html><meta charset=utf-8>{markdown}{choose}", encoding="utf-8")
    printed, console = browser(page, "--dump-dom")
    assert console == []
    hidden = r'(?: style="display: none;")'
    assert re.findall(rf"<h2(?!{hidden})[^>]*>([^<]+)", printed) == ["qwen3"]
    shown = re.findall(rf"<tr(?!{hidden})[^>]*>\s*<td><a href=\"([a-z0-9-]+)\.md", printed)
    wanted = [
        each
        for each in all_rules().values()
        if "qwen3" in each.dialects and each.scope in ("reply", "stream", "response")
    ]
    assert set(shown) == {each.id for each in wanted if "error" in map(str, each.severity.values())}
