"""Writes `specs/wire/<dialect>/*.schema.json` from each dialect's contract.

`python -m devtools.wire.generate` writes them all; a test compares the files with its output.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from typing import Any

from conformance.judge.contracted import Contracts, contracts_of
from conformance.model.data_files import data_dir
from conformance.model.registry import BUILT_IN, all_dialects
from devtools.wire.layout import laid_out
from devtools.wire.sharing import shared


@cache
def described() -> tuple[str, ...]:
    """The built-in dialects that have schemas: those that have bodies of their own."""
    found = all_dialects().items()
    return tuple(name for name, each in found if each.package.startswith(f"{BUILT_IN}.") and each.host is None)


def texts(name: str) -> dict[str, str]:
    """The text of each schema file of a dialect, by its kind."""
    contracts = contracts_of(name)
    found = {} if contracts is None else _of_contracts(name, contracts)
    return {kind: laid_out(schema) + "\n" for kind, schema in found.items()}


def _of_contracts(name: str, contracts: Contracts) -> dict[str, dict[str, Any]]:
    """The schemas of what applies at every provider."""
    kinds = {
        "request": contracts.request,
        "response": contracts.reply,
        "event": contracts.chunk,
        "error": contracts.error,
    }
    return {
        kind: {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "$id": f"{name}/{kind}.schema.json",
            "title": f"{name}: {kind}",
            **shared(contract.schema()),
        }
        for kind, contract in kinds.items()
        if contract is not None
    }


def write(folder: Path) -> None:
    """Writes every dialect's schemas below the folder."""
    for name in described():
        for kind, text in texts(name).items():
            path = folder / name / f"{kind}.schema.json"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{len(text.encode()):8} {name}/{path.name}\n")


if __name__ == "__main__":
    write(data_dir("specs") / "wire")
