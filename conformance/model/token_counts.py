"""The token counts in a response.

Every dialect has its own names of counts, and no name has two meanings: the usage is found by its names,
anywhere in a body or an event. Counts in a stream grow; the largest is the last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from conformance.model.exchange import Exchange

_HOLDERS = ("usage", "usageMetadata")
_WRAPPERS = ("response", "message")
_INPUT = (
    ("prompt_tokens",),
    ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"),
    ("promptTokenCount", "toolUsePromptTokenCount"),
)
_OUTPUT = (("completion_tokens",), ("output_tokens",), ("candidatesTokenCount", "thoughtsTokenCount"))


def counts_of(exchange: Exchange) -> tuple[int | None, int | None]:
    """The input and output tokens that a response counts; None for what it does not."""
    response = exchange.response
    values = [event.json for event in response.events] if response.is_event_stream else [response.body.json]
    found = [usage for value in values for usage in _usages(value)]
    tokens_in = max((count for usage in found if (count := _sum(usage, _INPUT)) is not None), default=None)
    tokens_out = max((count for usage in found if (count := _sum(usage, _OUTPUT)) is not None), default=None)
    return tokens_in, tokens_out


def _usages(value: Any) -> Iterator[Mapping[str, Any]]:
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, dict):
            yield from (each[key] for key in _HOLDERS if isinstance(each.get(key), dict))
            for key in _WRAPPERS:
                yield from _usages(each.get(key))


def _sum(usage: Mapping[str, Any], families: Iterable[tuple[str, ...]]) -> int | None:
    for names in families:
        counts = [value for name in names if isinstance(value := usage.get(name), int) and value >= 0]
        if counts:
            return sum(counts)
    return None
