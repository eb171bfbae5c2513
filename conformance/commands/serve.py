"""`conformance serve`: the reference server, for clients in any language."""

from __future__ import annotations

import click

from conformance.reference.server import ReferenceServer
from conformance.scenario import all_scenarios


def run(port: int) -> int:
    """Serves until it is interrupted; returns 3 if the server itself failed on a request."""
    scenarios = all_scenarios()
    with ReferenceServer(scenarios, port) as server:
        click.echo(f"serving {len(scenarios)} scenario(s) on {server.origin}; stop with Ctrl-C")
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
