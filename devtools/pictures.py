"""The pictures of the pages, as SVG: the report of `conformance demo` in a terminal and as a page, and the diagrams.

`make pictures` draws them again.
"""

from __future__ import annotations

import io
import re
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from contextlib import chdir
from html.parser import HTMLParser
from pathlib import Path

from click.testing import CliRunner
from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.text import Text

from conformance.commands import app
from conformance.model.data_files import data_dir
from devtools.diagrams import flow, places

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
_COLUMNS, _ROWS = 138, 100
_WIDTH, _HEIGHT = 1100, 860
_ALONE = frozenset({"meta", "br", "input"})
"""The elements of a report that have no end tag."""
_SVG, _XHTML = "http://www.w3.org/2000/svg", "http://www.w3.org/1999/xhtml"


def terminal() -> str:
    """The report as a terminal shows it."""
    drawn = Console(
        record=True,
        width=_COLUMNS,
        height=_ROWS,
        file=io.StringIO(),
        force_terminal=True,
        no_color=False,
        color_system="truecolor",
    )
    drawn.print(
        Text.from_ansi(f"$ conformance check traffic.jsonl\n{_report(FORCE_COLOR='1', NO_COLOR='', TERM='xterm')}"),
        end="",
    )
    without_fonts = re.sub(r"@font-face \{\{.*?\n    \}\}\n", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL)
    return drawn.export_svg(title="conformance demo", code_format=without_fonts, unique_id="demo")


def page() -> str:
    """The report as a browser shows it: the page itself, inside an image."""
    reader = _Page()
    reader.feed(_report("--format", "html"))
    body = ET.tostring(reader.close_all(), encoding="unicode")
    return (
        f'<svg xmlns="{_SVG}" width="{_WIDTH}" height="{_HEIGHT}" viewBox="0 0 {_WIDTH} {_HEIGHT}">'
        f'<foreignObject width="{_WIDTH}" height="{_HEIGHT}">{body}</foreignObject></svg>\n'
    )


class _Page(HTMLParser):
    """The page as well-formed XML. Its script is left out; what it says of `body` and `:root` is true of a `div`."""

    def __init__(self) -> None:
        super().__init__()
        self._built = ET.TreeBuilder()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._built.start(tag, {name: name if value is None else value for name, value in attrs})
        if tag in _ALONE:
            self._built.end(tag)

    def handle_endtag(self, tag: str) -> None:
        self._built.end(tag)

    def handle_data(self, data: str) -> None:
        self._built.data(data)

    def close_all(self) -> ET.Element:
        """The body of the page, with its style."""
        html = self._built.close()
        style, body = html.find("head/style"), html.find("body")
        if style is None or body is None:
            raise ValueError("a report has a style and a body")
        for script in body.findall("script"):
            body.remove(script)
        style.text = re.sub(r"(?m)(?<![\w-])(?:body|:root)(?= \{)", ".page", style.text or "")
        body.insert(0, style)
        body.tag, body.attrib = "div", {"class": "page", "xmlns": _XHTML, "style": "background: Canvas; height: 100%"}
        return body


def _report(*options: str, **environment: str) -> str:
    with chdir(data_dir("specs") / "demo"):
        return CliRunner(env=environment).invoke(app, ["check", "traffic.jsonl", *options]).stdout


PICTURES: Mapping[str, Callable[[], str]] = {
    "terminal.svg": terminal,
    "page.svg": page,
    "places.svg": places,
    "flow.svg": flow,
}


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, drawn in PICTURES.items():
        (FOLDER / name).write_text(drawn(), encoding="utf-8")
    sys.stderr.write(f"wrote {', '.join(PICTURES)}\n")
