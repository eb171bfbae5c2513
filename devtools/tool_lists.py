"""The tool lists of the corpus, judged by the profile of their provider, and what the provider really answered.

`python -m devtools.tool_lists` (`make tools`) prints a table by variant: what was accepted must come out as accepted,
with or without loss, and what was refused because of a tool must be refused at the keyword that the provider named. A
row of a profile that claims recordings must have some.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from conformance.dialects.neutral.tool_keywords import applying
from conformance.inputs import read
from conformance.judge import quirks
from conformance.judge.view import View
from conformance.model.exchange import Exchange
from conformance.model.pointer import get
from conformance.model.registry import claimants
from conformance.model.transcript import ToolDefinition
from conformance.profiles.profiles import Profile, all_profiles
from conformance.profiles.recognition import provider_of
from conformance.profiles.tool_forms import form_called
from conformance.profiles.tool_keywords import schema_in, treated
from conformance.profiles.tool_variants import Outcome, Variant, chain_of, variants_of
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.judgement import Judged, State, judge
from devtools.places import CORPUS, NO_CORPUS

MOST_UNKNOWN = 0.05

_SERVERS = {"ollama.com": "ollama", "OLLAMA_API_BASE": "ollama", ":11434": "ollama"}
"""Parts of URLs whose host is in no profile, but whose server is known."""
_PATHS = {"cohere-chat": re.compile(r"^/v2/chat$")}
"""How the requests of an API without a dialect are known."""
_NAMED = re.compile(r"tools\[(\d+)\]|tools\.(\d+)\.")
_KEYWORD = re.compile(r"'(\w+)' is (?:required to be supplied|not permitted)|For '\w+' type, property '(\w+)'")


@dataclass(frozen=True, slots=True)
class Refused:
    """A refusal because of a tool: the tool's number, and the keyword that the provider named, if it named one."""

    tool: int
    keyword: str | None


@dataclass(slots=True)
class Row:
    """The requests of one variant. The lists hold what is wrong, each entry in words."""

    accepted: int = 0
    lost: int = 0
    unknown: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    refused: int = 0
    false_alarms: list[str] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)

    @property
    def requests(self) -> int:
        return self.accepted + self.lost + sum(self.unknown.values()) + self.refused + len(self.false_alarms)

    @property
    def share_unknown(self) -> float:
        return sum(self.unknown.values()) / max(self.requests, 1)


@dataclass(slots=True)
class Table:
    """A row for each variant, and the requests with tools that no variant is about, by provider."""

    rows: dict[str, Row] = field(default_factory=lambda: defaultdict(Row))
    without: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    requests: int = 0
    used: set[tuple[str, int, str]] = field(default_factory=set)
    """The keywords of accepted tools, each with the row that accepts it: its variant, its number, and the keyword."""

    @property
    def unproven(self) -> list[str]:
        """The keywords of rows that claim recordings, of which there are none."""
        return [
            f"{name}: no recording has `{keyword}` of row {number}"
            for name, number, keyword in _claimed()
            if (name, number, keyword) not in self.used
        ]

    @property
    def failures(self) -> list[str]:
        """Everything that must not be."""
        found = [f"{name}: false alarm: {each}" for name, row in self.rows.items() for each in row.false_alarms]
        found += [f"{name}: not refused: {each}" for name, row in self.rows.items() for each in row.missed]
        found += [
            f"{name}: {row.share_unknown:.1%} unknown"
            for name, row in self.rows.items()
            if row.share_unknown > MOST_UNKNOWN
        ]
        return [*found, *self.unproven]


def _claimed() -> Iterator[tuple[str, int, str]]:
    """The keywords of all rows whose basis is recordings."""
    for profile in all_profiles().values():
        for name, entry in profile.tools.items():
            for number, row in enumerate(entry.get("keywords", ())):
                if row["basis"] == "recorded":
                    yield from ((f"{profile.name}/{name}", number, keyword) for keyword in row["keywords"])


def _rows(variant: Variant) -> dict[int, tuple[str, int]]:
    """Where each row of a variant stands, by its identity: the variant whose entry has it, and its number there."""
    places = []
    for owner, entry in chain_of(variant.profile, variant.name):
        own = next(name for name, each in all_profiles()[owner].tools.items() if each is entry)
        places += [(f"{owner}/{own}", number) for number, _ in enumerate(entry.get("keywords", ()))]
    return {id(row): place for row, place in zip(variant.rows, places, strict=True)}


def judged() -> Table:
    """The table of the whole corpus."""
    table = Table()
    cache: dict[tuple[str, str, date | None], Judged] = {}
    for path in sorted(CORPUS.glob("*.jsonl.gz")):
        for exchange in read([str(path)]):
            groups = list(_groups(exchange))
            if not groups:
                continue
            table.requests += 1
            for variant, tools, day, numbers in groups:
                if variant is None:
                    table.without[_provider(exchange) or exchange.request.host] += 1
                    continue
                key = variant.full_name, json.dumps([tool.given for tool in tools]), day
                if key not in cache:
                    cache[key] = judge(tools, variant, day=day)
                _count(table.rows[variant.full_name], cache[key], exchange, numbers)
                if exchange.response.ok:
                    table.used |= _used(tools, variant, day)
    return table


def _used(tools: list[GivenTool], variant: Variant, day: date | None) -> set[tuple[str, int, str]]:
    rows = _rows(variant)
    schemas = [found[0] for tool in tools if (found := schema_in(tool.given, variant)) is not None]
    return {
        (*rows[id(each.row)], each.occurrence.keyword)
        for schema in schemas
        for each in treated(schema, variant, day)
        if each.row is not None
    }


