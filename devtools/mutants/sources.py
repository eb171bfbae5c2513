"""The sources of conforming exchanges: the shipped cassettes, and real recordings if they are present."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from conformance.cassette.load import load_cassette
from conformance.inputs import read
from conformance.model.data_files import data_dir
from conformance.model.exchange import Exchange
from devtools.mutants.subject import Subject
from devtools.places import CORPUS


def cassettes(dialects: Sequence[str] = ()) -> Iterator[Path]:
    """The shipped cassettes, of some dialects' folders or of all."""
    root = data_dir("cassettes")
    for folder in sorted(root.iterdir()):
        if folder.is_dir() and (not dialects or folder.name in dialects):
            yield from sorted(folder.rglob("*.yaml"))


def in_run(run: Sequence[Exchange]) -> Iterator[Subject]:
    """The exchanges of one run, each with its earlier and later ones."""
    for number, exchange in enumerate(run):
        subject = Subject(exchange, run[:number], run[number + 1 :])
        if subject.layers:
            yield subject


def from_cassettes(paths: Iterable[Path]) -> Iterator[Subject]:
    """The exchanges of cassettes, named by their path below the folder of cassettes."""
    root = data_dir("cassettes")
    for path in paths:
        name = path.relative_to(root).as_posix()
        yield from in_run([replace(each, source=name, group=name) for each in load_cassette(path).exchanges])


def corpus_files() -> list[Path]:
    """The files of real recordings; none if they are absent."""
    return sorted(CORPUS.glob("*.jsonl.gz"))


def from_corpus(name: str) -> Iterator[Subject]:
    """The exchanges of one file of real recordings, conversation by conversation."""
    path = CORPUS / name
    exchanges = (
        replace(each, source=f"{name}:{each.source.rpartition(':')[2]}", group=f"{name}#{each.conversation}")
        for each in read([str(path)])
    )
    for _, run in groupby(exchanges, key=lambda each: each.group):
        yield from in_run(list(run))
