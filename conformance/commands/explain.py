"""`conformance explain`: a rule, a statement, a known bug, or the rules that a refusal is about."""

from __future__ import annotations

import difflib
import json
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

import click

from conformance.catalogue.contract import all_bugs, all_statements
from conformance.catalogue.illustration import Illustration, as_json, illustrate
from conformance.catalogue.lookup import Answer, by_code, by_text, by_thread
from conformance.commands.explain_contract import (
    WIDTH,
    bug_object,
    explained,
    explained_bug,
    explained_matches,
    match_object,
    rule_lines,
    severities,
    statement_lines,
    statement_object,
    wrapped,
)
from conformance.errors import ConformanceError
from conformance.judge.renames import current, renames
from conformance.judge.rule import Rule, all_rules
from conformance.judge.run_rules import RUN_RULES, usual_severity

_THREAD = re.compile(r"[\w.-]+(/[\w.-]+)?#\d+")
_ALL = "`conformance list --rules` lists all rules"


def run(name: str, form: str = "text") -> int:
    """Explains a name, or finds the rules that a text is about.

    Args:
        name: The id of a rule, the number of a statement or of a known bug, a public thread (`owner/repo#1`), an error
            code, or any other text: a provider's refusal, or a description. `-` reads the text from standard input.
        form: `text` or `json`.

    Raises:
        ConformanceError: The name is unknown, or no rule matches the text.
    """
    given = sys.stdin.buffer.read().decode("utf-8", "replace") if name == "-" else name
    asked = given.strip()
    if (now := current(asked)) != asked:
        click.echo(f"{asked} is now {now}", err=True)
    text, found = _named(now)
    click.echo(json.dumps(found, indent=2, ensure_ascii=False) if form == "json" else text)
    return 0


def _named(name: str) -> tuple[str, dict[str, Any]]:
    """The text and the JSON object."""
    rules = all_rules()
    if name in rules:
        return explain(rules[name]), {"rules": [_object(rules[name])]}
    if name in RUN_RULES:
        return _run_rule(name)
    if statement := all_statements().get(name.upper()):
        cited = [_object(rule) for rule in rules.values() if statement.id in rule.requirements]
        return explained(statement), {"statements": [statement_object(statement)], "rules": cited}
    if bug := all_bugs().get(name.upper()):
        return explained_bug(bug), {"bugs": [bug_object(bug)]}
    if _THREAD.fullmatch(name):
        return _thread(name)
    if re.fullmatch(r"[\w./-]*", name):
        return _answered(by_code(name), f"unknown rule {name!r}", _near(name, [*rules, *RUN_RULES]))
    return _answered(
        by_text(name), "no rule matches this text", f"pass the whole text of the refusal, or a rule id; {_ALL}"
    )


def _run_rule(name: str) -> tuple[str, dict[str, Any]]:
    statement, why = RUN_RULES[name]
    said = {
        "id": name,
        "severity": {"": str(usual_severity(name))},
        "judges": "run",
        "statement": statement,
        "why": why,
    }
    text = "\n".join(
        [f"{name} ({usual_severity(name)}, judged over a whole run)", "", *wrapped(statement), *wrapped(why)]
    )
    return text, {"rules": [said]}


def _thread(name: str) -> tuple[str, dict[str, Any]]:
    """What cites a public thread."""
    statements, rules, bugs = by_thread(name)
    if not (statements or rules or bugs):
        raise ConformanceError(f"no rule, statement or known bug cites the thread {name}", _ALL)
    lines = [
        *("\n".join(rule_lines(rule)) for rule in rules),
        *("\n".join(statement_lines(statement)) for statement in statements),
        *(explained_bug(bug) for bug in bugs),
    ]
    told = {
        "rules": [_object(rule) for rule in rules],
        "statements": [statement_object(each) for each in statements],
        "bugs": [bug_object(bug) for bug in bugs],
    }
    return "\n\n".join([f"{name} is cited by:", *lines]), told


