"""Which rules the dialects of this distribution have, and what they cite, without loading them: `rule_index.json`.

It is for explanations of one rule or one statement, and `make data` writes it. What judges, or lists all rules, asks
the dialects themselves. Neutral rules are not in it, as they are always loaded.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from conformance.model.frozen import dataclass

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
