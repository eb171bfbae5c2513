"""What a user brings, with the seeds of each kind and the commands that read it.

A command is a list of words, with these in place of paths: `{it}` the broken input, `{good}` the same input before it
was broken, `{call}` a recording that is fine, `{}` the folder that the command runs in.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from conformance.judge.proofs.example import Example, base_names
from conformance.model import eventstream
from conformance.model.registry import all_dialects
from conformance.report import FORMATS
from devtools.places import ROOT
from tests.cassettes import SHIPPED

_DATA = ROOT / "tests" / "data"
_LARGEST = 1 << 16
_ELSEWHERE = ("select", "baseline", "scenarios", "cassettes", "targets", "profile", "jobs")
"""Settings that need more than a file of settings: other files, processes, or a recording for their rules."""


@dataclass(frozen=True, slots=True)
class Seed:
    """An input that can be read, and where a user has it in a folder. `words` are the words that name it further."""

    place: str
    content: bytes
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Surface:
    """One kind of input. `weight` is how often it is chosen; a surface without commands is read by `serve`."""

    name: str
    weight: int
    seeds: Sequence[Seed]
    commands: Sequence[Sequence[str]] = ()


@cache
def surfaces() -> tuple[Surface, ...]:
    """Every surface with its seeds."""
    cassettes = [min(folder.rglob("*.yaml")) for folder in sorted(SHIPPED.iterdir()) if folder.is_dir()]
    return (
        Surface("recordings", 24, _recordings(cassettes), [*_CHECKS, *_VIEWS]),
        Surface("tools", 4, _tools(), _TOOLS),
        Surface("requests", 6, [Seed("request.json", seed) for seed in _requests()]),
        Surface("scenarios", 2, _files("scenarios/{}", _DATA / "scenarios", "*.yaml"), _SCENARIOS),
        Surface("cassettes", 1, [_replayed(each) for each in cassettes], _REPLAYS),
        Surface("nights", 2, [_night(each) for each in cassettes], _NIGHTS),
        Surface("settings", 1, [Seed(name, text.encode()) for name, text in _settings()], _SETTINGS),
        Surface("profiles", 1, _files("own.yaml", ROOT / "specs" / "profiles", "*.yaml"), _PROFILES),
        Surface("targets", 1, [Seed("targets.yaml", _TARGETS_FILE)], _TARGETS),
        Surface("baselines", 1, [Seed("baseline.yaml", _BASELINE)], _BASELINES),
        Surface("results", 1, _files("reports/own/1.0/2026-11-01.json", ROOT / "docs" / "results", "*.json"), _RESULTS),
        Surface("refusals", 1, _refusals(), _REFUSALS),
    )


_CHECKS = [("check", "{it}", "--format", form) for form in FORMATS] + [
    ("check", "{it}", "--format", "text", "--verbose", "--strict"),
    ("check", "{it}", "--profile", "mistral", "--dialect", "openai-chat"),
]
_VIEWS = [
    ("show", "{it}"),
    ("show", "{it}", "--wire", "--events"),
    *(("diff", "{good}", "{it}", "--format", form) for form in ("text", "json", "html")),
    ("diff", "{it}", "{good}", "--format", "markdown", "--verbose"),
    ("tools", "{it}", "--format", "json"),
    ("list", "--cassettes", "{}", "--max-age", "90d"),
    ("list", "--cassettes", "{}", "--format", "json"),
]
_TOOLS = [
    ("tools", "{it}"),
    *(("tools", "{it}", "--format", form) for form in FORMATS),
    ("tools", "{it}", "--rewrite", "openai/chat-strict"),
    ("tools", "{it}", "--portable", "--profile", "openai", "--profile", "google"),
]
_SCENARIOS = [("list", "--scenarios", "{}/scenarios"), ("list", "--scenarios", "{}/scenarios", "--dialect", "gemini")]
_REPLAYS = [("replay", "--cassettes", "{}/cassettes", "{words}", "--format", form) for form in ("text", "json")]
_NIGHTS = [("history", "{}/nights", "--format", form) for form in ("text", "json", "markdown", "html")] + [
    ("history", "{}/nights", "--keep", "1d", "--dry-run")
]
_SETTINGS = [("config",), ("config", "--format", "json"), ("check", "{call}"), ("list", "--rules")]
_PROFILES = [("check", "{call}", "--profile", "{it}")]
_TARGETS = [
    ("run", "--targets", "{it}", "--target", "not-there"),
    ("record", "--cassettes", "{}/own", "--targets", "{it}", "--target", "none"),
]
_BASELINES = [
    ("check", "{call}", "--baseline", "{it}"),
    ("check", "{call}", "--baseline", "{it}", "--baseline-update"),
    ("check", "{call}", "--baseline", "{it}", "--baseline-prune"),
]
_RESULTS = [("results", "{}/reports", "--output", "{}/site")]
_REFUSALS = [("explain", "-"), ("explain", "-", "--format", "json")]
_BASELINE = b"""\
accepted:
  - rule: tool-call-unanswered
    dialect: openai-chat
    pointer: /messages/*/tool_calls/*
    until: 2030-01-31
    reason: The agent drops the result of a cancelled tool (TICKET-7).
  - rule: chat-usage-misplaced
    reason: The gateway is being replaced.
"""
_TARGETS_FILE = b"""\
targets:
  own:
    about: The model server in the next room.
    base_url: https://models.example/v1
    api_key_env: OWN_KEY
    auth: api-key
    headers: {x-team: tools}
    models: {openai-chat: own-1, openai-responses: null}
    paths: {openai-chat: /chat}
    provenance: live
    prices:
      own-1: {input: 0.15, output: 0.60}
"""


def _recordings(cassettes: Sequence[Path]) -> list[Seed]:
    files = [path for path in sorted(_DATA.rglob("*")) if path.is_file() and path.stat().st_size < _LARGEST]
    found = [Seed(f"x{''.join(path.suffixes[-2:])}", path.read_bytes()) for path in (*files, *cassettes)]
    return found + [Seed("x.jsonl", _lines(example)) for example in _examples()]


def _examples() -> list[Example]:
    return [Example(f"{dialect}/{name}") for dialect in all_dialects() for name in base_names(dialect)]


def _lines(example: Example) -> bytes:
    return "".join(f"{json.dumps(record, default=eventstream.events)}\n" for record in example.records()).encode()


@cache
def call() -> bytes:
    """A recording that is fine."""
    return _lines(Example("openai-chat/call"))


def _requests() -> list[bytes]:
    """The requests of all examples, each with its method, path, headers and body."""
    found = (record["request"] for example in _examples() for record in example.records())
    return [json.dumps(each).encode() for each in found]


def _tools() -> list[Seed]:
    parameters: dict[str, Any] = {
        "type": "object",
        "properties": {
            "city": {"type": "string", "enum": ["Oslo", "Kyiv"], "description": "Where."},
            "days": {"anyOf": [{"type": "integer", "minimum": 0}, {"type": "null"}]},
            "near": {"$ref": "#/$defs/place"},
        },
        "required": ["city"],
        "additionalProperties": False,
        "$defs": {"place": {"type": "array", "items": {"type": "number"}, "maxItems": 2}},
    }
    function = {"name": "weather", "description": "How warm it is.", "parameters": parameters}
    operation = {
        "operationId": "weather",
        "parameters": [{"name": "city", "in": "query", "required": True, "schema": parameters["properties"]["city"]}],
        "requestBody": {"content": {"application/json": {"schema": parameters}}},
        "responses": {"200": {"description": "ok"}},
    }
    documents = (
        [{"type": "function", "function": function}],
        [{"type": "function", **function, "strict": True}],
        [{"name": "weather", "description": "x", "input_schema": parameters}],
        [{"functionDeclarations": [function]}],
        {"tools": [{"name": "weather", "inputSchema": parameters, "annotations": {"readOnlyHint": True}}]},
        {"openapi": "3.1.0", "info": {"title": "x", "version": "1"}, "paths": {"/weather": {"post": operation}}},
    )
    return [Seed("tools.json", json.dumps(each).encode()) for each in documents]


def _files(place: str, folder: Path, pattern: str) -> list[Seed]:
    return [
        Seed(place.format(path.name), path.read_bytes())
        for path in sorted(folder.rglob(pattern))
        if path.stat().st_size < _LARGEST
    ]


def _refusals() -> list[Seed]:
    texts = (
        "messages.2: `tool_use` ids were found without `tool_result` blocks immediately after: toolu_01",
        '{"error": {"message": "messages[1]: role tool must follow a message with tool_calls", "code": null}}',
        "chat-tool-call-unanswered",
        "GenerateContentRequest.contents[2].parts[0]: function response without a function call",
    )
    return [Seed("refusal.txt", each.encode()) for each in texts]


def _replayed(path: Path) -> Seed:
    dialect, scenario, name = path.relative_to(SHIPPED).parts
    driver = name.removesuffix(".yaml").split("--")[1]
    words = ("--dialect", dialect, "--scenario", scenario, "--driver", driver)
    return Seed(f"cassettes/{dialect}/{scenario}/{name}", path.read_bytes(), words)


def _night(path: Path) -> Seed:
    return Seed(f"nights/2026-11-21/{path.relative_to(SHIPPED).as_posix()}", path.read_bytes())


def _settings() -> list[tuple[str, str]]:
    keys = json.loads((ROOT / "specs" / "config.schema.json").read_text())["properties"]
    lines = [f"{key} = {json.dumps(value['examples'][0])}" for key, value in keys.items()]
    text = "\n".join(line for line in lines if line.partition(" ")[0] not in _ELSEWHERE)
    return [("pyproject.toml", f"[tool.conformance]\n{text}\n"), ("conformance.toml", f"{text}\n")]
