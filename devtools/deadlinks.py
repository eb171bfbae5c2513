"""The dead links of a folder of HTML pages: to a file that is not there, or to a place that its page does not have.

`python -m devtools.deadlinks FOLDER` prints them; `make docs` fails on them.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_OF_A_SERVER = "404.html"
"""A page whose links are absolute, as a server shows it at any path."""


class _Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.places: set[str] = set()
        self.links: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if value is not None and (name == "id" or (tag == "a" and name == "name")):
                self.places.add(value)
            elif value is not None and name in ("href", "src"):
                self.links.append(value)


def dead_links(folder: Path) -> Iterator[str]:
    """`PAGE: LINK` for each dead link. Links to other sites are not followed."""
    files = [file for file in sorted(folder.rglob("*.html")) if file.name != _OF_A_SERVER]
    pages = {file.resolve(): _Page(file.read_text(encoding="utf-8")) for file in files}
    for file, page in pages.items():
        for link in dict.fromkeys(page.links):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (file.parent / unquote(parts.path)).resolve() if parts.path else file
            place = unquote(parts.fragment)
            if not target.exists() or (place and target in pages and place not in pages[target].places):
                yield f"{file.relative_to(folder.resolve()).as_posix()}: {link}"


def main() -> int:
    """Prints the dead links of the folder that is the only argument; fails if there are any."""
    found = list(dead_links(Path(sys.argv[1])))
    sys.stdout.write("".join(f"{each}\n" for each in found) or "no dead links\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
