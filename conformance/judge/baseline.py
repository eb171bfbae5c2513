"""The baseline: a YAML file of accepted findings.

Under `accepted` are entries with `rule` and `reason`; `source`, `dialect` and `pointer` for only some of the rule's
findings (`*` matches anything); and `until`, the last day on which the entry is valid. Editing changes only the lines
of the entries that are added or removed.
"""

from __future__ import annotations

import glob
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import date
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from conformance.errors import ConformanceError, HarnessError
from conformance.model.finding import Finding
from conformance.model.frozen import dataclass
from conformance.model.schema_words import nearest
from conformance.model.yaml_document import place_of, read_document

MATCHED = ("rule", "source", "dialect", "pointer")
_KEYS = (*MATCHED, "until", "reason")
_HEAD = "# Accepted findings. Write a reason for each; `until: 2027-01-31` makes an entry expire.\naccepted:\n"


@dataclass
class Accepted:
    """One entry of a baseline; `used` counts the findings that it matches."""

    line: int
    wanted: Mapping[str, str]
    until: date | None = None
    used: int = 0

    def fits(self, finding: Finding) -> bool:
        """Whether the entry is about this finding."""
        return all(fnmatchcase(str(getattr(finding, key) or ""), pattern) for key, pattern in self.wanted.items())

    def is_about(self, dialects: Sequence[str]) -> bool:
        """Whether the entry may be about one of the dialects; they are all dialects if there are none."""
        pattern = self.wanted.get("dialect", "*")
        return not dialects or any(fnmatchcase(each, pattern) for each in dialects)


def read_baseline(path: Path, *, update: bool = False) -> list[Accepted]:
    """The entries of a baseline. With `update`, the file may be missing, and a reason may be empty.

    Raises:
        ConformanceError: the file cannot be read, or an entry is not valid; with line and column.
    """
    if not path.exists():
        if update:
            return []
        raise ConformanceError(f"{path}: No such file or directory", "create it with --baseline-update")
    document, root = read_document(path, "baseline", dates=True)
    entries = document.get("accepted") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise ConformanceError(
            f"{path}: the list `accepted` is missing", "start the file with `accepted:`, followed by a list of entries"
        )
    return [_entry(entry, number, root, path, update=update) for number, entry in enumerate(entries)]


def _entry(entry: Any, number: int, root: Any, path: Path, *, update: bool) -> Accepted:
    line, column = place_of(root, ["accepted", number])
    here = f"{path}:{line}:{column}"
    if not isinstance(entry, dict) or not entry.get("rule") or "reason" not in entry:
        raise ConformanceError(f"{here}: an entry needs `rule` and `reason`", "add the missing key")
    for key, value in entry.items():
        line_of_key, column_of_key = place_of(root, ["accepted", number, str(key)], key=True)
        at = f"{path}:{line_of_key}:{column_of_key}"
        if key not in _KEYS:
            raise ConformanceError(f"{at}: unknown key `{key}`", nearest(str(key), _KEYS, f"valid keys are {_KEYS}"))
        if key == "until" and type(value) is not date:
            raise ConformanceError(f"{at}: `until` is not a date", "write it as `until: 2027-01-31`")
        if key == "reason" and not str(value or "").strip() and not update:
            raise ConformanceError(f"{at}: the entry for {entry['rule']} has no reason", "write why it is accepted")
    return Accepted(line, {key: str(entry[key]) for key in MATCHED if entry.get(key)}, entry.get("until"))


def pattern_of(finding: Finding) -> dict[str, str]:
    """The entry for a finding: its rule, its dialect, and its pointer with `*` for each number."""
    found = {"rule": finding.rule}
    if finding.dialect:
        found["dialect"] = finding.dialect
    if finding.pointer:
        steps = glob.escape(finding.pointer).split("/")
        found["pointer"] = "/".join("*" if step.isdigit() else step for step in steps)
    return found


def edited(text: str, added: Iterable[Mapping[str, str]], removed: Collection[int]) -> str:
    """The text of a baseline with entries added at the end, and those of the given numbers removed.

    Raises:
        HarnessError: the result is not the expected one.
    """
    import yaml

    added = list(added)
    if not text.strip():
        text = _HEAD
        before = 0
    else:
        text = _as_block(text if text.endswith("\n") else f"{text}\n")
        before = len(_entries(text))
    lines = text.splitlines(keepends=True)
    nodes = _entries(text)
    dash = _dash(lines, nodes[0].start_mark) if nodes else 2
    end = _last_line(nodes[-1]) + 1 if nodes else _key_line(text) + 1
    while nodes and not lines[end - 1].strip():
        end -= 1  # the parser counts blank lines after a block text as part of it
    lines[end:end] = ["".join(_written(entry, dash)) for entry in added]
    for number in sorted(removed, reverse=True):
        first, last = nodes[number].start_mark.line, _last_line(nodes[number])
        while first > 0 and lines[first - 1].lstrip().startswith("#"):
            first -= 1  # a comment right above an entry is about it
        del lines[first : last + 1]
    left = before + len(added) - len(removed)
    if not left:
        key = _key_line(text)
        lines[key] = re.sub(r"^(accepted|\"accepted\"|'accepted'):", r"\1: []", lines[key])
    result = "".join(lines)
    if len(yaml.safe_load(result)["accepted"] or []) != left:
        raise HarnessError("the baseline could not be edited", "edit it by hand, and please report it")
    return result


def _written(entry: Mapping[str, str], dash: int) -> list[str]:
    """The lines of a new entry, with an empty reason to fill in."""
    import json

    rows = [f"{key}: {value if key in ('rule', 'dialect') else json.dumps(value)}\n" for key, value in entry.items()]
    rows.append('reason: ""\n')
    return [f"{' ' * dash}{'- ' if number == 0 else '  '}{row}" for number, row in enumerate(rows)]


def _sequence(text: str) -> tuple[Any, Any]:
    """The nodes of the key `accepted` and of its list, from the parser whose marks count characters."""
    import yaml

    root: Any = yaml.compose(text, Loader=yaml.SafeLoader)
    key, node = next((key, value) for key, value in root.value if key.value == "accepted")
    return key, node


def _entries(text: str) -> list[Any]:
    import yaml

    node = _sequence(text)[1]
    return list(node.value) if isinstance(node, yaml.SequenceNode) else []


def _key_line(text: str) -> int:
    return int(_sequence(text)[0].start_mark.line)


def _as_block(text: str) -> str:
    """The text with a list in brackets written as lines, with unchanged entries."""
    node = _sequence(text)[1]
    if not getattr(node, "flow_style", False):
        return text
    items = [text[each.start_mark.index : each.end_mark.index] for each in node.value]
    tail = text[node.end_mark.index :].removeprefix("\n")
    return text[: node.start_mark.index].rstrip() + "\n" + "".join(f"  - {item}\n" for item in items) + tail


def _dash(lines: list[str], mark: Any) -> int:
    """The column of the dashes."""
    return len(lines[mark.line]) - len(lines[mark.line].lstrip())


def _last_line(node: Any) -> int:
    """The line on which an entry ends. The parser's end mark of a block is after the comments that follow it."""
    import yaml

    if isinstance(node, yaml.ScalarNode) or node.flow_style or not node.value:
        line = node.end_mark.line
        return int(line - 1 if node.end_mark.column == 0 and line > node.start_mark.line else line)
    last = node.value[-1]
    return _last_line(last[1] if isinstance(last, tuple) else last)
