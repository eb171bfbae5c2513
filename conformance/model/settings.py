"""The settings of a project: `[tool.conformance]` in `pyproject.toml`, or `conformance.toml`.

    [tool.conformance]
    select = ["chat-", "tool-call-unanswered"]
    ignore = ["chat-usage-"]
    strict = true
    baseline = "conformance-baseline.yaml"

Those of the nearest folder apply, from the working directory upwards. `specs/config.schema.json` has the keys and their
types; a key that is not in it, or a value of another type, is an error.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Any

from conformance.errors import ConformanceError, did_you_mean
from conformance.model.data_files import data_dir
from conformance.model.frozen import dataclass

PYPROJECT, OWN = "pyproject.toml", "conformance.toml"
_TABLE = "[tool.conformance]"
_TOOL = re.compile(r"""^\s*\[*\s*["']?tool["']?\s*(?:\.\s*["']?conformance\b|\]|=)""", re.MULTILINE)
"""What a `pyproject.toml` has somewhere if it has that table: most have not, and need not be parsed."""


@dataclass(frozen=True, slots=True)
class Settings:
    """The values by key, with paths made absolute, and the file that they come from."""

    path: Path | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[str, int] = field(default_factory=dict)

    def source(self, key: str) -> str:
        """The source of a value: `FILE:LINE`, or `default`."""
        if key not in self.values:
            return "default"
        return f"{self.path}:{self.lines[key]}" if key in self.lines else str(self.path)


@cache
def schema() -> Mapping[str, Any]:
    """The JSON Schema of the settings."""
    import json

    document: Mapping[str, Any] = json.loads((data_dir("specs") / "config.schema.json").read_text(encoding="utf-8"))
    return document


def settings_of(start: Path | None = None) -> Settings:
    """The settings of a folder, by default the working directory.

    Raises:
        ConformanceError: the file is not TOML, or a setting is not valid; the text has the place.
    """
    start = start or Path.cwd()
    for folder in (start, *start.parents):
        paths = [path for path in (folder / OWN, folder / PYPROJECT) if path.is_file()]
        if paths:
            found = [each for each in map(_read, paths) if each is not None]
            if len(found) > 1:
                raise ConformanceError(
                    f"{folder / PYPROJECT}: {_TABLE} is here, and {OWN} is beside it",
                    "keep the settings in one of them",
                )
            return found[0] if found else Settings()
    return Settings()


def _read(path: Path) -> Settings | None:
    """The settings in a file; None if a `pyproject.toml` has no such table."""
    try:
        text = path.read_text(encoding="utf-8")
        if path.name == PYPROJECT and _TOOL.search(text) is None:
            return None
        import tomllib

        document = tomllib.loads(text)
    except (OSError, ValueError, RecursionError) as error:
        raise ConformanceError(f"{path}: not TOML: {error}", "fix the file") from error
    table: Any = document
    if path.name == PYPROJECT:
        tool = document.get("tool", {})
        table = tool.get("conformance") if isinstance(tool, dict) else tool
        if table is None:
            return None
        if not isinstance(table, dict):
            raise ConformanceError(f"{path}: `tool.conformance` is not a table", f"write {_TABLE} above its keys")
    lines = _lines(text, in_table=path.name == PYPROJECT)
    return Settings(path, {key: _value(key, value, path, lines) for key, value in table.items()}, lines)


def _value(key: str, value: Any, path: Path, lines: Mapping[str, int]) -> Any:
    """A value that fits the schema; a path is relative to the file's folder."""
    keys: Mapping[str, Any] = schema()["properties"]
    where = f"{path}:{lines[key]}" if key in lines else str(path)
    table = f"{_TABLE} " if path.name == PYPROJECT else ""
    if key not in keys:
        hint = did_you_mean(key, keys, f"the keys are {', '.join(keys)}", form="`{}`")
        raise ConformanceError(
            f"{where}: {table}has no key `{key}`" if table else f"{where}: unknown key `{key}`", hint
        )
    wanted = keys[key]
    if not _fits(value, wanted):
        sample = wanted["examples"][0]
        hint = did_you_mean(str(value), wanted.get("enum", ()), f"write `{key} = {toml(sample)}`")
        raise ConformanceError(f"{where}: {table}`{key}` is not {wanted['title']}", hint)
    if wanted.get("format") == "path":
        return str(path.parent / value)
    if wanted.get("items", {}).get("format") == "path":
        return [str(path.parent / each) for each in value]
    return value


def _fits(value: Any, wanted: Mapping[str, Any]) -> bool:
    import jsonschema_rs

    return bool(jsonschema_rs.is_valid(dict(wanted), value))


def _lines(text: str, *, in_table: bool) -> dict[str, int]:
    """The line of each key that is on a separate line."""
    inside = not in_table
    found: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        if re.match(r"\s*\[", line) and in_table:
            inside = re.match(r"\s*\[\s*tool\s*\.\s*conformance\s*\]", line) is not None
        elif inside and (key := re.match(r"\s*\"?([\w-]+)\"?\s*=", line)):
            found.setdefault(key[1], number)
    return found


def toml(value: Any) -> str:
    """A value in TOML's form."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(toml, value))}]"
    if isinstance(value, str):
        import json

        return json.dumps(value, ensure_ascii=False)
    return str(value)
