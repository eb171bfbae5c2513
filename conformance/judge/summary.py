"""What a verdict is about: the counts of what was judged and of what was not, and why nothing was judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from conformance.errors import ConformanceError
from conformance.inputs import endpoints
from conformance.inputs.files import Files
from conformance.model.exchange import Exchange, Lack
from conformance.model.finding import Finding, Severity
from conformance.model.frozen import dataclass
from conformance.model.printable import count
from conformance.model.registry import claimants
from conformance.model.source import split_source

if TYPE_CHECKING:
    from conformance.judge.exercised import ExchangeShape
    from conformance.judge.selection import Selection

_MANY = 1_000
"""How many omissions are kept apart."""
_LONGEST = 80
"""The longest path of a request in a line."""


class Omission(NamedTuple):
    """Exchanges of one file, or a cell, that were not judged."""

    kind: Literal["exchange", "cell"]
    source: str
    reason: str

    def __str__(self) -> str:
        return f"{self.source} ({self.reason})" if self.source else self.reason


def _place(exchange: Exchange) -> str:
    return f"{exchange.request.method} {exchange.request.path[:_LONGEST]}"


@dataclass
class Summary:
    """The counts of the JSON report.

    A report is green only if something was judged: `why_nothing` is the reason where nothing was.
    """

    exchanges: int = 0
    conversations: int = 0
    errors: int = 0
    warnings: int = 0
    infos: int = 0
    not_exercised: int = 0
    model: int = 0
    """The infos about what the model answered, as opposed to the wire."""
    expected: int = 0
    """The findings that are left out, since a scenario provokes them or a known habit of its client does."""
    unclaimed: int = 0
    judged: int = 0
    """The exchanges of which at least one side was judged."""
    cells: int = 0
    """The cells of the matrix that were judged."""
    harness_errors: list[str] = field(default_factory=list)
    not_recorded: dict[Lack, int] = field(default_factory=dict)
    """The parts that sources do not contain and that were not judged, with the number of exchanges."""
    not_exercised_because: dict[str, int] = field(default_factory=dict)
    """Why rules could not judge a place, with the number of places; they are counted in `not_exercised`, too."""
    not_offered: dict[str, list[str]] = field(default_factory=dict)
    """What cells need that the server does not offer, with the names of these cells."""
    files: Files = field(default_factory=Files)
    omitted: dict[Omission, int] = field(default_factory=dict)
    """What was given and not judged, with the number of exchanges or cells."""
    nearest: str = ""
    """The dialect that an exchange of no known one seems to be of."""
    tools: int = 0
    """The tool definitions that were judged by themselves, at so many `profiles`."""
    profiles: int = 0
    exercised: dict[ExchangeShape, int] = field(default_factory=dict)
    """The shapes of the judged exchanges, for `conformance.judge.exercised`."""
    selection: Selection | None = None
    """Which findings the report has; None for all."""

    def reports_all(self, rule: str) -> bool:
        """Whether the report has every finding of a rule."""
        return self.selection is None or self.selection.reports_all(rule)

    def count(self, finding: Finding) -> None:
        if finding.severity is Severity.ERROR:
            self.errors += 1
        elif finding.severity is Severity.WARNING:
            self.warnings += 1
        else:
            self.infos += 1

    def count_not_exercised(self, reason: str) -> None:
        """Counts a place that a rule could not judge."""
        self.not_exercised += 1
        self.not_exercised_because[reason] = self.not_exercised_because.get(reason, 0) + 1

    def offer_lacks(self, what: str, cell: str) -> None:
        """Counts a cell that needs what the server does not offer, once for all of its samples."""
        cells = self.not_offered.setdefault(what, [])
        if cell not in cells:
            cells.append(cell)

    def omit_unclaimed(self, exchange: Exchange) -> None:
        """Counts an exchange that no dialect claims, with the one that its body is of."""
        path = endpoints.shown_by(exchange)
        known = () if path is None else claimants(replace(exchange.request, method="POST", url=path))
        self.nearest = self.nearest or next((each.name for each in known), "")
        likely = f" looks like {known[0].name}" if known else ""
        self.omit("exchange", exchange.source, f"no known dialect: {_place(exchange)}{likely}")

    def omit_exchange(self, exchange: Exchange, reason: str) -> None:
        """Counts an exchange that was not judged."""
        self.omit("exchange", exchange.source, f"{reason}: {_place(exchange)}")

    def omit(self, kind: Literal["exchange", "cell"], source: str, reason: str, number: int = 1) -> None:
        """Counts an exchange of a file, or a cell, that was not judged."""
        omission = Omission(kind, split_source(source)[0], reason)
        if omission not in self.omitted and len(self.omitted) >= _MANY:
            omission = Omission(kind, "", "others")
        self.omitted[omission] = self.omitted.get(omission, 0) + number

    def add(self, other: Summary) -> None:
        """Adds the counts of another summary, except those of findings, which are counted as they are reported."""
        self.exchanges += other.exchanges
        self.conversations += other.conversations
        self.not_exercised += other.not_exercised
        self.unclaimed += other.unclaimed
        self.judged += other.judged
        self.nearest = self.nearest or other.nearest
        self.cells += other.cells
        self.harness_errors += other.harness_errors
        for lack, number in other.not_recorded.items():
            self.not_recorded[lack] = self.not_recorded.get(lack, 0) + number
        for reason, number in other.not_exercised_because.items():
            self.not_exercised_because[reason] = self.not_exercised_because.get(reason, 0) + number
        self.files.add(other.files)
        for omission, number in other.omitted.items():
            self.omit(*omission, number)
        self.add_exercised(other.exercised)

    def add_exercised(self, other: Mapping[ExchangeShape, int]) -> None:
        """Adds the shapes of other exchanges."""
        for exercise, number in other.items():
            self.exercised[exercise] = self.exercised.get(exercise, 0) + number

    def tables(self) -> Summary:
        """The tables that grow with the input, which are taken out of this summary: for workers, which report often."""
        taken = Summary(files=self.files, omitted=self.omitted, exercised=self.exercised)
        self.files, self.omitted, self.exercised = Files(), {}, {}
        return taken

    @property
    def incomplete(self) -> bool:
        """Whether a file or a cell is missing from the verdict; with `--strict`, that is a failure."""
        return bool(self.files.not_read) or any(each.kind == "cell" for each in self.omitted)

    def why_nothing(self) -> ConformanceError | None:
        """Why nothing was judged, and what to do next; None if something was."""
        if not (self.judged or self.tools):
            return self._no_subject()
        if self.selection is not None and not self._has_selected_rule(self.selection):
            return ConformanceError(
                f"nothing was judged: no rule that --select and --ignore leave applies to {self._what()}",
                "change --select and --ignore",
            )
        return None

    def _no_subject(self) -> ConformanceError:
        omitted = [each for each in self.omitted if each.kind == "exchange"]
        if self.unclaimed and self.unclaimed == self.exchanges:
            number = f"none of {count(self.exchanges, 'exchange')} is" if self.exchanges > 1 else "the exchange is not"
            first = next((f": {each}" for each in omitted), "")
            otherwise = "pass --dialect NAME if you know it, or record the requests to the model"
            hint = f"pass --dialect {self.nearest}" if self.nearest else otherwise
            return ConformanceError(f"nothing was judged: {number} of a known dialect{first}", hint)
        if omitted:
            return ConformanceError(f"nothing was judged: {omitted[0]}", "record it again")
        if self.not_offered:
            return ConformanceError(
                f"nothing was judged: each cell needs what the server does not offer: {', '.join(self.not_offered)}",
                "run other scenarios, or correct the profile",
            )
        cells = [each for each in self.omitted if each.kind == "cell"]
        if cells:
            return ConformanceError(f"nothing was judged: {cells[0]}", "correct that, and run it again")
        return ConformanceError(
            "nothing was judged: there was no exchange",
            "check the path or the address, and run it again",
        )

    def _what(self) -> str:
        return ", ".join(sorted({shape.dialect for shape in self.exercised})) or "what was read"

    def _has_selected_rule(self, selection: Selection) -> bool:
        """Whether the user's selection has a rule that had something to judge."""
        if not (selection.select or selection.ignore):
            return True
        from conformance.judge.exercised import rules_exercised
        from conformance.judge.rule import all_rules
        from conformance.judge.run_rules import run_rules
        from conformance.judge.selection import NOT_DONE

        if self.cells and any(selection.chooses(rule) for rule in run_rules() if rule not in NOT_DONE):
            return True
        if not self.exercised:  # a run that does not count it
            return any(map(selection.chooses, all_rules()))
        sides = [side for each in rules_exercised(self.exercised).values() for side in each.values()]
        return any(selection.chooses(rule) for rules in sides for rule in rules)

    def as_json(self) -> dict[str, Any]:
        """The member `summary` of the JSON report."""
        counts: dict[str, Any] = {
            "exchanges": self.exchanges,
            "conversations": self.conversations,
            "errors": self.errors,
            "warnings": self.warnings,
            "infos": self.infos,
            "not_exercised": self.not_exercised,
            "unclaimed": self.unclaimed,
            "judged": self.judged,
        }
        if self.model:
            counts["model"] = self.model
        if self.expected:
            counts["expected"] = self.expected
        if self.not_recorded:
            counts["not_recorded"] = dict(sorted(self.not_recorded.items()))
        if self.not_exercised_because:
            counts["not_exercised_because"] = dict(sorted(self.not_exercised_because.items()))
        if self.not_offered:
            counts["not_offered"] = self.not_offered
        if self.files.not_read:
            counts["not_read"] = {
                "files": dict(sorted(self.files.unread.items())),
                "more": self.files.more,
                "read": self.files.read,
            }
        if self.omitted:
            counts["not_judged"] = [{**each._asdict(), "count": number} for each, number in self.omitted.items()]
        if self.profiles:
            counts |= {"tools": self.tools, "profiles": self.profiles}
        return counts
