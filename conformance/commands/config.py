"""`conformance config`: the settings in force and their sources."""

from __future__ import annotations

import json
from typing import Any

import click

from conformance.model.settings import schema, settings_of, toml

APPLIES = {
    "dialect": ("check", "proxy"),
    "profile": ("run", "check", "proxy"),
    "format": ("replay", "record", "run", "check", "serve", "proxy"),
    "verbose": ("replay", "record", "run", "check", "serve", "proxy"),
    "jobs": ("record", "run", "check"),
    "scenarios": ("replay", "record", "run", "diff", "list", "serve"),
    "cassettes": ("replay", "record"),
    "targets": ("record", "run", "diff"),
    "timeout": ("record", "run"),
    "max-wait": ("record", "run"),
    "attempts": ("record", "run"),
    "budget": ("record", "run", "diff"),
}
"""The commands whose option `--KEY` takes its default from the settings.

The other settings are read where findings are chosen.
"""

READS = ("replay", "record", "run", "check", "diff", "list", "serve", "proxy")
"""The commands that read the settings at all."""


def run(format_: str) -> int:
    """Prints every setting with its value and its source."""
    from conformance.cassette.redact import shown

    found = settings_of()
    rows = [
        (key, found.values.get(key, each.get("default")), found.source(key))
        for key, each in schema()["properties"].items()
    ]
    if format_ == "json":
        document = {key: {"value": value, "source": source} for key, value, source in rows}
        click.echo(shown(json.dumps(document, indent=2, ensure_ascii=False)))
        return 0
    texts = [("not set" if value is None else f"{key} = {toml(value)}", key, source) for key, value, source in rows]
    lines = [(text if text != "not set" else f"{key} is not set", source) for text, key, source in texts]
    width = max(len(text) for text, _ in lines)
    for text, source in lines:
        click.echo(shown(f"{text:<{width}}  # {source}"))
    return 0


def defaults(command: str) -> dict[str, dict[str, Any]]:
    """The defaults of a command's options, as click takes them.

    Raises:
        ConformanceError: the settings are not valid.
    """
    if command not in READS:
        return {}
    values = settings_of().values
    names = {"format": "format_", "max-wait": "max_wait", "scenarios": "scenario_folders"}
    return {
        command: {
            names.get(key, key): values[key]
            for key, commands in APPLIES.items()
            if key in values and command in commands
        }
    }
