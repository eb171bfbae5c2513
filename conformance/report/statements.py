"""What reports add to the fields of a finding: its file, and the statement of its rule."""

from __future__ import annotations

from functools import cache

from conformance.model.finding import Finding


def file_of(finding: Finding) -> str:
    """The file of a finding's source, without the line of exchange JSONL."""
    return split_source(finding.source)[0]


def split_source(source: str) -> tuple[str, int | None]:
    """A source as its file and its line: `FILE:LINE` in exchange JSONL, the file alone elsewhere."""
    file, colon, line = source.rpartition(":")
    return (file, int(line)) if colon and line.isascii() and line.isdecimal() else (source, None)


@cache
def statement(rule: str) -> str | None:
    """The statement of the rule, or of the rule about a run; None for another id."""
    from conformance.judge.rule import find_rule
    from conformance.judge.run_rules import RUN_RULES

    if rule in RUN_RULES:
        return RUN_RULES[rule][0]
    found = find_rule(rule)
    return found.statement if found else None
