"""Counts how often real providers send each optional field: `python -m devtools.variation_counts`.

It reads the corpus and writes `specs/variation.json`, which has counts only: for each dialect and mode, the path
of an object, its member, in how many exchanges the member is there, in how many the object is, and its most frequent
type. A member is kept only if several projects recorded it, so that no name is a user's own.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter, defaultdict
from typing import Any

from conformance.diff.streams import label
from conformance.model.jsontext import kind
from conformance.model.sse import events
from devtools.places import CORPUS, ROOT

FILE = ROOT / "specs" / "variation.json"
DIALECTS = {
    "openai-chat": "openai-chat",
    "openai-responses": "openai-responses",
    "anthropic-messages": "anthropic-messages",
    "gemini-generate": "gemini",
}
_NAME = re.compile(r"[A-Za-z][A-Za-z_]{1,40}")
_OWN = {"arguments", "args", "input", "tools", "metadata", "parameters", "properties", "schema", "headers", "parsed"}
_LEAST, _SOURCES = 20, 4


class Count:
    """The members of one kind of object."""

    def __init__(self) -> None:
        self.objects = 0
        self.members: Counter[str] = Counter()
        self.kinds: dict[str, Counter[str]] = defaultdict(Counter)
        self.sources: dict[str, set[str]] = defaultdict(set)


def main() -> None:
    """Writes the counts as JSON."""
    result: dict[str, dict[str, dict[str, Any]]] = {}
    for file, dialect in DIALECTS.items():
        counts: dict[str, dict[str, Count]] = {"sync": defaultdict(Count), "stream": defaultdict(Count)}
        with gzip.open(CORPUS / f"{file}.jsonl.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                _count(json.loads(line), counts)
        for mode, objects in counts.items():
            kept = {path: found for path, count in sorted(objects.items()) if (found := _kept(count))}
            result.setdefault(dialect, {})[mode] = kept
    FILE.write_text(_written(result) + "\n", encoding="utf-8")


def _written(result: dict[str, dict[str, dict[str, Any]]]) -> str:
    """The counts as JSON, one object of the wire a line."""
    dialects = [
        f' "{dialect}": {{\n'
        + ",\n".join(
            f'  "{mode}": {{\n'
            + ",\n".join(f"   {json.dumps(path)}: {json.dumps(members)}" for path, members in objects.items())
            + "\n  }"
            for mode, objects in modes.items()
        )
        + "\n }"
        for dialect, modes in result.items()
    ]
    return "{\n" + ",\n".join(dialects) + "\n}"


def _count(exchange: dict[str, Any], counts: dict[str, dict[str, Count]]) -> None:
    response = exchange["response"]
    if not 200 <= response["status"] < 300:
        return
    source, body = exchange["source"]["repo"], response["body"]
    if isinstance(body, dict):
        found = dict(_objects(body, ""))
        mode = "sync"
    elif isinstance(body, str) and ("data:" in body[:200] or "event:" in body[:200]):
        mode, found = "stream", {}
        for event in events(body):
            if isinstance(event.json, dict):
                for path, members in _objects(event.json, f"event {label(event)}".strip()):
                    found.setdefault(path, {}).update(members)
    else:
        return
    for path, members in found.items():
        count = counts[mode][path]
        count.objects += 1
        for name, type_ in members.items():
            count.members[name] += 1
            count.kinds[name][type_] += 1
            count.sources[name].add(source)


def _objects(value: Any, path: str) -> Any:
    if isinstance(value, dict):
        if path.rpartition("/")[2] in _OWN or path.count("/") > 5:
            return
        yield path, {name: _kind(each) for name, each in value.items() if _NAME.fullmatch(name)}
        for name, each in value.items():
            if _NAME.fullmatch(name):
                yield from _objects(each, f"{path}/{name}")
    elif isinstance(value, list):
        for each in value:
            typed = each.get("type") if isinstance(each, dict) else None
            yield from _objects(each, f"{path}/*({typed})" if isinstance(typed, str) else f"{path}/*")


def _kind(value: Any) -> str:
    if value in ([], {}, ""):
        return f"empty {kind(value)}"
    return "zero" if value == 0 and kind(value) == "number" else kind(value)


def _kept(count: Count) -> dict[str, list[Any]]:
    return {
        name: [number, count.objects, count.kinds[name].most_common(1)[0][0]]
        for name, number in sorted(count.members.items())
        if count.objects >= _LEAST and len(count.sources[name]) >= _SOURCES and number < count.objects
    }


if __name__ == "__main__":
    main()
