"""The files of `specs/documented`: what they should have now, what they have, and the reasons for what is left out."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from conformance.judge.contracted import contracts_of
from devtools.documents.documented import Documented
from devtools.documents.reading import Documents, Vendor
from devtools.places import ROOT
from devtools.vendors.differing import Row, rows

FOLDER = ROOT / "specs" / "documented"
EXCEPTIONS = ROOT / "devtools" / "vendors" / "exceptions.json"
"""By provider, patterns of places whose rows are wrong, each with its reason: real traffic, or another of its pages."""
STATED = ROOT / "devtools" / "vendors" / "stated.json"
"""By provider, rows that its descriptions state and its types do not have: relations, fields of another API."""
DEFAULTS = ROOT / "devtools" / "vendors" / "defaults.json"
"""What the document of the format's owner has as the default of an option for every model."""
DIALECT = "openai-chat"
OWNER = "openai"
DIFFERENCES = ("adds", "lacks", "type", "values", "range", "limit", "required", "relation")


def of_vendor(vendor: Vendor, documents: Documents, left_out: dict[str, int] | None = None) -> list[Row]:
    """The rows of a provider; `left_out` counts what each exception fits."""
    contracts = contracts_of(DIALECT)
    found = [row for contract in contracts.every for row in _of_body(contract, vendor, documents)] if contracts else []
    defaults = json.loads(DEFAULTS.read_bytes())
    found = [
        {**row, "default": defaults[row["at"]]} if row["difference"] == "lacks" and row["at"] in defaults else row
        for row in found
    ]
    exceptions = {**json.loads(EXCEPTIONS.read_bytes()).get(vendor.profile, {})}
    kept = []
    for row in found:
        fitting = next((each for each in exceptions if re.fullmatch(each, f"{row['at']} {row['difference']}")), None)
        if fitting is None:
            kept.append(row)
        elif left_out is not None:
            left_out[fitting] = left_out.get(fitting, 0) + 1
    return [*kept, *json.loads(STATED.read_bytes()).get(vendor.profile, ())]


def _of_body(contract: Any, vendor: Vendor, documents: Documents) -> Iterator[Row]:
    body = f"{DIALECT} {contract.subject}"
    if body in vendor.bodies:
        owners = documents.bodies.get(body, {}).get(OWNER)
        yield from rows(
            contract, vendor.profile, Documented.of([vendor.bodies[body]]), Documented.of([owners] if owners else [])
        )


def text_of(vendor: Vendor, found: list[Row], read: str) -> str:
    """A file, one row a line."""
    head = {"document": vendor.document, "version": vendor.version, "read": read}
    lines = ",\n".join(f"  {json.dumps(row, ensure_ascii=False)}" for row in found)
    return f'{json.dumps(head)[:-1]}, "rows": {{"{DIALECT}": [\n{lines}\n]}}}}\n'


def file_of(profile: str) -> Path:
    return FOLDER / f"{profile}.json"


def kept(profile: str) -> Mapping[str, Any]:
    """What the file of a provider has; nothing if there is none."""
    file = file_of(profile)
    found: Mapping[str, Any] = json.loads(file.read_bytes()) if file.is_file() else {}
    return found


def write(vendor: Vendor, found: list[Row]) -> None:
    """Writes the file. Its day is that of the document: it stays while neither the version nor a row changes."""
    before = kept(vendor.profile)
    same = before.get("version") == vendor.version
    FOLDER.mkdir(exist_ok=True)
    file_of(vendor.profile).write_text(
        text_of(vendor, found, before["read"] if same else datetime.now(UTC).date().isoformat()),
        encoding="utf-8",
    )
