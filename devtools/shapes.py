"""Counts which fields, events and headers providers send: `python -m devtools.shapes`.

It reads the corpus and writes `tests/data/shapes.json`, with which the reference server is compared. The file has names
and counts only: of each message the paths of its members with their types, nothing below a key with a user's own data.
"""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

from conformance.model import jsontext
from conformance.model.exchange import Exchange
from conformance.model.registry import all_dialects
from devtools.places import CORPUS, TEST_DATA

FILE = TEST_DATA / "shapes.json"
CORPORA = {
    "openai-chat": ("openai-chat.jsonl.gz", "openai"),
    "openai-chat/mistral": ("mistral.jsonl.gz", "mistral"),
    "openai-responses": ("openai-responses.jsonl.gz", "openai"),
    "anthropic-messages": ("anthropic-messages.jsonl.gz", "anthropic"),
    "gemini": ("gemini-generate.jsonl.gz", "google"),
}
"""The file and the provider that a dialect is compared with; at `DIALECT/PROVIDER` what is answered as that one."""
SINCE = "2026-04-01"
GENERATIONS = {
    "openai-chat": "",
    "openai-chat/mistral": "",
    "openai-responses": "",
    "anthropic-messages": r"claude-[a-z]+-(4-[6-9]|[5-9])",
    "gemini": r"gemini-3",
}
"""How the models' names begin that are recent; the families of OpenAI differ in no field of these."""
FREE = {
    *("input", "args", "arguments", "parameters", "input_schema", "schema", "metadata", "tools", "instructions"),
    "variables",
}
"""Keys below which a user's own data stands."""
_TERMINAL = ("response.completed", "response.incomplete", "response.failed")
"""Events that carry the same response; the second and third are too rare in recordings to be known by themselves."""


@dataclass
class Counts:
    """How often each path of a message stands in recordings, and how often each kind of message."""

    seen: Counter[str] = field(default_factory=Counter)
    labels: Counter[str] = field(default_factory=Counter)

    def add(self, message: set[str]) -> None:
        self.seen.update(message)
        self.labels.update({path.split(" ")[0] for path in message})


@dataclass
class Shapes:
    """What a provider sends: of all recordings the counts and every pair of events, of recent ones also the headers."""

    every: Counts = field(default_factory=Counts)
    recent: Counts = field(default_factory=Counts)
    headers: Counter[str] = field(default_factory=Counter)
    responses: int = 0
    pairs: set[tuple[str, str]] = field(default_factory=set)


