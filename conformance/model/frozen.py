"""`dataclass` of the standard library, made for programs that judge a few exchanges and end.

A third of the time until their verdict went into dataclasses: each method of each class is compiled anew at every
start. The classes made here compile `__init__` when the first of their objects is made, and share the code of all other
methods. They are frozen for the type checker. At run time, they are frozen in Python's development mode (`python -X
dev`) only, which makes them as the standard library does.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable, Iterable
from operator import attrgetter
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or sys.flags.dev_mode:
    from dataclasses import dataclass
else:

    def dataclass(
        cls: Any = None, /, *, frozen: bool = False, eq: bool = True, init: bool = True, **options: Any
    ) -> Any:
        """The same, with equal `__init__`, `__eq__` and `__hash__`."""
        if cls is None:
            return lambda each: dataclass(each, frozen=frozen, eq=eq, init=init, **options)
        if "__repr__" not in vars(cls):
            cls.__repr__ = _repr
        if not cls.__doc__:
            cls.__doc__ = cls.__name__  # without one, the standard library asks `inspect` for the signature
        made = dataclasses.dataclass(cls, eq=False, init=False, repr=False, **options)
        if init:
            made.__init__ = _init_later(made)
            made.__signature__ = _Signature()
        if eq:
            _compare(made, hashed=frozen)
        return made


__all__ = ["dataclass"]


@recursive_repr()
def _repr(self: object) -> str:
    values = (f"{each.name}={getattr(self, each.name)!r}" for each in _fields(self) if each.repr)
    return f"{type(self).__qualname__}({', '.join(values)})"


class _Signature:
    """What `inspect.signature` and `help` say of a class."""

    def __get__(self, instance: object | None, owner: Any) -> Any:
        from inspect import Parameter, Signature

        given = sorted((each for each in _fields(owner) if each.init), key=lambda each: each.kw_only is True)
        return Signature(
            [
                Parameter(
                    each.name,
                    Parameter.KEYWORD_ONLY if each.kw_only else Parameter.POSITIONAL_OR_KEYWORD,
                    default=Parameter.empty if _is_needed(each) else each.default,
                    annotation=each.type,
                )
                for each in given
            ]
        )


def _is_needed(each: dataclasses.Field[Any]) -> bool:
    return each.default is dataclasses.MISSING and each.default_factory is dataclasses.MISSING


def _compare(cls: Any, *, hashed: bool) -> None:
    """Compares objects by their fields, and hashes those that do not change."""
    compared = [each for each in _fields(cls) if each.compare]
    key = _key(each.name for each in compared)
    key_of_hash = _key(each.name for each in compared if each.hash is not False)

    def equals(self: object, other: object) -> Any:
        return key(self) == key(other) if other.__class__ is self.__class__ else NotImplemented

    if "__eq__" not in vars(cls):
        cls.__eq__ = equals
    cls.__hash__ = (lambda self: hash(key_of_hash(self))) if hashed else None


def _key(names: Iterable[str]) -> Callable[[object], object]:
    """The function that reads the fields that have these names."""
    names = tuple(names)
    return attrgetter(*names) if names else lambda _: ()


def _init_later(cls: Any) -> Callable[..., None]:
    """An `__init__` that makes the real one when it is first called."""

    def init(self: object, /, *args: Any, **kwargs: Any) -> None:
        cls.__init__ = _init(cls)
        cls.__init__(self, *args, **kwargs)

    return init


def _init(cls: Any) -> Callable[..., None]:
    """The `__init__` that the standard library would make for a class that is not frozen, in a third of its time."""
    values: dict[str, Any] = {"_missing": dataclasses.MISSING}
    head: dict[bool, list[str]] = {False: ["self"], True: []}
    body = []
    for each in _fields(cls):
        name, default, value = each.name, f"_default_{each.name}", each.name
        if each.default_factory is not dataclasses.MISSING:
            values[default] = each.default_factory
            value = f"{default}() if {name} is _missing else {name}" if each.init else f"{default}()"
            default = "_missing"
        elif each.default is not dataclasses.MISSING:
            values[default] = each.default
            value = name if each.init else default
        else:
            default = ""
        if each.init:
            head[each.kw_only is True].append(f"{name}={default}" if default else name)
        body.append(f"  self.{name} = {value}\n")
    if hasattr(cls, "__post_init__"):
        body.append("  self.__post_init__()\n")
    named = ", ".join([*head[False], *(["*", *head[True]] if head[True] else [])])
    exec(f"def __init__({named}):\n{''.join(body) or '  pass'}", values)  # noqa: S102 - of names of fields, as there
    made: Callable[..., None] = values["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _fields(of: object) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(of)  # type: ignore[arg-type]
