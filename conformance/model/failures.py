"""The errors that a failed response names, in the forms that providers have."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.model.exchange import Response, is_broken

_WORDS = ("message", "detail", "error")
"""The members that have the words of an error: `error` where it is a text, as Ollama's, and `detail` in FastAPI."""


def errors_of(response: Response) -> Iterator[Mapping[str, Any]]:
    """The error objects of a body, or of the events of a stream.

    Google calls the JSON of a refusal an event stream, where one was asked for.
    """
    whole = response.body.json if response.status >= 400 else None
    if whole is None or (response.is_stream and is_broken(whole)):
        values = [event.json for event in response.events] if response.is_stream else []
    else:
        values = whole if isinstance(whole, list) else [whole]
    for value in values:
        if isinstance(value, dict):
            nested = value.get("error")
            yield nested if isinstance(nested, dict) else value


def words_of(response: Response) -> str:
    """The words of an error response, or its text."""
    words = (error.get(name) for error in errors_of(response) for name in _WORDS)
    return next((each for each in words if isinstance(each, str) and each), response.body.text or "")
