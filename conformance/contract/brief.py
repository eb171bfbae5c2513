"""What a finding needs of a statement, and where statements are written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from conformance.model.data_files import data_dir
from conformance.model.finding import Severity
from conformance.model.frozen import dataclass

FILE = "statements.yaml"
NEUTRAL = "conformance.dialects.neutral"


@dataclass(frozen=True, slots=True)
class Held:
    """How a neutral rule holds a statement of a dialect: with the statement's severity, or another one and why."""

    severity: Severity | None = None
    because: str = ""


@dataclass(frozen=True, slots=True)
class Brief:
    """What a finding needs of a statement: its severity, its number with the main source, the neutral rules."""

    id: str
    severity: str
    cited: str
    rules: Mapping[str, Held] = field(default_factory=dict)

    @property
    def graded(self) -> Severity:
        """The severity of what breaks the statement.

        Raises:
            KeyError: it is a class of differences between recordings.
        """
        return Severity[self.severity.upper()]


def folder_of(package: str) -> Path | None:
    """The folder of a package, without importing what is in it."""
    spec = find_spec(package)
    return Path(spec.origin).parent if spec is not None and spec.origin is not None else None


@cache
def file_of(package: str) -> Path | None:
    """The file of statements in the folder of a package, or in the nearest folder around it."""
    while package:
        folder = folder_of(package)
        if folder is not None and (folder / FILE).is_file():
            return folder / FILE
        package = package.rpartition(".")[0]
    return None


def files_of_no_dialect() -> list[Path]:
    """The files about recordings, mappings and clients, by name."""
    return sorted((data_dir("specs") / "statements").glob("*.yaml"))
