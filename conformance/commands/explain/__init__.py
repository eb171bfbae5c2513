"""Explain a rule, a statement, or a refusal.

For a rule, that is its statement, why it matters, an example that breaks it, and the contract with its evidence.

WHAT is a rule's id, the number of a statement (OAC-C-001) or of a known bug (C01), a public thread (owner/repo#1), or
the text of a provider's refusal, which finds the rules that it is about. A `-` reads the text from standard input.

Example: conformance explain tool-call-unanswered
"""

from __future__ import annotations

from dataclasses import dataclass

from conformance.commands.common.groups import text_or_json_option
from conformance.commands.common.options import argument


@dataclass(frozen=True, kw_only=True)
class Options:
    what: str = argument()
    format: str = text_or_json_option()
