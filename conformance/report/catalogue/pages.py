"""The rule pages of the documentation site, made from the rules: an index, and one page for each rule.

Paths are below the folder of the documentation; links between pages are relative, as MkDocs wants them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path

from conformance.contract.statements import own_statements
from conformance.judge.rule import Rule, all_rules
from conformance.judge.run_rules import run_rules
from conformance.model.registry import all_dialects
from conformance.profiles.profiles import all_profiles
from conformance.report.catalogue.contract import all_statements
from conformance.report.catalogue.illustration import Piece, illustrate
from conformance.report.side_by_side import rows_of
from conformance.report.wire_lines import WireLine

_HEAD = ("| rule | side | severity | statement |", "| --- | --- | --- | --- |")
_SIDES = {
    "request": "request",
    **dict.fromkeys(("response", "reply", "stream", "failure"), "response"),
    "exchange": "both",
    "conversation": "conversation",
}
"""What the list calls the side on which a rule of each scope finds something."""
_RELATIVE = re.compile(r"\]\((?!https?:)([^)]*)")
_THREAD = re.compile(r"(?<![\w/.-])([\w.-]+/[\w.-]+)#(\d+)\b")


def rule_pages() -> Iterator[tuple[str, str]]:
    """The path and the Markdown of each page: `rules/index.md`, then `rules/ID.md`."""
    yield "rules/index.md", "\n".join(_index()) + "\n"
    for rule in all_rules().values():
        yield f"rules/{rule.id}.md", "\n".join(_rule(rule)) + "\n"
    for name in run_rules():
        yield f"rules/{name}.md", "\n".join(_run_rule(name)) + "\n"


def sections() -> Mapping[str, list[Rule]]:
    """The rules of every dialect, then those of each; a rule of several dialects is in each of their tables."""
    rules = all_rules().values()
    found = {"Every dialect": [rule for rule in rules if not rule.dialects]}
    for dialect in all_dialects():
        found[dialect] = [rule for rule in rules if dialect in rule.dialects]
    return found


def _index() -> Iterator[str]:
    yield from ("# Rules", "")
    yield f"{len(all_rules())} rules, and {len(run_rules())} about whole runs. `conformance explain ID` prints one."
    for title, members in sections().items():
        yield from ("", f"## {title}", "", *_HEAD)
        for each in members:
            yield f"| [{each.id}]({each.id}.md) | {_SIDES[each.scope]} | {_severity(each)} | {_cell(each.statement)} |"
    yield from ("", "## Whole runs", "", *_HEAD)
    for name, rule in sorted(run_rules().items()):
        yield f"| [{name}]({name}.md) | run | {rule.severity} | {_cell(rule.requirement)} |"
    script = Path(__file__).with_name("filter.js").read_text(encoding="utf-8")
    yield from ("", "<script>", *filter(None, script.splitlines()), "</script>")


def _rule(rule: Rule) -> Iterator[str]:
    yield from (f"# {rule.id}", "", f"**{rule.statement}**", "", rule.why, "")
    yield from ("| | |", "| --- | --- |")
    yield f"| severity | {_severity(rule)} |"
    yield f"| checks | the {rule.scope} |"
    yield f"| statements | {', '.join(map(_link, rule.cites))} |"
    yield f"| rules of | {', '.join(_lists(rule))} |"
    if rule.because:
        yield f"| because | {_cell(rule.because)} |"
    if rule.needs_complete:
        yield "| applies to | complete traffic only: live runs, and cassettes recorded by conformance |"
    illustration = illustrate(rule, rule.violating[0])
    finding = illustration.finding
    change = f"in the example below, {finding.fix}." if finding.fix else rule.statement
    if finding.expected and not finding.fix:
        change = f"the example below should have: {finding.expected}"
    yield from ("", "## What to change", "", f"{change[0].upper()}{change[1:]}")
    yield from ("", "## Example", "", f"The finding is at exchange {illustration.at or '0'}. What differs is marked.")
    for piece in illustration.pieces:
        yield from ("", *_side_by_side(piece))
    yield from _elsewhere(rule)
    yield from ("", "## Evidence", "")
    yield from (f"- {_statement(number)}" for number in rule.cites)
    if rule.bugs:
        yield from ("", "## Known bugs", "", "These bugs of released software violated the rule.", "")
        yield from (f"- {_threads(bug)}" for bug in rule.bugs)


def _run_rule(name: str) -> Iterator[str]:
    rule = run_rules()[name]
    yield from (f"# {name}", "", f"**{rule.requirement}**", "", rule.consequence, "", "| | |", "| --- | --- |")
    yield f"| severity | {rule.severity} |"
    yield "| checks | a whole run of a scenario |"


def _lists(rule: Rule) -> Iterator[str]:
    """The lists that the rule is in, each with the page of the dialect's contract."""
    if not rule.dialects:
        yield "[every dialect](index.md#every-dialect)"
    for name in rule.dialects:
        page = next((each.page for each in own_statements(all_dialects()[name].package).values()), None)
        contract = f" ([contract](../contract/{page}))" if page else ""
        yield f"[{name}](index.md#{name}){contract}"


