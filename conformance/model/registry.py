"""The dialects, discovered by their location, and the dialect of a request.

A package in `conformance/dialects` is discovered automatically; one of another distribution by an entry point of the
group `conformance.dialects` that names its package. Either defines `DIALECT`, or `DIALECTS` if it defines several.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from types import ModuleType

from conformance.errors import ConformanceError, did_you_mean
from conformance.model.dialect import Dialect
from conformance.model.distributions import packages
from conformance.model.exchange import Request

BUILT_IN = "conformance.dialects"


@cache
def dialect_packages() -> tuple[str, ...]:
    """The names of all packages that define dialects: ours, then those of other distributions."""
    ours = importlib.import_module(BUILT_IN)
    found = [f"{BUILT_IN}.{module.name}" for module in pkgutil.iter_modules(ours.__path__) if module.ispkg]
    return (*found, *(package for package in packages() if package not in found))


def is_foreign(package: str) -> bool:
    """Whether a package that defines dialects belongs to another distribution."""
    return package in packages()


def import_of(package: str, module: str = "") -> ModuleType:
    """A package that defines dialects, or a module of it by its full name.

    Raises:
        ConformanceError: it belongs to another distribution and cannot be imported.
    """
    try:
        return importlib.import_module(module or package)
    except Exception as error:
        if not is_foreign(package):
            raise
        reason = str(error) if isinstance(error, ConformanceError) else f"{type(error).__name__}: {error}"
        raise _faulty(package, f"{module or package} cannot be imported: {reason}") from error


def _faulty(package: str, fault: str) -> ConformanceError:
    distribution = packages()[package]
    return ConformanceError(
        f"cannot load the dialects of distribution {distribution}: {fault}", f"fix or uninstall {distribution}"
    )


@cache
def all_dialects() -> Mapping[str, Dialect]:
    """Every dialect by its name.

    Raises:
        ConformanceError: a package of another distribution cannot be imported, defines no dialect, or uses a name that
            is taken.
    """
    return {name: dialect for name, (dialect, _) in _found().items()}


def home_of(dialect: str) -> str:
    """The package that defines a dialect."""
    return _found()[dialect][1]


@cache
def _found() -> Mapping[str, tuple[Dialect, str]]:
    """Every dialect by its name, with the package that defines it."""
    found: dict[str, tuple[Dialect, str]] = {}
    for package in dialect_packages():
        for dialect in _defined_in(package):
            if dialect.name in found:
                other = packages().get(found[dialect.name][1], "conformance itself")
                raise _faulty(package, f"the dialect {dialect.name} of {package} is already defined by {other}")
            found[dialect.name] = dialect, package
    return dict(sorted(found.items()))


def dialect_chosen(name: str) -> str | None:
    """The dialect that a command is to read every exchange as; None for `auto`.

    Raises:
        ConformanceError: no dialect has this name; the hint names the nearest.
    """
    if name == "auto":
        return None
    if name not in all_dialects():
        raise ConformanceError(f"unknown dialect {name!r}", did_you_mean(name, ["auto", *all_dialects()]))
    return name


def _defined_in(package: str) -> tuple[Dialect, ...]:
    module = import_of(package)
    one = getattr(module, "DIALECT", None)
    several = getattr(module, "DIALECTS", ())
    found = (*(() if one is None else (one,)), *several)
    if is_foreign(package):
        if not (found and all(isinstance(each, Dialect) for each in found)):
            raise _faulty(package, f"{package} does not define DIALECT as a conformance.model.dialect.Dialect")
        try:
            _ = [dialect.readers for dialect in found]
        except Exception as error:
            raise _faulty(package, f"{package} has no READERS: {type(error).__name__}: {error}") from error
    return found


@cache
def dialects_in(package: str) -> tuple[str, ...]:
    """The names of the dialects that a package, or the one around it, defines; empty for any other package."""
    owner = next((each for each in dialect_packages() if f"{package}.".startswith(f"{each}.")), None)
    return tuple(sorted(dialect.name for dialect in _defined_in(owner))) if owner else ()


@cache
def _hosted_in(host: str | None) -> tuple[Dialect, ...]:
    """The dialects that are written in another's text; those that have endpoints of their own for None."""
    return tuple(each for each in all_dialects().values() if each.host == host or host in each.other_hosts)


