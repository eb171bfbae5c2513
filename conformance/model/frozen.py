"""`dataclass` of the standard library, made for programs that judge a few exchanges and end.

A third of the time until their verdict went into dataclasses: each method of each class is compiled anew at every
start. The classes made here have two less, and a common `__repr__`: they are frozen for the type checker. At run time,
they are frozen in Python's development mode (`python -X dev`) only, which makes them as the standard library does.
"""

from __future__ import annotations

import dataclasses
import sys
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.flags.dev_mode:
    from dataclasses import dataclass
else:

    def dataclass(cls: Any = None, /, *, frozen: bool = False, eq: bool = True, **options: Any) -> Any:
        """The same, with equal `__init__`, `__eq__` and `__hash__`."""
        if cls is None:
            return lambda each: dataclass(each, frozen=frozen, eq=eq, **options)
        if "__repr__" not in vars(cls):
            cls.__repr__ = _repr
        return dataclasses.dataclass(cls, eq=eq, unsafe_hash=frozen and eq, repr=False, **options)


__all__ = ["dataclass"]


@recursive_repr()
def _repr(self: object) -> str:
    values = (f"{each.name}={getattr(self, each.name)!r}" for each in dataclasses.fields(self) if each.repr)  # type: ignore[arg-type]
    return f"{type(self).__qualname__}({', '.join(values)})"
