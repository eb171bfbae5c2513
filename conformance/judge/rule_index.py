"""Which rules the dialects of this distribution have, and what they cite, without loading them: `rule_index.json`.

It is for explanations of one rule or one statement, and `make data` writes it. What judges, or lists all rules, asks
the dialects themselves. Neutral rules are not in it, as they are always loaded.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from conformance.model.frozen import dataclass
from conformance.model.registry import is_foreign

if TYPE_CHECKING:
    from conformance.judge.rule import Rule

FILE = Path(__file__).with_name("rule_index.json")


@dataclass(frozen=True, slots=True)
class Indexed:
    """A rule: the package in whose folder it lies, the statements that it cites, and what is known of it if it has no
    code: its scope, its severity, its dialects and its docstring.
    """

    package: str
    cites: tuple[str, ...]
    of_contract: Mapping[str, Any] | None = None


@cache
def rule_index() -> Mapping[str, Indexed]:
    """The rules by their ids."""
    document: Mapping[str, Any] = json.loads(FILE.read_bytes())
    return {name: Indexed(package, tuple(cites), *rest) for name, (package, cites, *rest) in document.items()}


def written(rules: Iterable[Rule]) -> str:
    """The text of the file, one rule a line."""
    entries = {rule.id: json.dumps(_entry(rule), ensure_ascii=False) for rule in rules if _is_in(rule)}
    lines = ",\n".join(f"{json.dumps(name)}: {entry}" for name, entry in entries.items())
    return f"{{{lines}}}\n"


def _is_in(rule: Rule) -> bool:
    return bool(rule.dialects) and not is_foreign(_package(rule))


def _package(rule: Rule) -> str:
    return rule.home.removesuffix(".contract") if rule.of_contract else rule.home


def _entry(rule: Rule) -> list[Any]:
    entry: list[Any] = [_package(rule), rule.cites]
    if rule.of_contract:
        of_contract = {"scope": rule.scope, "severity": str(rule.graded), "dialects": rule.dialects}
        entry.append({**of_contract, "text": rule.judge.__doc__})
    return entry
