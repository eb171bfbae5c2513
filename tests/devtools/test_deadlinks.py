"""The pages that are made here have no dead link, and a dead one is found."""

from __future__ import annotations

from pathlib import Path

from conformance.report.site.site import build
from devtools.deadlinks import dead_links
from devtools.places import ROOT


def test_a_link_to_no_file_and_one_to_no_place_are_dead(tmp_path: Path) -> None:
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "b.html").write_text('<a name="here">b</a> <a href="../a.html#x%20y">a</a>', encoding="utf-8")
    links = (
        "below/b.html#here",
        "#x y",
        "https://elsewhere.example/#x",
        "mailto:a@b.example",
        "gone.html",
        "below/b.html#no",
    )
    page = "".join(f'<a href="{link}">a</a>' for link in links)
    (tmp_path / "a.html").write_text(f'<p id="x y">{page}<img src="gone.svg">', encoding="utf-8")
    assert list(dead_links(tmp_path)) == ["a.html: gone.html", "a.html: below/b.html#no", "a.html: gone.svg"]


def test_the_table_of_implementations_has_no_dead_link(tmp_path: Path) -> None:
    build(ROOT / "docs" / "results", tmp_path / "results")
    assert list(dead_links(tmp_path)) == []
