"""Files that belong together: the request of an exchange in one, its response in another."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from conformance.inputs.formats import all_formats, format_named
from conformance.model.exchange import Exchange
from conformance.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Group:
    """Files that belong together, and the name of their format."""

    format: str
    files: tuple[str, ...]


def groups_of(files: Sequence[str], wanted: str | None) -> Mapping[str, Group]:
    """The group of each file that belongs to others in the same folder; `wanted` is the only format to look for."""
    if len(files) < 2:
        return {}
    found: dict[str, Group] = {}
    for each in all_formats().values() if wanted is None else (format_named(wanted),):
        if each.together is not None:
            free = [file for file in files if file not in found]
            for group in each.together.groups(free):
                found |= dict.fromkeys(group, Group(each.name, group))
    return found


def exchanges(files: Sequence[str], wanted: str | None) -> Iterator[Exchange]:
    """The exchanges that these files contain together.

    Raises:
        ConformanceError: one of them is broken, or cannot be read.
    """
    form = format_named(wanted or "")
    reader = form.together
    assert reader is not None  # noqa: S101 - the group is from `groups_of`
    return form.contained(reader.read(files))