def paths(value: Any, at: str = "") -> Iterator[str]:
    """The key paths of a JSON value, each with the kind of what stands there."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield f"{at}/{key}: {jsontext.kind(each)}"
            if key not in FREE:
                yield from paths(each, f"{at}/{key}")
    elif isinstance(value, list):
        for each in value:
            yield from paths(each, f"{at}/*{_kind_of_item(each)}")


def _kind_of_item(value: Any) -> str:
    """Items of an array are compared with items of the same type only: a text block with text blocks."""
    if isinstance(value, dict):
        named = value.get("type")
        return (
            f"({named})" if isinstance(named, str) else f"({'+'.join(sorted(value.keys() & {'text', 'functionCall'}))})"
        )
    return ""


def messages(exchange: Exchange) -> Iterator[set[str]]:
    """Each JSON message of a successful answer, as its set of paths; of a stream, one for each event."""
    dialect = next((each for each in all_dialects().values() if each.claims(exchange.request)), None)
    if dialect is None or not exchange.response.ok:
        return
    events = dialect.readers.sse_events(exchange)
    values = [exchange.response.body.json] if events is None else [event.json for event in events]
    for value in values:
        if isinstance(value, dict):
            label = str(value.get("type", value.get("object", ""))) if events is not None else "sync"
            label = "terminal" if label in _TERMINAL else label
            yield {f"{label} {path}" for path in paths(value)}


def pairs(exchange: Exchange) -> Iterator[tuple[str, str]]:
    """The types of consecutive events of a stream, without repetitions of one type."""
    dialect = next((each for each in all_dialects().values() if each.claims(exchange.request)), None)
    events = dialect.readers.sse_events(exchange) if dialect is not None and exchange.response.ok else None
    kinds = ["begin"]
    for event in events or ():
        value = event.json
        kinds.append(str(value.get("type", value.get("object", ""))) if isinstance(value, dict) else event.data)
    yield from pairwise(kinds)


def measured(corpus: Path, dialect: str) -> Shapes:
    """What the recordings of a dialect's provider have."""
    file, vendor = CORPORA[dialect]
    found = Shapes()
    with gzip.open(corpus / file, "rt", encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if record["vendor"] != vendor:
                continue
            exchange = Exchange.of(record)
            found.pairs |= set(pairs(exchange))
            recent = _recent(dialect, record) and exchange.response.ok
            names = {name.lower() for name, _ in exchange.response.headers}
            if recent and len(names) > 3:  # others are recorders that drop headers
                found.responses += 1
                found.headers.update(names)
            for message in messages(exchange):
                found.every.add(message)
                if recent:
                    found.recent.add(message)
    found.headers = Counter({name: count for name, count in found.headers.items() if count > found.responses / 2})
    return found


def _recent(dialect: str, record: dict[str, Any]) -> bool:
    model = str(record.get("model") or "")
    headers = {name.lower(): value for name, value in (record["response"].get("headers") or {}).items()}
    date = max(_day(record.get("recorded_at")), _day(headers.get("date")))
    return date >= SINCE and re.match(GENERATIONS[dialect], model) is not None


def _day(value: Any) -> str:
    """The day of a date, in the form of a log or of an HTTP header; empty if it is neither."""
    text = str(value[0] if isinstance(value, list) and value else value)
    if re.match(r"\d{4}-\d\d-\d\d", text):
        return text[:10]
    with suppress(TypeError, ValueError):
        return parsedate_to_datetime(text).date().isoformat()
    return ""


@cache
def load(dialect: str) -> Shapes:
    """What was measured last."""
    return _read(json.loads(FILE.read_text(encoding="utf-8"))[dialect])


def _read(value: dict[str, Any]) -> Shapes:
    return Shapes(
        every=_counts(value, 0),
        recent=_counts(value, 1),
        headers=Counter(value["headers"]),
        responses=value["responses"],
        pairs={(one, other) for one, others in value["pairs"].items() for other in others},
    )


def _counts(value: dict[str, Any], place: int) -> Counts:
    counts = Counts()
    for label, (total, of_paths) in value["messages"].items():
        counts.labels[label] = total[place]
        counts.seen.update({f"{label} {path}": count[place] for path, count in of_paths.items()})
    return Counts(+counts.seen, +counts.labels)


def _written(shapes: Shapes) -> dict[str, Any]:
    found: dict[str, Any] = {}
    every, recent = shapes.every, shapes.recent
    for label in sorted(every.labels):
        found[label] = [[every.labels[label], recent.labels[label]], {}]
    for path in sorted(every.seen):
        label, _, place = path.partition(" ")
        found[label][1][place] = [every.seen[path], recent.seen[path]]
    after: dict[str, list[str]] = {}
    for one, other in sorted(shapes.pairs):
        after.setdefault(one, []).append(other)
    headers = dict(sorted(shapes.headers.items()))
    return {"messages": found, "headers": headers, "responses": shapes.responses, "pairs": after}


def written(corpus: Path) -> str:
    """The text of the file: a path a line."""
    text = json.dumps({dialect: _written(measured(corpus, dialect)) for dialect in CORPORA}, indent=1)
    return re.sub(r"\[\s+(\d+),\s+(\d+)\s+\]", r"[\1, \2]", text) + "\n"


if __name__ == "__main__":
    FILE.write_text(written(CORPUS), encoding="utf-8")
