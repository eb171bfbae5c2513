"""`conformance serve`: the reference server, for clients in any language."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

import click

from conformance.errors import ConformanceError
from conformance.model.printable import count
from conformance.reference.behaviours import all_behaviours, chosen
from conformance.reference.server import ReferenceServer
from conformance.reference.variation import Variation
from conformance.scenario.load import all_scenarios

_NAME, _GRADE = 28, 6


def run(
    *,
    port: int,
    behaviours: Sequence[str] = (),
    vary: str | None = None,
    listing: bool = False,
    scenario_folders: Sequence[str] = (),
) -> int:
    """Serves until interrupted; returns 3 if the server failed internally on a request.

    With `listing`, lists the behaviours instead.
    """
    if listing:
        for each in all_behaviours().values():
            click.echo(f"{each.name:{_NAME}} {each.grade!s:{_GRADE}} {each.summary}")
            if each.dialects:
                click.echo(f"{'':{_NAME + 1 + _GRADE}} {', '.join(each.dialects)}")
        return 0
    scenarios = all_scenarios(scenario_folders)
    changed = chosen(behaviours)
    varied = Variation(vary) if vary is not None else None
    with _started(ReferenceServer(scenarios, port, changed, varied), port) as server:
        click.echo(f"serving {count(len(scenarios), 'scenario')} on {server.origin}; stop with Ctrl-C")
        for each in changed:
            click.echo(f"  behaviour {each.name}: {each.summary}")
        click.echo(f"  OpenAI     base_url {server.origin}/v1")
        click.echo(f"  Anthropic  base_url {server.origin}")
        click.echo(f"  Gemini     base_url {server.origin}")
        click.echo("Send one of these user messages to start a scenario:")
        for scenario in scenarios.values():
            for conversation in scenario.conversations:
                click.echo(f"  {scenario.id}: {conversation.user}")
        server.wait()
    for fault in server.faults:
        click.echo(f"conformance: internal error: {fault}", err=True)
    return 3 if server.faults else 0


@contextmanager
def _started(server: ReferenceServer, port: int) -> Iterator[ReferenceServer]:
    """A running server.

    Raises:
        ConformanceError: the requested port is not available.
    """
    if port:
        with socket.socket() as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the server itself does
            try:
                tried.bind(("127.0.0.1", port))
            except OSError as error:
                raise ConformanceError(
                    f"127.0.0.1:{port}: {error.strerror}", "choose another --port, or omit it to use a free one"
                ) from error
    with server:
        yield server
