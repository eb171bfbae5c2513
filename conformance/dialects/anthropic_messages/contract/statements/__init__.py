"""Statements of the rules of Messages' contract, with their examples."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.dialects.anthropic_messages.contract.statements import (
    choice,
    delta,
    event,
    failure,
    history,
    reply,
    reply_block,
    request,
    tools,
)
from conformance.judge.contract.statement import Statement

STATEMENTS: Mapping[str, Statement] = {
    **choice.STATEMENTS,
    **delta.STATEMENTS,
    **event.STATEMENTS,
    **failure.STATEMENTS,
    **history.STATEMENTS,
    **reply.STATEMENTS,
    **reply_block.STATEMENTS,
    **request.STATEMENTS,
    **tools.STATEMENTS,
}
