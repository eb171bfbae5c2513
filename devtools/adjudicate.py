"""What the rules find in the recorded corpus, held against what was decided about it.

`python -m devtools.adjudicate` judges the corpus, writes the counts into `docs/adjudication/corpus.yaml` and the tables
into the pages beside it. Verdicts and evidence are written by hand and kept; a firing that nobody has judged yet gets
an empty verdict, and `tests/judge/test_corpus.py` fails until it has one.
"""

from __future__ import annotations

import argparse
import gc
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import yaml

from conformance.inputs import read
from conformance.judge.checker import Checker
from conformance.judge.summary import Summary
from conformance.model.exchange import Exchange
from conformance.model.finding import Finding, Severity
from conformance.model.registry import claimants
from conformance.profiles.recognition import provider_of
from devtools.places import CORPUS, NO_CORPUS, ROOT, missing_sources

PAGES = ROOT / "docs" / "adjudication"
TRUTH = PAGES / "corpus.yaml"

VERDICTS = ("right", "habit", "quirk")
"""`right`: it happened. `habit`: it happens there again and again. `quirk`: a habit that is data, in a profile or
among the deviations of a contract."""

_HEADER = """\
# What the rules find in the corpus (`make corpus`), and who is right. `make adjudicate` rewrites counts and order, and
# the tables of the pages beside this file; `verdict` and `evidence` are written by hand, and kept.
#   right: a client, a server or a model broke the contract there
#   habit: that client or provider does so again and again; the finding keeps its severity
#   quirk: a habit with a row in specs/quirks.yaml, or among the deviations of the dialect's contract, which lowers its
#     severity for that provider
# `status` is that of the answer, `side` the message in which the finding lies. No recording's text is kept here.
"""
_QUIRK = re.compile(r"\(known quirk of [^)]+\)$")
_TABLE = re.compile(r"(<!-- corpus -->\n).*?(<!-- /corpus -->)", re.DOTALL)


class Firing(NamedTuple):
    """Findings that are one decision: of one rule, in one file, with one provider."""

    file: str
    dialect: str
    rule: str
    severity: str
    provider: str
    side: str
    status: str


class Unclaimed(NamedTuple):
    """Exchanges that no dialect claims: the file they stand in, and the grammar that they speak."""

    file: str
    grammar: str


@dataclass
class Judged:
    """The corpus as the rules see it. `quirks` are the rules and providers of findings that a quirk lowered."""

    summary: Summary
    exchanges: Counter[str] = field(default_factory=Counter)
    claimed: Counter[tuple[str, str]] = field(default_factory=Counter)
    unclaimed: Counter[Unclaimed] = field(default_factory=Counter)
    firings: Counter[Firing] = field(default_factory=Counter)
    lowered: Counter[Firing] = field(default_factory=Counter)
    infos: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    quirks: Counter[tuple[str, str]] = field(default_factory=Counter)


def judge(corpus: Path = CORPUS, share: int = 1) -> Judged:
    """The exchanges of the corpus through the checker, once: all, or one conversation of so many."""
    checker = Checker()
    judged = Judged(checker.summary)
    for file, exchanges in groupby(read([str(corpus)]), lambda each: _file(each.source, corpus)):
        for exchange in (each for each in exchanges if share == 1 or drawn(each, share)):
            judged.exchanges[file] += 1
            layers = claimants(exchange.request)
            for dialect in layers:
                judged.claimed[file, dialect.name] += 1
            if not layers:
                judged.unclaimed[Unclaimed(file, grammar(exchange))] += 1
            for finding in checker.feed(exchange):
                _count(judged, finding, file, exchange)
        checker.forget()  # no other file has a part of a run: 50 MB less in the end
        gc.collect()
    return judged


def drawn(exchange: Exchange, share: int) -> bool:
    """Whether its conversation is in a sample of one of so many, which is the same in every run."""
    return crc32((exchange.conversation or exchange.source.rpartition("/")[2]).encode()) % share == 0


def _count(judged: Judged, finding: Finding, file: str, exchange: Exchange) -> None:
    dialect, who = finding.dialect or "", provider(exchange.request.host)
    lowered = _QUIRK.search(finding.message) is not None
    if lowered:
        judged.quirks[finding.rule, who] += 1
    if finding.severity is Severity.INFO:
        judged.infos[file, dialect, finding.rule] += 1
        return
    status = f"{exchange.response.status // 100}xx"
    firing = Firing(file, dialect, finding.rule, str(finding.severity), who, finding.side or "", status)
    judged.firings[firing] += 1
    if lowered:
        judged.lowered[firing] += 1


def _file(source: str, corpus: Path) -> str:
    relative = Path(source).relative_to(corpus)
    return relative.parts[0].partition(".")[0]


@cache
def provider(host: str) -> str:
    """Who answered: the target's name, the domain of a host that no target names, or a server of one's own."""
    known = provider_of(host)
    if known is not None:
        return known
    if "." not in host or host.replace(".", "").isdigit() or host.endswith(".local"):
        return "own server"
    return ".".join(host.rsplit(".", 2)[-2:])


_GRAMMARS = (
    (re.compile(r"/converse(-stream)?$"), "Bedrock Converse"),
    (re.compile(r"/model/.+/invoke(-with-response-stream)?$"), "Bedrock InvokeModel, bodies of other models"),
    (re.compile(r"^/v1/chat$"), "Cohere v1"),
    (re.compile(r"^/v1/(assistants|threads/.+)$"), "OpenAI Assistants"),
)


