"""Faults that change nothing anybody can see: `equivalent.yaml` lists them, each with its reason."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import yaml

from devtools.planted.faults import Fault


class Equivalents:
    """Known by what stands there, not by the number of the line, which moves."""

    def __init__(self, listed: Iterable[dict[str, str]]) -> None:
        self._listed = frozenset((each["path"], each["line"], each["kind"], each["old"]) for each in listed)

    def __contains__(self, fault: Fault) -> bool:
        return (fault.path, fault.line, fault.kind, fault.old) in self._listed


def equivalents() -> Equivalents:
    """Those that are listed."""
    return Equivalents(yaml.safe_load(Path(__file__).with_name("equivalent.yaml").read_text(encoding="utf-8")))
