"""Finds statements and rules: by number, by a public thread, by the text of a refusal, by words.

A text is compared with the known refusals first. If none fits, it is compared with the words of the statements and
of the rules, and only close matches count: no rule is better than a wrong one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from conformance.contract.statements import Statement
from conformance.judge.rule import Rule, all_rules
from conformance.model.registry import all_dialects
from conformance.report.catalogue.contract import all_bugs, all_statements
from conformance.report.catalogue.known_bugs import Bug
from conformance.report.catalogue.refusals import dialects_in, fitting, with_code
from conformance.report.catalogue.words import words

COVERED = 0.66
"""The least share of a text's weight that a rule's words must cover to show the rule."""
_CLOSE = 0.25
"""The least similarity (0 to 1) of a text and a rule's words to show the rule."""
_AGREEING = 3
"""How many words of a text a rule shown for its words has at least."""
_BESIDE = 0.75
"""The share of the best score that others have that are shown beside it."""
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Match:
    """Statements that a text is about, and the rules that check them, the likeliest first.

    `known` is whether providers are known to use the text, or else only words agree. `rules` may still be planned.
    """

    statements: tuple[Statement, ...]
    rules: tuple[Rule, ...]
    known: bool


@dataclass(frozen=True, slots=True)
class Answer:
    """The result for a text: matches, best first; or `about`, a subject without rules; or neither."""

    matches: tuple[Match, ...] = ()
    about: str = ""


def dialect_of(statement: Statement) -> str:
    """The dialect that the statement's page describes, or the page's name if it describes several or none."""
    return statement.page.removesuffix(".md")


def rules_of(name: str) -> tuple[Rule, ...]:
    """The rules that cite a statement, in the order of their ids."""
    return tuple(_citing().get(name, ()))


@cache
def _citing() -> Mapping[str, Sequence[Rule]]:
    """The rules that cite each statement."""
    found: dict[str, list[Rule]] = {}
    for rule in all_rules().values():
        for name in rule.cites:
            found.setdefault(name, []).append(rule)
    return found


def by_text(text: str) -> Answer:
    """The statements that a provider's refusal, or a free description, is about."""
    homes = {name: dialect_of(each) for name, each in all_statements().items() if dialect_of(each) in all_dialects()}
    fits = fitting(text, homes)
    if not fits:
        return Answer(_by_words(text))
    if fits[0].refusal.about:
        return Answer(about=fits[0].refusal.about)
    beside = [fit for fit in fits if fit.refusal.statements and fit.score >= _BESIDE * fits[0].score]
    return Answer(tuple(_match(fit.refusal.statements, text, known=True) for fit in beside[:_SHOWN]))


def by_code(code: str) -> Answer:
    """The statements that a provider's error code is about."""
    refusals = with_code(code)
    about = next((refusal.about for refusal in refusals if refusal.about), "")
    return Answer(tuple(_match(each.statements, code, known=True) for each in refusals if each.statements), about)


def by_thread(name: str) -> tuple[tuple[Statement, ...], tuple[Rule, ...], tuple[Bug, ...]]:
    """The statements, the rules and the known bugs that name a public thread, `owner/repo#number`."""
    statements = (each for each in all_statements().values() if name in each.threads)
    rules = (
        rule for rule in all_rules().values() if name in rule.bugs or any(name in found.threads for found in _of(rule))
    )
    bugs = (bug for bug in all_bugs().values() if any(thread.name == name for thread in bug.threads))
    return tuple(statements), tuple(rules), tuple(bugs)


def _of(rule: Rule) -> list[Statement]:
    """The statements that a rule checks."""
    return [all_statements()[number] for number in rule.cites if number in all_statements()]


def _match(numbers: Iterable[str], text: str, *, known: bool) -> Match:
    """The rules of the first statement come first, and of one statement's the closest to the text."""
    statements = tuple(all_statements()[name] for name in numbers)
    rules: dict[str, Rule] = {}
    for statement in statements:
        cited = {rule.id: rule for rule in rules_of(statement.id)}
        likeness = _likeness(text, {name: _text_of(rule) for name, rule in cited.items()})
        rules |= {name: cited[name] for name in sorted(cited, key=lambda name: -likeness[name]) if name not in rules}
    return Match(statements, tuple(rules.values()), known)


def _by_words(text: str) -> tuple[Match, ...]:
    """The statements whose words, with those of their rules, are closest to the text."""
    signs = dialects_in(text)
    asked = _single(text)
    likeness = {name: close for name, close in _likeness(text, _documents()).items() if _covers(name, asked)}
    for name in likeness:
        home = dialect_of(all_statements()[name])
        if signs and home in all_dialects() and home not in signs:
            likeness[name] *= _BESIDE
    best = sorted(likeness.items(), key=lambda item: -item[1])
    found: list[Match] = []
    for name, close in best:
        if close < max(_CLOSE, _BESIDE * best[0][1]):
            break
        match = _match([name], text, known=False)
        shown = {rule.id for each in found for rule in each.rules[:1]}
        if not {rule.id for rule in match.rules[:1]} & shown:
            found.append(match)
    return tuple(found[:_SHOWN])


def _covers(name: str, asked: frozenset[str]) -> bool:
    """Whether a document has nearly all words of the text, and enough of them."""
    shared = asked & _single(_documents()[name])
    return len(shared) >= _AGREEING and sum(map(_weight, shared)) >= COVERED * sum(map(_weight, asked))


def _text_of(rule: Rule) -> str:
    return f"{rule.id.replace('-', ' ')} {rule.statement} {rule.why}"


@cache
def _documents() -> Mapping[str, str]:
    """The text of each statement about exchanges, of its rules, and of the bugs that broke them."""
    texts: dict[str, str] = {}
    for name, each in all_statements().items():
        rules = rules_of(name)
        if each.page not in ("diff.md", "misconceptions.md") and (each.planned or rules):
            threads = {thread for rule in rules for thread in rule.bugs}
            bugs = (bug.text for bug in all_bugs().values() if threads & {thread.name for thread in bug.threads})
            texts[name] = " ".join((each.text, *map(_text_of, rules), *bugs))
    return texts


@cache
def _single(text: str) -> frozenset[str]:
    """The single words of a text; names are split into their parts."""
    return frozenset(word for word in words(text) if "_" not in word)


@cache
def _spread() -> Counter[str]:
    """In how many of the documents each word is."""
    return Counter(word for text in _documents().values() for word in _single(text))


def _weight(word: str) -> float:
    """The weight of a shared word: the rarer the word, the greater."""
    return math.log(1 + len(_documents()) / (1 + _spread()[word]))


def _likeness(text: str, documents: Mapping[str, str]) -> dict[str, float]:
    """How alike a text and each document are: the cosine of their words, each weighed by how rare it is."""

    def size(bag: Iterable[str]) -> float:
        return math.sqrt(sum(_weight(word) ** 2 for word in bag)) or 1.0

    asked = _single(text)
    bags = {name: _single(document) for name, document in documents.items()}
    return {
        name: sum(_weight(word) ** 2 for word in asked & bag) / size(asked) / size(bag) for name, bag in bags.items()
    }
