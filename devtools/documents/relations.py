"""`make relations`: each field of the published documents has a relation to another value, or is free."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import yaml

from conformance.judge.rule import all_rules
from devtools.documents.proposing import needs_reason, proposal
from devtools.documents.reading import Documents
from devtools.documents.walking import Place, places
from devtools.places import ROOT

FOLDER = ROOT / "tests" / "data" / "relations"
KINDS = (
    "introduces",
    "refers to",
    "echoes",
    "index into",
    "range of",
    "count of",
    "part of",
    "schema for",
    "instance of",
    "capability",
    "order of",
)
_RELATION = re.compile(rf"(?P<kind>{'|'.join(KINDS)}) [^;]+(; judged (?P<rules>[a-z0-9-]+( [a-z0-9-]+)*))?$")
_FREE = "free"
_LONGEST = 110
"""Characters of a key that YAML still writes on one line."""
_REASON = re.compile(r"free \(\S.*\)$")
_ADVICE = """
Give each field its relation in tests/data/relations: `introduces KIND`, `refers to KIND`, `echoes WHAT`, `index into`,
`range of`, `count of`, `part of`, `schema for`, `instance of`, `capability`, `order of`, each with `; judged RULE ...`
once rules judge it. A field that stands alone is in the list `free`; `free (WHY)` where its name suggests otherwise.
`make relations WRITE=--write` adds proposals made from names and types, and removes lines for nothing.
"""
Key = tuple[str, str]
"""The group of an object, which the subject may precede (`reply tools[function]`), and a field of it."""


@dataclass(frozen=True)
class Relations:
    """The relations of one dialect by group and field; that of a free field is `free`, or has the reason."""

    verdicts: Mapping[Key, str]

    @staticmethod
    def of(file: Path) -> Relations:
        """What a file has; nothing where there is none."""
        found: dict[Key, str] = {}
        listed = yaml.safe_load(file.read_text(encoding="utf-8")) if file.exists() else {}
        for groups, fields in (listed or {}).items():
            for group in groups.split(", "):
                found |= {(group, name): text for name, text in fields.items() if name != _FREE}
                found |= {(group, name): _FREE for name in fields.get(_FREE, ())}
        return Relations(found)

    def write(self, file: Path) -> None:
        """Writes the file; objects whose fields have the same relations are one entry."""
        groups: dict[str, dict[str, str]] = {}
        for (group, name), verdict in sorted(self.verdicts.items()):
            groups.setdefault(group, {})[name] = verdict
        merged: dict[tuple[tuple[str, str], ...], list[str]] = {}
        for group, fields in groups.items():
            keys = merged.setdefault(tuple(fields.items()), [""])
            if len(keys[-1]) + len(group) > _LONGEST:
                keys.append("")
            keys[-1] = f"{keys[-1]}, {group}" if keys[-1] else group
        listed = {key: _entry(dict(fields)) for fields, keys in merged.items() for key in keys if key}
        text = yaml.dump(listed, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=118)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def key(self, place: Place) -> Key:
        """The line for a field: the one for its subject alone goes before the one for all."""
        own = (f"{place.subject} {place.group}", place.field)
        return own if own in self.verdicts else (place.group, place.field)

    def faults(self, found: Iterable[Place], rules: Collection[str], *, whole: bool) -> list[str]:
        """What ends the command with 1; where a document is absent, lines may be for what only it has."""
        lines, used = dict[str, None](), set[Key]()
        for place in found:
            key = self.key(place)
            used.add(key)
            if wrong := _wrong(place, self.verdicts.get(key, ""), rules):
                lines[f"{wrong}: {place.group} {place.field} ({place.subject} {place.path})"] = None
        unused = [key for key in self.verdicts if key not in used] if whole else []
        return [*lines, *(f"a relation for nothing: {' '.join(key)}" for key in unused)]

    def updated(self, found: Collection[Place], *, whole: bool) -> Relations:
        """The same relations for the fields that there are now, and proposals for new ones."""
        used = {self.key(place) for place in found}
        proposed = {self.key(place): proposal(place) for place in found if self.key(place) not in self.verdicts}
        kept = {key: verdict for key, verdict in self.verdicts.items() if key in used or not whole}
        return Relations(kept | {key: verdict for key, verdict in proposed.items() if verdict})


def run(
    documents: Documents,
    dialects: tuple[str, ...],
    *,
    whole: Collection[str],
    folder: Path = FOLDER,
    write: bool = False,
    opened: bool = False,
) -> int:
    """Prints the counts and what is wrong; 1 where something is. `whole` are the dialects whose documents are there."""
    wrong: list[str] = []
    rules = all_rules().keys()
    for dialect in dialects:
        found = [each for each in places(documents, (dialect,)) if each.field]
        file = folder / f"{dialect}.yaml"
        if write:
            Relations.of(file).updated(found, whole=dialect in whole).write(file)
        relations = Relations.of(file)
        _show(dialect, found, relations, opened=opened)
        wrong += [f"{dialect}: {each}" for each in relations.faults(found, rules, whole=dialect in whole)]
    sys.stdout.writelines(f"{each}\n" for each in wrong)
    if wrong:
        sys.stdout.write(_ADVICE)
    return 1 if wrong else 0


def _show(dialect: str, found: Collection[Place], relations: Relations, *, opened: bool) -> None:
    keys = dict.fromkeys(relations.key(each) for each in found)
    counts = Counter(_kind(relations.verdicts.get(key, "")) for key in keys)
    unjudged = [key for key in keys if _kind(relations.verdicts.get(key, "")) in KINDS]
    unjudged = [key for key in unjudged if "; judged " not in relations.verdicts[key]]
    listed = ", ".join(f"{kind} {counts[kind]}" for kind in (*KINDS, _FREE, "none") if counts[kind])
    sys.stdout.write(
        f"{dialect}: {len(found)} places, {len(keys)} fields: {listed}; judged by no rule {len(unjudged)}\n"
    )
    if opened:
        sys.stdout.writelines(f"  judged by no rule: {' '.join(key)}: {relations.verdicts[key]}\n" for key in unjudged)


def _kind(verdict: str) -> str:
    matched = _RELATION.match(verdict)
    return matched["kind"] if matched else _FREE if verdict.startswith(_FREE) else "none"


def _wrong(place: Place, verdict: str, rules: Collection[str]) -> str:
    if not verdict:
        return "no relation"
    if verdict == _FREE:
        return "free without a reason, although its name suggests a relation" if needs_reason(place) else ""
    matched = _RELATION.match(verdict)
    if matched is None:
        return "" if _REASON.match(verdict) else f"not a relation: {verdict}"
    unknown = [each for each in (matched["rules"] or "").split() if each not in rules]
    return f"no rule {', '.join(unknown)}" if unknown else ""


def _entry(fields: Mapping[str, str]) -> dict[str, object]:
    free = [name for name, verdict in fields.items() if verdict == _FREE]
    found: dict[str, object] = {name: verdict for name, verdict in fields.items() if verdict != _FREE}
    return {**found, _FREE: _InOneLine(free)} if free else found


class _InOneLine(list[str]):
    """A list that is written as `[a, b]`."""


class _Dumper(yaml.SafeDumper):
    """Writes those lists, the others as usual."""


_Dumper.add_representer(
    _InOneLine, lambda dumper, names: dumper.represent_sequence("tag:yaml.org,2002:seq", names, flow_style=True)
)
