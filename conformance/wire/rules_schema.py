"""The wire against its JSON Schemas, `specs/wire/<dialect>/`: what no other rule has a better word for."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import get, split
from conformance.model.transcript import Malformed
from conformance.wire.validate import all_fit, fits, misfits


def _hits(view: View, kind: str, value: Any, at: str = "") -> Iterator[Hit]:
    for pointer, message in misfits(view.dialect.name, kind, value):
        subject = next((f"`{token}`" for token in reversed(split(pointer)) if not token.isdecimal()), "the body")
        if pointer.rpartition("/")[2].isdecimal():
            subject = f"an item of {subject}"
        schema = f"specs/wire/{view.dialect.name}/{kind}.schema.json"
        yield Hit(f"{at}{pointer}" or None, f"{subject} {message}", f"what {schema} says", brief(get(value, pointer)))


@rule(
    "request-schema-mismatch",
    severity=Severity.ERROR,
    scope="request",
    cites=["ANY-113 property of this suite"],
    fallback=True,
)
def request_schema_mismatch(view: View) -> Iterator[Hit]:
    """A request fits the JSON Schema of its dialect.

    A field of another JSON type is refused by the server, or taken for something else, as is an empty word. Fields,
    words and types that the schema does not know are never held against a request; what another rule has said is not
    said again.
    """
    yield from _hits(view, "request", view.request)


@rule(
    "response-schema-mismatch",
    severity=Severity.ERROR,
    scope="response",
    cites=["ANY-114 property of this suite"],
    fallback=True,
)
def response_schema_mismatch(view: View) -> Iterator[Hit]:
    """A reply fits the JSON Schema of its dialect.

    A typed client fails on a field of another JSON type, or hands it on as it is. Fields, words and types that the
    schema does not know are never held against a reply; what another rule has said is not said again.
    """
    if not isinstance(view.response, Malformed):
        yield from _hits(view, "response", view.response)


@rule(
    "event-schema-mismatch",
    severity=Severity.ERROR,
    scope="stream",
    cites=["ANY-115 property of this suite"],
    fallback=True,
)
def event_schema_mismatch(view: View) -> Iterator[Hit]:
    """The data of each event of a stream fits the JSON Schema of its dialect.

    A typed client fails in the middle of the stream, or joins what it cannot join. What is wrong at the same place of
    several events is told once, at the first.
    """
    judged = [event for event in view.events or () if isinstance(event.json, (dict, list))]
    if all_fit(view.dialect.name, "event", [event.json for event in judged]):
        return
    told: set[Any] = set()
    for event in judged:
        if fits(view.dialect.name, "event", event.json):
            continue
        form = _form(event.json)
        if form in told:
            continue  # explaining costs a thousand times what judging does
        told.add(form)
        for hit in _hits(view, "event", event.json, event.pointer):
            what = ((hit.pointer or "").removeprefix(event.pointer), hit.message)
            if what not in told:
                told.add(what)
                yield hit


def _form(value: Any, key: str = "") -> Any:
    """What kind of value stands where; values of one form fit a schema, or misfit it, in the same places."""
    if isinstance(value, dict):
        return tuple((name, _form(each, name)) for name, each in value.items())
    if isinstance(value, list):
        return ("list", *dict.fromkeys(map(_form, value)))
    return value if key in ("type", "role", "method") and isinstance(value, str) else type(value)
