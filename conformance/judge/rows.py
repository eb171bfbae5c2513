"""Rules that are rows of data: what any row has, and those about the faults that a walk over a stream finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from pathlib import Path
from typing import Any, TypeVar

from conformance.judge.rule import Judge, Scope, rule
from conformance.judge.view import View
from conformance.model.data_files import read_data
from conformance.model.finding import Hit, Severity

Fault = TypeVar("Fault", bound=Enum)


def add_rule(
    home: str,
    id: str,  # noqa: A002 - the field's own word, as in `rule`
    judge: Judge,
    *,
    scope: Scope,
    cites: str | Sequence[str],
    requirement: str,
    consequence: str,
    severity: str = "",
    because: str = "",
    **rest: Any,
) -> None:
    """Makes a row a rule of the module `home`. The rest is as in `rule`, and the docstring in two parts."""
    judge.__module__, judge.__doc__ = home, f"{requirement}\n\n{consequence}"
    graded = Severity[severity.upper()] if severity else None
    rule(id, scope=scope, cites=cites, severity=graded, because=because, **rest)(judge)


def add_faults(file: str, home: str, faults: type[Fault], hits: Callable[[View, Fault], Iterator[Hit]]) -> None:
    """Makes the rows of `faults.yaml`, beside a module's file, rules of the module.

    Each is about one of the `faults`; `hits` gives those in a stream.
    """
    for name, row in read_data(Path(file).with_name("faults.yaml")).items():
        given = {key: value for key, value in row.items() if key != "fault"}
        add_rule(home, name, _judge(hits, faults[row["fault"].upper()]), scope="stream", **given)


def _judge(hits: Callable[[View, Fault], Iterator[Hit]], fault: Fault) -> Judge:
    return lambda view: hits(view, fault)
