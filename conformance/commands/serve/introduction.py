"""What `serve` prints before the first request: where it listens, and how its scenarios begin."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from textwrap import fill

import click

from conformance.commands.serve.pages import HOME, shape, shape_text
from conformance.model.behaviour import Behaviour
from conformance.model.printable import count, short
from conformance.reference.behaviours import all_behaviours
from conformance.reference.recorded import Recorded
from conformance.scenario.model import Scenario

_NAME, _GRADE, _WIDTH = 28, 6, 120


def print_behaviours() -> None:
    """Prints the names that `--behaviour` takes."""
    for each in all_behaviours().values():
        click.echo(f"{each.name:{_NAME}} {'fault' if each.fault else each.grade:{_GRADE}} {each.summary}")
        if each.dialects:
            indent = " " * (_NAME + 1 + _GRADE + 1)
            names = ", ".join(each.dialects)
            click.echo(fill(names, _WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False))


def introduce(
    origin: str,
    scenarios: Mapping[str, Scenario],
    behaviours: Sequence[Behaviour],
    recorded: Recorded | None,
    *,
    err: bool,
) -> None:
    """Prints the endpoints and the scenarios, or the conversations of a recording; with `err`, to standard error."""
    for line in _endpoints(origin, scenarios, behaviours):
        click.echo(line, err=err)
    for line in _scenarios(scenarios) if recorded is None else _conversations(recorded):
        click.echo(line, err=err)
    sys.stdout.flush()


def _endpoints(origin: str, scenarios: Mapping[str, Scenario], behaviours: Sequence[Behaviour]) -> Iterator[str]:
    yield f"serving {count(len(scenarios), 'scenario')} on {origin}; stop with Ctrl-C"
    for each in behaviours:
        yield f"  behaviour {each.name}: {each.summary}"
    yield f"  OpenAI     base_url {origin}/v1"
    yield f"  Anthropic  base_url {origin}"
    yield f"  Gemini     base_url {origin}"
    yield f"  report     {origin}{HOME}/"


def _conversations(recorded: Recorded) -> Iterator[str]:
    yield f"Playing {recorded.path}. Send its first user message:"
    for message in recorded.messages:
        yield f"  {short(message)}"


def _scenarios(scenarios: Mapping[str, Scenario]) -> Iterator[str]:
    yield "Send one of these user messages to start a scenario, and declare its tools:"
    for scenario in scenarios.values():
        for conversation in scenario.conversations:
            yield f"  {scenario.id}: {conversation.user}"
        for tool in scenario.tools[:3]:
            arguments = ", ".join((tool.parameters or {}).get("properties", {}))
            result = shape_text(shape([each.result for each in tool.returns if each.error is None]))
            yield f"    {tool.name}({arguments}) returns {result if result != 'null' else 'an error'}"
        if len(scenario.tools) > 3:
            yield f"    and {len(scenario.tools) - 3} more tools"
