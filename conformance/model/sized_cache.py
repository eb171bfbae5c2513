"""A cache of results by content: many for short contents, a few for long ones, two for the longest.

`functools.lru_cache` counts entries, whatever their size: a thousand tool definitions of a megabyte each, from a
stranger's recording, would all be kept.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Concatenate, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")
Text = TypeVar("Text", str, bytes)


def sized_cache(
    most: int, *, long: int = 1 << 13, few: int = 8
) -> Callable[[Callable[Concatenate[Text, P], R]], Callable[Concatenate[Text, P], R]]:
    """Keeps the latest `most` results of a function, but only `few` of those whose first argument is long.

    Long is what has `long` characters or bytes, or more. Of what is twice as long half as many are kept, at least two.
    """

    def decorate(function: Callable[Concatenate[Text, P], R]) -> Callable[Concatenate[Text, P], R]:
        of_short = lru_cache(most)(function)
        of_long = [lru_cache(few >> doubled)(function) for doubled in range(few.bit_length() - 1)]

        @wraps(function)
        def cached(content: Text, /, *rest: P.args, **named: P.kwargs) -> R:
            size = len(content) // long
            cache = of_long[min(size.bit_length(), len(of_long)) - 1] if size else of_short
            return cache(content, *rest, **named)  # type: ignore[arg-type]

        return cached

    return decorate
