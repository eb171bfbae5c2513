"""conformance: the conformance suite for the wire formats of LLM tool use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.1.0"
__all__ = ["Finding", "check", "load_cassette"]

if TYPE_CHECKING:
    from conformance.cassette.load import load_cassette
    from conformance.checker import check
    from conformance.finding import Finding

_HOME = {"check": "conformance.checker", "Finding": "conformance.finding", "load_cassette": "conformance.cassette.load"}


def __getattr__(name: str) -> Any:
    """The public names, imported when they are first asked for, so that `import conformance` stays instant."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(_HOME[name]), name)
