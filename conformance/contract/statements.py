"""The numbered statements of the contract, each written once: `statements.yaml` beside what it is about.

A dialect's statements lie in its folder, those of every dialect in `conformance/dialects/neutral`, and those of no
dialect in `specs/statements`. Rules and rows cite the numbers; what a finding needs beyond that is in `briefs`.
`docs/contract/README.md` explains the format.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from functools import cache
from pathlib import Path
from typing import Any, Final, Literal, NoReturn, get_args

from conformance.contract.brief import FILE, Brief, Held, file_of, files_of_no_dialect, folder_of
from conformance.errors import ConformanceError
from conformance.model.data_files import read_yaml
from conformance.model.finding import Severity
from conformance.model.frozen import dataclass
from conformance.model.registry import dialect_packages

SEVERITIES = ("error", "warning", "info", "change", "review", "noise")
"""How bad a violation is; the last three are the classes of differences between two recordings."""
SCOPES = ("request", "reply", "stream", "conversation", "any")

Evidence = Literal["documented", "schema", "sdk-type", "observed", "refusal", "derived"]
KINDS: Final[tuple[str, ...]] = get_args(Evidence)
"""Where a statement is known from; `derived`: from other statements, or it is a demand of this suite."""

_ID = re.compile(r"[A-Z]+(-[A-Z]+)?-\d{3}|[A-Z]\d{2}|\d+(\.\d+){1,2}")
_LINK = re.compile(r"\[(?P<words>[^\]]*)\]\([^)]*\)")
_THREAD = re.compile(r"[\w.-]+/[\w.-]+#\d+")
_REQUIRED = ("text", "severity", "scope", "sources")
_OPTIONAL = ("verified", "planned", "same_as", "excluded", "rules", "bugs", "since", "until", "violation", "note")
_OF_SOURCE = ("document", "at", "thread", "title", "link", "text", "note", "kind", "date")


@dataclass(frozen=True, slots=True)
class Source:
    """One entry of a statement's evidence. `text` is Markdown; `thread` is `owner/repo#number`, if it is one.

    `date` is the day of the version that was read, or else that on which it was read; empty if neither is known.
    """

    text: str
    kind: Evidence
    thread: str = ""
    date: str = ""

    @property
    def plain(self) -> str:
        """The source as findings cite it: without links and marks."""
        return _LINK.sub(lambda match: match["words"], self.text).replace("`", "")


@dataclass(frozen=True, slots=True)
class Statement:
    """One numbered statement. `text`, `violation` and `note` are Markdown; what is absent is empty.

    `page` is the name of its page in `docs/contract`. `rules` are the neutral rules that hold it in its dialect,
    `same_as` the statements that say the same for others, `excluded` the reason why nothing can hold it, `bugs` the
    public threads about software that broke it, `since` and `until` the days between which it holds.
    """

    id: str
    page: str
    text: str
    severity: str
    scope: tuple[str, ...]
    verified: bool = True
    sources: tuple[Source, ...] = ()
    violation: str = ""
    note: str = ""
    planned: bool = False
    same_as: tuple[str, ...] = ()
    excluded: str = ""
    bugs: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    rules: Mapping[str, Held] = field(default_factory=dict)

    @property
    def brief(self) -> Brief:
        """What a finding needs of it."""
        return Brief(self.id, self.severity, self.cited, self.rules)

    @property
    def evidence(self) -> tuple[str, ...]:
        """The sources as Markdown, each with its date."""
        dated = (f"{each.text}, {each.date}" if each.date else each.text for each in self.sources)
        return tuple(dated) or ("no public evidence yet",)

    @property
    def threads(self) -> tuple[str, ...]:
        """The public threads among the sources."""
        return tuple(match["words"] for each in self.sources for match in _LINK.finditer(each.text) if "#" in match[1])

    @property
    def cited(self) -> str:
        """The number with the main source: the first one with a link, or else the first."""
        linked = (each.plain for each in self.sources if "](" in each.text)
        return f"{self.id} {next(linked, self.sources[0].plain if self.sources else '')}".rstrip()


@cache
def statements_in(path: Path) -> Mapping[str, Statement]:
    """The statements of one file by their numbers, in their order.

    Raises:
        ConformanceError: the file does not keep to the format. The message begins with its path.
    """
    document = read_yaml(path)
    reader = _Reader(path, str(document.get("page", "")), document.get("documents") or {})
    return {str(number): reader.statement(str(number), each) for number, each in document["statements"].items()}


def statement_files() -> list[Path]:
    """Every file of statements: those of the dialects by name, then those of no dialect."""
    folders = (folder_of(package) for package in dialect_packages())
    found = [folder / FILE for folder in folders if folder is not None and (folder / FILE).is_file()]
    return [*found, *files_of_no_dialect()]


def own_statements(package: str) -> Mapping[str, Statement]:
    """The statements of a package; none if it has no file."""
    path = file_of(package)
    return {} if path is None else statements_in(path)


@dataclass(frozen=True, slots=True)
class _Reader:
    """Reads the entries of one file."""

    path: Path
    page: str
    documents: Mapping[str, Mapping[str, str]]

    def statement(self, number: str, entry: Mapping[str, Any]) -> Statement:
        if not _ID.fullmatch(number):
            self._refuse(number, "invalid number", "use a form such as `OAC-Q-001`, `MAP-001`, `D01` or `0.4`")
        missing = [name for name in _REQUIRED if name not in entry]
        if missing:
            self._refuse(number, f"lacks {', '.join(missing)}", "add `name: value` for each")
        unknown = [name for name in entry if name not in (*_REQUIRED, *_OPTIONAL)]
        if unknown:
            self._refuse(number, f"unknown {', '.join(unknown)}", f"use {', '.join((*_REQUIRED, *_OPTIONAL))}")
        empty = [
            name for name, value in entry.items() if value in ("", None, {}) or (value == [] and name != "sources")
        ]
        if empty:
            self._refuse(number, f"{', '.join(empty)} is empty", "set a value or remove it")
        scope = entry["scope"] if isinstance(entry["scope"], list) else [entry["scope"]]
        return Statement(
            id=number,
            page=f"{self.page}.md",
            text=entry["text"],
            severity=self._one_of(number, "severity", entry["severity"], SEVERITIES),
            scope=tuple(self._one_of(number, "scope", each, SCOPES) for each in scope),
            verified=entry.get("verified", True),
            sources=tuple(self._source(number, each) for each in entry["sources"]),
            violation=entry.get("violation", ""),
            note=entry.get("note", ""),
            planned=entry.get("planned", False),
            same_as=tuple(map(str, entry.get("same_as", ()))),
            excluded=entry.get("excluded", ""),
            bugs=tuple(entry.get("bugs", ())),
            since=str(entry.get("since", "")),
            until=str(entry.get("until", "")),
            rules=dict(self._held(number, each) for each in entry.get("rules", ())),
        )

    def _source(self, number: str, entry: Mapping[str, str]) -> Source:
        unknown = [name for name in entry if name not in _OF_SOURCE]
        named = [name for name in ("document", "thread", "title", "text") if name in entry]
        if unknown or len(named) != 1:
            self._refuse(number, f"source {dict(entry)}", f"name a document, thread, title or text; {_OF_SOURCE}")
        document = self.documents.get(entry.get("document", ""), {})
        if "document" in entry and not document:
            self._refuse(number, f"unknown document {entry['document']}", f"use {', '.join(self.documents)}")
        kind = entry.get("kind") or document.get("kind", "")
        note = f" {entry['note']}" if "note" in entry else ""
        thread = entry.get("thread", "")
        if thread and not _THREAD.fullmatch(thread):
            self._refuse(number, f"thread `{thread}`", "write `owner/repo#number`")
        return Source(
            f"{_titled(entry, document)}{note}",
            self._one_of(number, "kind", kind, KINDS),  # type: ignore[arg-type]  # one of `Evidence`
            thread,
            str(entry.get("date") or document.get("date", "")),
        )

    def _held(self, number: str, entry: str | Mapping[str, str]) -> tuple[str, Held]:
        if isinstance(entry, str):
            return entry, Held()
        if entry.keys() != {"rule", "severity", "because"} or not all(entry.values()):
            self._refuse(number, f"rule {dict(entry)}", "write the id, or `{rule: …, severity: …, because: …}`")
        severity = self._one_of(number, "severity", entry["severity"], SEVERITIES[:3])
        return entry["rule"], Held(Severity[severity.upper()], entry["because"])

    def _one_of(self, number: str, name: str, value: str, allowed: tuple[str, ...]) -> str:
        if value not in allowed:
            self._refuse(number, f"{name} is `{value}`", f"use {', '.join(allowed)}")
        return value

    def _refuse(self, number: str, message: str, hint: str) -> NoReturn:
        raise ConformanceError(f"{self.path}: {number}: {message}", hint)


def _titled(entry: Mapping[str, str], document: Mapping[str, str]) -> str:
    """A source as Markdown, without its note."""
    if "text" in entry:
        return entry["text"]
    if "thread" in entry:
        return f"[{entry['thread']}](https://github.com/{entry['thread'].replace('#', '/issues/')})"
    if not document:
        return f"[{entry['title']}]({entry['link']})"
    place = entry.get("at", "")
    title = f"{document['title']}, `{place}`" if place else document["title"]
    return f"[{title}]({document['link']}{place if document['link'].endswith('/') else ''})"
