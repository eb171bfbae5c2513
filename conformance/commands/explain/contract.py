"""What `conformance explain` prints about statements, known bugs and refusals."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from conformance.contract.statements import Statement
from conformance.judge.rule import Rule, all_rules, rules_citing
from conformance.report.catalogue.contract import FOLDER, KNOWN_BUGS
from conformance.report.catalogue.known_bugs import Bug
from conformance.report.catalogue.lookup import Match, dialect_of
from conformance.report.catalogue.special_cases import special_cases

WIDTH = 100
"""Width of the text in columns. Only a URL may be longer, because it must not be broken."""

_LINK = re.compile(r"\[(?P<words>[^\]]*)\]\((?P<link>[^)]*)\)")
_MARGIN = 12
_IN_FULL = 3
"""How many rules of a match are shown with their statements."""


def wrapped(text: str, indent: str = "  ") -> list[str]:
    """The text, wrapped."""
    return textwrap.wrap(
        text, WIDTH, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False
    )


def statement_lines(statement: Statement) -> Iterator[str]:
    """A statement with its evidence."""
    state = "planned" if statement.planned else "verified" if statement.verified else "not verified"
    yield f"  {statement.id} ({dialect_of(statement)}, {statement.severity}, {state})"
    yield from wrapped(_plain(statement.text), "    ")
    yield from _column("evidence", [line for entry in statement.evidence for line in _entry(entry)])
    yield from _column("violation", _folded(_plain(statement.violation)))
    yield from _column("note", _folded(_plain(statement.note)))
    yield from _column("page", [f"{FOLDER}/{statement.page}"])


def explained(statement: Statement) -> str:
    """The text of `explain OAC-C-001`: the statement, and the rules that check it."""
    rules = rules_citing(statement.id)
    cases = (line for case in special_cases(statement.id) for line in _folded(str(case)))
    head = "Rules that check it:" if rules else "No rule checks it yet; a rule is planned." * statement.planned
    lines = [
        *_set_out([*statement_lines(statement), *_column("severity", cases)]),
        "",
        head or f"No rule checks it: {statement.excluded or 'a test of this suite does.'}",
    ]
    return "\n".join([*lines, *(line for rule in rules for line in ("", *rule_lines(rule)))])


def explained_bug(bug: Bug) -> str:
    """The text of `explain C01`: the bug, its threads, and the rules that find it."""
    rules = rules_of_bug(bug)
    lines = [
        f"  {bug.id} (known bug, {', '.join(bug.dialects)})",
        *wrapped(_plain(bug.text), "    "),
        *_column("check", _folded(_plain(bug.check))),
        *_column("threads", [line for thread in bug.threads for line in (thread.name, thread.link) if line]),
        *_column("page", [f"{FOLDER}/{KNOWN_BUGS}"]),
        "",
        "  Rules that find it:" if rules else "  No rule finds it; see tests/bugs/not_an_exchange.yaml.",
    ]
    return "\n".join([*_set_out(lines), *(line for rule in rules for line in ("", *rule_lines(rule)))])


def rule_lines(rule: Rule) -> Iterator[str]:
    """A rule in brief."""
    yield from rule_head(rule, "  ")
    yield from wrapped(rule.statement, "    ")


def rule_head(rule: Rule, indent: str = "") -> list[str]:
    """The rule's id and its severities, wrapped."""
    return textwrap.wrap(
        f"{rule.id} ({severities(rule)})",
        WIDTH,
        initial_indent=indent,
        subsequent_indent=f"{indent}  ",
        break_on_hyphens=False,
    )


def rules_of_bug(bug: Bug) -> tuple[Rule, ...]:
    """The rules that name one of the bug's threads, in the order of their ids."""
    threads = {thread.name for thread in bug.threads}
    return tuple(rule for rule in all_rules().values() if threads & set(rule.bugs))


def explained_matches(matches: Sequence[Match]) -> str:
    """The matches of a text: for each, the rules, then the statements that they check."""
    lines: list[str] = []
    for number, match in enumerate(matches):
        head = (
            "This refusal is about:" if match.known else "No known refusal matches this text. Closest rules by wording:"
        )
        lines += [head if number == 0 else "Other possible matches:", ""]
        if not match.rules:
            lines += ["  (no rule checks this yet)"]
        for rule in match.rules[:_IN_FULL]:
            lines += rule_lines(rule)
        if more := [rule.id for rule in match.rules[_IN_FULL:]]:
            lines += wrapped(f"less likely: {', '.join(more)}")
        for statement in match.statements:
            lines += ["", *statement_lines(statement)]
        lines += [""]
    first = next((rule.id for match in matches for rule in match.rules), "")
    return "\n".join([*lines, f"`conformance explain {first}` shows an example."] if first else lines[:-1])


def statement_object(statement: Statement) -> dict[str, Any]:
    """A statement as an object of the JSON form."""
    return {
        "id": statement.id,
        "dialect": dialect_of(statement),
        "page": f"{FOLDER}/{statement.page}",
        "text": statement.text,
        "severity": statement.severity,
        "special_cases": [
            {"rules": list(each.rules), "severity": each.severity, "because": each.because}
            | ({"dialects": list(each.dialects)} if each.dialects else {})
            for each in special_cases(statement.id)
        ],
        "scope": list(statement.scope),
        "verified": statement.verified,
        "planned": statement.planned,
        "evidence": [
            {
                "text": _plain(source.text),
                "kind": source.kind,
                "date": source.date or None,
                "links": [match["link"] for match in _LINK.finditer(source.text) if _is_far(match)],
            }
            for source in statement.sources
        ],
        "bugs": list(statement.bugs),
        "violation": statement.violation or None,
        "note": statement.note or None,
        "rules": [rule.id for rule in rules_citing(statement.id)],
    }


def bug_object(bug: Bug) -> dict[str, Any]:
    """A known bug as an object of the JSON form."""
    return {
        "id": bug.id,
        "dialects": list(bug.dialects),
        "page": f"{FOLDER}/{KNOWN_BUGS}",
        "text": bug.text,
        "check": bug.check,
        "threads": [{"name": thread.name, "link": thread.link or None} for thread in bug.threads],
        "rules": [rule.id for rule in rules_of_bug(bug)],
    }


def match_object(match: Match) -> dict[str, Any]:
    """A match as an object of the JSON form."""
    return {
        "known": match.known,
        "rules": [rule.id for rule in match.rules],
        "statements": [statement_object(each) for each in match.statements],
    }


def severities(rule: Rule) -> str:
    """`error`, or `error, warning in gemini, mcp` if dialects differ."""
    named: dict[str, list[str]] = {}
    for name, severity in rule.severity.items():
        named.setdefault(str(severity), []).extend([name] if name else [])
    return ", ".join(f"{severity} in {', '.join(names)}" if names else severity for severity, names in named.items())


def _set_out(lines: Iterable[str]) -> list[str]:
    """The lines with one step less indentation."""
    return [line.removeprefix("  ") for line in lines]


def _column(head: str, lines: Iterable[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"    {head if number == 0 else '':{_MARGIN - 1}} {line}"


def _entry(entry: str) -> Iterator[str]:
    """One entry of the evidence: its text, then each address on its own line."""
    yield from _folded(_plain(entry))
    yield from (match["link"] for match in _LINK.finditer(entry) if _is_far(match))


def _folded(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH - 4 - _MARGIN, break_on_hyphens=False, break_long_words=False)


def _plain(text: str) -> str:
    """Markdown without link targets; the link texts stay."""
    return _LINK.sub(lambda match: match["words"], text)


def _is_far(match: re.Match[str]) -> bool:
    return match["link"].startswith("http")
