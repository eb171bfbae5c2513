"""Which findings count: rules chosen by the user, and findings accepted with a reason.

Chosen on the command line, or in the settings of the project (`conformance.model.settings`).

Of two prefixes that fit a rule the longer one decides, as in ruff. A prefix may be that of an id that the rule had
before (`specs/renames.yaml`), and so may the `rule` of a baseline's entry; `notices` says the new one.

A baseline is YAML: under `accepted`, entries with `rule` and `reason`, and `source`, `pointer` or `dialect` where only
some of the rule's findings are meant (`*` stands for anything). An entry that no finding needs any more is itself a
finding: what has been mended must not creep back.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from conformance.errors import ConformanceError
from conformance.judge.renames import begins, ids_of, notices, retired
from conformance.judge.rule import all_rules
from conformance.judge.run_rules import RUN_RULES
from conformance.model.finding import Finding, Severity
from conformance.model.settings import settings_of

_MATCHED = ("rule", "source", "pointer", "dialect")


@dataclass
class Accepted:
    """One entry of a baseline; `used` counts the findings that it took."""

    line: int
    wanted: Mapping[str, str]
    used: int = 0

    def fits(self, finding: Finding) -> bool:
        """Whether the entry is about this finding."""
        return all(
            any(fnmatchcase(rule, pattern) for rule in ids_of(finding.rule))
            if key == "rule"
            else fnmatchcase(str(getattr(finding, key) or ""), pattern)
            for key, pattern in self.wanted.items()
        )


@dataclass
class Selection:
    """What the user chose; without any choice everything counts. `notices` name the new ids of renamed rules.

    Raises:
        ConformanceError: `select` or `ignore` is a string, whose every character would be a prefix.
    """

    select: Sequence[str] = ()
    ignore: Sequence[str] = ()
    strict: bool = False
    baseline: Path | None = None
    accepted: list[Accepted] = field(default_factory=list)
    notices: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        for name in ("select", "ignore"):
            if isinstance(getattr(self, name), str):
                raise ConformanceError(f"`{name}` is a string", f'write {name}=["chat-"]')

    def keeps(self, finding: Finding) -> bool:
        """Whether a finding counts: its rule is chosen, and no entry of the baseline accepts it."""
        if not self._chosen(finding.rule):
            return False
        entry = next((entry for entry in self.accepted if entry.fits(finding)), None)
        if entry is not None:
            entry.used += 1
        return entry is None

    def _chosen(self, rule: str) -> bool:
        wanted = max((len(prefix) for prefix in self.select if begins(rule, prefix)), default=-1)
        unwanted = max((len(prefix) for prefix in self.ignore if begins(rule, prefix)), default=-1)
        return wanted > unwanted if self.select else unwanted < 0

    def stale(self) -> list[Finding]:
        """A finding for each entry of the baseline that nothing needed."""
        return [
            Finding(
                rule="baseline-entry-unused",
                severity=Severity.ERROR,
                message=f"the baseline entry for {entry.wanted['rule']} matches no finding",
                source=f"{self.baseline}:{entry.line}",
                expected="an entry that matches a finding",
                actual="no match; remove the entry",
            )
            for entry in self.accepted
            if not entry.used
        ]


def chosen(
    select: Iterable[str] = (), ignore: Iterable[str] = (), *, strict: bool = False, baseline: str | None = None
) -> Selection:
    """The selection of the command line, and where that is silent, of the settings of the project.

    Raises:
        ConformanceError: a prefix fits no rule, or a file says something that it cannot say.
    """
    configured = settings_of().values
    made = Selection(
        select=known_prefixes(tuple(select) or tuple(configured.get("select", ()))),
        ignore=known_prefixes(tuple(ignore) or tuple(configured.get("ignore", ()))),
        strict=strict or configured.get("strict", False),
    )
    path = Path(baseline or configured["baseline"]) if baseline or "baseline" in configured else None
    if path is not None:
        made.baseline, made.accepted = path, _read_baseline(path)
    named = [*made.select, *made.ignore, *(entry.wanted["rule"] for entry in made.accepted)]
    made.notices = tuple(notices(named, _rules())) if named else ()
    return made


def _rules() -> list[str]:
    return [*all_rules(), *RUN_RULES]


def known_prefixes(prefixes: tuple[str, ...]) -> tuple[str, ...]:
    """The same prefixes, each of which some rule id starts with.

    Raises:
        ConformanceError: one fits no rule; the hint names the nearest.
    """
    names = _rules() if prefixes else []
    for prefix in prefixes:
        if prefix not in retired() and not any(begins(name, prefix) for name in names):
            near = difflib.get_close_matches(prefix, names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else "`conformance list --rules` lists all rules"
            raise ConformanceError(f"no rule id starts with {prefix!r}", hint)
    return prefixes


def _read_baseline(path: Path) -> list[Accepted]:
    import yaml

    try:
        root = yaml.compose(path.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
        document = yaml.safe_load(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConformanceError(f"{path}: {error.strerror}", "pass --baseline a readable file") from error
    except (UnicodeDecodeError, yaml.YAMLError) as error:
        raise ConformanceError(f"{path}: invalid YAML", "correct the file") from error
    entries = document.get("accepted") if isinstance(document, dict) else None
    if not isinstance(entries, list):
        raise ConformanceError(
            f"{path}: the list `accepted` is missing", "start the file with `accepted:`, followed by a list of entries"
        )
    nodes = next(value.value for key, value in root.value if key.value == "accepted") if root is not None else []
    return [_entry(entry, node.start_mark.line + 1, path) for entry, node in zip(entries, nodes, strict=True)]


def _entry(entry: Any, line: int, path: Path) -> Accepted:
    if not isinstance(entry, dict) or not entry.get("rule") or not entry.get("reason"):
        raise ConformanceError(f"{path}:{line}: an entry needs `rule` and `reason`", "add the missing key")
    for key in entry:
        if key not in (*_MATCHED, "reason"):
            raise ConformanceError(
                f"{path}:{line}: unknown key `{key}`", f"valid keys are {', '.join(_MATCHED)}, reason"
            )
    known_prefixes((str(entry["rule"]),))
    return Accepted(line, {key: str(entry[key]) for key in _MATCHED if key in entry})
