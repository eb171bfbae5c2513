"""The packages that some inputs need: each is imported when such an input is read, and named where it is missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from conformance.errors import ConformanceError


def needed(module: str, what: str, extra: str) -> Any:
    """The module of a package that an extra installs.

    Raises:
        ConformanceError: it is not installed; the hint names the extra.
    """
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        raise ConformanceError(f"{what} needs {package}", f"pip install 'tool-use-conformance[{extra}]'") from None
