"""Show the settings in force, and where each comes from.

They come from [tool.conformance] in pyproject.toml, or from conformance.toml; the others are defaults.

Example: conformance config --format json
"""

from __future__ import annotations

import json
from dataclasses import dataclass

import click

from conformance.cassette.redact import shown
from conformance.commands.common.groups import text_or_json_option
from conformance.model.settings import schema, settings_of, toml


@dataclass(frozen=True, kw_only=True)
class Options:
    format: str = text_or_json_option()


def run(options: Options) -> int:
    """Prints every setting with its value and its source."""
    found = settings_of()
    rows = [
        (key, found.values.get(key, each.get("default")), found.source(key))
        for key, each in schema()["properties"].items()
    ]
    if options.format == "json":
        document = {key: {"value": value, "source": source} for key, value, source in rows}
        click.echo(shown(json.dumps(document, indent=2, ensure_ascii=False)))
        return 0
    lines = [
        (f"{key} is not set" if value is None else f"{key} = {toml(value)}", source) for key, value, source in rows
    ]
    width = max(len(text) for text, _ in lines)
    for text, source in lines:
        click.echo(shown(f"{text:<{width}}  # {source}"))
    return 0
