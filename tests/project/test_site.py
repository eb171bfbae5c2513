"""The documentation site: its pages are made, their links lead somewhere, and its commands are accepted."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest
import yaml

from conformance.commands import app
from devtools.places import ROOT
from docs.hooks import generated_pages, without_outer_links

DOCS = ROOT / "docs"
TUTORIALS = sorted((DOCS / "tutorials").glob("*.md"))
_LINK = re.compile(r"(?<!!)\[[^\]]+\]\((?!https?:)([^)#\s]*)(#[^)\s]+)?\)")


@pytest.fixture(scope="module")
def site() -> dict[str, str]:
    """Every page of the site, as it is before MkDocs makes HTML of it."""
    files = {path.relative_to(DOCS).as_posix(): path.read_text(encoding="utf-8") for path in DOCS.rglob("*.md")}
    return {path: without_outer_links(text, path) for path, text in (*files.items(), *generated_pages())}


def prose(text: str) -> str:
    """The text without blocks of code."""
    return re.sub(r"^````?.*?^````?$", "", text, flags=re.DOTALL | re.MULTILINE)


def anchors(text: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", prose(text), re.MULTILINE)
    return {re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower()) for heading in headings}


def test_every_link_of_the_site_leads_to_a_page_and_a_heading(site: dict[str, str]) -> None:
    known = {path: anchors(text) for path, text in site.items()}
    broken = []
    for path, text in site.items():
        for target, anchor in _LINK.findall(re.sub(r"`[^`\n]+`", "", prose(text))):
            page = (DOCS / path).parent.joinpath(target).resolve() if target else DOCS / path
            name = page.relative_to(DOCS).as_posix() if page.is_relative_to(DOCS) else ""
            if page.suffix in (".yaml", ".yml") and page.exists():
                continue
            if name not in known or (anchor and anchor[1:] not in known[name]):
                broken.append(f"{path}: {target}{anchor}")
    assert broken == []


def test_the_first_page_shows_the_pictures_of_the_readme(site: dict[str, str]) -> None:
    shown = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", site["index.md"])
    assert len(shown) == (ROOT / "README.md").read_text(encoding="utf-8").count("![") > 0
    assert all((DOCS / each).is_file() for each in shown)


def test_the_navigation_names_pages_that_exist(site: dict[str, str]) -> None:
    config = yaml.safe_load((ROOT / "mkdocs.yml").read_text(encoding="utf-8"))

    def named(entry: Any) -> list[str]:
        if isinstance(entry, str):
            return [entry]
        values = entry if isinstance(entry, list) else entry.values()
        return [name for each in values for name in named(each)]

    pages = named(config["nav"])
    assert set(pages) <= set(site)
    folders = (DOCS, DOCS / "tutorials", DOCS / "findings", DOCS / "contributing", DOCS / "tables")
    guides = {path.relative_to(DOCS).as_posix() for folder in folders for path in folder.glob("*.md")}
    assert guides <= set(pages)


def test_dated_results_are_apart_from_guides(site: dict[str, str]) -> None:
    """What was measured on a day is in `findings/`; a guide stays true."""
    guides = {path: text for path, text in site.items() if "/" not in path or path.startswith("tutorials/")}
    assert [path for path, text in guides.items() if re.search(r"\b[Oo]n\s20\d\d-\d\d-\d\d\b", prose(text))] == []


def test_every_file_of_the_repository_that_a_page_names_exists() -> None:
    missing = []
    for page in (*DOCS.rglob("*.md"), *ROOT.glob("*.md")):
        text = page.read_text(encoding="utf-8")
        linked = [page.parent / target for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", prose(text))]
        named = [
            ROOT / path for path in re.findall(r"`((?:conformance|devtools|docs|examples|specs|tests)/[\w./-]+)`", text)
        ]
        missing += [f"{page.relative_to(ROOT)}: {path}" for path in (*linked, *named) if not path.exists()]
    assert missing == []


def test_every_command_and_setting_has_its_reference(site: dict[str, str]) -> None:
    commands = site["reference/commands.md"]
    assert re.findall(r"^## (.+)$", commands, re.MULTILINE) == sorted(app.commands)
    assert "| `ignore` |" in site["reference/settings.md"]


def test_there_is_a_tutorial_for_each_kind_of_user() -> None:
    assert [path.stem for path in TUTORIALS] == ["agent-team", "client", "logs", "providers", "server"]


def lines_of(path: Path) -> list[str]:
    return re.findall(r"^\$ conformance (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize("line", [line for path in TUTORIALS for line in lines_of(path)])
def test_the_command_line_accepts_what_a_tutorial_runs(line: str) -> None:
    name, *words = shlex.split(line)
    command: click.Command = app.commands[name]
    if isinstance(command, click.Group):
        command = command.commands[words.pop(0)]
    settings = {"cassettes": "cassettes"}  # as in the project that `new project` makes
    assert command.make_context(name, words, default_map=settings).params is not None


@pytest.mark.parametrize(
    ("text", "becomes"),
    [
        ("see [the data](../specs/secrets.yaml)", "see the data (`specs/secrets.yaml`)"),
        ("see [`specs/secrets.yaml`](../specs/secrets.yaml)", "see `specs/secrets.yaml`"),
        ("see [the job](workflows/nightly.yml)", "see the job (`docs/workflows/nightly.yml`)"),
        ("see [reports](reports.md#causes)", "see [reports](reports.md#causes)"),
    ],
)
def test_a_link_out_of_the_documentation_becomes_the_path(text: str, becomes: str) -> None:
    assert without_outer_links(text, "ci.md") == becomes


def test_a_link_from_a_folder_to_another_page_stays() -> None:
    text = "see [logs](../logs.md)"
    assert without_outer_links(text, "tutorials/logs.md") == text
