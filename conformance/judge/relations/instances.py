"""Values that must be valid under a schema which stands elsewhere in the exchange."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from conformance.judge.relations.forms import named
from conformance.judge.relations.places import Place, all_places, path, select
from conformance.judge.relations.rows import OfPlaces, Sided
from conformance.judge.relations.scan import scan_of
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit, NotExercised, Severity
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief
from conformance.model.transcript import Malformed, Text
from conformance.profiles.tool_schema import Allowance, NotExercisedError, misfits


@dataclass(frozen=True, slots=True)
class Structured:
    """The text of a reply that is whole and calls no tool is JSON, valid under the request's schema for it.

    `schema` has the schema, perhaps as text, which `read` makes one of JSON Schema; `strict` has something if the
    provider guarantees it. Without, the model may have made the mistake: a warning. What is no object there only asks
    for JSON: any object, or with `any_json` any value. `unless`: with something there, the text is no answer, but a
    refusal.
    """

    schema: str
    strict: str = ""
    read: Callable[[Any], Any] = dict
    any_json: bool = False
    unless: str = ""

    @property
    def places(self) -> Sequence[Place]:
        return all_places("response", "event", self.schema)

    @property
    def begins(self) -> Sequence[str]:
        return (self.schema,)

    def hits(self, view: View) -> Iterator[Sided]:
        schema = scan_of(view).first(self.schema)
        if schema is None or (self.unless and scan_of(view).first(self.unless) is not None):
            return
        strict = bool(self.strict) and scan_of(view).first(self.strict) is not None
        severity = None if strict else Severity.WARNING
        given = jsontext.parse(schema[1]) if isinstance(schema[1], str) else schema[1]
        valid_under = self.read(given) if isinstance(given, dict) else {} if self.any_json else {"type": "object"}
        allowance = Allowance()
        for turn in view.replies:
            if turn.stop != "end" or turn.calls or turn.server_parts:
                continue
            texts = [part for part in turn.parts if isinstance(part, Text) and part.text.strip()]
            whole = jsontext.parse(turn.text) if texts else None
            # A reply can be several pieces of one text, or several texts: those of several messages.
            if len(texts) > 1 and not isinstance(whole, Malformed):
                texts = [Text(turn.text, texts[0].pointer)]
            for part in texts:
                try:
                    wrong = _fault(part.text, valid_under, allowance)
                except NotExercisedError as reason:
                    yield "response", NotExercised(part.pointer, str(reason))
                    continue
                if wrong is not None:
                    wanted = f"JSON that is valid under request {schema[2]}"
                    yield "response", Hit(part.pointer, wrong, wanted, brief(part.text), severity)


@dataclass(frozen=True, slots=True)
class Valid(OfPlaces):
    """In each value at the places, what is at `value` is valid under the schema at `schema`.

    An absent value is judged as `absent`; None if it may be absent. With `required` it must be present. With `objects`
    a value that is no object is left to the contract.
    """

    READS = NEEDS = ("at",)

    at: str
    value: str
    schema: str
    absent: Any = None
    required: bool = False
    objects: bool = False

    def hits(self, view: View) -> Iterator[Sided]:
        allowance = Allowance()
        for root, holder, pointer in scan_of(view).at(self.at):
            schema = next((each for each, _ in select(holder, path(self.schema)) if isinstance(each, dict)), None)
            found = list(select(holder, path(self.value), pointer))
            if schema is None or (not found and self.absent is None and not self.required):
                continue
            lacking = next(iter(select(holder, path(self.value)[:-1], pointer)), (None, pointer))
            if self.required and not found and not isinstance(lacking[0], dict):
                continue
            value, place = found[0] if found else (self.absent, lacking[1])
            if found and self.objects and not isinstance(value, dict):
                continue
            actual = brief(value) if found else "nothing"
            wanted = f"valid under {named(self.schema)}"
            if not found and self.required:
                yield root, Hit(place, f"{named(self.value)} is missing", wanted, actual)
                continue
            try:
                wrong = next(misfits(value, schema, allowance), None)
            except NotExercisedError as reason:
                yield root, NotExercised(place, str(reason))
                continue
            if wrong is not None:
                message = f"{named(self.value)} is invalid under the schema at {wrong[0] or 'the root'}: {wrong[1]}"
                yield root, Hit(place, message, wanted, actual)


def _fault(text: str, schema: dict[str, Any], allowance: Allowance) -> str | None:
    value = jsontext.parse(text)
    if isinstance(value, Malformed):
        return f"the text is not JSON: {value.reason}"
    found = next(misfits(value, schema, allowance), None)
    return None if found is None else f"the text is invalid under the schema at {found[0] or 'the root'}: {found[1]}"
