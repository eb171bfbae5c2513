"""Statements of the rules of Chat's contract, with their examples."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.dialects.openai_chat.contract.statements import replies, requests, streams, tools
from conformance.judge.contract.statement import Statement

STATEMENTS: Mapping[str, Statement] = {
    **requests.STATEMENTS,
    **tools.STATEMENTS,
    **replies.STATEMENTS,
    **streams.STATEMENTS,
}
