"""When Python looks for garbage that refers to itself."""

from __future__ import annotations

import gc


def collect_seldom() -> None:
    """Makes the collector run seldom: what is loaded at the start stays, and judging makes hardly any cycles.

    Looking through it again and again costs a seventh of a short run.
    """
    gc.set_threshold(100_000, 20, 100)
