"""`conformance show`: a recording as a conversation, in text or as a page."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from io import StringIO

from conformance.cassette.load import load_cassette
from conformance.cassette.redact import Redactor
from conformance.cassette.redact_exchange import redacted
from conformance.cassette.secretkinds import known_secrets
from conformance.commands.common.output import destination
from conformance.commands.show import Options
from conformance.commands.show.conversation import Marked, conversation
from conformance.commands.show.events import narration
from conformance.errors import ConformanceError
from conformance.inputs import read
from conformance.model.exchange import Exchange
from conformance.model.printable import visible
from conformance.report.console import put


def run(options: Options) -> int:
    """Prints the metadata, then what each exchange adds to the conversation, or each event to the turn."""
    if options.markup is not None or options.tools is not None:
        from conformance.commands.show.markup import show_markup

        return show_markup(options)
    stdin = sys.stdin.buffer if sys.stdin else None
    exchanges = list(read([options.path], stdin=stdin, format=options.input_format))
    marked = None
    if options.cause is not None:
        marked = _cause(exchanges, options.cause, options.path)
        exchanges = [each for each in exchanges if _run(each) == _run(marked.exchange)]
    redactor = Redactor(known_secrets())
    clean = redactor.text
    with destination(options.output, [options.path]) as stream:
        if options.format == "html":
            from conformance.commands.show.page import write_page

            page = StringIO()
            write_page(exchanges, marked, page, title=options.path)
            stream.write(clean(page.getvalue()))
            return 0
        for line in (*_metadata(options), *_lines(options, exchanges, marked, redactor)):
            put(stream, f"{visible(clean(line))}\n")
    return 0


def _lines(options: Options, exchanges: Sequence[Exchange], marked: Marked | None, redactor: Redactor) -> Iterator[str]:
    if options.events:  # a secret that a stream cuts in pieces is on no line as a whole
        return narration([redacted(each, redactor) for each in exchanges], wire=options.wire)
    return conversation(exchanges, wire=options.wire, marked=marked)


def _metadata(options: Options) -> Iterator[str]:
    """What a cassette states about itself; nothing for other formats."""
    if options.path != "-" and options.input_format in (None, "vcr"):
        try:
            metadata = load_cassette(options.path).metadata
        except ConformanceError:
            return
        yield from (f"{key:20} {value}" for key, value in metadata.items())


def _run(exchange: Exchange) -> tuple[str, str | None]:
    return exchange.group, exchange.conversation


def _cause(exchanges: Sequence[Exchange], number: int, path: str) -> Marked:
    """The first finding of a cause, numbered as `conformance check` numbers it.

    Raises:
        ConformanceError: there are fewer causes, or the finding is about no exchange.
    """
    from conformance.judge.checker import Checker
    from conformance.judge.selection import chosen
    from conformance.matrix.expected import ExpectedFindings
    from conformance.model.settings import settings_of
    from conformance.report.causes import Causes, sums

    settings = settings_of().values
    dialect = settings.get("dialect", "auto")
    checker, selection, causes = Checker(None if dialect == "auto" else dialect), chosen(), Causes(keep_traffic=True)
    expected = ExpectedFindings(settings.get("scenarios", ()))
    for exchange in exchanges:
        for finding in filter(selection.keeps, checker.feed(exchange)):
            if not expected.has(finding):
                causes.add(finding)
    blocks = causes.blocks()
    if number > len(blocks):
        raise ConformanceError(
            f"{path}: there is no cause {number}: {sums(blocks) if blocks else 'no findings'}",
            "`conformance check FILE -v` numbers them",
        )
    finding = blocks[number - 1].cause.first
    if finding.traffic is None:
        raise ConformanceError(f"{path}: cause {number} is about no single exchange", finding.message)
    return Marked(finding.traffic, finding)
