"""The result of a job in the order of its inputs: what `check` reports as if one process had judged them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from conformance.errors import ConformanceError
from conformance.inputs import EndOfFolder, Source, must_be_whole
from conformance.inputs.extra import needed
from conformance.inputs.files import Files
from conformance.inputs.remote import is_url
from conformance.judge.cause import CauseKey, cause_of
from conformance.judge.judging import Judged
from conformance.judge.summary import Summary
from conformance.model.finding import Finding
from conformance.scale.keys import opened
from conformance.scale.rows import add_count, finding_of
from conformance.scale.units import Job, Reader

_CAUSES = 10_000
"""The first finding of so many causes gets its exchange, which a report shows."""
_FETCHED = 1_000
"""How many rows are fetched at once."""


def connected(folder: str) -> Any:
    """A connection of DuckDB with the table `rows`: everything that the Parquet files of a folder have.

    Raises:
        ConformanceError: DuckDB is not installed, or the folder has no findings.
    """
    duckdb = needed("duckdb", "reading findings", "arrow")
    connection = duckdb.connect()
    if is_url(folder):
        connection.register_filesystem(needed("fsspec.core", folder, "arrow").url_to_fs(folder)[0])
    files = f"{folder.rstrip('/')}/**/*.parquet".replace("'", "''")
    try:
        connection.execute(f"CREATE VIEW rows AS SELECT * FROM read_parquet('{files}', union_by_name = true)")  # noqa: S608 - quoted
        connection.execute("SELECT kind, run, day, count FROM rows LIMIT 1")
    except duckdb.Error as error:
        line = str(error).partition("\n")[0]
        raise ConformanceError(
            f"{folder}: no findings in Parquet ({line})", "pass a folder that `check --findings` wrote"
        ) from None
    return connection


class Result:
    """The result of a job, and why some of it was not judged."""

    def __init__(self, job: Job, found: Sequence[Source | EndOfFolder], summary: Summary) -> None:
        self._found = found
        self._files = [each for each in found if isinstance(each, Source)]
        self._summary = summary
        self._lists = job.lists
        self._rows = connected(job.output)
        self._reader = Reader(dict(enumerate(self._files)))
        self._known: set[CauseKey] = set()

    def judged(self) -> Iterator[Judged]:
        """The exchanges with findings, or with `lists` all of them, and the first of each file; in their order.

        Raises:
            ConformanceError: something was not judged, or a folder has no recordings. Everything else came before.
        """
        self._count()
        source, findings = "", list[Finding]()
        place = -1, -1
        kinds = "('finding', 'exchange')" if self._lists else "('finding', 'file')"
        for row in self._query(f"kind IN {kinds}", "file, number, kind, position"):
            if (row["file"], row["number"]) != place:
                if place[0] >= 0:
                    yield source, findings
                place, source, findings = (row["file"], row["number"]), row["source"], []
            if row["kind"] == "finding":
                findings.append(self._with_traffic(finding_of(row), row["file"], row["number"]))
        if place[0] >= 0:
            yield source, findings
        self._complain()

    def _query(self, which: str, order: str) -> Iterator[dict[str, Any]]:
        found = self._rows.cursor().execute(f"SELECT * FROM rows WHERE {which} ORDER BY {order}")  # noqa: S608 - ours
        names = [column[0] for column in found.description]
        while some := found.fetchmany(_FETCHED):
            yield from (dict(zip(names, row, strict=True)) for row in some)

    def _count(self) -> None:
        totals = self._rows.execute(
            "SELECT rule, message, sum(count), min(struct_pack(file := file, number := number)) AS first FROM rows "
            "WHERE kind = 'count' GROUP BY rule, message ORDER BY first"
        ).fetchall()
        for name, key, number, _ in totals:
            add_count(self._summary, name, key, int(number))
        read = self._rows.execute(
            "SELECT file, source, any_value(message), sum(exchange) FROM rows WHERE kind = 'read' "
            "GROUP BY 1, 2 ORDER BY 1"
        ).fetchall()
        for _, path, reason, number in read:
            self._summary.files.read += int(number)
            if reason is not None:
                self._summary.files.refuse(path, reason)

    def _with_traffic(self, finding: Finding, file: int, number: int) -> Finding:
        """The first finding of a cause gets its exchange from the inputs: no table of findings contains traffic."""
        cause = cause_of(finding)
        if cause in self._known or len(self._known) >= _CAUSES:
            return finding
        self._known.add(cause)
        try:
            return replace(finding, traffic=opened(self._reader.record(file, number)))
        except ConformanceError:
            return finding

    def _complain(self) -> None:
        broken = list(self._query("kind = 'not_judged'", "file, number"))
        errors = [ConformanceError(f"{row['source']}: {row['message']}") for row in broken]
        for row in broken:
            self._summary.omit("exchange", row["source"], row["message"])
        self._summary.files.broken = errors[0].message if errors else ""
        must_be_whole(errors, Files())
        counts = dict(
            self._rows.execute("SELECT file, sum(count) FROM rows WHERE kind = 'read' GROUP BY file").fetchall()
        )
        file, any_in_folder = -1, False
        for each in self._found:
            if isinstance(each, EndOfFolder):
                each.check(found=any_in_folder, files=self._summary.files)
                any_in_folder = False
            else:
                file += 1
                any_in_folder = (each.in_folder and counts.get(file, 0) > 0) or any_in_folder
