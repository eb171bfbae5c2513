"""`python -m devtools.documents contract|faults|sentences|relations [--docs DIR]`: see the targets of the Makefile."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from pathlib import Path

from devtools.documents import relations, sentences
from devtools.documents.floor import Outcome, floor, of_vendors
from devtools.documents.lines import HEADINGS
from devtools.documents.made import measure_made
from devtools.documents.measuring import CONTRACT, DOCUMENTS, SCHEMAS, Row, Table, measure
from devtools.documents.messages import REVISIONS
from devtools.documents.reading import EXPECTED, Documents, documents
from devtools.documents.reasons import Reasons
from devtools.documents.vendor_faults import measure_vendors
from devtools.places import CORPUS, ROOT

DATA = ROOT / "tests" / "data"


def main() -> int:
    """Runs one of them; 1 where something has no reason or verdict, or one fits nothing."""
    parser = argparse.ArgumentParser(prog="python -m devtools.documents", description=__doc__)
    parser.add_argument("what", choices=("contract", "faults", "sentences", "relations"))
    parser.add_argument("--docs", type=Path, help="a folder with documents: OpenAPI of OpenAI and Anthropic, MCP's")
    parser.add_argument("--dialect", action="append", help="only this one; may be given more than once")
    parser.add_argument("--survivors", type=int, default=10, help="how many places of survivors to print for each")
    parser.add_argument("--write", action="store_true", help="bring the inventory to what the documents have now")
    parser.add_argument("--open", action="store_true", help="print what has no verdict, sentences with their text")
    given = parser.parse_args()
    if given.docs is not None and not given.docs.is_dir():
        parser.error(f"{given.docs} is no folder; DOCS is the folder with the documents")
    found = documents(given.docs, explained=given.what == "sentences")
    dialects = tuple(given.dialect or (*EXPECTED, "mcp"))
    whole = _absent(found, dialects)
    if given.what == "sentences":
        asked = dialects if given.dialect else (*dialects, sentences.LLAMA)
        return sentences.run(found, asked, write=given.write, opened=given.open)
    if given.what == "relations":
        return relations.run(found, dialects, whole=whole, write=given.write, opened=given.open)
    if given.what == "contract":
        return _contract(found, dialects, whole)
    return _faults(found, dialects, given.survivors, every=len(whole) == len(EXPECTED) + 1 and CORPUS.is_dir())


def _absent(found: Documents, dialects: tuple[str, ...]) -> tuple[str, ...]:
    """Names what is not there; the dialects of which all is."""
    whole = []
    for dialect in dialects:
        expected = [*found.absent(dialect)] if dialect in EXPECTED else []
        expected += [
            f"MCP's schema.json of {each}" for each in REVISIONS if each not in found.revisions and dialect == "mcp"
        ]
        sys.stdout.writelines(f"{dialect}: absent: {name}\n" for name in expected)
        whole += [] if expected else [dialect]
    if len(whole) < len(dialects):
        sys.stdout.write("`make documents` installs what registries ship; DOCS=DIR names a folder with the others\n\n")
    return tuple(whole)


def _contract(found: Documents, dialects: tuple[str, ...], whole: tuple[str, ...]) -> int:
    reasons = Reasons.of(DATA / "contract_floor.yaml")
    outcome = Outcome.of((each for each in floor(found) if each.dialect in dialects), reasons)
    bodies = dict.fromkeys((dialect, subject) for dialect, subject, _, _ in outcome.counts)
    for dialect, subject in bodies:
        counts = [
            sum(n for key, n in outcome.counts.items() if key[:3] == (dialect, subject, heading))
            for heading in HEADINGS.values()
        ]
        counted = ", ".join(f"{heading}: {n}" for heading, n in zip(HEADINGS.values(), counts, strict=True))
        sys.stdout.write(f"{dialect} {subject}: {counted}\n")
    by_reason: Counter[str] = Counter()
    for (_, _, _, because), n in outcome.counts.items():
        by_reason[because or "no reason"] += n
    sys.stdout.write("\n")
    sys.stdout.writelines(f"{n:5} {because}\n" for because, n in by_reason.most_common())
    # Where a document is absent, it may be the one that says what the others do not.
    reported = [each for each in outcome.remaining if each.dialect in whole or each.heading == HEADINGS["undescribed"]]
    sys.stdout.writelines(f"no reason: {each}\n" for each in reported)
    unused = [each for each in reasons.unused() if each.startswith(whole)]
    sys.stdout.writelines(f"a reason that fits nothing (tests/data/contract_floor.yaml): {each}\n" for each in unused)
    failed = _contract_of_vendors(found) if "openai-chat" in dialects else 0
    return 1 if reported or unused or failed else 0


def _contract_of_vendors(found: Documents) -> int:
    """The same floor for each other provider: what it documents is in the contract, or there is a reason."""
    reasons = Reasons.of(DATA / "vendor_floor.yaml")
    lines: dict[str, list[str]] = {each.profile: [] for each in found.vendors}
    counts: Counter[str] = Counter()
    for profile, line in of_vendors(found):
        counts[profile] += 1
        if not line.because and not reasons.reason(f"{profile} {line}"):
            lines[profile].append(str(line))
    sys.stdout.write("\nother providers, against the contract with their rows\n")
    for vendor in found.vendors:
        open_lines = lines[vendor.profile]
        explained = counts[vendor.profile] - len(open_lines)
        sys.stdout.write(f"{vendor.profile}: {explained} with a reason, {len(open_lines)} without\n")
        sys.stdout.writelines(f"no reason: {vendor.profile} {each}\n" for each in open_lines)
    unused = reasons.unused() if found.vendors else []
    sys.stdout.writelines(f"a reason that fits nothing (tests/data/vendor_floor.yaml): {each}\n" for each in unused)
    return 1 if any(lines.values()) or unused else 0


def _faults(found: Documents, dialects: tuple[str, ...], survivors: int, *, every: bool) -> int:
    """Prints the table. A reason that fits nothing counts where every document and recording is there."""
    table = Table(Reasons.of(DATA / "faults.yaml"))
    for dialect in dialects:
        if dialect == "mcp":
            measure_made(found.revisions, table)
        measure(dialect, found, table)
    if "openai-chat" in dialects:
        measure_vendors(found, table)
    _header()
    for key, row in sorted(table.rows.items()):
        _show(" ".join(key[:3]), key[3], row)
    sys.stdout.write("\nBy dialect and side; `documents` and `tool schemas` are drawn without the contract.\n")
    _header()
    for dialect in dialects:
        for subject in sorted({key[1] for key in table.rows if key[0] == dialect}):
            for source in (DOCUMENTS, SCHEMAS, CONTRACT):
                _show(f"{dialect} {subject}", source, table.total(dialect, subject, source))
    for vendor in found.vendors:
        for subject in sorted({key[1] for key in table.rows if key[0] == f"openai-chat@{vendor.profile}"}):
            _show(f"{vendor.profile} {subject}", DOCUMENTS, table.total(f"openai-chat@{vendor.profile}", subject))
    for title, listed in (("survives", table.survivors), ("milder than the policy wants", table.milder)):
        kept = [(line, n) for line, n in listed.most_common() if f" {CONTRACT} " not in line]
        sys.stdout.write(f"\n{title}: {len(kept)} places without a reason\n")
        sys.stdout.writelines(f"  {n} {line}\n" for line, n in kept[:survivors])
    unused = table.reasons.unused() if every else []
    sys.stdout.writelines(f"a reason that fits nothing (tests/data/faults.yaml): {each}\n" for each in unused)
    return 1 if unused else 0


def _header() -> None:
    sys.stdout.write(f"{'':42} {'':34} planted  caught  errors  wanted  reasoned\n")


def _show(what: str, kind: str, row: Row) -> None:
    if row.planted or row.excused:
        shares = (
            f"{each / row.planted:7.1%}" if row.planted else "      -" for each in (row.caught, row.errors, row.wanted)
        )
        sys.stdout.write(f"{what:42} {kind:34} {row.planted:7} {' '.join(shares)} {row.excused:9}\n")


if __name__ == "__main__":
    sys.exit(main())
