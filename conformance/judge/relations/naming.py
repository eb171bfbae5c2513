"""What is written once for several rows: `names`, which stand for places, words and relations, and `each`.

`<usage>` in a text stands for what a file, or `names.yaml` in its folder, has under `names`. Of a name with several
places (`response /usage | event /usage`), each is taken: `<usage>/total` has two, too. A list in a text is one of
several words (`a|b`). A text that is nothing but a name may stand for a relation, an identity or a list.

A member in camel case that is followed by `~` may also be in snake case.

An entry with `each` is repeated: with each value of `{field: [a, b]}`, or with those of each of several mappings. It
is the rest, or what stands under `entry`. The names in what a name stands for may be such values, too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

from conformance.contract.relations import snake_case
from conformance.errors import ConformanceError
from conformance.model.data_files import yaml_data

Names = Mapping[str, Any]

_NAME = re.compile(r"(?<!\?P)<([a-z][a-z_]*)>")
_EITHER_CASE = re.compile(r"\b([a-z]+[A-Z]\w*)~(?![01])")
_OR = " | "
_NAMED = frozenset({"relations", "warning_with"})
"""What a row has with names in it."""


def rows_in(folder: Path) -> dict[str, Any]:
    """The rows of all files of a folder by their ids, with nothing but what is there once all names are replaced.

    Raises:
        ConformanceError: two files have a row of one id, or a row uses a name that is none. The message has the id.
    """
    files: dict[str, dict[str, Any]] = yaml_data(folder)
    shared = files.pop("names", {})
    found: dict[str, Any] = {}
    for rows in files.values():
        names = {**shared, **rows.pop("names", {})}
        for rule, row in rows.items():
            if rule in found:
                raise ConformanceError(f"{folder}: {rule}: it is in two files", "remove one of the two")
            try:
                found[rule] = {**row, **{key: replaced(row[key], names) for key in _NAMED & row.keys()}}
            except KeyError as unknown:
                hint = "add it under `names`, in the file or in `names.yaml`"
                raise ConformanceError(f"{folder}: {rule}: unknown name {unknown}", hint) from unknown
    return found


def replaced(value: Any, names: Names) -> Any:
    """A value with what its names stand for."""
    if isinstance(value, str):
        alone = _NAME.fullmatch(value)
        if alone is not None and not isinstance(names[alone[1]], str):
            return replaced(names[alone[1]], names)
        text = _OR.join(_places(value, names)) if alone or _NAME.search(value) else value
        return _EITHER_CASE.sub(lambda found: f"{found[1]}|{snake_case(found[1])}", text)
    if isinstance(value, list):
        return [entry for each in value for entry in _repeated(each, names)]
    return {key: replaced(each, names) for key, each in value.items()} if isinstance(value, dict) else value


def _places(text: str, names: Names) -> Iterator[str]:
    """The places that a text has, with one of those that each name stands for."""
    for place in text.split(_OR):
        literal = _NAME.split(place)
        for values in product(*(_alternatives(names[name], names) for name in literal[1::2])):
            made = literal[0] + "".join(map("".join, zip(values, literal[2::2], strict=True)))
            root = "" if literal[0] else values[0]
            # A root stands apart from the path that follows.
            yield f"{root} {made[len(root) :]}".rstrip() if root.isalpha() else made


def _alternatives(value: Any, names: Names) -> Sequence[str]:
    found = replaced(value, names)
    return ["|".join(map(str, found))] if isinstance(found, list) else str(found).split(_OR)


def _repeated(entry: Any, names: Names) -> Iterator[Any]:
    if not isinstance(entry, dict) or "each" not in entry:
        yield replaced(entry, names)
        return
    rest = entry.get("entry", {key: value for key, value in entry.items() if key != "each"})
    for values in _values(replaced(entry["each"], names)):
        yield replaced(rest, {**names, **values})


def _values(each: Mapping[str, Sequence[Any]] | Sequence[Names]) -> Iterator[Names]:
    if isinstance(each, Mapping):
        yield from (dict(zip(each, values, strict=True)) for values in product(*each.values()))
    else:
        yield from each
