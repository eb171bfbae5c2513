"""The interface of an SDK that reads Python functions as tools.

Each module of `conformance.tool_definitions.inputs.sdks` defines one as `SDK`. It imports the SDK only when it reads
something.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Sdk:
    """An SDK or framework.

    Attributes:
        name: Its name for `--as`.
        module: The module whose absence means that it is not installed.
        install: The command that installs it.
        owns: The modules whose classes are tools of this SDK: `("langchain_core",)`.
        declared: The tool definition that the SDK sends for a function, or for a tool object of its own, in a form of
            `conformance.tool_definitions.inputs.forms`. It may raise anything.
    """

    name: str
    module: str
    install: str
    owns: tuple[str, ...]
    declared: Callable[[Any], Any]

    def is_owner(self, value: Any) -> bool:
        """Whether a value is an object of this SDK, by the modules of its classes."""
        classes = type(value).__mro__ if not isinstance(value, type) else value.__mro__
        return any((each.__module__ or "").partition(".")[0] in self.owns for each in classes)
