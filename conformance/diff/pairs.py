"""Which cassettes of two recordings belong together: by their path, which is their axes.

Below the folders the path is `<dialect>/<scenario>/<target>--<driver>[--stream].yaml`. Where the same run was
recorded from another target, the two are still compared if no other cassette could be meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from conformance.cassette.load import load_cassette
from conformance.diff.cassettes import Comparison, compare_cassettes, only_one
from conformance.errors import ConformanceError
from conformance.inputs.recording import NotARecordingError
from conformance.inputs.walk import files
from conformance.matrix.cells import Filter

_NAME = re.compile(r"(?P<target>.+?)--(?P<driver>.+?)(?P<stream>--stream)?\.ya?ml(?:\.gz)?")
_SUFFIXES = (".yaml", ".yml", ".json", ".yaml.gz", ".yml.gz", ".json.gz")


@dataclass(frozen=True, slots=True)
class Axes:
    """The place of a cassette in the matrix. `folder` is the path above it (a sample's number, say)."""

    dialect: str
    scenario: str
    driver: str
    mode: str
    folder: str = ""

    def admitted(self, wanted: Filter) -> bool:
        """Whether the filters admit it."""
        return (
            (not wanted.scenarios or self.scenario in wanted.scenarios)
            and (not wanted.dialects or self.dialect in wanted.dialects)
            and (not wanted.drivers or self.driver in wanted.drivers)
            and wanted.stream in (None, self.mode == "stream")
        )


@dataclass(frozen=True, slots=True)
class Kept:
    """A file of a folder: its axes, and the source of its answers; no axes if it is not named after them."""

    path: Path
    axes: Axes | None
    target: str = ""


def comparisons(old: Path, new: Path, wanted: Filter) -> Iterator[Comparison]:
    """The comparison of each pair of cassettes, and of each cassette that has no partner.

    Raises:
        ConformanceError: one of the two cannot be read, or there is nothing to compare.
    """
    for path in (old, new):
        if not path.exists():
            raise ConformanceError(f"{path}: no such file or folder", "pass a cassette, or a folder of cassettes")
    if old.is_dir() != new.is_dir():
        folder, file = (old, new) if old.is_dir() else (new, old)
        raise ConformanceError(f"cannot compare folder {folder} with file {file}", "pass two files or two folders")
    if not old.is_dir():
        yield _compared(old, new)
        return
    before, after = kept_in(old, wanted), kept_in(new, wanted)
    if not before and not after:
        raise ConformanceError(
            f"{old} and {new}: contain no cassette that matches the filters",
            "change the filters, or pass folders of cassettes",
        )
    partner = _partners(before, after)
    for name in sorted({*before, *after}):
        if name in partner:
            yield from _both(before[name], after[partner[name]])
        elif name in before:
            yield from _alone(before[name], old=True)
        if name in after and name not in partner.values():
            yield from _alone(after[name], old=False)


def recordings_in(old: Path, new: Path, wanted: Filter) -> int:
    """How many different recordings `comparisons` reads, roughly: for a progress bar."""
    if not (old.is_dir() and new.is_dir()):
        return 1
    return len({*kept_in(old, wanted), *kept_in(new, wanted)})


def _compared(old: Path, new: Path) -> Comparison:
    before, after = load_cassette(old), load_cassette(new)
    for axis in ("dialect", "scenario"):
        one, other = (cassette.metadata.get(axis) for cassette in (before, after))
        if one is not None and other is not None and one != other:
            raise ConformanceError(
                f"{old} has {axis} {one}, but {new} has {other}",
                "pass two recordings of the same scenario and dialect",
            )
    return compare_cassettes(before, after)


def _both(old: Kept, new: Kept) -> Iterator[Comparison]:
    if old.axes is not None or (_is_recording(old.path) and _is_recording(new.path)):
        yield _compared(old.path, new.path)


def _is_recording(path: Path) -> bool:
    """Whether a file that is not named as a cassette is one: a journal or a report may be there, too."""
    try:
        load_cassette(path)
    except NotARecordingError:
        return False
    return True


def _alone(kept: Kept, *, old: bool) -> Iterator[Comparison]:
    if kept.axes is None and not _is_recording(kept.path):
        return
    cassette = load_cassette(kept.path)
    axes = kept.axes
    if axes is None:
        metadata = cassette.metadata
        axes = Axes(
            str(metadata.get("dialect", "")), str(metadata.get("scenario", "")), str(metadata.get("driver", "")), ""
        )
    yield only_one(
        cassette,
        {"dialect": axes.dialect, "scenario": axes.scenario, "driver": axes.driver, "mode": axes.mode},
        old=old,
    )


def kept_in(folder: Path, wanted: Filter) -> dict[str, Kept]:
    """The files of a folder, by their path below it.

    Raises:
        ConformanceError: a folder may not be read.
    """
    found: dict[str, Kept] = {}
    for path in sorted(map(Path, files(str(folder)))):
        if not path.name.endswith(_SUFFIXES) or not path.is_file():
            continue
        kept = placed(path, folder)
        if kept.axes is None:
            if wanted == Filter():
                found[path.relative_to(folder).as_posix()] = kept
        elif kept.axes.admitted(wanted):
            found[_name(kept)] = kept
    return found


def axes_in(folder: Path) -> list[Axes]:
    """The axes of all cassettes of a folder whose paths match their axes."""
    return [kept.axes for kept in kept_in(folder, Filter()).values() if kept.axes is not None]


def placed(path: Path, folder: Path) -> Kept:
    """A file with its axes, which its path names."""
    named = _NAME.fullmatch(path.name)
    where = path.resolve().parent
    if named is None or not where.name or not where.parent.name:
        return Kept(path, None)
    above = path.relative_to(folder).parts[:-3]
    inner = "/".join(part for part in above if part != "cassettes")
    axes = Axes(where.parent.name, where.name, named["driver"], "stream" if named["stream"] else "sync", inner)
    return Kept(path, axes, named["target"])


def _name(kept: Kept) -> str:
    axes = kept.axes
    if axes is None:
        return kept.path.name
    return f"{axes.dialect}/{axes.scenario}/{axes.driver}/{axes.mode}/{axes.folder}/{kept.target}"


def _partners(before: Mapping[str, Kept], after: Mapping[str, Kept]) -> dict[str, str]:
    """The new name for each old one: the same, or the only one that another target left for the same run."""
    partner = {name: name for name in before if name in after}
    free = [{name: kept for name, kept in side.items() if name not in partner} for side in (before, after)]
    for name, kept in free[0].items():
        rivals, meant = ([other for other, each in side.items() if each.axes == kept.axes] for side in free)
        if kept.axes is not None and len(rivals) == 1 and len(meant) == 1:
            partner[name] = meant[0]
    return partner
