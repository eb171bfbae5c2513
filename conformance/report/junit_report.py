"""JUnit XML: a suite for each file, a failed case for each error; warnings and infos are a suite's output.

The counts of a suite stand before its cases, so a suite waits in spools until its file is done. The XML is
ASCII (other characters are references), so that it survives every stream.
"""

from __future__ import annotations

from typing import IO
from xml.etree import ElementTree as ET

from conformance.judge.checker import Summary
from conformance.model.finding import Finding, Severity
from conformance.model.printable import count, short, visible
from conformance.report.spool import Spool
from conformance.report.statements import file_of, split_source, statement
from conformance.report.totals import verdict


class JunitReport:
    """One suite at a time; the last one holds the sums."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._suite: _Suite | None = None
        stream.write('<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="conformance">\n')

    def judged(self, source: str) -> None:
        self._suite_of(split_source(source)[0]).exchanges += 1

    def finding(self, finding: Finding) -> None:
        self._suite_of(file_of(finding)).add(finding)

    def close(self, summary: Summary) -> None:
        self._end_suite()
        faults = [short(fault) for fault in summary.harness_errors]
        case = ET.Element("testcase", name="summary", classname="conformance")
        if faults:
            ET.SubElement(case, "error", message=faults[0], type="harness-error")
        ET.SubElement(case, "system-out").text = "\n".join([verdict(summary), *faults])
        head = _head("conformance", tests=1, failures=0, errors=min(len(faults), 1))
        self._stream.write(f"{head}{_xml(case)}</testsuite>\n</testsuites>\n")

    def _suite_of(self, file: str) -> _Suite:
        if self._suite is None or self._suite.file != file:
            self._end_suite()
            self._suite = _Suite(file)
        return self._suite

    def _end_suite(self) -> None:
        if self._suite is not None:
            self._suite.write_to(self._stream)
            self._suite = None


class _Suite:
    """The findings of one file: errors as cases, the others as lines."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.exchanges = 0
        self._failures = 0
        self._cases = Spool()
        self._lines = Spool()

    def add(self, finding: Finding) -> None:
        if finding.severity is Severity.ERROR:
            self._failures += 1
            self._cases.write(_xml(_case(finding)))
        else:
            self._lines.write(_escaped(f"{finding.severity} {_name(finding)}: {finding.message}"))

    def write_to(self, stream: IO[str]) -> None:
        if not self._failures:
            judged = f" in {count(self.exchanges, 'exchange')}" if self.exchanges else ""
            name = f"no finding of severity error{judged}"
            self._cases.write(_xml(ET.Element("testcase", name=name, classname=visible(self.file))))
        stream.write(_head(self.file, tests=max(self._failures, 1), failures=self._failures, errors=0))
        self._cases.copy_to(stream)
        if not self._lines.empty:
            stream.write("<system-out>")
            self._lines.copy_to(stream)
            stream.write("</system-out>\n")
        stream.write("</testsuite>\n")


def _case(finding: Finding) -> ET.Element:
    file, line = split_source(finding.source)
    case = ET.Element("testcase", name=_name(finding), classname=visible(file))
    if line is not None:
        case.set("line", str(line))
    failure = ET.SubElement(case, "failure", message=short(finding.message), type=visible(finding.rule))
    facts = (
        ("holds", statement(finding.rule)),
        ("at", ", ".join(filter(None, (finding.source, finding.place)))),
        ("dialect", finding.dialect),
        ("id", finding.id),
        ("conversation", finding.conversation),
        ("expected", finding.expected),
        ("actual", finding.actual),
        ("source", finding.cite),
    )
    failure.text = "\n".join(f"{name}: {short(text)}" for name, text in facts if text is not None)
    return case


def _name(finding: Finding) -> str:
    """A name that stays the same from run to run: the rule and its place."""
    line = split_source(finding.source)[1]
    pieces = (finding.rule, f"line {line}" if line is not None else "", finding.place)
    return visible(" ".join(filter(None, pieces)))


def _head(file: str, *, tests: int, failures: int, errors: int) -> str:
    """The opening tag of a suite. Its counts come last in time and first in the file."""
    counts = {"tests": str(tests), "failures": str(failures), "errors": str(errors), "skipped": "0"}
    return _xml(ET.Element("testsuite", {"name": visible(file), **counts})).replace(" />", ">")


def _xml(element: ET.Element) -> str:
    text: bytes = ET.tostring(element, encoding="us-ascii")
    return f"{text.decode('ascii')}\n"


def _escaped(line: str) -> str:
    """A line of text as XML content."""
    element = ET.Element("t")
    element.text = short(line)
    return _xml(element).removeprefix("<t>").removesuffix("</t>\n") + "\n"
