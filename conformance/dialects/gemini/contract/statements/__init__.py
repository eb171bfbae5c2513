"""Statements of the rules of Gemini's contract, with their examples."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.dialects.gemini.contract.statements import contents, declarations, replies, requests, schemas
from conformance.judge.contract.statement import Statement

STATEMENTS: Mapping[str, Statement] = {
    **requests.STATEMENTS,
    **contents.STATEMENTS,
    **declarations.STATEMENTS,
    **schemas.STATEMENTS,
    **replies.STATEMENTS,
}