def claimants(request: Request) -> tuple[Dialect, ...]:
    """The dialects of a request: that of its endpoint, then the one that is written in its text, if there is one."""
    for dialect in _hosted_in(None):
        if dialect.claims(request):
            for inner in _hosted_in(dialect.name):
                if inner.announced(request.body.json) if inner.announced else inner.claims(request):
                    return (dialect, inner)
            return (dialect,)
    return ()


def endpoint_of(dialect: Dialect, request: Request) -> str | None:
    """The name of the dialect's endpoint beside the main one that a request is for; None if there is none."""
    return next(
        (
            each.name
            for each in dialect.endpoints
            if each.method == request.method
            and re.search(f"{each.path}/?$", request.path)
            and (each.frame is None or each.frame == request.frame)
            and (each.owned is None or each.owned(request))
        ),
        None,
    )


def beside(request: Request) -> Dialect | None:
    """The dialect that has an endpoint for the request, beside its main one."""
    return next((each for each in _hosted_in(None) if each.endpoints and endpoint_of(each, request)), None)


def claim(request: Request) -> Dialect | None:
    """The innermost dialect of a request, or None if no dialect claims it."""
    return next(reversed(claimants(request)), None)


def layers_of(name: str, request: Request | None = None) -> tuple[Dialect, ...]:
    """A dialect, with its host before it: the one that claims the request, if it has several."""
    dialect = all_dialects()[name]
    if dialect.host is None:
        return (dialect,)
    others = (all_dialects()[each] for each in dialect.other_hosts)
    found = next((each for each in others if request is not None and each.claims(request)), None)
    return (found or all_dialects()[dialect.host], dialect)


def path_of(name: str) -> str:
    """The path of a dialect's, or its host's, URLs after the base URL: `/chat/completions`."""
    return layers_of(name)[0].path


@cache
def version_headers() -> tuple[str, ...]:
    """The header fields in which requests of any dialect name the version of the API."""
    return tuple(dict.fromkeys(each.headers.version for each in all_dialects().values() if each.headers.version))


@cache
def contract_headers() -> tuple[str, ...]:
    """The header fields that identify the API in any dialect: its version, and options."""
    options = [option for each in all_dialects().values() for option in each.headers.options]
    return tuple(dict.fromkeys((*version_headers(), *options)))


def part_of(dialect: str, module: str) -> ModuleType:
    """A module of a dialect's package that is loaded on demand: `part_of("gemini", "render")`.

    Raises:
        ModuleNotFoundError: the package has no such module; call `has_part` first if that is possible.
        ConformanceError: the package belongs to another distribution, and the module cannot be imported.
    """
    package = all_dialects()[dialect].package
    if is_foreign(package) and has_part(dialect, module):
        return import_of(package, f"{package}.{module}")
    return importlib.import_module(f"{package}.{module}")


def has_part(dialect: str, module: str) -> bool:
    """Whether the package of a dialect has a module: `examples` and `render` are optional."""
    return has_module(all_dialects()[dialect].package, module)


@cache
def has_module(package: str, module: str) -> bool:
    """Whether a package has a module of that name."""
    loaded = importlib.import_module(package)
    return hasattr(loaded, "__path__") and find_spec(f"{loaded.__name__}.{module}") is not None


def optional_part(dialect: str, module: str) -> ModuleType | None:
    """The same for a module that a dialect's package need not have; None if it is missing."""
    return part_of(dialect, module) if has_part(dialect, module) else None
