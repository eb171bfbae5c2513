"""One client of the reference server: its conversations, findings and runs of tools."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from conformance.judge.checker import Checker
from conformance.model.finding import Finding
from conformance.model.jsontext import brief
from conformance.model.kept import Kept
from conformance.reference.evidence import Evidence
from conformance.reference.names import is_name_of
from conformance.reference.open_conversations import Open
from conformance.reference.played import Played, Refused

_LINES = 4
_CONVERSATIONS, _LOOSE = 2_000, 200
"""How many conversations of a session, and refused requests outside any conversation, are kept."""


@dataclass(slots=True)
class ToolRun:
    """A tool that a client ran through this server's own endpoint of tools."""

    tool: str
    arguments: Any


@dataclass(frozen=True, slots=True)
class ToolFault:
    """Something that the runs of a tool show."""

    tool: str
    what: str


@dataclass(slots=True, eq=False)
class Session:
    """The requests of one client. `client` is the name of its software; `others` counts requests besides generation.

    `latest` are the latest conversations of each dialect and scenario, `numbers` how many a scenario has had.
    `called` has the tools that it was sent calls of, with the time of the latest call.

    `loose` are requests that belong to no conversation, because they were refused or match no scenario.
    """

    name: str
    client: str | None = None
    requests: int = 0
    others: int = 0
    checker: Checker = field(default_factory=lambda: Checker(requests_only=True))
    played: list[Played] = field(default_factory=list)
    latest: defaultdict[tuple[str, str, int], Open] = field(default_factory=lambda: defaultdict(Open))
    numbers: Counter[str] = field(default_factory=Counter)
    dropped: int = 0
    loose: list[Refused] = field(default_factory=list)
    findings: list[Finding] = field(default_factory=list)
    runs: list[ToolRun] = field(default_factory=list)
    called: dict[str, int] = field(default_factory=dict)
    kept: Kept = field(default_factory=Kept)

    @property
    def conversations(self) -> int:
        """How many conversations it has had."""
        return self.dropped + len(self.played)

    @property
    def clean(self) -> bool:
        """Whether there is nothing to report of it but that it was there."""
        return not self.findings and not self.loose and bool(self.played) and all(each.clean for each in self.played)

    @property
    def all_findings(self) -> list[Finding]:
        """The findings of its requests, conversation by conversation."""
        return [*self.findings, *(finding for each in self.played for finding in each.findings)]

    def conversations_of(self, played: Played) -> Open:
        """The latest conversations of the script that a conversation plays."""
        return self.latest[played.dialect, played.scenario, played.part]

    def add_loose(self, refused: Refused, findings: Sequence[Finding] = ()) -> None:
        """Keeps a request that belongs to no conversation, and its findings."""
        self.findings += findings
        del self.findings[:-_CONVERSATIONS]
        self.loose.append(refused)
        del self.loose[:-_LOOSE]

    def add_run(self, run: ToolRun) -> None:
        """Keeps a run of a tool."""
        self.runs.append(run)
        del self.runs[:-_CONVERSATIONS]

    def limit(self) -> None:
        """Drops the oldest clean conversation if there are too many; if none is clean, the oldest one.

        The first finding of a dropped conversation stays.
        """
        if len(self.played) > _CONVERSATIONS:
            dropped = next((each for each in self.played if each.clean), self.played[0])
            self.played.remove(dropped)
            self.findings += dropped.findings[:1]
            self.dropped += 1

    def tool_faults(self) -> list[ToolFault]:
        """What the runs of tools show that no request does: a call run twice, or one that was cut off."""
        sent: Counter[str | None] = Counter()
        broken: Counter[str | None] = Counter()
        for each in self.played:
            for turn in each.sent.values():
                sent.update(call.name for call in turn.calls)
                broken.update(call.name for call in turn.broken)
        found = []
        for tool, number in Counter(each.tool for each in self.runs).items():
            whole, cut = (
                sum(count for name, count in names.items() if is_name_of(name, tool)) for names in (sent, broken)
            )
            if number > whole:
                also = f" and {cut} cut off" if cut else ""
                found.append(ToolFault(tool, f"ran {tool} {number} times, {whole} calls were sent in full{also}"))
        texts = [each.tool for each in self.runs if isinstance(each.arguments, str)]
        return found + [ToolFault(tool, f"ran {tool} with a string for its arguments") for tool in dict.fromkeys(texts)]

    def evidence_of(self, fault: ToolFault) -> Evidence:
        """What shows a fault: the answers that have calls of the tool, and the arguments with which it was run."""
        wires = [
            line
            for each in self.played
            for sent in each.sent.values()
            if sent.wire is not None and sent.turn is not None
            for call in sent.turn.calls
            if is_name_of(call.name, fault.tool)
            for line in sent.wire.lines(call.id or call.name)
        ]
        missing = [
            line
            for each in self.played
            for sent in each.sent.values()
            if sent.wire is not None and (sent.cut or sent.broken)
            for line in sent.wire.missing()
        ]
        runs = [brief(each.arguments, 200) for each in self.runs if each.tool == fault.tool]
        came, lost = tuple(dict.fromkeys(wires))[:_LINES], tuple(missing)[:_LINES]
        return Evidence(fault.what, None, came, lost, tuple(runs[-_LINES:]), f"it ran {fault.tool} {len(runs)} times")

    def at_fault(self, played: Played) -> list[ToolFault]:
        """The faults of runs that a conversation may be the reason for: one that was disturbed, if there is one."""
        found = []
        for fault in self.tool_faults():
            likely = [each for each in self.played if each.called(fault.tool)]
            disturbed = [each for each in likely if each.faulted or each.retries]
            if played in (disturbed or likely):
                found.append(fault)
        return found
