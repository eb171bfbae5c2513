"""The sizes of images that the models of any size can draw."""

from __future__ import annotations


def is_allowed(width: str | None, height: str | None) -> bool:
    """Whether a size has sides that the models can draw; `auto` has none."""
    if width is None or height is None:
        return True
    short, long = sorted((int(width), int(height)))
    return short % 16 == long % 16 == 0 and long <= 3 * short and long <= 3840 and short <= 2160