def _answered(answer: Answer, missing: str, hint: str) -> tuple[str, dict[str, Any]]:
    if answer.about:
        raise ConformanceError(
            f"no rule matches: this refusal is about {answer.about}",
            "rules check only the format of requests and responses",
        )
    if not answer.matches:
        raise ConformanceError(missing, hint)
    return explained_matches(answer.matches), {"matches": [match_object(match) for match in answer.matches]}


def _near(name: str, known: list[str]) -> str:
    """A hint with similar names, former ids included, or else names that contain one of the words."""
    spelled = [*known, *renames()]
    near = difflib.get_close_matches(name, spelled, n=1, cutoff=0.9) or difflib.get_close_matches(name, spelled, n=3)
    if not near:
        words = [word for word in name.lower().replace("_", "-").split("-") if len(word) > 3]
        counted = {each: sum(word in each for word in words) for each in known}
        near = sorted((each for each in known if counted[each]), key=lambda each: -counted[each])[:3]
    if not near:
        return _ALL
    return f"did you mean {' or '.join(map(repr, dict.fromkeys(map(current, near))))}?"


def explain(rule: Rule) -> str:
    """The rule's text: statement, reason, first violating example beside a conforming one, and the contract."""
    lines = [
        f"{rule.id} ({severities(rule)})",
        "",
        *wrapped(rule.statement),
        *wrapped(rule.why),
        "",
        *(
            ["  Checked only on complete traffic: live runs, and cassettes recorded by conformance."]
            * rule.needs_complete
        ),
        *_column("judges", textwrap.wrap(f"{rule.scope} in {', '.join(rule.dialects) or 'every dialect'}", WIDTH - 12)),
        *_column("basis", (rule.basis,) if rule.basis else ()),
        *_column("broken by", rule.bugs),
        "",
        *_example(illustrate(rule, rule.violating[0])),
        "",
        "  Contract:",
        *_contract(rule),
    ]
    return "\n".join(lines)


def _contract(rule: Rule) -> Iterator[str]:
    """Each statement that the rule cites, once, with its evidence and the rule's sources."""
    for name in dict.fromkeys(rule.requirements):
        sources = [cite.partition(" ")[2] for cite in rule.cites if cite.partition(" ")[0] == name]
        statement = all_statements().get(name)
        if statement is not None:
            yield from ("", *statement_lines(statement, sources))
        else:  # of another distribution's dialect, whose pages are not here
            yield from ("", *(f"  {name} {source}".rstrip() for source in sources or [""]))


def _column(head: str, values: Sequence[str]) -> list[str]:
    return [f"  {head if number == 0 else '':9} {value}" for number, value in enumerate(values)]


def _example(illustration: Illustration) -> Iterator[str]:
    """The example's places on the wire, each in its violating and its conforming form."""
    yield from wrapped(f"Example (a change to {illustration.base}); finding at exchange {illustration.at}")
    for piece in illustration.pieces:
        for kind, fragment in (("violating", piece.violating), ("conforming", piece.conforming)):
            yield from ("", f"  {kind}, {fragment.place}:")
            for line in fragment.lines:
                yield from _wire(line)


def _wire(line: str) -> list[str]:
    """A line of the wire, wrapped; continuation lines are indented, and stay comments in a comment."""
    start = line[: len(line) - len(line.lstrip())]
    more = f"{start}//   " if line.startswith(f"{start}// ") else f"{start}  "
    return textwrap.wrap(
        line,
        WIDTH,
        initial_indent="    ",
        subsequent_indent=f"    {more}",
        replace_whitespace=False,
        drop_whitespace=True,
        break_on_hyphens=False,
    ) or [""]


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
        "evidence": {
            dialect: {"cites": list(each.cites), "basis": each.basis, "bugs": list(each.bugs)}
            for dialect, each in rule.evidence.items()
        },
        "statements": [
            statement_object(all_statements()[name])
            for name in dict.fromkeys(rule.requirements)
            if name in all_statements()
        ],
        "bugs": list(rule.bugs),
        "examples": [as_json(illustrate(rule, example)) for example in rule.violating],
    }
