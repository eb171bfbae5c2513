"""One client of the reference server: its conversations, findings and runs of tools."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

from conformance.judge.checker import Checker
from conformance.model.finding import Finding
from conformance.model.kept import Kept
from conformance.reference.model import is_name_of
from conformance.reference.open_conversations import Open
from conformance.reference.played import Played, Refused


@dataclass(slots=True)
class ToolRun:
    """A tool that a client ran through this server's own endpoint of tools."""

    tool: str
    arguments: Any


@dataclass(slots=True, eq=False)
class Session:
    """The requests of one client. `client` is the name of its software; `others` counts requests besides generation.

    `latest` are the latest conversations of each dialect and scenario, `numbers` how many a scenario has had.
    `called` has the tools that it was sent calls of, with the number of the server's latest answer that had one.

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
        """Whether there is nothing to tell of it but that it was there."""
        return not self.findings and not self.loose and bool(self.played) and all(each.clean for each in self.played)

    @property
    def all_findings(self) -> list[Finding]:
        """The findings of its requests, conversation by conversation."""
        return [*self.findings, *(finding for each in self.played for finding in each.findings)]

    def tool_faults(self) -> list[str]:
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
                found.append(f"ran {tool} {number} times, {whole} calls were sent in full{also}")
        texts = [each.tool for each in self.runs if isinstance(each.arguments, str)]
        return found + [f"ran {tool} with a string for its arguments" for tool in dict.fromkeys(texts)]
