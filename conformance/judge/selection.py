"""The findings that count: rules chosen by the user, without findings that were accepted with a reason.

They are chosen on the command line, or in the settings of the project (`conformance.model.settings`).

If two prefixes match a rule, the longer one decides, as in ruff.

The entries of a baseline (`conformance.judge.baseline`) remove findings. An entry that matches no finding any more,
or whose date has passed, is itself a finding: a fixed fault must not come back unnoticed.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import field
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from conformance.errors import ConformanceError, did_you_mean
from conformance.model.finding import Finding, Severity
from conformance.model.frozen import dataclass
from conformance.model.settings import settings_of

NOT_DONE = frozenset({"cell-missing", "cassette-missing"})
"""The rules about a run that report what was not judged. They judge nothing themselves."""

if TYPE_CHECKING:
    from conformance.judge.baseline import Accepted


@dataclass
class Selection:
    """The user's selection; without one, every finding counts.

    Raises:
        ConformanceError: `select` or `ignore` is a string, whose every character would be a prefix.
    """

    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    strict: bool = False
    baseline: Path | None = None
    accepted: list[Accepted] = field(default_factory=list)
    update: bool = False
    """Whether a finding that would fail is added to the baseline instead of reported."""
    prune: bool = False
    """Whether entries that match nothing are removed instead of reported."""
    today: date | None = None
    """The day by which entries expire; None if dates are ignored."""
    dialects: Sequence[str] = ()
    """The dialects that are judged, and so the only ones whose entries can be stale; empty for all."""
    added: list[Finding] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in ("select", "ignore"):
            if isinstance(getattr(self, name), str):
                raise ConformanceError(f"`{name}` is a string", f'write {name}=["chat-"]')

    def keeps(self, finding: Finding) -> bool:
        """Whether a finding counts: its rule is chosen, and no entry of the baseline accepts it."""
        if not self.chooses(finding.rule):
            return False
        holding = [entry for entry in self.accepted if entry.fits(finding)]
        for entry in holding:
            entry.used += 1
        if any(not self._expired(entry) for entry in holding):
            return False
        if not self.update or finding.severity < (Severity.WARNING if self.strict else Severity.ERROR):
            return True
        self.added.append(finding)
        return False

    def _expired(self, entry: Accepted) -> bool:
        return entry.until is not None and self.today is not None and entry.until < self.today

    def chooses(self, rule: str) -> bool:
        """Whether a rule is chosen. A finding about what was not judged is never hidden by `select`."""
        wanted = max((len(prefix) for prefix in self.select if rule.startswith(prefix)), default=-1)
        unwanted = max((len(prefix) for prefix in self.ignore if rule.startswith(prefix)), default=-1)
        return wanted > unwanted if self.select and rule not in NOT_DONE else unwanted < 0

    def reports_all(self, rule: str) -> bool:
        """Whether all findings of a rule count: it is chosen, and the baseline has accepted none of its findings."""
        accepted = {entry.wanted["rule"] for entry in self.accepted if entry.used} | {each.rule for each in self.added}
        return self.chooses(rule) and not any(rule.startswith(name) for name in accepted)

    def unused(self) -> list[Accepted]:
        """The entries of chosen rules, in dialects that were judged, that matched no finding."""
        return [
            entry
            for entry in self.accepted
            if not entry.used and self.chooses(entry.wanted["rule"]) and entry.is_about(self.dialects)
        ]

    def stale(self, *, whole: bool = True) -> list[Finding]:
        """A finding for each entry of the baseline that matched nothing, and for each whose date has passed.

        If only a part was judged, an entry may match in another part: then the finding is of severity info.
        """
        unused = [
            Finding(
                rule="baseline-entry-unused",
                severity=Severity.ERROR if whole else Severity.INFO,
                message=f"the baseline entry for {entry.wanted['rule']} matches no finding",
                source=f"{self.baseline}:{entry.line}",
                expected="an entry that matches a finding",
                actual="no match; remove the entry",
                fix="remove the entry, or run again with --baseline-prune",
            )
            for entry in ([] if self.prune and whole else self.unused())
        ]
        return unused + [
            Finding(
                rule="baseline-entry-invalid",
                severity=Severity.ERROR,
                message=f"the baseline entry for {entry.wanted['rule']} expired on {entry.until}",
                source=f"{self.baseline}:{entry.line}",
                expected="a date that has not passed",
                actual=str(entry.until),
                fix="correct what it accepts, or give the entry a later date",
            )
            for entry in self.accepted
            if entry.used and self._expired(entry)
        ]


def _each(options: Iterable[str]) -> tuple[str, ...]:
    """The values of a repeated option, each of which may be several with commas between them.

    Raises:
        ConformanceError: there is nothing between the commas.
    """
    found = [value.strip() for option in options for value in option.split(",")]
    named = tuple(filter(None, found))
    if found and not named:
        raise ConformanceError("--select or --ignore names no rule", "`conformance list --rules` lists all rules")
    return named


def chosen(
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    *,
    strict: bool = False,
    baseline: str | None = None,
    baseline_update: bool = False,
    baseline_prune: bool = False,
) -> Selection:
    """The selection of the command line; for options that are not given, that of the project's settings.

    Raises:
        ConformanceError: a prefix matches no rule, or a file is not valid.
    """
    configured = settings_of().values
    made = Selection(
        select=known_prefixes(_each(select) or tuple(configured.get("select", ()))),
        ignore=known_prefixes(_each(ignore) or tuple(configured.get("ignore", ()))),
        strict=strict or configured.get("strict", False),
    )
    path = Path(baseline or configured["baseline"]) if baseline or "baseline" in configured else None
    if path is not None:
        from conformance.judge.baseline import read_baseline

        made.baseline, made.accepted = path, read_baseline(path, update=baseline_update)
        for entry in made.accepted:
            known_prefixes((entry.wanted["rule"],))
        made.update, made.prune, made.today = baseline_update, baseline_prune, today()
    elif baseline_update or baseline_prune:
        option = "--baseline-update" if baseline_update else "--baseline-prune"
        raise ConformanceError(f"{option} needs a baseline", "add --baseline FILE, or set `baseline`")
    if made.prune and (made.select or made.ignore):
        raise ConformanceError("--baseline-prune needs all rules", "remove --select and --ignore")
    return made


def today() -> date:
    """The day by which entries expire: today, or that of CONFORMANCE_AS_OF.

    Raises:
        ConformanceError: the variable is not a date.
    """
    given = os.environ.get("CONFORMANCE_AS_OF")
    try:
        return datetime.fromisoformat(given).date() if given else datetime.now(UTC).date()
    except ValueError as error:
        raise ConformanceError(f"CONFORMANCE_AS_OF: {given!r} is not a date", "write it as 2027-01-31") from error


def _rules() -> list[str]:
    from conformance.judge.rule import rule_names
    from conformance.judge.run_rules import run_rules

    return [*rule_names(), *run_rules()]


def known_prefixes(prefixes: tuple[str, ...]) -> tuple[str, ...]:
    """The same prefixes, each of which some rule id starts with.

    Raises:
        ConformanceError: one matches no rule; the hint names the nearest.
    """
    names = _rules() if prefixes else []
    for prefix in prefixes:
        if not prefix:
            raise ConformanceError("an empty prefix matches every rule", "name the rules, or leave the option out")
        if not any(name.startswith(prefix) for name in names):
            hint = did_you_mean(prefix, names, "`conformance list --rules` lists all rules")
            raise ConformanceError(f"no rule id starts with {prefix!r}", hint)
    return prefixes