def _count(row: Row, result: Judged, exchange: Exchange, numbers: list[int]) -> None:
    refusal = refused(exchange)
    problems = [*result.problems, *(problem for tool in result.tools for problem in tool.problems)]
    if refusal is not None and refusal.tool in numbers:
        row.refused += 1
        own = [
            each for each in problems if each.outcome is Outcome.REFUSED and each.tool == numbers.index(refusal.tool)
        ]
        if not any((refusal.keyword or "") in f"{each.pointer} {each.message} {each.fix}" for each in own):
            row.missed.append(f"{exchange.id}: {refusal.keyword} of tool {refusal.tool}; found {own}")
    elif result.state is State.REFUSED:
        if exchange.response.ok:
            row.false_alarms += [
                f"{exchange.id}: {each.rule} at {each.pointer}: {each.message}"
                for each in problems
                if each.outcome is Outcome.REFUSED
            ]
    elif not exchange.response.ok:
        return  # refused for a reason that is not in its tools
    elif result.state is State.UNKNOWN:
        row.unknown[next(each.message for each in problems if each.outcome is Outcome.UNKNOWN)] += 1
    elif result.state is State.LOSS:
        row.lost += 1
    else:
        row.accepted += 1


def refused(exchange: Exchange) -> Refused | None:
    """The refusal of an exchange because of the schema of one of its tools; None if that was not the reason."""
    if exchange.response.status not in (400, 422):
        return None
    text = exchange.response.body.text or json.dumps(exchange.response.body.json)
    place, keyword = _NAMED.search(text), _KEYWORD.search(text)
    if place is None or not ("chema" in text or "tools[" in text):
        return None
    return Refused(
        int(place[1] or place[2]), next((each for each in keyword.groups() if each), None) if keyword else None
    )


def _provider(exchange: Exchange) -> str | None:
    known = (name for part, name in _SERVERS.items() if part in exchange.request.url)
    return provider_of(exchange.request.host) or next(known, None)


def _groups(exchange: Exchange) -> Iterator[tuple[Variant | None, list[GivenTool], date | None, list[int]]]:
    """The tools of a request by the variant that they are judged by, with their numbers in the request."""
    layers = claimants(exchange.request)
    name = _provider(exchange)
    profile = all_profiles().get(name or "")
    found: dict[Variant | None, tuple[list[GivenTool], list[int]]] = {}
    if layers:
        view = View(exchange, layers[0], profile=profile)
        day = quirks.answered_on(view)
        for number, tool in enumerate(view.ask.tools or ()):
            definition = get(view.request, tool.pointer)
            if tool.kind != "function" or tool.parameters is None:
                continue
            fitting = None if profile is None else applying(view, tool, profile.name, view.model)
            given = GivenTool(tool, layers[0].name, exchange.source, definition)
            group = found.setdefault(None if fitting is None else fitting[0], ([], []))
            group[0].append(given)
            group[1].append(number)
    else:
        day = None
        for known, number, given in _without_dialect(exchange, profile):
            group = found.setdefault(known, ([], []))
            group[0].append(given)
            group[1].append(number)
    for variant, (tools, numbers) in found.items():
        yield variant, tools, day, numbers


def _without_dialect(exchange: Exchange, profile: Profile | None) -> Iterator[tuple[Variant, int, GivenTool]]:
    """The tools of a request to an API that has no dialect yet."""
    form = next((name for name, path in _PATHS.items() if path.search(exchange.request.path)), None)
    if form is None or profile is None:
        return
    shape = form_called(form)
    definitions = get(exchange.request.body.json, shape.tools_at)
    for number, definition in enumerate(definitions if isinstance(definitions, list) else ()):
        strict = shape.strict_at is not None and get(definition, shape.strict_at) is True
        for variant in variants_of(profile):
            schema = schema_in(definition, variant) if variant.form == form else None
            if schema is not None and variant.strict in (None, strict):
                heading: Any = get(definition, shape.heading_at)
                tool = ToolDefinition(heading.get("name"), heading.get("description"), schema[0], strict=strict)
                yield variant, number, GivenTool(tool, form, exchange.source, definition)
                break


def report(table: Table) -> Iterator[str]:
    """The lines of the table, and what is wrong."""
    yield f"{table.requests} requests with tools"
    yield f"{'variant':36} {'requests':>8} {'accepted':>8} {'loss':>5} {'unknown':>7} {'refused':>7} {'wrong':>5}"
    whole = Row()
    for name, row in sorted(table.rows.items()):
        yield _line(name, row)
        whole.accepted += row.accepted
        whole.lost += row.lost
        whole.refused += row.refused
        whole.false_alarms += row.false_alarms
        whole.missed += row.missed
        for message, count in row.unknown.items():
            whole.unknown[message] += count
    yield _line("in all", whole)
    for name, row in sorted(table.rows.items()):
        yield from (f"unknown at {name}: {message} ({count})" for message, count in row.unknown.items())
    for provider, count in sorted(table.without.items()):
        yield f"no variant for {provider or 'an unnamed host'}: {count} lists of tools"
    yield from table.failures


def _line(name: str, row: Row) -> str:
    unknown, wrong = sum(row.unknown.values()), len(row.false_alarms) + len(row.missed)
    return f"{name:36} {row.requests:8} {row.accepted:8} {row.lost:5} {unknown:7} {row.refused:7} {wrong:5}"


def main() -> int:
    """Prints the table; 1 if anything in it must not be."""
    if not CORPUS.is_dir():
        sys.stdout.write(f"not run: {NO_CORPUS}\n")
        return 0
    table = judged()
    sys.stdout.write("\n".join(report(table)) + "\n")
    return 1 if table.failures else 0


if __name__ == "__main__":
    sys.exit(main())
