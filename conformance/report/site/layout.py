"""The folder of reports: `DIR/IMPLEMENTATION/VERSION/DATE.json`, with `about.yaml` beside the versions.

A run that took several reports has one file for each, `DATE-PART.json`; they are added up. A file may be gzipped.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from conformance.errors import ConformanceError
from conformance.model.data_files import data_dir
from conformance.model.schema_words import nearest
from conformance.model.yaml_document import read_document

Kind = Literal["server", "gateway", "client"]
KINDS: tuple[Kind, ...] = ("server", "gateway", "client")
_ABOUT = "about.yaml"
_KEYS = ("name", "kind", "homepage", "note", "package", "run")
_FILE = re.compile(r"(?P<date>\d{4}-\d{2}-\d{2})(?:-(?P<part>[\w.-]+))?\.json(?:\.gz)?")
_LAYOUT = "reports lie in DIR/IMPLEMENTATION/VERSION/DATE.json, or DATE-PART.json; see docs/results.md"
_SLUG = re.compile(r"[^a-z0-9]+")
_DIGITS = re.compile(r"(\d+)")


class Day(NamedTuple):
    """The runs of one version on one day, in the order of history: by date, then by version as people count it."""

    date: str
    version: str

    @property
    def order(self) -> tuple[str, list[tuple[int, int | str]]]:
        """The key to sort by: 1.10 is later than 1.9."""
        pieces = (each for each in _DIGITS.split(self.version) if each)
        return self.date, [(1, int(each)) if each.isdecimal() and each.isascii() else (0, each) for each in pieces]


@dataclass(frozen=True, slots=True)
class Implementation:
    """One implementation with the report files of each day. `slug` is its name in file names of the site.

    `package` is where its versions are published, `run` the commands that made the reports, one on each line.
    """

    name: str
    slug: str
    kind: Kind | None
    homepage: str | None
    note: str | None
    package: str | None
    run: str | None
    days: Mapping[Day, tuple[Path, ...]]


def implementations(folder: Path) -> list[Implementation]:
    """Every implementation of a folder, sorted by name.

    Raises:
        ConformanceError: there is no such folder, it has no report, or a file is not where the layout wants it.
    """
    if not folder.is_dir():
        wrong = "is not a folder" if folder.exists() else "there is no such folder"
        raise ConformanceError(f"{folder}: {wrong}", _LAYOUT)
    found: dict[str, Implementation] = {}
    for home in _entries(folder):
        if not home.is_dir():
            _refuse_report(home)
            continue
        made = _implementation(home)
        if made is None:
            continue
        if made.slug in found:
            raise ConformanceError(
                f"{home}: {made.name!r} and {found[made.slug].name!r} would have the same pages", "rename one of them"
            )
        found[made.slug] = made
    if not found:
        raise ConformanceError(f"{folder}: there is no report in it", _LAYOUT)
    return sorted(found.values(), key=lambda each: (each.name.lower(), each.name))


def _implementation(home: Path) -> Implementation | None:
    days: dict[Day, list[Path]] = {}
    for version in _entries(home):
        if not version.is_dir():
            if version.name != _ABOUT:
                _refuse_report(version)
            continue
        for file in _entries(version):
            day = None if file.is_dir() else _day_of(file, version.name)
            if day is not None:
                days.setdefault(day, []).append(file)
    about = _about(home / _ABOUT)
    name = about.get("name", home.name)
    slug = _SLUG.sub("-", home.name.lower()).strip("-") or "x"
    if not days:
        return None
    in_order = {day: tuple(sorted(days[day])) for day in sorted(days, key=lambda day: day.order)}
    homepage, note, package, run = map(about.get, _KEYS[2:])
    return Implementation(name, slug, about.get("kind"), homepage, note, package, run, in_order)


def _entries(folder: Path) -> Iterator[Path]:
    try:
        yield from sorted(each for each in folder.iterdir() if not each.name.startswith("."))
    except OSError as error:
        raise ConformanceError(f"{folder}: cannot be read: {error.strerror or error}", _LAYOUT) from error


def _refuse_report(file: Path) -> None:
    if file.name.endswith((".json", ".json.gz")):
        raise ConformanceError(f"{file}: a report cannot lie here", _LAYOUT)


def _day_of(file: Path, version: str) -> Day | None:
    """The day of a report's file; None for other files.

    Raises:
        ConformanceError: it is a JSON file whose name does not begin with a date.
    """
    if not file.name.endswith((".json", ".json.gz")):
        return None
    matched = _FILE.fullmatch(file.name)
    try:
        day = date.fromisoformat(matched["date"]) if matched else None
    except ValueError:
        day = None
    if day is None:
        hint = "name it by the day of the run: 2026-11-30.json"
        raise ConformanceError(f"{file}: the name does not begin with a date", hint)
    return Day(day.isoformat(), version)


def _about(path: Path) -> Mapping[str, Any]:
    if not path.exists():
        return {}
    facts, _ = read_document(path, "implementation")
    if not isinstance(facts, dict):
        raise ConformanceError(f"{path}: not a mapping", f"its keys are {', '.join(_KEYS)}")
    for key, value in facts.items():
        if key not in _KEYS:
            raise ConformanceError(
                f"{path}: unknown key {key!r}", nearest(str(key), _KEYS, f"its keys are {', '.join(_KEYS)}")
            )
        if not isinstance(value, str) or not value:
            raise ConformanceError(f"{path}: {key}: not a text", f"write {key}: TEXT")
    if facts.get("kind", "client") not in KINDS:
        raise ConformanceError(
            f"{path}: kind: {facts['kind']!r} is not valid", nearest(facts["kind"], KINDS, f"use {', '.join(KINDS)}")
        )
    if not facts.get("homepage", "https://").startswith(("https://", "http://")):
        raise ConformanceError(f"{path}: homepage: {facts['homepage']!r} is no web address", "begin it with https://")
    return facts


def reports_of(files: tuple[Path, ...]) -> Iterator[Mapping[str, Any]]:
    """The reports of one day.

    Raises:
        ConformanceError: a file is not a whole JSON report, or two have the same content.
    """
    seen: dict[bytes, Path] = {}
    for file in files:
        content = _content(file)
        digest = hashlib.sha256(content).digest()
        if digest in seen:
            raise ConformanceError(
                f"{file}: the same report as {seen[digest].name}", "remove one: the reports of a day are added up"
            )
        seen[digest] = file
        yield _report(file, content)


def _content(file: Path) -> bytes:
    if not file.is_file():
        raise ConformanceError(f"{file}: not a regular file", "remove it: each file here is a report")
    try:
        data = file.read_bytes()
        return gzip.decompress(data) if file.name.endswith(".gz") else data
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ConformanceError(f"{file}: cannot be read: {reason}", "write the report again") from error


def _report(file: Path, content: bytes) -> Mapping[str, Any]:
    try:
        value = json.loads(content.decode("utf-8", "replace"))
        if b"\\ud" in content.lower():
            value = _without_lone_surrogates(value)
    except (ValueError, RecursionError) as error:
        raise ConformanceError(
            f"{file}: not JSON: {error or 'it is nested too deeply'}", "it may be half-written: write the report again"
        ) from error
    validator = _validator()
    if not validator.is_valid(value):
        first = next(iter(validator.iter_errors(value)))
        place = "/".join(str(each) for each in first.instance_path)
        raise ConformanceError(
            f"{file}: not a JSON report of conformance: {place and f'{place}: '}{first.message[:200]}",
            "write it with `conformance run`, `check` or `serve`, with --format json --output FILE",
        )
    counts = value["summary"]
    if not counts.get("judged", counts["exchanges"]):
        raise ConformanceError(f"{file}: the run judged nothing", "remove the file, and repeat the run")
    return value  # type: ignore[no-any-return]


def _without_lone_surrogates(value: Any) -> Any:
    """The value with a question mark in place of each half of a character, which no page could contain."""
    text = json.dumps(value, ensure_ascii=False)
    try:
        text.encode()
    except UnicodeEncodeError:
        return json.loads(text.encode("utf-8", "replace"))
    return value


@cache
def _validator() -> Any:
    import jsonschema_rs

    return jsonschema_rs.validator_for(json.loads((data_dir("specs") / "report.schema.json").read_bytes()))
