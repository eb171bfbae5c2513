"""The token counts in a response.

Every dialect has its own names of counts, and no name has two meanings: the usage is found by its names,
anywhere in a body or an event. Counts in a stream grow; the largest is the last.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from conformance.model.exchange import Exchange
from conformance.model.pointer import get

_HOLDERS = ("usage", "usageMetadata")
_WRAPPERS = ("response", "message", "metadata", "interaction", "delta")
_INPUT = (
    ("prompt_tokens",),
    ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"),
    ("promptTokenCount", "toolUsePromptTokenCount"),
    ("prompt_eval_count",),
    ("inputTokens", "cacheReadInputTokens", "cacheWriteInputTokens"),
    ("total_input_tokens", "total_tool_use_tokens"),
)
_OUTPUT = (
    ("completion_tokens",),
    ("output_tokens",),
    ("candidatesTokenCount", "thoughtsTokenCount"),
    ("eval_count",),
    ("outputTokens",),
    ("total_output_tokens", "total_thought_tokens"),
)
_CACHED = (
    "/prompt_tokens_details/cached_tokens",
    "/input_tokens_details/cached_tokens",
    "/cache_read_input_tokens",
    "/cachedContentTokenCount",
    "/cacheReadInputTokens",
    "/total_cached_tokens",
    "/cached_tokens",
)


class Counts(NamedTuple):
    """The tokens that a response counts; None for what it does not. `cached` are a part of the input."""

    input: int | None
    output: int | None
    cached: int | None


def counts_of(exchange: Exchange) -> Counts:
    """The counts of a response."""
    response = exchange.response
    values = [event.json for event in response.events] if response.is_stream else [response.body.json]
    found = [usage for value in values for usage in _usages(value)]
    of_input, of_output = (
        max((number for usage in found if (number := _sum(usage, names)) is not None), default=None)
        for names in (_INPUT, _OUTPUT)
    )
    cached = (number for usage in found for place in _CACHED if isinstance(number := get(usage, place), int))
    return Counts(of_input, of_output, max(cached, default=None))


def _usages(value: Any) -> Iterator[Mapping[str, Any]]:
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, dict):
            for usage in (each[key] for key in _HOLDERS if isinstance(each.get(key), dict)):
                yield usage
                if isinstance(usage.get("tokens"), dict):  # of Cohere: beside what is billed
                    yield usage["tokens"]
            if "eval_count" in each:
                yield each
            for key in _WRAPPERS:
                yield from _usages(each.get(key))


def _sum(usage: Mapping[str, Any], families: Iterable[tuple[str, ...]]) -> int | None:
    for names in families:
        counts = [value for name in names if isinstance(value := usage.get(name), int) and value >= 0]
        if counts:
            return sum(counts)
    return None
