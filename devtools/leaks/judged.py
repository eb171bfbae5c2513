"""Judges recordings before and after redaction: what rules need must survive it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from conformance.cassette.redact import Redactor
from conformance.cassette.redact_exchange import redacted
from conformance.inputs import read
from conformance.judge.checker import Checker
from conformance.model.exchange import Exchange
from devtools.places import CASSETTES, CORPUS


class Found(NamedTuple):
    """A finding, without the words that may quote a secret."""

    exchange: int
    side: str
    rule: str
    severity: str
    pointer: str


def recordings() -> list[Path]:
    """The shipped cassettes, and the real recordings where they are beside this checkout."""
    untouched = sorted(each for each in (CORPUS / "vcr_raw").rglob("*") if each.is_file() and each.suffix != ".jsonl")
    return [*sorted(CASSETTES.rglob("*.yaml")), *sorted(CORPUS.glob("*.jsonl.gz")), *untouched]


def changed(path: Path) -> Iterator[tuple[int, list[str]]]:
    """For each conversation of a file: how many findings it has, and how they differ after redaction."""
    for _, group in groupby(read(str(path)), key=lambda each: each.group or each.conversation):
        whole = list(group)
        redactor = Redactor()
        clean = [redacted(each, redactor) for each in whole]
        clean = [redacted(each, redactor) for each in clean]
        before, after = _found(whole), _found(clean)
        lines = [f"lost {each}" for each in (before - after).elements()]
        yield before.total(), [*lines, *(f"new {each}" for each in (after - before).elements())]


def _found(exchanges: list[Exchange]) -> Counter[Found]:
    checker = Checker()
    return Counter(
        Found(number, str(each.side), each.rule, each.severity.name, each.pointer or "")
        for number, exchange in enumerate(exchanges)
        for each in checker.feed(exchange)
    )


def main() -> int:
    """Prints each change and the totals; 1 if a finding came or went."""
    findings = conversations = differing = 0
    for path in recordings():
        for count, lines in changed(path):
            findings += count
            conversations += 1
            differing += bool(lines)
            for line in lines:
                sys.stdout.write(f"{path.name}: {line}\n")
    sys.stdout.write(f"judged again: {conversations} conversations, {findings} findings, {differing} changed\n")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
