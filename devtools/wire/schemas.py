"""The files `specs/wire/<dialect>/<kind>.schema.json`, loaded."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from conformance.model.data_files import data_dir

KINDS = ("request", "response", "event", "error")


@cache
def schema_of(dialect: str, kind: str) -> Any:
    """The schema of one kind of body of a dialect; None if the dialect has none.

    A dialect whose events have the form of its responses has no file for events.
    """
    path = data_dir("specs") / "wire" / dialect / f"{kind}.schema.json"
    if path.is_file():
        return json.loads(path.read_text(encoding="utf-8"))
    return schema_of(dialect, "response") if kind == "event" else None
