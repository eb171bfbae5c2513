"""Statements and examples of the contract's rules about failures."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, put

_FAILURE, _LIMIT = "anthropic-messages/failure", "anthropic-messages/rate-limit"
_BODY = "/0/response/body"

STATEMENTS: Mapping[str, Statement] = {
    "messages-error-malformed": Statement(
        "The body of a failure must have the type `error`, and an error with a type and a message.",
        "SDKs choose the exception by it; another dialect's error becomes an unknown one. (The clouds' own errors are "
        "not judged.)",
        cites=("ANT-R-011 anthropic 2.11 types/shared/error_response.py", "ANT-R-011 recorded traffic 8/8"),
        basis="documented",
        violating=(
            example(_FAILURE, drop(f"{_BODY}/type")),
            example(_FAILURE, put(f"{_BODY}/type", "message")),
            example(_FAILURE, drop(f"{_BODY}/error/type")),
            example(_FAILURE, put(f"{_BODY}/error", "invalid x-api-key")),
            example(_FAILURE, put(_BODY, "Unauthorized")),
        ),
        conforming=(example(_FAILURE), example(_LIMIT), example(_FAILURE, drop(f"{_BODY}/request_id"))),
    ),
}
