"""The rule catalogue as Markdown, made from the rules: `docs/rules.md`.

`python -m conformance.catalogue` prints it; a test holds the file against it.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

from conformance.dialects import all_dialects
from conformance.example import Example
from conformance.rule import Rule, all_rules
from conformance.statements import STATEMENTS


def markdown() -> str:
    """The whole catalogue: neutral rules, each dialect's rules, statements about runs."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    rules = all_rules().values()
    yield "# Rules"
    yield ""
    yield "<!-- Made by `make rules` from the rules themselves; a test fails when it is out of date. -->"
    yield ""
    yield f"{len(rules)} rules, and {len(STATEMENTS)} statements about whole runs. `conformance explain` prints one."
    yield from _section("Every dialect", [rule for rule in rules if not rule.dialects])
    for dialect in all_dialects():
        yield from _section(f"`{dialect}`", [rule for rule in rules if dialect in rule.dialects])
    yield from ("", "## Whole runs", "", "Judged by `replay` and `record`, which know the scenario.", "")
    for name, (statement, why) in sorted(STATEMENTS.items()):
        yield f"- **`{name}`** (error): {statement} {why}"


def _section(title: str, rules: list[Rule]) -> Iterator[str]:
    yield from ("", f"## {title}")
    for rule in rules:
        severity = ", ".join(f"{each}{f' in {name}' if name else ''}" for name, each in rule.severity.items())
        yield from ("", f"### `{rule.id}`", "", f"**{severity}**, judges the {rule.scope}, {rule.basis}.", "")
        yield f"{rule.statement} {rule.why}"
        yield ""
        yield f"- Evidence: {'; '.join(rule.cites)}"
        if rule.bugs:
            yield f"- Broken by: {', '.join(rule.bugs)}"
        yield f"- Violating: {_example(rule.violating[0])}"


def _example(example: Example) -> str:
    edits = "; ".join(f"{edit.action} `{edit.pointer}`" for edit in example.edits)
    return f"`{example.base}`, {edits or 'as it is'}; found at `{example.at}`"


if __name__ == "__main__":
    sys.stdout.write(markdown())
