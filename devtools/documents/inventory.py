"""The inventory of normative sentences: `tests/data/sentences/<family>.tsv`, fingerprints and verdicts alone."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

_VERDICT = re.compile(r"(?:statement(?P<numbers>(?: [A-Z0-9]+-[A-Z0-9-]+)+)|not visible: \S.*|not about the wire)$")
OPEN = "open: "


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence with a norm: the documents that have it, and the first place where it stands."""

    fingerprint: str
    documents: tuple[str, ...]
    place: str
    text: str


@dataclass(frozen=True, slots=True)
class Judged:
    """One line of an inventory."""

    documents: tuple[str, ...]
    place: str
    verdict: str


@dataclass
class Inventory:
    """The verdicts of one family of documents by the fingerprints, and the versions that they were given for."""

    versions: dict[str, str] = field(default_factory=dict)
    lines: dict[str, Judged] = field(default_factory=dict)

    @staticmethod
    def of(file: Path) -> Inventory:
        """What a file has; nothing where there is none."""
        found = Inventory()
        for line in file.read_text(encoding="utf-8").splitlines() if file.exists() else ():
            if line.startswith("# "):
                name, _, version = line[2:].partition("\t")
                found.versions[name] = version
            else:
                fingerprint, verdict, documents, place = line.split("\t")
                found.lines[fingerprint] = Judged(tuple(documents.split(", ")), place, verdict)
        return found

    def write(self, file: Path) -> None:
        """Writes the file, ordered by place."""
        lines = [f"# {name}\t{version}" for name, version in sorted(self.versions.items())]
        for fingerprint, each in sorted(self.lines.items(), key=lambda pair: (pair[1].place, pair[0])):
            lines.append("\t".join((fingerprint, each.verdict, ", ".join(each.documents), each.place)))
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("\n".join(lines) + "\n", encoding="utf-8")

    def faults(
        self, sentences: Mapping[str, Sentence], versions: Mapping[str, str], numbers: Collection[str]
    ) -> list[str]:
        """What ends the command with 1. A line is for nothing if all its documents are there, and none has it."""
        found = [
            f"another version of {name}: {versions[name]}, the inventory has {self.versions.get(name, 'none')}"
            for name in versions
            if versions[name] != self.versions.get(name)
        ]
        for key, sentence in sentences.items():
            verdict = self.lines[key].verdict if key in self.lines else ""
            if not verdict:
                found.append(f"no verdict: {key} {sentence.place}")
            elif verdict.startswith(OPEN):
                found.append(f"open: {key} {sentence.place}: {verdict.removeprefix(OPEN)}")
            elif wrong := _wrong(verdict, numbers):
                found.append(f"{wrong}: {key} {sentence.place}: {verdict}")
        for key, line in self.lines.items():
            if key not in sentences and versions.keys() >= set(line.documents):
                found.append(f"a verdict for nothing: {key} {line.place}: {line.verdict or 'none'}")
        return found

    def updated(self, sentences: Mapping[str, Sentence], versions: Mapping[str, str]) -> Inventory:
        """The same verdicts for the sentences that there are now, and none for new ones."""
        kept = {key: each for key, each in self.lines.items() if not versions.keys() >= set(each.documents)}
        now = {
            key: Judged(each.documents, each.place, self.lines[key].verdict if key in self.lines else "")
            for key, each in sentences.items()
        }
        return Inventory({**self.versions, **versions}, kept | now)


def _wrong(verdict: str, numbers: Collection[str]) -> str:
    matched = _VERDICT.match(verdict)
    if matched is None:
        return "not a verdict"
    unknown = [each for each in (matched["numbers"] or "").split() if each not in numbers]
    return f"no statement {', '.join(unknown)}" if unknown else ""
