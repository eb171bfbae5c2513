"""What a run comes to beside its statements: a client under faults, a gateway's losses, an MCP server's exercises.

Each is one `Outcome`: its kind of table, its row (a dialect, a pair of dialects, a protocol revision), and its state.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, NamedTuple

from conformance.model.printable import short

Style = Literal["ok", "warning", "error", ""]
_LOSSES = 12
"""How many losses of one scenario are shown."""


class Table(NamedTuple):
    """A kind of table: its title, what it means, the name of its rows, and its states, each with a style."""

    title: str
    about: str
    row: str
    states: Mapping[str, Style]


TABLES = {
    "faults": Table(
        "Clients under faults",
        "What a client does when the server's answers have a fault. One that ends with an error failed honestly; "
        "one that ends without an error, and did not do what it was asked to do, is silently wrong.",
        "dialect",
        {"handled": "ok", "failed honestly": "ok", "silently wrong": "error", "not exercised": ""},
    ),
    "losses": Table(
        "Gateways: losses between client and upstream",
        "In how many scenarios everything arrived, something was lost or changed, or the client got something wrong.",
        "client and upstream",
        {"same": "ok", "lost": "warning", "error": "error", "not offered": "", "not run": ""},
    ),
    "exercises": Table(
        "MCP servers: exercises",
        "What a server did in each exercise, by the revision of the protocol.",
        "revision",
        {"passed": "ok", "failed": "error", "not exercised": "", "not applicable": ""},
    ),
}


@dataclass(frozen=True, slots=True)
class Outcome:
    """One outcome. `lines` are those of the wire that show it."""

    table: str
    row: str
    subject: str
    state: str
    detail: str = ""
    lines: tuple[str, ...] = ()

    @property
    def place(self) -> tuple[str, str, str]:
        return self.table, self.row, self.subject

    @property
    def style(self) -> Style:
        return TABLES[self.table].states[self.state]

    @property
    def anchor(self) -> str:
        """The id on the page of an implementation."""
        return "-".join("-".join(self.place).split())

    def as_json(self) -> dict[str, Any]:
        """The record in `results.json`."""
        return asdict(self)


def outcomes(report: Mapping[str, Any]) -> Iterator[Outcome]:
    """The outcomes of a report."""
    yield from _faults(report)
    for row in report.get("gateway", {}).get("rows", ()):
        detail = short("; ".join(filter(None, (row["reason"], ", ".join(row.get("errors", ()))))))
        pair = f"{row['client']} to {row['upstream']}"
        yield Outcome("losses", pair, row["scenario"], row["grade"], detail, tuple(_lost(row)))
    yield from _exercises(report)


def _faults(report: Mapping[str, Any]) -> Iterator[Outcome]:
    sessions = report.get("sessions", ())
    row = ", ".join(sorted({each["dialect"] for session in sessions for each in session["conversations"]}))
    for each in report.get("faults", ()):
        lines = [line for evidence in each.get("evidence", ()) for line in _evidence(evidence)]
        yield Outcome("faults", row, each["behaviour"], each["verdict"], short(each["detail"]), tuple(lines))


def _evidence(evidence: Mapping[str, Any]) -> Iterator[str]:
    for title, lines in (("came", evidence["came"]), ("missing", evidence["missing"]), ("had", evidence["had"])):
        yield from (f"{title}: {short(line)}" for line in lines)
    yield f"stopped: {short(evidence['stopped'])}"


def _lost(row: Mapping[str, Any]) -> Iterator[str]:
    """Each loss of a scenario once, whatever the mode."""
    losses = {(each["direction"], each["rule"]): each for run in row["runs"] for each in run["losses"]}
    for (direction, rule), loss in list(losses.items())[:_LOSSES]:
        yield f"{direction} {rule}: {short(loss['what'])}"
        legs = ("client", "upstream") if direction == "up" else ("upstream", "client")
        for leg, value in zip(legs, (loss["before"], loss["after"]), strict=True):
            place = loss[leg]
            if place is not None:
                where = f"{leg} exchange {place['exchange']} {place['side']} {place['pointer'] or ''}".rstrip()
                yield f"  {where}: {'nothing' if value is None else short(value)}"


def _exercises(report: Mapping[str, Any]) -> Iterator[Outcome]:
    excerpts = {cause["first"]: cause.get("excerpt") for cause in report["causes"]}
    shown: dict[str, list[str]] = {}
    for number, finding in enumerate(report["findings"]):
        if finding["severity"] == "error" and report.get("exercises"):
            lines = shown.setdefault((finding["source"] or "").rpartition(":")[2], [])
            lines.append(f"{finding['rule']}: {short(finding['message'])}")
            excerpt = excerpts.get(number)
            if excerpt is not None:
                lines += [f"  {excerpt['head']}", *(f"  {short(excerpt['lines'][one])}" for one in excerpt["marked"])]
    for each in report.get("exercises", ()):
        subject = f"{each['exercise']} ({each['driver']})"
        lines = shown.get(each["cell"], [])
        yield Outcome("exercises", each["revision"], subject, each["state"], short(each["reason"] or ""), tuple(lines))


def tallies(found: Sequence[Outcome]) -> Iterator[dict[str, Any]]:
    """Each table with its rows: how many outcomes are in each state, and the outcomes, those that are worst first."""
    for name, table in TABLES.items():
        rows: dict[str, list[Outcome]] = {}
        for each in found:
            if each.table == name:
                rows.setdefault(each.row, []).append(each)
        if rows:
            order = list(table.states)[::-1]
            yield {
                "id": name,
                "table": table,
                "rows": [
                    {
                        "row": row,
                        "counts": [sum(each.state == state for each in some) for state in table.states],
                        "outcomes": sorted(some, key=lambda each: (not each.lines, order.index(each.state))),
                    }
                    for row, some in rows.items()
                ],
            }


def differing(old: Sequence[Outcome], new: Sequence[Outcome]) -> list[str]:
    """The outcomes that both have and that differ, in words."""
    before = {each.place: each.state for each in old}
    return [
        f"{each.row}, {each.subject}: {each.state}, was {before[each.place]}"
        for each in new
        if before.get(each.place, each.state) != each.state
    ]
