"""The examples of a rule, from the files of the dialects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from conformance.errors import ConformanceError
from conformance.judge.proofs.bases import base as base_of
from conformance.judge.proofs.bases import based, kinds
from conformance.judge.proofs.example import Example
from conformance.judge.proofs.files import document, full_name, texts
from conformance.judge.proofs.place import document_pointer, finding_place
from conformance.model import pointer as pointers
from conformance.model.frozen import dataclass
from conformance.model.registry import all_dialects, dialect_packages, dialects_in, home_of

NEUTRAL = "conformance.dialects.neutral"
_KINDS = ("violating", "conforming")

Named = Callable[[str], str]
"""The full name of a base, empty for one that the dialect does not have."""


@dataclass(frozen=True, slots=True)
class Examples:
    """A rule's examples; each violating one has its place."""

    violating: tuple[Example, ...]
    conforming: tuple[Example, ...]


@cache
def examples_of(rule: str, dialect: str | None = None) -> Examples:
    """The examples of a rule in the folder of one dialect, or in all. It reads only the files that name the rule.

    Raises:
        ConformanceError: a file is wrong, or two files of one folder have examples of the same kind for the rule.
    """
    packages = dialect_packages() if dialect is None else [home_of(dialect)]
    found = [_in_package(rule, package) for package in packages if package != NEUTRAL]
    return Examples(
        tuple(example for each in found for example in each.violating),
        tuple(example for each in found for example in each.conforming),
    )


def rules_shown_by(package: str) -> Iterator[tuple[str, Path]]:
    """The rules that the files of a package show, each with the file."""
    return ((rule, path) for path in texts(package) for rule in document(path))


def _in_package(rule: str, package: str) -> Examples:
    """The examples in a package; kinds that it has none of are those of the neutral rules, on its dialects' wire."""
    found: dict[str, tuple[Example, ...]] = {}
    for dialect in dialects_in(package) if _files_with(rule, NEUTRAL) else ():
        if all_dialects()[dialect].host is None:
            for kind, examples in _read(rule, NEUTRAL, partial(_of_kind, dialect)).items():
                found[kind] = (*found.get(kind, ()), *examples)
    found |= _read(rule, package, partial(full_name, package))
    violating = tuple(each if each.at else replace(each, at=each.edited_at) for each in found.get("violating", ()))
    bases = tuple(Example(base) for base in dict.fromkeys(each.base for each in violating))
    return Examples(violating, found.get("conforming", bases))


def _files_with(rule: str, package: str) -> list[Path]:
    return [path for path, text in texts(package).items() if f"\n{rule}:" in text and rule in document(path)]


def _read(rule: str, package: str, named: Named) -> Mapping[str, tuple[Example, ...]]:
    """The examples of each kind in the files of a package."""
    found: dict[str, tuple[Example, ...]] = {}
    for path in _files_with(rule, package):
        kinds_here = document(path)[rule]
        if not isinstance(kinds_here, dict) or not kinds_here or kinds_here.keys() - set(_KINDS):
            raise ConformanceError(f"{path}: {rule}: give it `violating`, `conforming`, or both, and nothing else")
        for kind, written in kinds_here.items():
            if kind in found:
                raise ConformanceError(
                    f"{path}: another file of the folder also has {kind} examples of {rule}", "put them into one file"
                )
            if not isinstance(written, list):
                raise ConformanceError(f"{path}: {rule}: `{kind}` is not a list")
            found[kind] = tuple(_examples(f"{path}: {rule}: {kind}", written, named))
    return found


def _examples(where: str, written: list[Any], named: Named) -> Iterator[Example]:
    for number, each in enumerate(written):
        try:
            base, edits = based(each, named, "at", "complete")
            more = each if isinstance(each, dict) else {}
            at = None if "at" not in more or not base else _found_at(more["at"], base)
        except ValueError as error:
            raise ConformanceError(f"{where} example {number}: {error}") from error
        if base:
            yield Example(base, edits, at, more.get("complete", True))


def _of_kind(dialect: str, kind: str) -> str:
    if kind not in ("plain", "streamed"):
        raise ValueError(f"{kind!r} is not a base of every dialect; write `plain` or `streamed`")
    return kinds(dialect).get(kind, "")


def _found_at(place: str, base: str) -> str:
    """A place as findings have it: `0 request /x`. A finding at the top of a body has an empty pointer."""
    if place.endswith("event/last"):
        [record] = base_of(base)
        place = place.replace("last", str(len(record["response"]["events"]) - 1))
    pointer = document_pointer(place)
    is_top = pointers.split(pointer)[2:] == ["body"]
    return f"{finding_place(pointer)} " if is_top else finding_place(pointer)
