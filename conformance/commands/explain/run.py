"""`conformance explain`: a rule, a statement, a known bug, or the rules that a refusal is about."""

from __future__ import annotations

import difflib
import json
import re
import sys
import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import click

from conformance.commands.explain import Options
from conformance.commands.explain.contract import (
    WIDTH,
    bug_object,
    explained,
    explained_bug,
    explained_matches,
    match_object,
    rule_head,
    rule_lines,
    statement_lines,
    statement_object,
    wrapped,
)
from conformance.contract.statements import own_statements
from conformance.errors import ConformanceError
from conformance.judge.relations.rows import rows
from conformance.judge.rule import Rule, find_rule, rule_names, rules_citing
from conformance.judge.run_rules import run_rules
from conformance.report.catalogue.contract import all_bugs, find_statement
from conformance.report.catalogue.illustration import Illustration, as_json, illustrate
from conformance.report.catalogue.lookup import Answer, by_code, by_text, by_thread

_THREAD = re.compile(r"[\w.-]+(/[\w.-]+)?#\d+")
_ALL = "`conformance list --rules` lists all rules"


def run(options: Options) -> int:
    """Explains a name, or finds the rules that a text is about.

    Raises:
        ConformanceError: The name is unknown, or no rule matches the text.
    """
    text = sys.stdin.buffer.read().decode("utf-8", "replace") if options.what == "-" else options.what
    in_words, as_object = _named(text.strip())
    click.echo(json.dumps(as_object(), indent=2, ensure_ascii=False) if options.format == "json" else in_words())
    return 0


_Answer = tuple[Callable[[], str], Callable[[], dict[str, Any]]]
"""What makes the text, and what makes the JSON object."""


def _named(name: str) -> _Answer:
    """The answer about a rule or a statement, for which only that is loaded, or about anything else."""
    if (statement := find_statement(name.upper())) is not None:
        return partial(explained, statement), lambda: {
            "statements": [statement_object(statement)],
            "rules": [_object(rule) for rule in rules_citing(statement.id)],
        }
    if name in run_rules():
        return _run_rule(name)
    if (rule := find_rule(name)) is not None:
        return partial(explain, rule), lambda: {"rules": [_object(rule)]}
    if bug := all_bugs().get(name.upper()):
        return partial(explained_bug, bug), lambda: {"bugs": [bug_object(bug)]}
    if _THREAD.fullmatch(name):
        return _thread(name)
    if re.fullmatch(r"[\w./-]*", name):
        return _answered(by_code(name), f"unknown rule {name!r}", _near(name, [*rule_names(), *run_rules()]))
    return _answered(
        by_text(name), "no rule matches this text", f"pass the whole text of the refusal, or a rule id; {_ALL}"
    )


def _run_rule(name: str) -> _Answer:
    rule = run_rules()[name]
    found = {
        "id": name,
        "severity": {"": str(rule.severity)},
        "judges": "run",
        "statement": rule.requirement,
        "why": rule.consequence,
    }
    words = *wrapped(rule.requirement), *wrapped(rule.consequence)
    text = "\n".join([f"{name} ({rule.severity}, judged over a whole run)", "", *words])
    return lambda: text, lambda: {"rules": [found]}


def _thread(name: str) -> _Answer:
    """What cites a public thread."""
    statements, rules, bugs = by_thread(name)
    if not (statements or rules or bugs):
        raise ConformanceError(f"no rule, statement or known bug cites the thread {name}", _ALL)
    lines = [
        *("\n".join(rule_lines(rule)) for rule in rules),
        *("\n".join(statement_lines(statement)) for statement in statements),
        *(explained_bug(bug) for bug in bugs),
    ]
    found = {
        "rules": [_object(rule) for rule in rules],
        "statements": [statement_object(each) for each in statements],
        "bugs": [bug_object(bug) for bug in bugs],
    }
    return lambda: "\n\n".join([f"{name} is cited by:", *lines]), lambda: found


def _answered(answer: Answer, missing: str, hint: str) -> _Answer:
    if answer.about:
        raise ConformanceError(
            f"no rule matches: this refusal is about {answer.about}",
            "rules check only the format of requests and responses",
        )
    if not answer.matches:
        raise ConformanceError(missing, hint)
    return partial(explained_matches, answer.matches), lambda: {"matches": list(map(match_object, answer.matches))}


def _near(name: str, known: list[str]) -> str:
    """A hint with similar names, or else names that contain one of the words."""
    near = difflib.get_close_matches(name, known, n=1, cutoff=0.9) or _reordered(name, known)
    near = near or difflib.get_close_matches(name, known, n=3)
    if not near:
        words = [word for word in name.lower().replace("_", "-").split("-") if len(word) > 3]
        counted = {each: sum(word in each for word in words) for each in known}
        near = sorted((each for each in known if counted[each]), key=lambda each: -counted[each])[:3]
    if not near:
        return _ALL
    return f"did you mean {' or '.join(map(repr, near))}?"


def _reordered(name: str, known: list[str]) -> list[str]:
    """The name that has the same words in another order, or nearly the same."""
    ordered = {"-".join(sorted(each.split("-"))): each for each in known}
    near = difflib.get_close_matches("-".join(sorted(name.split("-"))), ordered, n=1, cutoff=0.9)
    return [ordered[each] for each in near]


def explain(rule: Rule) -> str:
    """The rule's text: statement, reason, first violating example beside a conforming one, and the contract."""
    lines = [
        *rule_head(rule),
        "",
        *wrapped(rule.statement),
        *wrapped(rule.why),
        "",
        *(
            ["  Checked only on complete traffic: live runs, and cassettes recorded by conformance."]
            * rule.needs_complete
        ),
        *_column("judges", textwrap.wrap(f"{rule.scope} in {', '.join(rule.dialects) or 'every dialect'}", WIDTH - 12)),
        *_column("severity", [line for each in _severities(rule) for line in textwrap.wrap(each, WIDTH - 12)]),
        *_column("broken by", rule.bugs),
        "",
        *_example(illustrate(rule, rule.violating[0])),
        "",
        "  Contract:",
        *_contract(rule),
    ]
    return "\n".join(lines)


def _severities(rule: Rule) -> Iterator[str]:
    """Why the severity is not that of the statement, and where it is another one."""
    if rule.because:
        yield f"because {rule.because}"
    row = rows().get(rule.id)
    if row is not None and row.refused:
        yield "warning where the provider's own host answered the request with success"
    if row is not None and row.elsewhere is not None:
        yield f"{row.elsewhere} at servers that are only compatible"


def _contract(rule: Rule) -> Iterator[str]:
    """Each statement that the rule checks, with its evidence."""
    own = own_statements(rule.judge.__module__)
    for number in rule.cites:
        statement = own.get(number) or find_statement(number)
        # Another distribution's dialect need not have a file of statements.
        yield from ("", f"  {number}") if statement is None else ("", *statement_lines(statement))


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
        "because": rule.because or None,
        "statement": rule.statement,
        "why": rule.why,
        "cites": list(rule.cites),
        "evidence": {
            dialect: [{"cites": statement.cited, "because": each.because or None} for statement, each in found]
            for dialect, found in rule.held.items()
        },
        "statements": [statement_object(each) for name in rule.cites if (each := find_statement(name)) is not None],
        "bugs": list(rule.bugs),
        "examples": [as_json(illustrate(rule, example)) for example in rule.violating],
    }
