"""A property that is computed once, at its first use.

As `functools.cached_property` of Python 3.12, which holds no lock; that of 3.11 takes one at every first use, and
a view has a dozen. Works on frozen dataclasses without slots: the value goes straight into the object's `__dict__`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, Self, TypeVar, overload

T = TypeVar("T")


class lazy(Generic[T]):  # noqa: N801 - used as a decorator, like `property`
    def __init__(self, read: Callable[[Any], T]) -> None:
        self._read = read
        self._name = read.__name__
        self.__doc__ = read.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> Self: ...

    @overload
    def __get__(self, instance: object, owner: type) -> T: ...

    def __get__(self, instance: object | None, owner: type) -> T | Self:
        if instance is None:
            return self
        value = instance.__dict__[self._name] = self._read(instance)
        return value
