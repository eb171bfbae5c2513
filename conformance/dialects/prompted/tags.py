"""The tags around a call."""

from __future__ import annotations

OPEN, CLOSE = "<function_call>", "</function_call>"
