"""Headers that repeat values of the body."""

from __future__ import annotations

import base64
import binascii

ENCODED = "=?base64?"
"""With this begins a value in Base64."""


def decoded(header: str | None) -> str | None:
    """A header's value; values that plain ASCII cannot express are in base64."""
    if header is None or not (header.startswith(ENCODED) and header.endswith("?=")):
        return header
    try:
        return base64.b64decode(header[len(ENCODED) : -2], validate=True).decode("utf-8")
    except (binascii.Error, ValueError):
        return header
