"""What the documents of single providers have otherwise than the owner of a format: `specs/documented`.

`make vendors` derives them from the SDKs and servers that package registries ship; nobody writes them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from conformance.model.data_files import data_dir
from conformance.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Documented:
    """One document, with its version and the day on which it was read, and its rows by dialect.

    A row has a place and what follows, as a deviation has them (`docs/profiles.md`), and its `difference` from the
    owner's format. Beside that, `required` is whether a field must be there, and `undocumented` how severe it is to
    send what the document does not have; null and the `default` of the format's owner ask for nothing.
    """

    document: str
    version: str
    read: str
    rows: Mapping[str, Sequence[Mapping[str, Any]]]

    @property
    def evidence(self) -> str:
        """The source of each row."""
        return f"{self.document} {self.version}, read on {self.read}"

    def lacks(self, dialect: str, *fields: str) -> bool | None:
        """Whether one of these fields of the owner's requests is not in this document, or does nothing by it.

        None if it describes no requests.
        """
        rows = {row["at"]: row["difference"] for row in self.rows.get(dialect, ()) if row["at"].startswith("request ")}
        return any(rows.get(f"request {each}") == "lacks" for each in fields) if rows else None


@cache
def documented(provider: str) -> Documented | None:
    """What the document of a provider has; None if no registry ships one."""
    file = data_dir("specs") / "documented" / f"{provider}.json"
    if not file.is_file():
        return None
    found = json.loads(file.read_bytes())
    return Documented(found["document"], found["version"], found["read"], found["rows"])
