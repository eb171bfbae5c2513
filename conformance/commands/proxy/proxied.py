"""One run of `conformance proxy`: what records and judges, and the report at its end."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import click

from conformance.commands.common.baseline import write_baseline
from conformance.commands.common.output import destination, exit_code
from conformance.commands.proxy import Options
from conformance.commands.proxy.messages import about, as_text, line
from conformance.judge.chosen_profile import chosen_profile
from conformance.judge.summary import Summary
from conformance.model.registry import dialect_chosen
from conformance.proxy.captured import Answer
from conformance.proxy.recordings import Recordings
from conformance.proxy.watch import Watch
from conformance.report import open_report
from conformance.report.json_report import JsonReport

_HOME = "/_conformance"
_MEDIA = {"json": "application/json", "html": "text/html; charset=utf-8"}


class Proxied:
    """A run of the proxy: what it reports, and where."""

    def __init__(self, options: Options, folder: Path | None) -> None:
        """Reads the options.

        Raises:
            ConformanceError: one of them is wrong.
        """
        self._dialect = dialect_chosen(options.dialect)
        self.display = options.report.display
        self.output = options.report.output
        self.selection = options.findings.selection()
        self._profile = None if options.profile is None else chosen_profile(options.profile)
        self.folder = folder
        self.more: dict[str, Any] = {}
        """What the report has on the server and the client besides the exchanges."""
        self.wrong: list[str] = []
        """Why the run fails besides the findings."""
        self.stdout_is_free = True
        """Whether the report may go to standard output."""

    def watch(self, upstream: str, *, usual: str | None = None, metadata: dict[str, Any] | None = None) -> Watch:
        """Records and judges what passes; `usual` is the dialect if none was chosen."""
        recordings = Recordings(self.folder, upstream, metadata)
        watch = Watch(
            recordings,
            dialect=self._dialect or usual,
            profile=self._profile,
            keeps=self.selection.keeps,
            on_seen=(lambda seen: click.echo(line(seen), err=True)) if self._chatty else (lambda _: None),
        )
        watch.page = lambda method, path: self._page(watch, recordings, method, path)
        self._recordings = recordings
        return watch

    @property
    def _chatty(self) -> bool:
        return self.display.format == "text" and not self.display.quiet

    def print(self, text: str) -> None:
        """Prints to standard output, or to standard error if a report or a protocol has that."""
        click.echo(text, err=not (self.stdout_is_free and self.display.format == "text" and self.output is None))

    def finish(self, watch: Watch, faults: Sequence[str] = ()) -> int:
        """Writes the report of everything; returns the exit code."""
        watch.close()
        write_baseline(self.selection)
        with watch.results() as (summary, found):
            for each in self.selection.stale():
                summary.count(each)
                found.append(each)
        summary.harness_errors += faults
        summary.selection = self.selection
        if not watch.requests and not self.wrong:
            self.wrong.append("no request was sent")
        with self._destination() as out:
            self._write(out, self.display.format, watch, summary, found, whole=True)
        return exit_code(summary, strict=self.selection.strict) or (1 if self.wrong else 0)

    @contextmanager
    def _destination(self) -> Iterator[IO[str]]:
        if self.output is None and not self.stdout_is_free:
            yield sys.stderr
            return
        with destination(self.output, [] if self.folder is None else [str(self.folder)]) as out:
            yield out

    def _write(
        self, out: IO[str], form: str, watch: Watch, summary: Summary, found: Sequence[Any], *, whole: bool = False
    ) -> None:
        summed = about(watch, self._recordings.written, self.folder, self.more)
        report = self.display.opened(out) if whole else open_report(form, out)
        if isinstance(report.inner, JsonReport):
            report.inner.more = {"proxy": summed}
        for each in found:
            report.judged(each.source)
            report.finding(each)
        if form == "text" and not self.display.quiet:
            out.writelines(f"{each}\n" for each in as_text(summed))
        report.close(summary)
        if form == "text":
            out.writelines(f"failed: {each}\n" for each in self.wrong)
        elif whole:
            for each in self.wrong:
                click.echo(f"conformance: {each}", err=True)

    def _page(self, watch: Watch, recordings: Recordings, method: str, path: str) -> Answer:
        form = path.removeprefix(f"{_HOME}/report.")
        if method != "GET" or form not in _MEDIA:
            body = f'{{"error": "GET {_HOME}/report.json or report.html"}}\n'
            return 404, _MEDIA["json"], body.encode()
        out = io.StringIO()
        with watch.results() as (summary, found):
            self._write(out, form, watch, summary, found)
        return 200, _MEDIA[form], out.getvalue().encode()
