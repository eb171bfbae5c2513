"""The rule catalogue as Markdown, made from the rules: `docs/rules.md`.

`python -m conformance.catalogue.markdown` prints it; a test holds the file against it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from conformance.catalogue.fragments import Fragment
from conformance.catalogue.illustration import Illustration, illustrate
from conformance.judge.rule import Rule, all_rules
from conformance.judge.run_rules import RUN_RULES
from conformance.model.registry import all_dialects

_EVERY = "Every dialect"


def markdown() -> str:
    """The whole catalogue: neutral rules, each dialect's rules, statements about runs."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    rules = all_rules().values()
    yield "# Rules"
    yield ""
    yield "<!-- Made by `make rules` from the rules themselves; a test fails when it is out of date. -->"
    yield ""
    yield f"{len(rules)} rules, and {len(RUN_RULES)} statements about whole runs. `conformance explain` prints one."
    yield ""
    yield (
        "Each rule says what holds, what breaks in practice where it does not, on what evidence, and which known bugs "
        "broke it; its example shows a few lines of the wire around the place where the finding lands (a line that "
        "begins with `//` is what the finding says there), and the same place as it should be."
    )
    yield ""
    sections = _sections()
    for title, members in sections.items():
        yield f"- [{title}](#{_anchor(title)}): {len(members)}"
    yield f"- [Whole runs](#whole-runs): {len(RUN_RULES)}"
    told: set[str] = set()
    for title, members in sections.items():
        yield from ("", f"## {title}", "", "| rule | severity | statement |", "| --- | --- | --- |")
        for rule in members:
            yield f"| [{rule.id}](#{rule.id}) | {_severity(rule)} | {_cell(rule.statement)} |"
        for rule in members:
            if rule.id not in told:
                told.add(rule.id)
                yield from _rule(rule)
    yield from ("", "## Whole runs", "", "Judged by `replay` and `record`, which know the scenario.", "")
    for name, (statement, why) in sorted(RUN_RULES.items()):
        yield f"- **`{name}`** (error): {statement} {why}"


def _sections() -> Mapping[str, list[Rule]]:
    """The rules of every dialect, then those of each; a rule of several stands in each of their tables."""
    rules = all_rules().values()
    sections = {_EVERY: [rule for rule in rules if not rule.dialects]}
    for dialect in all_dialects():
        sections[f"`{dialect}`"] = [rule for rule in rules if dialect in rule.dialects]
    return sections


def _anchor(title: str) -> str:
    return title.strip("`").lower().replace(" ", "-")


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _severity(rule: Rule) -> str:
    return ", ".join(f"{each}{f' in {name}' if name else ''}" for name, each in rule.severity.items())


def _rule(rule: Rule) -> Iterator[str]:
    where = f" in {', '.join(f'`{dialect}`' for dialect in rule.dialects)}" if len(rule.dialects) > 1 else ""
    absent = ", only where nothing was dropped" if rule.needs_complete else ""
    basis = f", {rule.basis}" if rule.basis else ""
    yield from ("", f"### `{rule.id}`", "")
    yield f"**{_severity(rule)}**, judges the {rule.scope}{where}{absent}{basis}."
    yield from ("", f"**{rule.statement}** {rule.why}", "")
    yield f"- Evidence: {'; '.join(rule.sources)}"
    if rule.bugs:
        yield f"- Broken by: {', '.join(rule.bugs)}"
    yield from _example(illustrate(rule, rule.violating[0]))


def _example(illustration: Illustration) -> Iterator[str]:
    at = f"{illustration.base}, found at {illustration.at}"
    yield from ("", f"<details><summary>Example: <code>{at}</code></summary>", "")
    for piece in illustration.pieces:
        yield from _fragment("Violating", piece.violating)
        yield from _fragment("Conforming", piece.conforming)
    yield "</details>"


def _fragment(kind: str, fragment: Fragment) -> Iterator[str]:
    # A fence longer than any in the text, which may itself be Markdown.
    fence = "````" if any("```" in line for line in fragment.lines) else "```"
    yield from (f"{kind}, `{fragment.place}`:", "", f"{fence}jsonc", *fragment.lines, fence, "")
