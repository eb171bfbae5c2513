"""Conforming exchanges of this dialect, the bases of every example."""

from __future__ import annotations

from conformance.textforms.llama.conversations import bases

BASES = bases("json")
