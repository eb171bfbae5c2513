"""Sources and examples of ReWOO for the neutral rules."""

from __future__ import annotations

from conformance.dialects.rewoo.examples import CHAIN, PLAN, SOLVE
from conformance.judge.evidence import evidence
from conformance.judge.example import change, example, put

_TEXT = "/0/response/body/choices/0/message/content"
_AT_TEXT = "0 response /choices/0/message/content"
_CONTENT = "/0/request/body/messages/0/content"
_AT_CONTENT = "0 request /messages/0/content"
_ORIGINAL = "billxbf/ReWOO algos/PWS.py"
_LAZY = "LazyAGI/LazyLLM lazyllm/tools/agent/rewooAgent.py"
_FOUND = 'Evidence:\n{"temperature": 14.2}\n'

EVIDENCE = {
    "arguments-malformed": evidence(
        f"RWO-R-006 {_LAZY}",
        basis="documented",
        violating=[example("rewoo/call", change(_TEXT, "126.98}", "126.98"), at=_AT_TEXT)],
    ),
    "arguments-schema-mismatch": evidence(
        f"RWO-R-006 {_LAZY}",
        basis="documented",
        violating=[example("rewoo/call", change(_TEXT, "37.57", "null"), at=_AT_TEXT)],
    ),
    "tool-call-undeclared": evidence(
        f"RWO-R-007 {_ORIGINAL}",
        basis="documented",
        violating=[example("rewoo/call", change(_TEXT, "get_weather", "get_wether"), at=_AT_TEXT)],
    ),
    "tool-call-id-duplicate": evidence(
        f"RWO-R-003 {_ORIGINAL}",
        basis="documented",
        violating=[example("rewoo/chain", put(_TEXT, CHAIN.replace("#E2", "#E1")), at=_AT_TEXT)],
    ),
    "tool-call-unanswered": evidence(
        f"RWO-C-001 {_ORIGINAL}",
        basis="documented",
        violating=[
            example("rewoo/answer", put(_CONTENT, SOLVE.replace(_FOUND, "")), at=_AT_CONTENT),
            example("rewoo/chain-answer", change(_CONTENT, _FOUND, ""), at=_AT_CONTENT),
        ],
    ),
    "tool-result-orphaned": evidence(
        f"RWO-C-002 {_ORIGINAL}",
        basis="documented",
        violating=[
            example("rewoo/answer", change(_CONTENT, _FOUND, f"{_FOUND}Evidence #E9:\n20\n"), at=_AT_CONTENT),
            example("rewoo/answer", change(_CONTENT, _FOUND, f"{_FOUND}Plan: Then Busan.\n{_FOUND}"), at=_AT_CONTENT),
        ],
    ),
    "tool-result-duplicate": evidence(
        f"RWO-C-002 {_ORIGINAL}",
        basis="documented",
        violating=[example("rewoo/answer", change(_CONTENT, _FOUND, _FOUND * 2), at=_AT_CONTENT)],
    ),
    "echoed-call-changed": evidence(
        f"RWO-C-003 {_ORIGINAL}",
        basis="documented",
        violating=[
            example(
                "rewoo/run",
                change("/1/request/body/messages/0/content", "37.57", "38.57"),
                at="1 request /messages/0/content",
            )
        ],
    ),
    "echoed-calls-mismatch": evidence(
        f"RWO-C-003 {_ORIGINAL}",
        basis="documented",
        violating=[
            example(
                "rewoo/run",
                change("/1/request/body/messages/0/content", f"{PLAN}\n{_FOUND}", f"{PLAN}\n{_FOUND}{PLAN}\n{_FOUND}"),
                at="1 request /messages/0/content",
            )
        ],
    ),
}
