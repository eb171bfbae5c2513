"""Hooks of MkDocs: pages that are made while the site is built, and links that lead out of the documentation.

`make docs` builds the site (mkdocs.yml). The functions have the names and parameters that MkDocs calls.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from conformance.commands import app
from conformance.commands.common.verbs import Verb
from conformance.model.data_files import data_dir
from conformance.report.catalogue.pages import rule_pages
from conformance.report.site.site import build

ROOT = Path(__file__).resolve().parent.parent
_LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((?!https?:|mailto:)([^)#\s]+)(#[^)]*)?\)")


def on_files(files: Any, config: Any) -> Any:
    """Adds the generated pages."""
    from mkdocs.structure.files import File

    for path, text in generated_pages():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Turns links to files that are not part of the site into their paths."""
    return without_outer_links(markdown, page.file.src_uri)


def on_post_build(config: Any) -> None:
    """Adds the table of implementations, from the reports in `docs/results`."""
    build(ROOT / "docs" / "results", Path(config["site_dir"]) / "results")


def generated_pages() -> Iterator[tuple[str, str]]:
    """The path below the documentation and the Markdown of each page that is no file."""
    yield "index.md", _start()
    yield "reference/commands.md", "\n".join(_commands()) + "\n"
    yield "reference/settings.md", "\n".join(_settings()) + "\n"
    yield from rule_pages()


def without_outer_links(markdown: str, path: str) -> str:
    """The page without links to files of the repository outside of `docs`; the path is shown in their place."""

    def replaced(found: re.Match[str]) -> str:
        text, target, _ = found.groups()
        where = (ROOT / "docs" / path).parent.joinpath(target).resolve()
        if where.is_relative_to(ROOT / "docs") and where.suffix not in (".yml", ".yaml"):
            return found[0]
        shown = where.relative_to(ROOT).as_posix() if where.is_relative_to(ROOT) else target
        return text if shown in text else f"{text} (`{shown}`)"

    return _LINK.sub(replaced, markdown)


def _start() -> str:
    """The README as the first page, with links as seen from `docs`."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    text = re.sub(r"\]\(docs/", "](", text)
    return re.sub(r"(?<!!)\[([^\]]+)\]\((?!https?:|#|[\w./-]+\.md)([^)]+)\)", r"\1", _without_root_files(text))


def _without_root_files(text: str) -> str:
    names = "|".join(re.escape(each.name) for each in ROOT.glob("*.md"))
    return re.sub(rf"\[([^\]]+)\]\(({names})\)", r"\1", text)


def _commands() -> Iterator[str]:
    yield from ("# Commands", "", "`conformance COMMAND --help` prints the same.")
    context = click.Context(app, info_name="conformance")
    for name, command in app.commands.items():
        inner = click.Context(command, info_name=name, parent=context, max_content_width=100)
        yield from ("", f"## {name}", "", "```text", command.get_help(inner), "```")


def _settings() -> Iterator[str]:
    yield from ("# Settings", "", "Keys of `[tool.conformance]` in `pyproject.toml`, or of `conformance.toml`.", "")
    yield from ("| key | type | default | meaning | commands |", "| --- | --- | --- | --- | --- |")
    schema = json.loads((data_dir("specs") / "config.schema.json").read_text(encoding="utf-8"))
    for key, each in schema["properties"].items():
        kind = each.get("type") or ", ".join(map(str, each.get("enum", ())))
        default = f"`{json.dumps(each['default'])}`" if "default" in each else ""
        meaning = str(each.get("description", "")).replace("|", "\\|")
        verbs = [name for name, verb in app.commands.items() if isinstance(verb, Verb) and key in verb.settings]
        where = ", ".join(verbs) or "all that report"
        yield f"| `{key}` | {kind if isinstance(kind, str) else ' or '.join(kind)} | {default} | {meaning} | {where} |"
