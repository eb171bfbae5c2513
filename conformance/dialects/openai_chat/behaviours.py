"""Behaviours of the reference server for Chat Completions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from conformance.model.behaviour import OF_APIS, behaviour
from conformance.model.document import Document, Mark
from conformance.model.document_changes import each_object, with_objects, without

SHARED = (
    *OF_APIS,
    "argument-text-respelled",
    "created-later",
    "field-gone",
    "field-of-another-type",
    "finish-with-the-last-piece",
    "keys-in-another-order",
    "obfuscation-gone",
    "one-delta",
    "required-field-gone",
    "retry-after-gone",
    "stop-reason-of-an-end",
    "terminator-gone",
    "usage-chunk-gone",
    "usage-field-new",
    "usage-gone",
)
"""The behaviours of `conformance.reference.behaviours` that this dialect has, besides those that all have."""


def _deltas(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """A Chat chunk with its deltas changed."""
    if not isinstance(value, dict) or not isinstance(value.get("choices"), list):
        return value
    choices = [
        {**choice, "delta": change(choice["delta"])} if isinstance(choice.get("delta"), dict) else choice
        for choice in value["choices"]
    ]
    return {**value, "choices": choices}


def _fragments(value: Any, change: Callable[[dict[str, Any]], dict[str, Any]]) -> Any:
    """A Chat chunk with the fragments of its calls changed."""

    def changed(delta: dict[str, Any]) -> dict[str, Any]:
        calls = delta.get("tool_calls")
        return {**delta, "tool_calls": [change(each) for each in calls]} if calls else delta

    return _deltas(value, changed)


@behaviour("fingerprint-other", "document", "noise", "the backend fingerprint differs", hosted=True)
def fingerprint_other(value: Any) -> Any:
    """The backend fingerprint has a different value."""
    return {**value, "system_fingerprint": None}


@behaviour(
    "content-empty",
    "document",
    "review",
    'field .*content changed from null to ""',
    scenario="geocode-then-weather",
    streamed=False,
)
def content_empty(value: Any) -> Any:
    """A turn without text has empty content instead of null."""
    return each_object(
        value, lambda entries: {**entries, "content": ""} if entries.get("content", "") is None else entries
    )


@behaviour("role-gone", "document", "review", "field choices/0/delta/role is missing", streamed=True, hosted=True)
def role_gone(value: Any) -> Any:
    """No delta has a role."""
    return _deltas(value, lambda delta: without(delta, "role"))


@behaviour(
    "role-in-a-chunk-of-its-own",
    "stream",
    "noise",
    "the number of pieces in the stream changed",
    scenario="geocode-then-weather",
    streamed=True,
)
def role_in_a_chunk_of_its_own(documents: list[Document | Mark]) -> list[Document | Mark]:
    """The role is sent alone in the first delta."""
    first = documents[:1]
    alone = with_objects(first, lambda value: _deltas(value, lambda delta: without(delta, "tool_calls")))
    rest = with_objects(first, lambda value: _deltas(value, lambda delta: without(delta, "role")))
    return [*alone, *rest, *documents[1:]]


@behaviour("id-in-every-fragment", "stream", "change", "every fragment of a call now repeats its id", streamed=True)
def id_in_every_fragment(documents: list[Document | Mark]) -> list[Document | Mark]:
    """Every fragment of a call has its id, not only the first one."""
    ids: dict[int, str] = {}

    def named(fragment: dict[str, Any]) -> dict[str, Any]:
        ids.setdefault(fragment["index"], fragment.get("id", ""))
        return {**fragment, "id": ids[fragment["index"]]}

    return with_objects(documents, lambda value: _fragments(value, named))


@behaviour(
    "index-from-one",
    "document",
    "change",
    "index choices/0/delta/tool_calls/0/index changed from 0 to 1",
    streamed=True,
)
def index_from_one(value: Any) -> Any:
    """Call indexes start at 1."""
    return _fragments(value, lambda fragment: {**fragment, "index": fragment["index"] + 1})
