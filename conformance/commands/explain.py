"""`conformance explain`: one rule as documentation."""

from __future__ import annotations

import difflib
import json
import textwrap
from collections.abc import Iterator
from typing import Any

import click

from conformance.catalogue.illustration import Illustration, as_json, illustrate
from conformance.errors import ConformanceError
from conformance.judge.renames import current, renames
from conformance.judge.rule import Rule, all_rules
from conformance.judge.run_rules import RUN_RULES

_WIDTH = 112


def run(name: str, form: str = "text") -> int:
    """Prints a rule by its id, or one that it had before, or every rule that checks a requirement by its number."""
    rules = all_rules()
    if (now := current(name)) != name:
        click.echo(f"{name} is now {now}", err=True)
        name = now
    found = [rules[name]] if name in rules else [rule for rule in rules.values() if name.upper() in rule.requirements]
    if found:
        click.echo(_json(found) if form == "json" else "\n\n".join(explain(rule) for rule in found))
    elif name in RUN_RULES:
        statement, why = RUN_RULES[name]
        said = {"id": name, "severity": {"": "error"}, "judges": "run", "statement": statement, "why": why}
        text = "\n".join([f"{name} (error, judged over a whole run)", "", *_wrapped(statement), *_wrapped(why)])
        click.echo(json.dumps({"rules": [said]}, indent=2, ensure_ascii=False) if form == "json" else text)
    else:
        raise ConformanceError(f"there is no rule called {name!r}", _near(name, [*rules, *RUN_RULES]))
    return 0


def _near(name: str, known: list[str]) -> str:
    """What may have been meant: names spelled alike, or else those that hold one of its words."""
    any_id = [*known, *renames()]
    near = difflib.get_close_matches(name, any_id, n=1, cutoff=0.9) or difflib.get_close_matches(name, any_id, n=3)
    near = list(dict.fromkeys(map(current, near)))
    if not near:
        words = [word for word in name.lower().replace("_", "-").split("-") if len(word) > 3]
        counted = {each: sum(word in each for word in words) for each in known}
        near = sorted((each for each in known if counted[each]), key=lambda each: -counted[each])[:3]
    if not near:
        return "`conformance list --rules` names them all"
    return f"did you mean {' or '.join(map(repr, near))}?"


def explain(rule: Rule) -> str:
    """The rule's text: statement, reason, evidence, bugs, and its first violating example beside what conforms."""
    severity = ", ".join(
        f"{severity} in {dialect}" if dialect else str(severity) for dialect, severity in rule.severity.items()
    )
    lines = [
        f"{rule.id} ({severity})",
        "",
        *_wrapped(rule.statement),
        *_wrapped(rule.why),
        "",
        *(
            ["  Judged only where nothing was dropped: live traffic, and cassettes recorded by us."]
            * rule.needs_complete
        ),
        f"  judges    {rule.scope} in {', '.join(rule.dialects) or 'every dialect'}",
        f"  basis     {rule.basis}",
        *_column("source", rule.cites),
        *_column("broken by", rule.bugs),
        "",
        *_example(illustrate(rule, rule.violating[0])),
    ]
    return "\n".join(lines)


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, _WIDTH, initial_indent="  ", subsequent_indent="  ", break_on_hyphens=False)


def _column(head: str, values: tuple[str, ...]) -> list[str]:
    return [f"  {head if number == 0 else '':9} {value}" for number, value in enumerate(values)]


def _example(illustration: Illustration) -> Iterator[str]:
    """The places of the example on the wire, each as it is and as it should be."""
    yield f"  Example from {illustration.base}, found at: exchange {illustration.at}"
    for piece in illustration.pieces:
        yield from ("", f"  violating, {piece.violating.place}:", *(f"    {line}" for line in piece.violating.lines))
        yield from ("", f"  conforming, {piece.conforming.place}:", *(f"    {line}" for line in piece.conforming.lines))


def _json(rules: list[Rule]) -> str:
    return json.dumps({"rules": [_object(rule) for rule in rules]}, indent=2, ensure_ascii=False)


def _object(rule: Rule) -> dict[str, Any]:
    """A rule as an object: what `explain` prints, with all its violating examples."""
    return {
        "id": rule.id,
        "severity": {dialect: str(severity) for dialect, severity in rule.severity.items()},
        "judges": rule.scope,
        "dialects": list(rule.dialects),
        "needs_complete": rule.needs_complete,
        "basis": rule.basis,
        "statement": rule.statement,
        "why": rule.why,
        "cites": list(rule.cites),
        "bugs": list(rule.bugs),
        "examples": [as_json(illustrate(rule, example)) for example in rule.violating],
    }
