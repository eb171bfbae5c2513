"""conformance: the conformance suite for the wire formats of LLM tool use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from conformance.model.version import VERSION

__version__ = VERSION
__all__ = ["Checker", "Finding", "Severity", "__version__", "check", "load_cassette", "recording"]

if TYPE_CHECKING:
    from conformance.cassette.load import load_cassette
    from conformance.judge.checker import Checker, check
    from conformance.model.finding import Finding, Severity
    from conformance.testing.recording import recording

_HOME = {
    "check": "conformance.judge.checker",
    "Checker": "conformance.judge.checker",
    "Finding": "conformance.model.finding",
    "Severity": "conformance.model.finding",
    "load_cassette": "conformance.cassette.load",
    "recording": "conformance.testing.recording",
}


def __getattr__(name: str) -> Any:
    """The public names, imported when they are first asked for, so that `import conformance` stays instant."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOME[name]), name)
