"""`conformance serve`: the reference server, for clients in any language."""

from __future__ import annotations

from collections.abc import Sequence

import click

from conformance.reference.behaviours import all_behaviours, chosen
from conformance.reference.server import ReferenceServer
from conformance.scenario import all_scenarios


def run(*, port: int, behaviours: Sequence[str] = (), listing: bool = False) -> int:
    """Serves until it is interrupted; returns 3 if the server itself failed on a request.

    With `listing`, the behaviours that change its answers are named instead.
    """
    if listing:
        for each in all_behaviours().values():
            where = ", ".join(each.dialects) or "every dialect"
            click.echo(f"{each.name:30} {each.grade:7} {each.summary} ({where})")
        return 0
    scenarios = all_scenarios()
    changed = chosen(behaviours)
    with ReferenceServer(scenarios, port, changed) as server:
        click.echo(f"serving {len(scenarios)} scenario(s) on {server.origin}; stop with Ctrl-C")
        for each in changed:
            click.echo(f"  otherwise than usual: {each.name}: {each.summary}")
        click.echo(f"  OpenAI     base_url {server.origin}/v1")
        click.echo(f"  Anthropic  base_url {server.origin}")
        click.echo(f"  Gemini     base_url {server.origin}")
        click.echo("begin with what a scenario's user says:")
        for scenario in scenarios.values():
            for conversation in scenario.conversations:
                click.echo(f"  {scenario.id}: {conversation.user}")
        server.wait()
    for fault in server.faults:
        click.echo(f"conformance: harness error: {fault}", err=True)
    return 3 if server.faults else 0
