"""`conformance show`: a cassette as text."""

from __future__ import annotations

import click

from conformance.cassette.load import load_cassette
from conformance.cassette.redact import Redactor
from conformance.cassette.secretkinds import known_secrets
from conformance.commands.show import Options
from conformance.commands.show.conversation import conversation
from conformance.commands.show.events import narration
from conformance.errors import ConformanceError
from conformance.model.printable import visible


def run(options: Options) -> int:
    """Prints the metadata, then what each exchange adds to the conversation, or each event to the turn."""
    cassette = load_cassette(options.cassette)
    if not cassette.exchanges:
        raise ConformanceError(f"{options.cassette}: contains no exchanges", "record it again, or pass another file")
    clean = Redactor(known_secrets()).text
    for key, value in cassette.metadata.items():
        click.echo(visible(clean(f"{key:20} {value}")))
    for line in (narration if options.events else conversation)(cassette, wire=options.wire):
        click.echo(visible(clean(line)))
    return 0
