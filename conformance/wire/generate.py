"""Writes `specs/wire/<dialect>/*.schema.json` from the installed SDKs' types and each dialect's overlay.

`python -m conformance.wire.generate` writes them all; a test compares the files with what the pinned SDKs give. The
types are named in the `sdk_types` module of a dialect's folder. These modules import SDKs; nothing that judges imports
them, nor this one.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from conformance.model.data_files import data_dir
from conformance.model.registry import BUILT_IN, all_dialects, optional_part
from conformance.wire.assemble import SdkTypes, schemas
from conformance.wire.layout import laid_out


@cache
def sdk_types() -> Mapping[str, SdkTypes]:
    """The SDK types of each dialect of ours that has schemas, by the dialect's name."""
    ours = [name for name, dialect in all_dialects().items() if dialect.package.startswith(f"{BUILT_IN}.")]
    found = {name: optional_part(name, "sdk_types") for name in ours}
    return {name: module.SDK_TYPES for name, module in found.items() if module is not None}


def texts(name: str) -> dict[str, str]:
    """The text of each schema file of a dialect, by its kind."""
    return {kind: laid_out(schema) + "\n" for kind, schema in schemas(name, sdk_types()[name]).items()}


def write(folder: Path) -> None:
    """Writes every dialect's schemas below the folder."""
    for name in sdk_types():
        for kind, text in texts(name).items():
            path = folder / name / f"{kind}.schema.json"
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding="utf-8")
            sys.stdout.write(f"{len(text.encode()):8} {name}/{path.name}\n")


if __name__ == "__main__":
    write(data_dir("specs") / "wire")
