"""The walks that ARCHITECTURE.md describes: the functions through which a thing goes, in their order."""

from __future__ import annotations

import importlib
import re
from operator import attrgetter
from types import CodeType

from devtools.places import ROOT

_STEP = re.compile(r"^(\d)\. `([\w.]+)` \(`(\w+/\w+)\.py`", re.MULTILINE)
_MOST = 9


def steps(heading: str) -> list[tuple[str, CodeType]]:
    """The functions of the walk below a heading, nine at most; each exists."""
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").partition(f"## {heading}")[2].partition("\n## ")[0]
    found = [(name, module.replace("/", ".")) for _, name, module in _STEP.findall(text)]
    assert 0 < len(found) <= _MOST
    return [
        (name, attrgetter(f"{name}.__code__")(importlib.import_module(f"conformance.{module}")))
        for name, module in found
    ]
