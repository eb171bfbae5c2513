"""Builds the corpus: a part for each source, and of the parts one file for each API."""

from __future__ import annotations

import gzip
import hashlib
import json
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from pathlib import Path
from typing import IO, Any

from conformance.errors import ConformanceError
from conformance.inputs import read
from conformance.inputs.files import Files
from conformance.model.exchange import Exchange
from devtools.corpus.lines import api_of, hashed, line_of
from devtools.corpus.repositories import Repository, repository
from devtools.corpus.sources import Source


@dataclass
class Outcome:
    """What came of one source.

    Attributes:
        exchanges: How many, by file of the corpus.
        sha256: The hash of method, URL, status and bodies.
        not_read: Files that are no recordings or are broken.
        reused: Whether it was built before.
    """

    source: Source
    exchanges: Counter[str] = field(default_factory=Counter)
    sha256: str = ""
    not_read: list[str] = field(default_factory=list)
    reused: bool = False

    @property
    def as_listed(self) -> bool:
        return self.sha256 == self.source.sha256


def build(source: Source, folder: Path, mirror: Path | None) -> Outcome:
    """Builds the part of one source, unless it is there.

    Raises:
        ConformanceError: the repository cannot be had.
    """
    part, raw = folder / ".parts" / f"{source.name}.jsonl.gz", folder / "vcr_raw" / source.name
    outcome = Outcome(source)
    if part.is_file() and all((raw / path).is_file() for path in source.untouched):
        with gzip.open(part, "rt", encoding="utf-8") as lines:
            _written(map(json.loads, lines), None, outcome)
        if outcome.as_listed:
            outcome.reused = True
            return outcome
    outcome = Outcome(source)
    part.parent.mkdir(parents=True, exist_ok=True)
    unfinished = part.with_suffix(".tmp")
    with gzip.open(unfinished, "wt", encoding="utf-8") as file:
        _written(_lines(repository(source, mirror, folder / "repositories"), raw, outcome), file, outcome)
    unfinished.replace(part)
    return outcome


def _written(lines: Iterable[dict[str, Any]], file: IO[str] | None, outcome: Outcome) -> None:
    digest = hashlib.sha256()
    for line in lines:
        outcome.exchanges[line["api"]] += 1
        digest.update(hashed(line))
        if file is not None:
            file.write(f"{json.dumps(line)}\n")
    outcome.sha256 = digest.hexdigest()


def _lines(found: Repository, raw: Path, outcome: Outcome) -> Iterator[dict[str, Any]]:
    source = found.source
    with tempfile.TemporaryDirectory() as tree:
        paths = []
        for path, content in found.files():
            copies = [Path(tree) / path, *([raw / path] if path in source.untouched else [])]
            for copy in copies:
                copy.parent.mkdir(parents=True, exist_ok=True)
                copy.write_bytes(content)
            if source.has(path):
                paths.append(path)
        for path in paths:
            file = Path(tree) / path
            try:
                for number, each in enumerate(_exchanges(file, path, source)):
                    api = api_of(each) if source.takes(path, number) else None
                    if api is not None:
                        yield line_of(each, source, path, number, api)
            except ConformanceError as error:
                outcome.not_read.append(f"{path}: {error.message.removeprefix(f'{file}: ')}")


def _exchanges(file: Path, path: str, source: Source) -> Iterator[Exchange]:
    origin = next((each for start, each in source.hosts.items() if path.startswith(start)), None)
    for each in read([str(file)], format=source.format, files=Files()):
        yield (
            each if origin is None else replace(each, request=replace(each.request, url=f"{origin}{each.request.url}"))
        )


def assemble(sources: Sequence[Source], folder: Path) -> Counter[str]:
    """Makes the files of the corpus of the parts that are there, and returns how many exchanges each has."""
    counts: Counter[str] = Counter()
    parts = {source.repository: folder / ".parts" / f"{source.name}.jsonl.gz" for source in sources}
    there = {name: part for name, part in parts.items() if part.is_file()}
    files: dict[str, IO[str]] = {}
    try:
        for part in there.values():
            with gzip.open(part, "rt", encoding="utf-8") as lines:
                for api, each in groupby(lines, lambda line: str(json.loads(line)["api"])):
                    if api not in files:
                        files[api] = gzip.open(folder / f"{api}.tmp", "wt", encoding="utf-8")  # noqa: SIM115
                    for line in each:
                        files[api].write(line)
                        counts[api] += 1
    finally:
        for file in files.values():
            file.close()
    for old in folder.glob("*.jsonl.gz"):
        old.unlink()
    for api in files:
        (folder / f"{api}.tmp").replace(folder / f"{api}.jsonl.gz")
    missing = [source.repository for source in sources if source.repository not in there]
    (folder / "sources.json").write_text(json.dumps({"built": [*there], "missing": missing}), encoding="utf-8")
    _untouched(sources, folder / "vcr_raw")
    return counts


def _untouched(sources: Sequence[Source], raw: Path) -> None:
    """Lists the recordings that were copied as they are."""
    lines = []
    for source in sources:
        for path in source.untouched:
            if (file := raw / source.name / path).is_file():
                count = sum(1 for _ in read([str(file)]))
                lines.append({"repo": source.repository, "file": f"{source.name}/{path}", "interactions": count})
    if lines:
        (raw / "manifest.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in lines), encoding="utf-8")
