"""Judges records one after the other into rows: what every engine calls. No state outlives it."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from typing import Any

from conformance.cassette.gate import Gate
from conformance.cassette.redact import Redactor
from conformance.cassette.redact_finding import CleanFindings, Withheld
from conformance.cassette.secretkinds import known_secrets
from conformance.errors import ConformanceError
from conformance.inputs import RawRecord
from conformance.judge.checker import Checker
from conformance.judge.judging import Judging, forget
from conformance.judge.summary import Summary
from conformance.model.finding import Finding
from conformance.profiles.profiles import add
from conformance.scale.facts import Facts, facts_of
from conformance.scale.keys import digest, grouped
from conformance.scale.rows import Row, Tally, finding_row

_OPEN = 4096
"""How many conversations are kept to count each once."""


class Judge:
    """Judges exchanges of any conversations; those of one must come in order.

    With `regroups`, the keys tell conversations apart, not what records name. With `lists`, every exchange
    has a row.
    """

    def __init__(self, how: Judging = Judging(), *, regroups: bool = False, lists: bool = False) -> None:  # noqa: B008 - it cannot change
        if how.profile is not None:
            add(how.profile)
        self._checker, self._alone = (Checker(how.dialect, profile=how.profile) for _ in range(2))
        self._regroups, self._lists = regroups, lists
        self._redactor, self._harmless = Redactor(known_secrets(), learns=False), {""}
        self._findings = CleanFindings(self._redactor, Gate(()))
        self._tally = Tally()
        self._seen: dict[tuple[str, Facts], list[int]] = {}
        self._runs: OrderedDict[str, set[tuple[str, Facts]]] = OrderedDict()

    def forget(self) -> None:
        """Drops what is kept of conversations that are over."""
        forget(self._checker)
        self._runs.clear()

    def feed(self, record: RawRecord, key: str | None, file: int = 0, number: int = 0) -> Iterator[Row]:
        """The rows of one exchange. Whatever is wrong with it, it is a row as well."""
        place = {"file": file, "number": number}
        try:
            exchange = grouped(record, key, number, regroups=self._regroups or key is None)
            checker = self._alone if key is None else self._checker
            checker.summary = one = Summary()
            findings = checker.feed(exchange)
            dialects = list(dict.fromkeys(shape.dialect for shape in one.exercised))
            views = checker.views(exchange.group or key or "", dialects[0]) if dialects else ()
            facts = Facts(*map(self._text, facts_of(exchange, views[-1] if views else None)))
        except ConformanceError as error:
            yield not_judged(record.source, self._text(str(error).removeprefix(f"{record.source}: ")), **place)
            return
        except Exception as error:  # noqa: BLE001 - our own fault, or more than this machine has: the others are judged
            yield not_judged(record.source, self._text(f"{type(error).__name__}: {error}"), **place)
            return
        finally:
            self._alone.forget()
        self._tally.add(one, (file, number))
        run = f"{digest(key or f'{record.source}#{number}'):016x}"
        self._count(run, [(dialect, facts) for dialect in dialects])
        if self._lists:
            yield {"kind": "exchange", "source": exchange.source, **place}
        for position, finding in enumerate(self._clean(findings, (file, number))):
            yield finding_row(finding, position=position, run=run, **facts._asdict(), **place)

    def end(self) -> Iterator[Row]:
        """The counts of everything that was judged."""
        yield from ({**row, "message": self._text(row["message"])} for row in self._tally.rows())
        for (dialect, facts), (exchanges, runs) in self._seen.items():
            counts = {"count": exchanges, "conversations": runs}
            yield {"kind": "seen", "dialect": dialect, **counts, **facts._asdict()}

    def _text(self, text: str | None) -> Any:
        """A text without secrets; the same few come again and again."""
        if text is None or text in self._harmless:
            return text
        clean = self._redactor.text(text)
        if clean == text and len(self._harmless) < _OPEN:
            self._harmless.add(text)
        return clean

    def _clean(self, findings: list[Finding], place: tuple[int, int]) -> Iterator[Finding]:
        for finding in findings:
            clean = self._findings.clean(finding)
            if isinstance(clean, Withheld):
                self._tally.add(Summary(harness_errors=[clean.reason]), place)
            else:
                yield clean

    def _count(self, run: str, strata: list[tuple[str, Facts]]) -> None:
        known = self._runs.setdefault(run, set())
        self._runs.move_to_end(run)
        if len(self._runs) > _OPEN:
            self._runs.popitem(last=False)
        for stratum in strata:
            counts = self._seen.setdefault(stratum, [0, 0])
            counts[0] += 1
            counts[1] += stratum not in known
            known.add(stratum)


def not_judged(source: str, reason: str, **place: int) -> Row:
    """The row of what could not be judged."""
    return {"kind": "not_judged", "source": source, "message": reason, "count": 1, **place}
