"""Statements of the rules of MCP's contract, with their examples."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.dialects.mcp.contract.statements import messages, results
from conformance.judge.contract.statement import Statement

STATEMENTS: Mapping[str, Statement] = {**messages.STATEMENTS, **results.STATEMENTS}
