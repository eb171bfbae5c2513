"""Evidence: one dialect's citations and examples for a neutral rule.

A rule in `conformance.rules` names no dialect. Each dialect has its citations for such a rule, with examples on its
own wire, in the modules `evidence*.py` of its folder:

    EVIDENCE = {
        "tool-call-unanswered": evidence(
            "OAC-C-001 aliasrobotics/cai#111",
            violating=[
                example("openai-chat/answer", drop(f"{_MESSAGES}/3"), at="0 request /messages/1/tool_calls/1"),
            ],
        ),
    }
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from conformance.errors import ConformanceError
from conformance.judge.example import Example
from conformance.model.finding import Severity
from conformance.model.registry import all_dialects, dialect_packages

Basis = Literal["documented", "schema", "sdk-type", "observed"]


@dataclass(frozen=True, slots=True)
class Evidence:
    """One dialect's evidence for one rule.

    `cites` is empty if the dialect has no source of its own: a finding then cites the neutral statement.
    `severity` is None if the rule's own applies.
    """

    cites: tuple[str, ...]
    basis: Basis
    conforming: tuple[Example, ...]
    violating: tuple[Example, ...]
    bugs: tuple[str, ...]
    severity: Severity | None


def evidence(
    *cites: str,
    basis: Basis = "observed",
    violating: Iterable[Example] = (),
    conforming: Iterable[Example] = (),
    bugs: Iterable[str] = (),
    severity: Severity | None = None,
) -> Evidence:
    """The evidence of the dialect whose folder it is in: its citations, then its examples.

    Each citation is `ID source`: a statement about the dialect, and its source. The bases of the
    violating examples are conforming examples without being named. One without `at` has its finding at the place of its
    last edit.
    """
    shown = tuple(each if each.at else replace(each, at=each.edited_at) for each in violating)
    bases = tuple(Example(base) for base in dict.fromkeys(each.base for each in shown))
    return Evidence(cites, basis, (*bases, *conforming), shown, tuple(bugs), severity)


@cache
def all_evidence() -> Mapping[str, Mapping[str, Evidence]]:
    """The evidence by rule id, and then by the name of the dialect.

    The evidence of a folder that defines several dialects is for all of them; that of a subfolder takes precedence.

    Raises:
        ConformanceError: two modules of one folder have evidence for the same rule.
    """
    found: dict[str, dict[str, Evidence]] = {}
    for home, told in sorted(_told().items(), key=lambda each: each[0].count(".")):
        for dialect in all_dialects().values():
            if f"{dialect.package}.".startswith(f"{home}."):
                for rule, each in told.items():
                    found.setdefault(rule, {})[dialect.name] = each
    return {rule: dict(sorted(told.items())) for rule, told in found.items()}


def _told() -> Mapping[str, Mapping[str, Evidence]]:
    """The evidence of the modules of each folder, by the name of the folder's package."""
    told: dict[str, dict[str, Evidence]] = {}
    for package in dialect_packages():
        for module in pkgutil.walk_packages(getattr(importlib.import_module(package), "__path__", ()), f"{package}."):
            home, _, name = module.name.rpartition(".")
            if not name.startswith("evidence"):
                continue
            said: Mapping[str, Evidence] = importlib.import_module(module.name).EVIDENCE
            here = told.setdefault(home, {})
            twice = sorted(here.keys() & said.keys())
            if twice:
                raise ConformanceError(
                    f"{module.name}: another module of the folder also has evidence for {', '.join(twice)}"
                )
            here |= said
    return told
