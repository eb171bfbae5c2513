"""`make sentences`: each sentence with a norm in the published documents has a statement, or a reason to have none."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from conformance.report.catalogue.contract import all_statements
from devtools.documents.inventory import OPEN, Inventory, Sentence
from devtools.documents.prose import binding, fingerprint, normative
from devtools.documents.reading import Documents
from devtools.documents.walking import of_body, places
from devtools.places import ROOT

FOLDER = ROOT / "tests" / "data" / "sentences"
LLAMA = "llama3"
"""The dialect of Meta's pages. The other pages are MCP's."""
_ADVICE = """
Give each line its verdict in tests/data/sentences: `statement NUMBER ...` if statements contain the norm, `not visible:
WHY` if no recorded traffic can show a breach, `not about the wire` if it is no rule of the format. `make sentences
WRITE=--write` adds lines for new sentences and removes those for nothing; `OPEN=--open` prints the sentences.
"""


def sentences_of(documents: Documents, dialects: tuple[str, ...]) -> dict[str, Sentence]:
    """The sentences with a norm by their fingerprints, each once."""
    found: dict[str, Sentence] = {}
    for document, place, field, text in _found(documents, dialects):
        key = fingerprint(field, text)
        before = found.get(key)
        names = (document,) if before is None else tuple(dict.fromkeys((*before.documents, document)))
        found[key] = Sentence(key, names, before.place if before else place, before.text if before else text)
    return found


def of_vendors(documents: Documents, known: Inventory) -> dict[str, Sentence]:
    """The sentences with a norm of other providers that the owner of the format does not write with the same words."""
    found: dict[str, Sentence] = {}
    for vendor in documents.vendors:
        for body, spec in vendor.bodies.items():
            dialect, _, subject = body.partition(" ")
            for each in of_body(dialect, subject, spec):
                for text in (one for description in each.descriptions for one in normative(description)):
                    key = fingerprint(each.field, text)
                    if key not in known.lines:
                        before = found.get(key)
                        names = (vendor.document,) if before is None else (*before.documents, vendor.document)
                        place = f"{each.dialect} {each.subject} {each.path}".rstrip()
                        names = tuple(dict.fromkeys(names))
                        found[key] = Sentence(key, names, before.place if before else place, text)
    return found


def _found(documents: Documents, dialects: tuple[str, ...]) -> Iterator[tuple[str, str, str, str]]:
    for each in places(documents, dialects):
        for description in each.descriptions:
            for text in normative(description):
                yield each.document, f"{each.dialect} {each.subject} {each.path}".rstrip(), each.field, text
    for (document, where), page in documents.pages.items():
        dialect = _dialect(document)
        for text in (normative if dialect == LLAMA else binding)(page) if dialect in dialects else ():
            yield document, f"{dialect} page {where}", "", text


def _dialect(document: str) -> str:
    """The dialect of a document of pages."""
    return LLAMA if document == "llama-models" else "mcp"


def families(dialects: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Dialects by their owner: what one document has about several of them is one sentence."""
    found: dict[str, tuple[str, ...]] = {}
    for each in dialects:
        family = each.partition("-")[0]
        found[family] = (*found.get(family, ()), each)
    return found


def run(
    documents: Documents, dialects: tuple[str, ...], *, folder: Path = FOLDER, write: bool = False, opened: bool = False
) -> int:
    """Prints the counts and what is wrong; 1 where something is."""
    wrong: list[str] = []
    for family, members in families(dialects).items():
        found = sentences_of(documents, members)
        names = {each.document for each in places(documents, members)}
        names |= {name for name, _ in documents.pages if _dialect(name) in members}
        versions = {name: version for name, version in documents.versions.items() if name in names}
        wrong += _judged(family, found, versions, folder / f"{family}.tsv", write=write, opened=opened)
    if documents.vendors and "openai-chat" in dialects:
        found, file = of_vendors(documents, Inventory.of(folder / "openai.tsv")), folder / "vendors.tsv"
        versions = {each.document: each.version for each in documents.vendors}
        wrong += _judged("vendors", found, versions, file, write=write, opened=opened)
    sys.stdout.writelines(f"{each}\n" for each in wrong)
    if wrong:
        sys.stdout.write(_ADVICE)
    return 1 if wrong else 0


def _judged(
    family: str, found: Mapping[str, Sentence], versions: Mapping[str, str], file: Path, *, write: bool, opened: bool
) -> list[str]:
    """Prints the counts of one family, and returns what is wrong."""
    if write:
        Inventory.of(file).updated(found, versions).write(file)
    inventory = Inventory.of(file)
    _show(family, found, inventory)
    if opened:
        _print_open(found, inventory)
    return [f"{family}: {each}" for each in inventory.faults(found, versions, all_statements().keys())]


def _show(family: str, sentences: Mapping[str, Sentence], inventory: Inventory) -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for key, each in sentences.items():
        verdict = _kind(inventory.lines[key].verdict if key in inventory.lines else "")
        counts.update((name, verdict) for name in (*each.documents, "all, each once"))
    for document in dict.fromkeys(name for name, _ in counts):
        listed = ", ".join(f"{kind} {n}" for (name, kind), n in sorted(counts.items()) if name == document)
        sys.stdout.write(f"{family}, {document}: {listed}\n")


def _kind(verdict: str) -> str:
    if not verdict or verdict.startswith(OPEN):
        return "open"
    return "statement" if verdict.startswith("statement ") else verdict.partition(":")[0]


def _print_open(sentences: Mapping[str, Sentence], inventory: Inventory) -> None:
    ordered = sorted(sentences.values(), key=lambda each: (each.place, each.fingerprint))
    for each in ordered:
        verdict = inventory.lines[each.fingerprint].verdict if each.fingerprint in inventory.lines else ""
        if not verdict or verdict.startswith(OPEN):
            sys.stdout.write(f"{each.fingerprint} {each.place}: {each.text}\n")