def _side_by_side(piece: Piece) -> Iterator[str]:
    """Both versions of a place as a table: each line beside its partner, and what differs in it marked."""
    heads = [
        f"{kind}, <code>{escape(each.place)}</code>"
        for kind, each in (("Violating", piece.violating), ("Conforming", piece.conforming))
    ]
    yield '<table class="pair">'
    yield f"<thead><tr>{''.join(f'<th>{head}</th>' for head in heads)}</tr></thead>"
    yield "<tbody>"
    old, new = ([WireLine(line) for line in each.lines] for each in (piece.violating, piece.conforming))
    for row in rows_of(old, new, {}, {}, around=len(old)):
        yield f"<tr>{_line(row.old)}{_line(row.new)}</tr>"
    yield from ("</tbody>", "</table>")


def _line(pieces: tuple[str, str, str] | None) -> str:
    if pieces is None:
        return "<td></td>"
    begin, differs, end = (escape(each, quote=False) for each in pieces)
    if f"{begin}{differs}".lstrip().startswith("//"):
        return f'<td class="note">{begin}{differs}{end}</td>'
    return f"<td>{begin}{f'<mark>{differs}</mark>' if differs else ''}{end}</td>"


def _elsewhere(rule: Rule) -> Iterator[str]:
    """The providers that are known to break the rule, so that its findings have another severity there."""
    quirks = [
        (profile.name, quirk)
        for profile in all_profiles().values()
        for quirk in profile.quirks
        if quirk["rule"] == rule.id
    ]
    if not quirks:
        return
    yield from ("", "## By profile", "", "| profile | severity | when | evidence |", "| --- | --- | --- | --- |")
    for name, quirk in quirks:
        when = "; ".join(
            f"{key} {quirk[key]}" for key in ("model", "api_version", "message", "since", "until") if key in quirk
        )
        evidence = _threads(str(quirk["evidence"]))
        yield f"| {name} | {quirk['severity']} | {_cell(f'`{when}`' if when else 'always')} | {_cell(evidence)} |"


def _statement(number: str) -> str:
    """A statement with a link to its page, and its sources with theirs."""
    statement = all_statements().get(number)
    if statement is None:
        return number
    evidence = _RELATIVE.sub(r"](../contract/\1", "; ".join(statement.evidence))
    return f"{_link(number)}: {evidence}"


def _link(number: str) -> str:
    statement = all_statements().get(number)
    return number if statement is None else f"[{number}](../contract/{statement.page}#{_anchor(number)})"


def _threads(text: str) -> str:
    return _THREAD.sub(r"[\1#\2](https://github.com/\1/issues/\2)", text)


def _anchor(heading: str) -> str:
    """The anchor that Python-Markdown makes of a statement's heading: `0.3.1` becomes `031`."""
    return re.sub(r"[^\w\s-]", "", heading).strip().lower()


def _severity(rule: Rule) -> str:
    return ", ".join(f"{each}{f' in {name}' if name else ''}" for name, each in rule.severity.items())


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
