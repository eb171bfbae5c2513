"""The dialects there are, found by where they lie, and which of them a request belongs to.

A package in `conformance/dialects` is found by itself; one of another distribution by an entry point of the group
`conformance.dialects` that names its package. Either defines `DIALECT`, or `DIALECTS` where it defines several.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from types import ModuleType

from conformance.errors import ConformanceError
from conformance.model.dialect import Dialect
from conformance.model.exchange import Request

BUILT_IN = "conformance.dialects"
ENTRY_POINTS = "conformance.dialects"


@cache
def dialect_packages() -> tuple[str, ...]:
    """The names of all packages that define dialects: ours, then those of other distributions."""
    ours = importlib.import_module(BUILT_IN)
    found = [f"{BUILT_IN}.{module.name}" for module in pkgutil.iter_modules(ours.__path__) if module.ispkg]
    others = sorted({point.module for point in entry_points(group=ENTRY_POINTS)} - set(found))
    return (*found, *others)


@cache
def all_dialects() -> Mapping[str, Dialect]:
    """Every dialect by its name.

    Raises:
        ConformanceError: a package of another distribution cannot be imported, or uses a name that is taken.
    """
    found: dict[str, Dialect] = {}
    for package in dialect_packages():
        for dialect in _defined_in(package):
            if dialect.name in found:
                raise ConformanceError(f"{package}: the dialect {dialect.name} is already defined; choose another name")
            found[dialect.name] = dialect
    return dict(sorted(found.items()))


def _defined_in(package: str) -> tuple[Dialect, ...]:
    try:
        module = importlib.import_module(package)
    except ImportError as error:
        if package.startswith(f"{BUILT_IN}."):
            raise
        raise ConformanceError(f"the dialect package {package} cannot be imported: {error}") from error
    several: tuple[Dialect, ...] = getattr(module, "DIALECTS", ())
    one: Dialect | None = getattr(module, "DIALECT", None)
    return several if one is None else (one, *several)


@cache
def dialects_in(package: str) -> tuple[str, ...]:
    """The names of the dialects that a package, or the one that it lies in, defines; none for any other package."""
    owner = next((each for each in dialect_packages() if f"{package}.".startswith(f"{each}.")), None)
    return tuple(sorted(dialect.name for dialect in _defined_in(owner))) if owner else ()


@cache
def _hosted_in(host: str | None) -> tuple[Dialect, ...]:
    """The dialects that are written in another's text; those that have endpoints of their own for None."""
    return tuple(dialect for dialect in all_dialects().values() if dialect.host == host)


def claimants(request: Request) -> tuple[Dialect, ...]:
    """The dialects of a request: that of its endpoint, then the one that is written in its text, if there is one."""
    for dialect in _hosted_in(None):
        if dialect.claims(request):
            for inner in _hosted_in(dialect.name):
                if inner.claims(request):
                    return (dialect, inner)
            return (dialect,)
    return ()


def claim(request: Request) -> Dialect | None:
    """The innermost dialect of a request, or None where none claims it."""
    return next(reversed(claimants(request)), None)


def layers_of(name: str) -> tuple[Dialect, ...]:
    """A dialect, with its host before it."""
    dialect = all_dialects()[name]
    return (all_dialects()[dialect.host], dialect) if dialect.host else (dialect,)


def path_of(name: str) -> str:
    """What the URLs of a dialect, or of its host, have after the base URL: `/chat/completions`."""
    return layers_of(name)[0].path


def part_of(dialect: str, module: str) -> ModuleType:
    """A module of a dialect's package that only some uses need: `part_of("gemini", "render")`."""
    return importlib.import_module(f"{all_dialects()[dialect].package}.{module}")
