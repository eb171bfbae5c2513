"""Statements of the rules of Responses' contract, with their examples."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.dialects.openai_responses.contract.statements import event, reply, request, shared, tools
from conformance.judge.contract.statement import Statement

STATEMENTS: Mapping[str, Statement] = {
    **event.STATEMENTS,
    **reply.STATEMENTS,
    **request.STATEMENTS,
    **shared.STATEMENTS,
    **tools.STATEMENTS,
}
