"""What reports add to the fields of a finding: its file, and the statement of its rule."""

from __future__ import annotations

from functools import cache

from conformance.model.finding import Finding
from conformance.model.source import split_source


def file_of(finding: Finding) -> str:
    """The file of a finding's source, without the line of exchange JSONL."""
    return split_source(finding.source)[0]


@cache
def statement(rule: str, dialect: str | None = None) -> str | None:
    """The statement of the rule, or of the rule about a run; None for another id. With the dialect of a finding, no
    other one is loaded.
    """
    from conformance.judge.rule import find_rule, requirement_in

    if dialect is not None and (found := requirement_in(dialect, rule)) is not None:
        return found
    from conformance.judge.run_rules import run_rules

    if rule in run_rules():
        return run_rules()[rule].requirement
    known = find_rule(rule)
    return None if known is None else known.statement
