"""The record mode of `conformance.recording()`: whether to play the cassette, to record it, or to record it again."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Literal, cast

if TYPE_CHECKING:
    from collections.abc import Iterator

Mode = Literal["none", "once", "rewrite"]
MODES: tuple[str, ...] = ("none", "once", "rewrite")

FOLLOWED = {"none": "none", "once": "once", "new_episodes": "once", "all": "rewrite", "rewrite": "rewrite"}
"""The record modes of vcrpy and pytest-recording, each with the equivalent mode of this package."""

_SESSION: list[Mode] = []


def default_mode() -> Mode:
    """The default mode: that of the pytest session, else `none` if `CI` is set, else `once`."""
    if _SESSION:
        return _SESSION[-1]
    return "none" if os.environ.get("CI") else "once"


@contextmanager
def session_mode(mode: str) -> Iterator[None]:
    """Sets the default mode."""
    _SESSION.append(cast("Mode", mode))
    try:
        yield
    finally:
        _SESSION.pop()
