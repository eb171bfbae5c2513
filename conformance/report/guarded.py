"""A filter before every report: removes secrets, then checks what is left.

Foreign recordings hold keys, and a finding quotes what it found. A finding in which the last check still finds a secret
is withheld: the report names it with the reason, and the run counts it as an internal error.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from conformance.cassette.redact_finding import CleanFindings, Withheld
from conformance.errors import ConformanceError
from conformance.judge.cause import CauseKey, cause_of
from conformance.judge.summary import Omission
from conformance.model.finding import Finding
from conformance.model.lazy import lazy

if TYPE_CHECKING:
    from conformance.cassette.gate import Gate
    from conformance.cassette.redact import Redactor
    from conformance.judge.summary import Summary
    from conformance.model.exchange import Exchange
    from conformance.report.base import Case, Report

_MANY = 10_000
_LARGEST = 8 << 20
"""An exchange with more text in its bodies is not shown: to look for secrets in it takes longer than to judge it."""
_LATEST = 8
"""How many exchanges are kept without their secrets: one exchange can have thousands of causes."""


class Guarded:
    """A report of any format that shows no secret.

    `secrets` are those of the traffic that is reported; those of this process are known already.
    """

    def __init__(self, report: Report, secrets: Iterable[str] = ()) -> None:
        self.inner = report
        self._secrets = tuple(secrets)
        self._withheld: list[str] = []
        self._known: set[CauseKey] = set()
        self._source = "", ""
        self._clean: OrderedDict[int, tuple[Exchange, Exchange | None]] = OrderedDict()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    def judged(self, source: str, case: Case | None = None) -> None:
        if source != self._source[0]:
            self._source = source, self._redactor.text(source) if self.inner.shows_sources else source
        self.inner.judged(self._source[1], case)

    def finding(self, finding: Finding) -> None:
        """Shows the finding without secrets, or reports that it cannot be shown."""
        clean = self._findings.clean(finding)
        if isinstance(clean, Withheld):
            self._withheld.append(clean.reason)
            return
        finding = clean
        traffic = self._traffic(finding)
        self.inner.finding(finding if traffic is finding.traffic else replace(finding, traffic=traffic))

    def close(self, summary: Summary) -> None:
        """Completes the document; internal errors can quote recorded text, too."""
        if summary.harness_errors or summary.files.unread or summary.omitted:
            self._without_secrets_in(summary)
        summary.harness_errors += self._withheld
        self.inner.close(summary)

    def _without_secrets_in(self, summary: Summary) -> None:
        clean = self._redactor.text
        summary.harness_errors[:] = map(clean, summary.harness_errors)
        files = summary.files
        files.broken = clean(files.broken)
        files.unread = {clean(path): clean(reason) for path, reason in sorted(files.unread.items())}
        summary.omitted = {
            Omission(each.kind, clean(each.source), clean(each.reason)): number
            for each, number in summary.omitted.items()
        }

    def _traffic(self, finding: Finding) -> Exchange | None:
        """The exchange of the first finding of each cause, without secrets; None if the last check still finds one."""
        key = cause_of(finding)
        if key in self._known or len(self._known) >= _MANY:
            return None
        self._known.add(key)
        traffic = finding.traffic or _recorded(finding)
        if traffic is None or _size(traffic) > _LARGEST:
            return None
        if id(traffic) not in self._clean:
            self._clean[id(traffic)] = traffic, self._without_secrets(traffic)
            if len(self._clean) > _LATEST:
                self._clean.popitem(last=False)
        return self._clean[id(traffic)][1]

    def _without_secrets(self, traffic: Exchange) -> Exchange | None:
        from conformance.cassette.redact_exchange import redacted

        clean = redacted(traffic, self._redactor)
        return None if any(self._gate.exchange(clean, "")) else clean

    @lazy
    def _redactor(self) -> Redactor:
        from conformance.cassette.redact import Redactor
        from conformance.cassette.secretkinds import known_secrets

        return Redactor({*known_secrets(), *self._secrets}, learns=False)

    @lazy
    def _findings(self) -> CleanFindings:
        return CleanFindings(self._redactor, self._gate)

    @lazy
    def _gate(self) -> Gate:
        """Made at the first finding, because most runs have none."""
        from conformance.cassette.gate import Gate

        return Gate(self._secrets)


def _size(traffic: Exchange) -> int:
    contents = (traffic.request.body.content, traffic.response.body.content)
    return sum(len(each) for each in contents if isinstance(each, (str, bytes)))


def _recorded(finding: Finding) -> Exchange | None:
    """The exchange of a finding that was resumed from a journal: from its cassette, if it has one."""
    from conformance.cassette.load import load_cassette

    if finding.exchange is None or finding.side is None or not finding.source.endswith((".yaml", ".yml")):
        return None
    try:
        exchanges = load_cassette(finding.source).exchanges
    except ConformanceError:
        return None
    return exchanges[finding.exchange] if finding.exchange < len(exchanges) else None
