"""CHANGELOG.md: the versions, newest first, and links that need no address of the repository."""

from __future__ import annotations

import re

from packaging.version import Version

from conformance.model.version import VERSION
from devtools.places import ROOT

TEXT = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
HEADINGS = re.findall(r"^## (.+)$", TEXT, flags=re.MULTILINE)


def test_what_is_not_released_comes_first_and_the_versions_follow_newest_first() -> None:
    assert HEADINGS[0] == "[Unreleased]"
    released = [re.fullmatch(r"\[(\d+\.\d+\.\d+)\] - \d{4}-\d{2}-\d{2}", heading) for heading in HEADINGS[1:]]
    assert all(released)
    versions = [Version(match[1]) for match in released if match is not None]
    assert versions == sorted(versions, reverse=True)
    assert all(version <= Version(VERSION) for version in versions)


def test_the_kinds_of_changes_are_those_of_keep_a_changelog() -> None:
    kinds = set(re.findall(r"^### (.+)$", TEXT, flags=re.MULTILINE))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_every_released_version_has_a_link_relative_to_the_repository() -> None:
    links = dict(re.findall(r"^\[(.+?)\]: (\S+)$", TEXT, flags=re.MULTILINE))
    wanted = {heading.partition("]")[0][1:] for heading in HEADINGS} if HEADINGS[1:] else set()
    assert links.keys() == wanted
    assert all(link.startswith("../../") for link in links.values())
