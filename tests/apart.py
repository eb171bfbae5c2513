"""Work that takes much memory, in a process of its own: what it took is free when the process ends."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import ParamSpec, TypeVar

from coverage import Coverage

P = ParamSpec("P")
R = TypeVar("R")


def apart(function: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
    """The result of the function. Where coverage is measured it runs here, so that its lines count for the test."""
    if Coverage.current() is not None:
        return function(*arguments, **named)
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        return pool.submit(function, *arguments, **named).result()
