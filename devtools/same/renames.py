"""`tests/data/renames.yaml`: which rule has which id now, and what that does to a finding."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

FOLDERS = ("tests/data", "specs")
"""Where the file lies, and where it lay in older trees."""
KINDS = ("renamed", "merged")
SEVERITIES = ("info", "warning", "error")
"""In the order of their weight."""

_REQUIRED = {"old", "new", "kind", "reason"}


@dataclass(frozen=True, slots=True)
class Rename:
    """One entry; `severity` is (from, to) where it changes. A rule of which only that changes keeps its id."""

    old: str
    new: str
    kind: str
    reason: str
    severity: tuple[str, str] | None = None


class RenamesError(ValueError):
    """The file says something that has no meaning; the text says where and what."""


def load(tree: Path) -> list[Rename]:
    """The renames of a tree; none where it has no such file.

    Raises:
        RenamesError: an entry is wrong.
    """
    path = next(
        (tree / folder / "renames.yaml" for folder in FOLDERS if (tree / folder / "renames.yaml").is_file()), None
    )
    return parse(yaml.safe_load(path.read_text(encoding="utf-8"))) if path else []


def parse(document: Any) -> list[Rename]:
    """The entries of the document.

    Raises:
        RenamesError: an entry is wrong, or two contradict each other.
    """
    unknown = isinstance(document, dict) and document.keys() - {"renames", "retired"}
    if unknown or not isinstance(document, dict) or not isinstance(document.get("renames"), list):
        raise RenamesError("renames.yaml: must be a mapping with `renames`, a list, and perhaps `retired`")
    entries = [_entry(each, f"renames.yaml: entry {number}") for number, each in enumerate(document["renames"])]
    _must_agree(entries)
    return entries


def _entry(value: Any, where: str) -> Rename:
    if not isinstance(value, dict) or not value.keys() >= _REQUIRED or value.keys() - _REQUIRED - {"severity"}:
        raise RenamesError(f"{where}: needs old, new, kind and reason, and may have severity; nothing else")
    if not all(isinstance(value[key], str) and value[key].strip() for key in _REQUIRED):
        raise RenamesError(f"{where}: old, new, kind and reason must be text that is not empty")
    if value["kind"] not in KINDS:
        raise RenamesError(f"{where}: kind must be one of {', '.join(KINDS)}, not {value['kind']!r}")
    severity = value.get("severity")
    if severity is not None:
        sound = isinstance(severity, dict) and severity.keys() == {"from", "to"}
        if not sound or not {*severity.values()} <= {*SEVERITIES} or severity["from"] == severity["to"]:
            raise RenamesError(f"{where}: severity must be {{from: …, to: …}} with two of {', '.join(SEVERITIES)}")
        severity = (severity["from"], severity["to"])
    if value["old"] == value["new"] and (severity is None or value["kind"] == "merged"):
        raise RenamesError(f"{where}: {value['old']} keeps its id: it must be `renamed` and change its severity")
    return Rename(value["old"], value["new"], value["kind"], value["reason"], severity)


def _must_agree(entries: Sequence[Rename]) -> None:
    by_old: dict[str, Rename] = {}
    taken: set[str] = set()
    for entry in entries:
        if entry.old in by_old:
            raise RenamesError(f"renames.yaml: {entry.old} is renamed twice; one entry must say what it is now")
        by_old[entry.old] = entry
        if entry.kind == "renamed" and entry.new in taken:
            raise RenamesError(f"renames.yaml: two rules are renamed to {entry.new}; say merged if they became one")
        if entry.kind == "renamed":
            taken.add(entry.new)
    for entry in entries:
        passed, rule = {entry.old}, entry.new
        while rule in by_old and by_old[rule].new != rule:
            if rule in passed:
                raise RenamesError(f"renames.yaml: {entry.old} is renamed in a circle")
            passed.add(rule)
            rule = by_old[rule].new


def pending(new: Iterable[Rename], old: Iterable[Rename]) -> list[Rename]:
    """The entries of the newer tree that may still change something in what the older tree finds.

    Where an id changed, an older tree that has the new id already has nothing to be mapped. A severity that changed
    under the same id would be changed a second time, so such an entry does not count if the older tree has it too.
    """
    known = set(old)
    return [entry for entry in new if entry.old != entry.new or entry not in known]


class Mapping:
    """What a rule of the older tree is called in the newer one, entries followed to the end of their chain."""

    def __init__(self, entries: Iterable[Rename]) -> None:
        self._by_old = {entry.old: entry for entry in entries}
        self.merged = frozenset(self.rule(entry.new) for entry in self._by_old.values() if entry.kind == "merged")
        """The rules that several became."""

    def rule(self, rule: str) -> str:
        return self.finding(rule, "")[0]

    def finding(self, rule: str, severity: str) -> tuple[str, str]:
        """The rule and the severity of a finding, as the newer tree has to have them."""
        while (entry := self._by_old.get(rule)) is not None:
            if entry.severity is not None and severity == entry.severity[0]:
                severity = entry.severity[1]
            if entry.new == rule:
                break
            rule = entry.new
        return rule, severity
