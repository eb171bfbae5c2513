"""JUnit XML: one case for each cell of the matrix, or for each file, with the same name in every run.

A case fails where it has an error; its text has the errors by rule and place. The counts stand before the cases, so
cases wait for the end; of each, a limited number of lines is kept. The XML is ASCII (other characters are references),
so that it survives every stream.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import IO
from xml.etree import ElementTree as ET

from conformance.judge.summary import Summary
from conformance.model.finding import Finding, Severity
from conformance.model.printable import count, short, visible
from conformance.model.source import split_source
from conformance.report.base import Case
from conformance.report.statements import statement
from conformance.report.totals import notices, remarks, verdict

_KEPT = 20
"""The most findings of a case in its text; the others are counted."""


class JunitReport:
    """One suite for each target and dialect, or one for all files; the last one has the sums."""

    shows_sources = True

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._cases: dict[tuple[str, str], _Case] = {}
        self._now: dict[str, _Case] = {}

    def judged(self, source: str, case: Case | None = None) -> None:
        file = split_source(source)[0]
        key = ("files", file) if case is None else (f"{case.target}.{case.dialect}", case.name)
        found = self._cases.get(key)
        if found is None:
            found = self._cases[key] = _Case(*key, skipped=case.skipped if case else None)
        found.exchanges += 1
        self._now = {file: found}

    def finding(self, finding: Finding) -> None:
        file = split_source(finding.source)[0]
        if file not in self._now:
            self.judged(finding.source)
        self._now[file].add(finding)

    def close(self, summary: Summary) -> None:
        self._stream.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="conformance">\n')
        suites: dict[str, list[_Case]] = {}
        self._omitted(summary)
        for case in self._cases.values():
            suites.setdefault(case.group, []).append(case)
        for group, cases in suites.items():
            self._suite(group, cases)
        faults = [short(fault) for fault in summary.harness_errors]
        broken, nothing = summary.files.broken, summary.why_nothing()
        sums = ET.Element("testcase", name="summary", classname="conformance")
        if faults:
            ET.SubElement(sums, "error", message=faults[0], type="harness-error")
        elif broken:
            ET.SubElement(sums, "error", message=short(broken), type="broken-file")
        elif nothing is not None:
            ET.SubElement(sums, "error", message=short(str(nothing)), type="nothing-judged")
        ET.SubElement(sums, "system-out").text = "\n".join(
            [verdict(summary), *remarks(summary), *notices(summary), *faults]
        )
        failed = bool(faults or broken) or nothing is not None
        head = _head("conformance", tests=1, failures=0, errors=int(failed), skipped=0)
        self._stream.write(f"{head}{_xml(sums)}</testsuite>\n</testsuites>\n")

    def _omitted(self, summary: Summary) -> None:
        """A skipped case for each file that was not read, and for what was not judged of a file or a cell."""
        for path, reason in summary.files.unread.items():
            self._cases["files", path] = _Case("files", path, skipped=reason)
        if summary.files.more:
            self._cases["files", "others"] = _Case(
                "files", "others", skipped=f"{summary.files.more} more were not read"
            )
        for omission, number in summary.omitted.items():
            name = omission.source or "others"
            here = self._cases.get(("files", name))
            if here is not None and here.exchanges == number and here.skipped is None:
                here.skipped = omission.reason
            elif omission.kind == "exchange":
                name = f"{name}: {omission.reason}"
                self._cases["files", name] = _Case("files", name, skipped=f"{count(number, 'exchange')} not judged")
            else:
                for case in self._cases.values():
                    if case.name == name and case.group != "files":
                        case.skipped = case.skipped or omission.reason

    def _suite(self, group: str, cases: list[_Case]) -> None:
        failures = sum(case.errors > 0 for case in cases)
        skipped = sum(case.skipped is not None for case in cases)
        self._stream.write(_head(group, tests=len(cases), failures=failures, errors=0, skipped=skipped))
        for case in cases:
            self._stream.write(_xml(case.element()))
        self._stream.write("</testsuite>\n")


@dataclass(slots=True)
class _Case:
    """A cell or a file: how many errors it has, and the first findings as lines."""

    group: str
    name: str
    skipped: str | None = None
    exchanges: int = 0
    errors: int = 0
    others: int = 0
    first: Finding | None = None
    failed: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(self, finding: Finding) -> None:
        if finding.severity is Severity.ERROR:
            self.errors += 1
            self.first = self.first or finding
            lines, number = self.failed, self.errors
        else:
            self.others += 1
            lines, number = self.notes, self.others
        if number <= _KEPT:
            lines += _lines(finding)

    def element(self) -> ET.Element:
        case = ET.Element("testcase", name=visible(self.name), classname=visible(self.group))
        if self.skipped is not None:
            ET.SubElement(case, "skipped", message=short(self.skipped))
        if self.first is not None:
            more = f", and {count(self.errors - 1, 'more error')}" if self.errors > 1 else ""
            message = f"{self.first.rule}: {short(self.first.message)}{more}"
            failure = ET.SubElement(case, "failure", message=visible(message), type=visible(self.first.rule))
            failure.text = "\n".join(_counted(self.failed, self.errors))
        if self.notes:
            ET.SubElement(case, "system-out").text = "\n".join(_counted(self.notes, self.others))
        return case


def _lines(finding: Finding) -> list[str]:
    """The lines of a case about a finding."""
    line = split_source(finding.source)[1]
    where = ", ".join(filter(None, (f"line {line}" if line is not None else "", finding.place)))
    facts = (
        ("at", where),
        ("holds", statement(finding.rule, finding.dialect)),
        ("id", finding.id),
        ("conversation", finding.conversation),
        ("expected", finding.expected),
        ("actual", finding.actual),
        ("change", finding.fix),
        ("source", finding.cite),
    )
    head = short(f"{finding.severity} {finding.rule}: {finding.message}")
    if finding.severity is not Severity.ERROR:
        return [head + (f" ({visible(where)})" if where else "")]
    return [head, *(f"  {name}: {short(text)}" for name, text in facts if text)]


def _counted(lines: list[str], number: int) -> list[str]:
    return [*lines, f"… and {number - _KEPT} more"] if number > _KEPT else lines


def _head(name: str, *, tests: int, failures: int, errors: int, skipped: int) -> str:
    """The opening tag of a suite."""
    counts = {"tests": str(tests), "failures": str(failures), "errors": str(errors), "skipped": str(skipped)}
    return _xml(ET.Element("testsuite", {"name": visible(name), **counts})).replace(" />", ">")


def _xml(element: ET.Element) -> str:
    text: bytes = ET.tostring(element, encoding="us-ascii")
    return f"{text.decode('ascii')}\n"