def grammar(exchange: Exchange) -> str:
    """Which other wire grammar an exchange speaks, by its path; the bare path where none is known."""
    path = exchange.request.path
    return next((name for pattern, name in _GRAMMARS if pattern.search(path)), path)


def load() -> dict[str, Any]:
    """The decisions as they stand; nothing decided where there is no file."""
    return yaml.safe_load(TRUTH.read_text(encoding="utf-8")) if TRUTH.is_file() else {}


def decided(truth: Mapping[str, Any]) -> dict[Firing, dict[str, Any]]:
    """Each line of the truth by the firing that it decides."""
    return {Firing(*(line[name] for name in Firing._fields)): line for line in truth.get("findings", ())}


def renewed(truth: Mapping[str, Any], judged: Judged) -> dict[str, Any]:
    """The truth with the counts of today; what nobody has judged has an empty verdict."""
    before = decided(truth)
    lines = []
    for firing in sorted(judged.firings):
        line = before.get(firing, {})
        kept = {"verdict": line.get("verdict", ""), "evidence": line.get("evidence", "")}
        lines.append({**firing._asdict(), "count": judged.firings[firing], **kept})
    return {
        "exchanges": dict(sorted(judged.exchanges.items())),
        "claimed": [_line(("file", "dialect"), key, judged.claimed[key]) for key in sorted(judged.claimed)],
        "unclaimed": [_line(Unclaimed._fields, key, judged.unclaimed[key]) for key in sorted(judged.unclaimed)],
        "findings": lines,
        "infos": [_line(("file", "dialect", "rule"), key, judged.infos[key]) for key in sorted(judged.infos)],
    }


def _line(names: Iterable[str], values: Iterable[str], count: int) -> dict[str, Any]:
    return {**dict(zip(names, values, strict=True)), "count": count}


def dumped(truth: Mapping[str, Any]) -> str:
    """The file's text."""
    return _HEADER + yaml.safe_dump(dict(truth), sort_keys=False, allow_unicode=True, width=110)


def tables(truth: Mapping[str, Any]) -> dict[str, str]:
    """The table of each dialect's page, by the dialect."""
    return {dialect: "\n".join(_table(truth, dialect)) for dialect in sorted({e["dialect"] for e in truth["claimed"]})}


def _table(truth: Mapping[str, Any], dialect: str) -> Iterator[str]:
    files = [f"`{each['file']}` {each['count']:,}" for each in truth["claimed"] if each["dialect"] == dialect]
    yield f"Recorded exchanges that the dialect claims: {', '.join(files)}."
    yield ""
    yield "| rule | severity | count | who | where | verdict | evidence |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    merged: dict[tuple[str, ...], Counter[str]] = {}
    for line in truth["findings"]:
        if line["dialect"] == dialect:
            where = f"{line['side']}, {line['status']}"
            key = (line["rule"], line["severity"], where, line["verdict"], line["evidence"])
            merged.setdefault(key, Counter())[line["provider"]] += line["count"]
    for (rule, severity, where, verdict, evidence), who in sorted(merged.items(), key=lambda each: each[0]):
        named = ", ".join(f"{name} {count}" if len(who) > 1 else name for name, count in who.most_common())
        yield f"| `{rule}` | {severity} | {who.total()} | {named} | {where} | {verdict} | {evidence} |"
    if not merged:
        yield "| all | error, warning | 0 | | | | silent |"
    infos: Counter[str] = Counter()
    for line in truth["infos"]:
        if line["dialect"] == dialect:
            infos[line["rule"]] += line["count"]
    if infos:
        yield ""
        yield f"Of severity info: {', '.join(f'`{rule}` {count}' for rule, count in sorted(infos.items()))}."


def page(text: str, table: str) -> str:
    """A page's text with its table renewed; a page without the marks is as it was."""
    return _TABLE.sub(lambda found: f"{found[1]}{table}\n{found[2]}", text)


def _of_a_part(missing: Sequence[str]) -> int:
    """Compares the findings in a part of the corpus with the decisions and writes nothing: counts are of the whole."""
    judged, known = judge(), decided(load())
    more = {each: count for each, count in judged.firings.items() if count > known.get(each, {"count": 0})["count"]}
    lines = [f"to judge: {' '.join(firing)}: {count}" for firing, count in sorted(more.items())]
    about = f"{len(judged.firings)} firings, {len(more)} to judge"
    lines += [f"not there: {each}" for each in missing]
    print("\n".join([*lines, f"{judged.exchanges.total()} exchanges of the other sources: {about}"]))  # noqa: T201
    return 1 if more else 0


def main() -> int:
    """Rewrites the truth and its tables; says which firings wait for a verdict."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    if not CORPUS.is_dir():
        print(NO_CORPUS, file=sys.stderr)  # noqa: T201
        return 2
    if missing := missing_sources():
        return _of_a_part(missing)
    truth = renewed(load(), judge())
    TRUTH.write_text(dumped(truth), encoding="utf-8")
    for dialect, table in tables(truth).items():
        path = PAGES / f"{dialect}.md"
        path.write_text(page(path.read_text(encoding="utf-8"), table), encoding="utf-8")
    waiting = [line for line in truth["findings"] if not line["verdict"] or not line["evidence"]]
    for line in waiting:
        print(f"to judge: {' '.join(line[name] for name in Firing._fields)}: {line['count']}")  # noqa: T201
    print(f"{len(truth['findings'])} firings, {len(waiting)} to judge")  # noqa: T201
    return 1 if waiting else 0


if __name__ == "__main__":
    sys.exit(main())
