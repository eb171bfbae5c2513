"""MCP: each published revision's schema held against the contract as it holds for that revision."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from tests.documents.lines import Line


def of_revisions(revisions: Mapping[str, Mapping[str, Any]]) -> Iterator[Line]:
    yield from ()
