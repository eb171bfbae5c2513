"""`conformance explain`: one rule as documentation."""

from __future__ import annotations

import difflib
import json

import click

from conformance.errors import ConformanceError
from conformance.example import Example
from conformance.rule import Rule, all_rules
from conformance.statements import STATEMENTS


def run(name: str) -> int:
    """Prints a rule by its id, or every rule that checks a requirement by its number."""
    rules = all_rules()
    if name in rules:
        click.echo(explain(rules[name]))
        return 0
    if name in STATEMENTS:
        statement, why = STATEMENTS[name]
        click.echo(f"{name} (error, judged over a whole run)\n\n  {statement}\n  {why}")
        return 0
    checking = [rule for rule in rules.values() if name.upper() in rule.requirements]
    if checking:
        click.echo("\n\n".join(explain(rule) for rule in checking))
        return 0
    near = difflib.get_close_matches(name, [*rules, *STATEMENTS], n=1)
    raise ConformanceError(
        f"there is no rule called {name!r}",
        f"did you mean {near[0]!r}?" if near else "`conformance list --rules` names them all",
    )


def explain(rule: Rule) -> str:
    """The rule's text: statement, reason, evidence, bugs, and its first pair of examples."""
    severity = ", ".join(
        f"{severity} in {dialect}" if dialect else str(severity) for dialect, severity in rule.severity.items()
    )
    lines = [
        f"{rule.id} ({severity})",
        "",
        f"  {rule.statement}",
        f"  {rule.why}",
        "",
        f"  judges    {rule.scope} in {', '.join(rule.dialects) or 'every dialect'}",
        f"  basis     {rule.basis}",
        *_column("source", rule.cites),
        *_column("broken by", rule.bugs),
        "",
        *_example("conforming", rule.conforming[0]),
        "",
        *_example("violating", rule.violating[0]),
    ]
    if rule.needs_complete:
        lines.insert(5, "  Judged only where nothing was dropped: live traffic, and cassettes recorded by us.")
    return "\n".join(lines)


def _column(head: str, values: tuple[str, ...]) -> list[str]:
    return [f"  {head if number == 0 else '':9} {value}" for number, value in enumerate(values)]


def _example(kind: str, example: Example) -> list[str]:
    """What the example changes in its conforming base: the whole exchange would hide it."""
    lines = [f"  {kind:10} {example.base}"]
    for edit in example.edits:
        value = "" if edit.action == "drop" else f" {json.dumps(edit.value, ensure_ascii=False)[:160]}"
        lines.append(f"    {edit.action} {edit.pointer}{value}")
    if example.at:
        lines.append(f"    found at: exchange {example.at}")
    return lines
