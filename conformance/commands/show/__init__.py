"""Show a recording or log of any format as a conversation.

With --markup, FILE is the text of an open model, and its tool calls are printed as JSON; exits with 1 if the markup of
a call is broken or cut off.

Example: conformance show traffic.jsonl --cause 2, or conformance show --markup glm answer.txt
"""

from __future__ import annotations

from dataclasses import dataclass

import click

from conformance.commands.common.options import argument, option


@dataclass(frozen=True, kw_only=True)
class Options:
    path: str = argument(metavar="FILE")
    cause: int | None = option(
        "--cause",
        type=click.IntRange(1),
        metavar="N",
        help="Mark cause N of `conformance check FILE` in its conversation.",
    )
    wire: bool = option("--wire", is_flag=True, help="Also show requests and responses as sent on the wire.")
    events: bool = option("--events", is_flag=True, help="Show each stream event and what it adds: text, tool calls.")
    format: str = option(
        "--format", type=click.Choice(["text", "html"]), default="text", show_default=True, help="Format of the output."
    )
    output: str | None = option("--output", "-o", metavar="FILE", help="Write it to FILE instead of standard output.")
    markup: str | None = option(
        "--markup", metavar="NAME", help="Markup of the tool calls in FILE, the text of a model: glm, kimi, mistral, …"
    )
    tools: str | None = option(
        "--tools",
        metavar="FILE",
        help="Tool definitions in any form, which say for --markup what type a parameter has.",
    )
    input_format: str | None = option(
        "--from", metavar="FORMAT", help="Format of the recording; by default, it is recognized by the content."
    )
