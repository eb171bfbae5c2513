"""What a rule reports: one finding at one place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from enum import StrEnum
from typing import Any, Literal

from conformance.model.exchange import Exchange
from conformance.model.frozen import dataclass

Side = Literal["request", "response"]


class Severity(StrEnum):
    """How much a finding matters: `INFO` < `WARNING` < `ERROR`.

    A severity equals its name and compares with it: `finding.severity == "error"`, `finding.severity >= "warning"`.
    """

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"

    def __lt__(self, other: str) -> bool:
        return _RANKS[self] < _RANKS[other]

    def __le__(self, other: str) -> bool:
        return _RANKS[self] <= _RANKS[other]

    def __gt__(self, other: str) -> bool:
        return _RANKS[self] > _RANKS[other]

    def __ge__(self, other: str) -> bool:
        return _RANKS[self] >= _RANKS[other]


_RANKS: dict[str, int] = {str(each): rank for rank, each in enumerate(Severity)}


@dataclass(frozen=True, slots=True)
class Hit:
    """What a rule yields: where (a JSON pointer, or `event/N/...`), and what is wrong there.

    `fix` names what to change. `severity`, `side` and `cite` are None if the rule's own apply; a rule sets them if
    this case differs. `defect` is the kind of fault, if it is not the one that the rule's id ends with.
    """

    pointer: str | None
    message: str
    expected: str | None = None
    actual: str | None = None
    severity: Severity | None = None
    side: Side | None = None
    fix: str | None = None
    cite: str | None = None
    defect: str | None = None


class NotExercised(Hit):
    """What a rule yields if it could not judge a place: `message` is the reason. It is counted, and no finding."""


@dataclass(slots=True)
class Tally:
    """How often a finding occurs in its conversation, and its other places in the exchange."""

    count: int = 1
    places: list[str] = field(default_factory=list)

    def again(self, pointer: str | None) -> None:
        """Counts another occurrence; `pointer` is its place if that lies in the exchange of the first one."""
        self.count += 1
        if pointer is not None:
            self.places.append(pointer)


@dataclass(frozen=True, slots=True)
class Finding:
    """One report of one rule at one place. The fields are those of the JSON report.

    `tally` is updated while the conversation is judged. `because` is the rule of another finding of the same
    exchange that explains this one. `traffic` is the exchange itself, for reports that show a part of it; it is
    None if no report needs it, because an earlier finding of the same cause has it. `defect` is a word of
    `conformance.judge.rule_ids`.
    """

    rule: str
    severity: Severity
    message: str
    dialect: str | None = None
    source: str = ""
    id: str | None = None
    conversation: str | None = None
    exchange: int | None = None
    side: Side | None = None
    pointer: str | None = None
    expected: str | None = None
    actual: str | None = None
    cite: str | None = None
    fix: str | None = None
    because: str | None = None
    defect: str | None = field(default=None, compare=False, repr=False)
    tally: Tally = field(default_factory=Tally, compare=False, repr=False)
    traffic: Exchange | None = field(default=None, compare=False, repr=False)

    @property
    def occurrences(self) -> int:
        """How often it occurs in its conversation, as far as that has been judged."""
        return self.tally.count

    def edited(self, edit: Callable[[str], str]) -> Finding:
        """The finding with an edit of its texts: without secrets, for example."""
        expected, actual = (None if text is None else edit(text) for text in (self.expected, self.actual))
        return replace(self, message=edit(self.message), expected=expected, actual=actual)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Finding:
        """The finding that `as_json` wrote.

        Raises:
            ValueError, KeyError, TypeError: The value is not a finding.
        """
        members = {**value, "severity": Severity(value["severity"])}
        tally = Tally(members.pop("occurrences"), members.pop("also"))
        return cls(**members, tally=tally)

    def as_json(self) -> dict[str, Any]:
        """The finding as an object of the JSON report."""
        return {
            "rule": self.rule,
            "severity": str(self.severity),
            "dialect": self.dialect,
            "source": self.source,
            "id": self.id,
            "conversation": self.conversation,
            "exchange": self.exchange,
            "side": self.side,
            "pointer": self.pointer,
            "message": self.message,
            "expected": self.expected,
            "actual": self.actual,
            "cite": self.cite,
            "fix": self.fix,
            "occurrences": self.occurrences,
            "also": self.tally.places,
            "because": self.because,
        }

    @property
    def place(self) -> str:
        """Its place in one phrase: `exchange 1, request /messages/2`."""
        parts = [] if self.exchange is None else [f"exchange {self.exchange}"]
        where = " ".join(filter(None, (self.side, self.pointer)))
        return ", ".join([*parts, where] if where else parts)
