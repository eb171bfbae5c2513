"""conformance: the conformance suite for the wire formats of LLM tool use.

    from conformance import check, load

    findings = check(load("recordings/"))

docs/library.md describes the public names; whatever else the package contains may change in any version.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.model.version import VERSION

__version__ = VERSION
__all__ = [
    "Checker",
    "Exchange",
    "Finding",
    "Selection",
    "Severity",
    "__version__",
    "check",
    "load",
    "load_cassette",
    "recording",
    "render",
]

if TYPE_CHECKING:
    from conformance.cassette.load import load_cassette
    from conformance.inputs import load
    from conformance.judge.checker import Checker, check
    from conformance.judge.selection import Selection
    from conformance.model.exchange import Exchange
    from conformance.model.finding import Finding, Severity
    from conformance.report import render
    from conformance.testing.recording import recording

_HOME = {
    "check": "conformance.judge.checker",
    "Checker": "conformance.judge.checker",
    "Exchange": "conformance.model.exchange",
    "Finding": "conformance.model.finding",
    "load": "conformance.inputs",
    "load_cassette": "conformance.cassette.load",
    "recording": "conformance.testing.recording",
    "render": "conformance.report",
    "Selection": "conformance.judge.selection",
    "Severity": "conformance.model.finding",
}


def __getattr__(name: str) -> Any:
    """The public names, imported when they are first asked for, so that `import conformance` stays instant."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    """The public names, for whoever explores the package."""
    return sorted({*globals(), *__all__})
