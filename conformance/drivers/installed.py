"""Which clients are installed: their versions, the HTTP library that they use, and why one cannot be driven here."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution, requires, version
from inspect import Parameter, signature
from typing import Any

from conformance.drivers.extras import EXTRAS, install_hint

LIBRARIES = ("httpx2", "httpx")
"""The HTTP libraries that a client may use; our transport supports both."""

_CARRIED = ("boto3",)
"""Clients with an HTTP library of their own, whose drivers send their requests through ours."""

_PATCHES_CLIENTS = 8
"""Before this version, vcrpy patches the clients of httpx; from it on, the layer below their transports."""
_KNOWS_HTTPX2 = (9, 4)


@cache
def version_of(package: str) -> tuple[int, ...] | None:
    """The first numbers of an installed version, `(1, 55, 3)`; None where it is not installed."""
    try:
        return tuple(int(number) for number in re.findall(r"\d+", version(package))[:3])
    except PackageNotFoundError:
        return None


@cache
def library_of(package: str) -> str | None:
    """The HTTP library of a client or of the packages it depends on; None if it is another library."""
    if package in LIBRARIES:
        return package
    if package in _CARRIED:
        return LIBRARIES[0]
    needed = [_name(each) for each in _required(package)]
    own = next((each for each in LIBRARIES if each in needed), None)
    clients = (each for each in needed if each in EXTRAS)
    return own or next((found for each in clients if (found := library_of(each)) is not None), None)


def why_not_driven(package: str, since: str) -> str | None:
    """Why a client cannot be driven here, in one line; None if it can. `since` is the first supported version."""
    found = version_of(package)
    if found is None:
        return f"{package} is not installed: {install_hint(package)}"
    if found < tuple(int(number) for number in since.split(".")):
        return f"{package} {version(package)} cannot be driven: install {package}>={since}"
    library = library_of(package)
    if library is None:
        return f"{package} {version(package)} uses neither httpx nor httpx2: install a newer version"
    recorder = version_of("vcrpy")
    if recorder is None:
        return f"vcrpy is not installed: {install_hint('vcr')}"
    if library == "httpx2" and recorder < _KNOWS_HTTPX2:
        return f"vcrpy {version('vcrpy')} cannot record httpx2, which {package} uses: install vcrpy>=9.4"
    return None


def why_no_tool_server() -> str | None:
    """Why scenarios whose tools are on a real MCP server cannot run here; None if they can."""
    return why_not_driven("mcp", "2.0")


def vcr_patches_clients() -> bool:
    """Whether the installed vcrpy replaces the method of httpx's clients that calls the transport."""
    found = version_of("vcrpy")
    return found is not None and found[0] < _PATCHES_CLIENTS


def known_options(method: Callable[..., Any], options: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a call, with those that an older client does not know in its `extra_body`."""
    parameters = signature(method).parameters
    if any(each.kind is Parameter.VAR_KEYWORD for each in parameters.values()):
        return dict(options)
    known = {name: value for name, value in options.items() if name in parameters}
    newer = {name: value for name, value in options.items() if name not in parameters}
    return {**known, "extra_body": {**(known.get("extra_body") or {}), **newer}} if newer else known


def _required(package: str) -> list[str]:
    try:
        return [each for each in requires(distribution(package).name) or () if "extra ==" not in each]
    except PackageNotFoundError:
        return []


def _name(requirement: str) -> str:
    found = re.match(r"[A-Za-z0-9._-]+", requirement)
    return found[0].lower() if found is not None else ""
