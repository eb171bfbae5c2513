"""The repositories that the corpus is made of, as `sources.yaml` lists them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field, replace
from fnmatch import fnmatchcase, translate
from functools import cached_property
from pathlib import Path
from typing import Any

import yaml

FILE = Path(__file__).parent / "sources.yaml"
_LISTED = FILE.parent / "listed"
_DEFAULTS: Mapping[str, Any] = {"format": None, "beside": (), "hosts": {}, "joined": None, "untouched": ()}


@dataclass(frozen=True)
class Source:
    """One repository.

    Attributes:
        repository: `owner/name` on GitHub, or any URL that git can fetch.
        commit: The commit to read.
        licence: The SPDX id of its licence. Nothing is copied into this project; the corpus stays on one machine.
        format: The name of the format of its recordings (`conformance.inputs.formats`); without one, it is detected.
        paths: Patterns of the files that are read; `*` also matches `/`. Of a repository whose recordings are many and
            alike, `listed/NAME.yaml` names those that are read, folder by folder; `NAME: [0, 2]` only those exchanges.
        beside: Patterns of files that recordings refer to.
        hosts: For recordings without hosts: what a path begins with, and the origin of its exchanges.
        joined: What is left out at the end of a file's name, so that the files of one run have the same name.
        untouched: Files that are also copied as they are, for tests of reading.
        exchanges: How many exchanges the outcome has, by file.
        sha256: The hash of the outcome: method, URL, status and bodies of all exchanges.
    """

    repository: str
    commit: str
    licence: str
    paths: tuple[str, ...]
    format: str | None = None
    beside: tuple[str, ...] = ()
    hosts: Mapping[str, str] = field(default_factory=dict)
    joined: str | None = None
    untouched: tuple[str, ...] = ()
    exchanges: Mapping[str, int] = field(default_factory=dict)
    sha256: str = ""

    @classmethod
    def of(cls, value: Mapping[str, Any]) -> Source:
        """From the form of the file."""
        given: dict[str, Any] = {key: tuple(each) if isinstance(each, list) else each for key, each in value.items()}
        return cls(**given)

    @property
    def name(self) -> str:
        """Its name as a file: the last two parts of the address."""
        return "+".join(self.repository.removesuffix(".git").rstrip("/").rsplit("/", 2)[-2:])

    @property
    def url(self) -> str:
        return self.repository if ":" in self.repository else f"https://github.com/{self.repository}.git"

    def has(self, path: str) -> bool:
        """Whether a file of the repository is read."""
        return self._pattern.match(path) is not None and (self._listed is None or path in self._listed)

    def needs(self, path: str) -> bool:
        """Whether a file is read, referred to, or copied."""
        return self.has(path) or path in self.untouched or any(fnmatchcase(path, each) for each in self.beside)

    def takes(self, path: str, number: int) -> bool:
        """Whether an exchange of a file is one of the corpus."""
        numbers = None if self._listed is None else self._listed[path]
        return numbers is None or number in numbers

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile("|".join(map(translate, self.paths)))

    @cached_property
    def _listed(self) -> Mapping[str, list[int] | None] | None:
        file = _LISTED / f"{self.name}.yaml"
        if not file.is_file():
            return None
        found: dict[str, list[int] | None] = {}
        for folder, names in yaml.safe_load(file.read_text(encoding="utf-8")).items():
            for each in names:
                found |= {f"{folder}/{name}": numbers for name, numbers in _numbered(each)}
        return found


def _numbered(listed: str | Mapping[str, list[int]]) -> Iterable[tuple[str, list[int] | None]]:
    return [(listed, None)] if isinstance(listed, str) else listed.items()


def load(path: Path = FILE) -> list[Source]:
    """All sources, in the order of the file."""
    return [Source.of(each) for each in yaml.safe_load(path.read_text(encoding="utf-8"))]


def dumped(sources: list[Source]) -> str:
    """The text of the file; what has its default is left out."""
    lines = [_plain(asdict(each)) for each in sources]
    return _HEADER + "".join(
        "\n" + yaml.safe_dump([each], sort_keys=False, allow_unicode=True, width=130) for each in lines
    )


def _plain(value: dict[str, Any]) -> dict[str, Any]:
    kept = {key: each for key, each in value.items() if key not in _DEFAULTS or each != _DEFAULTS[key]}
    return {key: list(each) if isinstance(each, tuple) else each for key, each in kept.items()}


def with_outcome(source: Source, exchanges: Mapping[str, int], sha256: str) -> Source:
    """The same, with what came of it."""
    return replace(source, exchanges=dict(sorted(exchanges.items())), sha256=sha256)


_HEADER = """\
# The public repositories of which `make corpus` builds the corpus of real recordings. devtools/corpus/sources.py
# explains each key. `python -m devtools.corpus --write` rewrites `exchanges` and `sha256`, the rest is written by hand.
"""
