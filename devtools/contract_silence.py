"""What the contracts find in recorded traffic: `python -m devtools.contract_silence openai-chat [FILE…]`.

Without files it reads the dialect's recordings in the corpus. It prints a line for each rule, kind, place and
host, with how often it was reported by severity, how many of these answers were 2xx, and an example. What is reported
of an official host's accepted traffic stands first: there the mistake is most likely the contract's.
"""

from __future__ import annotations

import argparse
import importlib
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from conformance.contract import Contract, Situation
from conformance.contract.violation import Violation
from conformance.inputs import read
from conformance.judge.contracted import contracts_of, endpoints_of
from conformance.judge.situations import situation_of
from conformance.judge.view import View
from conformance.model.exchange import Exchange
from conformance.model.registry import all_dialects, claimants
from conformance.model.transcript import Malformed
from devtools.places import CASSETTES, CORPUS

FILES = {
    "anthropic-messages": ("anthropic-messages",),
    "bedrock-converse": ("bedrock-converse",),
    "cohere-chat": ("cohere",),
    "gemini": ("gemini-generate",),
    "gemini-interactions": ("other",),
    "mcp": ("mcp", "vcr_raw"),
    "ollama-chat": ("other",),
    "openai-chat": ("openai-chat", "openai-compatible"),
    "openai-completions": ("llama3-json", "qwen3"),
    "openai-responses": ("openai-responses",),
}
"""The recordings of each dialect: JSONL files, or folders of cassettes. Of raw prompts there are only our own."""


def recordings(name: str) -> Path:
    """Where the recordings of that name are: a file, a folder of cassettes, or a folder of our own."""
    file, folder = CORPUS / f"{name}.jsonl.gz", CORPUS / name
    return file if file.exists() else folder if folder.is_dir() else CASSETTES / name


def recordings_of(dialect: str) -> list[Path]:
    """Those of a dialect that are there; where no recordings of others are, its own cassettes."""
    return [found for name in FILES[dialect] if (found := recordings(name)).exists()] or [CASSETTES / dialect]


def bodies(view: View, contracts: Any) -> Iterator[tuple[Contract, Any, Situation]]:
    """What a dialect's contracts are asked about an exchange: each contract with a body and what is known of it."""
    if hasattr(contracts, "asked"):
        yield from ((each.contract, each.value, each.situation) for each in contracts.asked(view))
        return
    name = view.dialect.name
    own = contracts_of(name) if view.endpoint is None else endpoints_of(name)[view.endpoint]
    if own is None:
        return
    answer = own.reply if view.ok else own.error
    found = [(own.request, view.request)]
    if view.events is not None:
        found += [(own.chunk, each.json) for each in view.events if isinstance(each.json, (dict, list))]
    elif not view.exchange.response.body.empty:
        found.append((answer, view.response))
    situation = situation_of(view)
    yield from (
        (contract, value, situation)
        for contract, value in found
        if contract is not None and not isinstance(value, Malformed)
    )


@dataclass
class Row:
    """What was reported of one place at one host."""

    severities: Counter[str] = field(default_factory=Counter)
    exchanges: set[str] = field(default_factory=set)
    accepted: int = 0
    example: str = ""


@dataclass
class Tally:
    """All that was reported, and how many bodies the quick admission let through."""

    rows: dict[tuple[bool, str, str, str, str], Row] = field(default_factory=dict)
    admitted: Counter[str] = field(default_factory=Counter)
    asked: Counter[str] = field(default_factory=Counter)

    def add(self, view: View, contract: Contract, violation: Violation) -> None:
        """Counts one violation."""
        official = view.ok and view.provider in contract.official
        place = re.sub(r"/\d+(?=/|$)", "/*", violation.pointer) + "".join(f" -{name}" for name in violation.fields)
        key = official, f"{violation.rule}:{violation.kind}", place, view.provider or view.exchange.request.host, ""
        row = self.rows.setdefault(key, Row())
        row.severities[str(violation.severity)] += 1
        row.accepted += view.ok
        row.exchanges.add(view.exchange.id or "")
        row.example = row.example or f"{violation.message} ({violation.actual})"


def tally(dialect: str, exchanges: Iterable[Exchange]) -> Tally:
    """What the dialect's contracts find in the exchanges."""
    contracts = importlib.import_module(f"conformance.dialects.{dialect.replace('-', '_')}.contract")
    found = Tally()
    earlier: dict[str, list[View]] = {}
    for exchange in exchanges:
        if all_dialects()[dialect] not in claimants(exchange.request):
            continue
        run = earlier.setdefault(f"{exchange.source} {exchange.conversation}", [])
        view = View(exchange, all_dialects()[dialect], tuple(run))
        run.append(view)
        for contract, value, situation in bodies(view, contracts):
            found.asked[contract.subject] += 1
            reported = list(contract.violations(value, situation))
            found.admitted[contract.subject] += not reported
            for each in reported:
                found.add(view, contract, each)
    return found


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dialect")
    parser.add_argument("files", nargs="*", type=Path)
    given = parser.parse_args()
    files = given.files or recordings_of(given.dialect)
    found = tally(given.dialect, (each for file in files for each in read([str(file)])))
    for key, row in sorted(found.rows.items(), key=lambda each: (not each[0][0], each[0])):
        official, rule, place, host, _ = key
        counts = " ".join(f"{count} {severity}" for severity, count in row.severities.items())
        mark = "OFFICIAL 2xx " if official else ""
        line = f"{mark}{host:14} {rule} {place}: {counts} in {len(row.exchanges)}, {row.accepted} on 2xx: {row.example}"
        sys.stdout.write(f"{line}\n")
    for subject, asked in found.asked.items():
        sys.stdout.write(f"{subject}: no finding in {found.admitted[subject]} of {asked}\n")


if __name__ == "__main__":
    main()
