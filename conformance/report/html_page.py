"""The frame of every HTML page: one file that needs nothing else, no script, style, font or image from elsewhere.

Its content policy admits the one style and the one script of the page, by their hashes, so nothing that was recorded
could run even if it got in.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jinja2 import Environment

_HERE = Path(__file__).parent
ROOM = 1_400_000
"""How many characters the parts of a page may have together, so that the page stays below two megabytes."""


class Pages:
    """Renders pages from the templates beside this module, within a budget of characters.

    `folder` has templates, and a style and a script of its own: `page.css` is added to that of this module, and
    `page.js` takes the place of it.
    """

    def __init__(self, room: int = ROOM, folder: Path | None = None) -> None:
        self.room = room
        self._folder = folder

    def part(self, template: str, **values: Any) -> str | None:
        """A part of the page, to be passed to `write`; None if there is no room for it."""
        from markupsafe import Markup

        text = _ascii(environment(self._folder).get_template(template).render(**values))
        if len(text) > self.room:
            return None
        self.room -= len(text)
        return Markup(text)  # noqa: S704 - the template has escaped it

    def write(self, template: str, stream: IO[str], **values: Any) -> None:
        """Writes the whole page."""
        style, script = inline("page.css"), inline("page.js", self._folder)
        if self._folder is not None:
            style += inline("page.css", self._folder)
        page = environment(self._folder).get_template(template)
        pieces = page.generate(
            style=style, script=script, style_hash=content_hash(style), script_hash=content_hash(script), **values
        )
        for piece in pieces:
            stream.write(_ascii(piece))
        stream.write("\n")


def _ascii(text: str) -> str:
    """With references for the rest: the page is the same in every encoding of the stream."""
    return text.encode("ascii", "xmlcharrefreplace").decode("ascii")


@cache
def environment(folder: Path | None = None) -> Environment:
    """The templates of this folder, and those of another one; they escape everything. Compiled once in a process."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader([_HERE] if folder is None else [folder, _HERE]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def inline(name: str, folder: Path | None = None) -> str:
    """The text of a style or a script of this folder, or of another one."""
    return ((folder or _HERE) / name).read_text(encoding="ascii")


def content_hash(text: str) -> str:
    """The source expression that a content policy admits an inline element by."""
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode('ascii')).digest()).decode('ascii')}"
