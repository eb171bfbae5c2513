"""The headers of api.openai.com, the same for all its APIs."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from conformance.model.dialect import ContractHeaders

if TYPE_CHECKING:
    from conformance.model.rendered import IdFactory

CONTRACT_HEADERS = ContractHeaders(options=("openai-version", "openai-beta"))

HEXADECIMAL = "0123456789abcdef"
_RETRY_SECONDS = 12
_LEFT = 4999

Pairs = tuple[tuple[str, str], ...]


def answered(kind: str, ids: IdFactory) -> Pairs:
    """The headers of an answer, with `kind` as its content type."""
    return (
        ("content-type", kind),
        ("openai-processing-ms", "412"),
        *identity(ids),
        *_limits(_LEFT),
    )


def identity(ids: IdFactory) -> Pairs:
    """The API's version, and the request's own id."""
    return (("openai-version", "2020-10-01"), ("x-request-id", ids.id("req_", 32, HEXADECIMAL)))


_PLACE = re.compile(r" at (/[^\s)]+)\)$")
_NUMBER = re.compile(r"\.(\d+)")


def param_of(message: str) -> str | None:
    """The parameter that a refusal names at its end, as the APIs write it: `messages[1].role`."""
    place = _PLACE.search(message)
    return None if place is None else _NUMBER.sub(r"[\1]", place[1][1:].replace("/", "."))


def retry(status: int) -> Pairs:
    """What a refusal for too many requests adds: when to come back, and that nothing is left."""
    if status != 429:
        return ()
    return (
        ("retry-after", str(_RETRY_SECONDS)),
        ("retry-after-ms", str(_RETRY_SECONDS * 1000)),
        ("x-should-retry", "true"),
        *_limits(0),
    )


def _limits(left: int) -> Pairs:
    return (
        ("x-ratelimit-limit-requests", "5000"),
        ("x-ratelimit-limit-tokens", "800000"),
        ("x-ratelimit-remaining-requests", str(left)),
        ("x-ratelimit-remaining-tokens", "799969"),
        ("x-ratelimit-reset-requests", "12ms"),
        ("x-ratelimit-reset-tokens", "2ms"),
    )
