"""Show a cassette as a conversation.

Example: conformance show cassettes/gemini/weather/reference--google-genai.yaml --wire
"""

from __future__ import annotations

from dataclasses import dataclass

import click

from conformance.commands.common.options import argument, option


@dataclass(frozen=True, kw_only=True)
class Options:
    cassette: str = argument(type=click.Path())
    wire: bool = option("--wire", is_flag=True, help="Also show requests and responses as sent on the wire.")
    events: bool = option("--events", is_flag=True, help="Show each stream event and what it adds: text, tool calls.")
