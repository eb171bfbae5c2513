"""Writes what the folders of the dialects contain: `python -m devtools.pages`, or `make pages`.

The pages of `docs/contract` are made from the statements, the table of dialects in the README and in
`docs/contract/README.md` from the first line of each package's docstring.
Beside each file of statements lies what a finding needs of them, as JSON.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path

from conformance.contract.brief import FILE, folder_of
from conformance.contract.briefs import written
from conformance.contract.statements import statement_files, statements_in
from conformance.model.registry import BUILT_IN, dialect_packages, dialects_in
from conformance.report.catalogue.contract_pages import page_name, page_text
from devtools.places import ROOT

FOLDER = ROOT / "docs" / "contract"
TABLES = (ROOT / "README.md", FOLDER / "README.md")
"""The pages with a table of dialects."""
_TABLE = re.compile(r"(<!-- dialects: .*? -->\n).*?(<!-- end of dialects -->)", re.DOTALL)


def pages() -> Iterator[tuple[Path, str]]:
    """Each file with its text."""
    for path in statement_files():
        yield FOLDER / page_name(path), page_text(path, path.relative_to(ROOT).as_posix())
        yield path.with_suffix(".json"), written(path, (each.brief for each in statements_in(path).values()))
    for path in TABLES:
        rows = "\n".join(dialect_rows(path.parent))
        text, found = _TABLE.subn(lambda mark, rows=rows: f"{mark[1]}{rows}\n{mark[2]}", path.read_text("utf-8"))  # type: ignore[misc]
        assert found == 1, f"{path} has no table of dialects"
        yield path, text


def dialect_rows(folder: Path) -> Iterator[str]:
    """The table of dialects, for a page in the folder: a row for each package, with links to its page."""
    yield from ("| dialect | wire format |", "| --- | --- |")
    for package in dialect_packages():
        names = dialects_in(package)
        if not names or not package.startswith(f"{BUILT_IN}."):
            continue
        line = (importlib.import_module(package).__doc__ or "").strip().splitlines()[0]
        about = line.removeprefix(f"{names[0]}: ").removesuffix(".")
        home = folder_of(package)
        page = "" if home is None or not (home / FILE).is_file() else page_name(home / FILE)
        link = (FOLDER / page).relative_to(folder).as_posix()
        shown = ", ".join(f"[`{name}`]({link})" if page else f"`{name}`" for name in names)
        yield f"| {shown} | {about} |"


if __name__ == "__main__":
    for path, text in pages():
        path.write_text(text, encoding="utf-8")
