"""Relations between the contents of one value: a text and its excerpt, a value and its schema, arrays of one length."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from conformance.judge.relations.described import either
from conformance.judge.relations.forms import Form, any_of, listed, named, number_at
from conformance.judge.relations.places import is_key, path, select, shown, text_of
from conformance.model import jsontext
from conformance.model.finding import Hit, NotExercised
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief, canonical
from conformance.model.transcript import Malformed
from conformance.profiles.tool_schema import Allowance, NotExercisedError, is_valid_schema, misfits, wrong_in_schema

Unit = Literal["characters", "bytes", "items"]


@dataclass(frozen=True, slots=True)
class Quotes:
    excerpt: str
    start: str
    end: str
    whole: str
    unit: Unit

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        wholes = [each for each, _ in select(value, path(self.whole))]
        excerpts = list(select(value, path(self.excerpt), at))
        start, end = number_at(value, self.start) or 0, number_at(value, self.end)
        if end is None or len(wholes) != 1 or len(excerpts) != 1 or not isinstance(excerpts[0][0], str):
            return
        wanted = _cut(wholes[0], int(start), int(end), self.unit)
        if wanted is not None and wanted != excerpts[0][0]:
            message = f"{named(self.excerpt)} is not what {named(self.whole)} has from {shown(start)} to {shown(end)}"
            yield Hit(excerpts[0][1], message, brief(wanted), brief(excerpts[0][0]))


def quotes(excerpt: str, start: str, end: str, whole: str, *, unit: Unit = "characters") -> Form:
    """A text repeats a range of another; `end` is not part of it.

    `unit`: what the range counts. With `items`, the whole is an array of texts, or of objects with a `text`.
    """
    return Quotes(excerpt, start, end, whole, unit)


def _cut(whole: Any, start: int, end: int, unit: Unit) -> str | None:
    """The range of the whole; None if it has no such range, which is for `range_of`."""
    if not 0 <= start <= end:
        return None
    if unit == "items" and isinstance(whole, list) and end <= len(whole):
        texts = [each.get("text") if isinstance(each, dict) else each for each in whole[start:end]]
        known = [each for each in texts if isinstance(each, str)]
        return "".join(known) if len(known) == len(texts) else None
    if unit == "characters" and isinstance(whole, str) and end <= len(whole):
        return whole[start:end]
    if unit == "bytes" and isinstance(whole, str):
        data = whole.encode("utf-8", "surrogatepass")
        return data[start:end].decode("utf-8", "replace") if end <= len(data) else None
    return None


@dataclass(frozen=True, slots=True)
class InstanceOf:
    what: str
    schema: str
    text: bool
    read: Callable[[Any], Any]

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        schemas = [each for each, _ in select(value, path(self.schema)) if isinstance(each, dict)]
        if len(schemas) != 1:
            return
        allowance = Allowance()
        for each, place in select(value, path(self.what), at):
            read = jsontext.parse(each) if self.text and isinstance(each, str) else each
            if isinstance(read, Malformed):
                continue
            try:
                wrong = next(misfits(read, self.read(schemas[0]), allowance), None)
            except NotExercisedError as reason:
                yield NotExercised(place, str(reason))
                continue
            if wrong is not None:
                where = place if self.text else f"{place}{wrong[0]}"
                yield Hit(where, wrong[1], f"a value that is valid under {named(self.schema)}", brief(each))


def instance_of(what: str, schema: str, *, text: bool = False, read: Callable[[Any], Any] = dict) -> Form:
    """The values are valid under the schema that stands beside them, of which `read` makes one of JSON Schema.

    `text`: they are written as JSON in a text; one that is no text, or no JSON, is for another rule.
    """
    return InstanceOf(what, schema, text, read)


@dataclass(frozen=True, slots=True)
class SameLength:
    fields: tuple[str, str]

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        one, other = (
            [each for each in select(value, path(field), at) if isinstance(each[0], list)] for field in self.fields
        )
        if len(one) == len(other) == 1 and len(one[0][0]) != len(other[0][0]):
            message = f"{listed(self.fields)} have different lengths"
            yield Hit(other[0][1], message, f"{len(one[0][0])} items", f"{len(other[0][0])}")


def same_length(one: str, other: str) -> Form:
    """Two arrays, whose items belong together, have the same length."""
    return SameLength((one, other))


@dataclass(frozen=True, slots=True)
class Among:
    what: str
    others: str
    default: tuple[Any, ...]
    unless: str

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        found = self._found(value)
        allowed = [canonical(each) for each in found]
        for each, place in select(value, path(self.what), at):
            if allowed and each is not None and canonical(each) not in allowed:
                others = either(named(other, many=True) for other in self.others.split(" | "))
                yield Hit(place, f"{named(self.what)} is not among {others}", f"one of {brief(found)}", brief(each))

    def _found(self, value: Any) -> list[Any]:
        """The others; none if anything may be right."""
        if self.unless and any_of(value, self.unless):
            return []
        found = [each for each, _ in any_of(value, self.others) if each is not None]
        if " | " in self.others:  # what one path leads to may hold what another one does
            found = [each for each in found if not isinstance(each, (dict, list))]
        return found or list(self.default)

    def chosen(self, value: Any) -> list[str]:
        return [canonical(each) for each, _ in select(value, path(self.what)) if each is not None]

    def choices(self, value: Any) -> list[str]:
        return [canonical(each) for each in self._found(value)]


def among(what: str, others: str, *, default: tuple[Any, ...] = (), unless: str = "") -> Form:
    """A value is one of several others, at one path or at several; `default` are those that count if there are none.

    `unless`: with something at this path, it may be any.
    """
    return Among(what, others, default, unless)


@dataclass(frozen=True, slots=True)
class Translates:
    what: str
    of: str
    table: Mapping[str, tuple[str, ...]]

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        wanted = [self.table.get(text_of(each)) for each, _ in select(value, path(self.of)) if is_key(each)]
        for each, place in select(value, path(self.what), at):
            if len(wanted) == 1 and wanted[0] is not None and each not in wanted[0]:
                message = f"{named(self.what)} does not go with {named(self.of)}"
                yield Hit(place, message, " or ".join(wanted[0]), brief(each))


def translates(what: str, of: str, table: dict[str, str | tuple[str, ...]]) -> Form:
    """A word is one that the table has for another word; a word that is not in the table goes with any."""
    return Translates(what, of, {str(word): (each,) if isinstance(each, str) else each for word, each in table.items()})


@dataclass(frozen=True, slots=True)
class ValidSchema:
    what: str

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        for schema, place in select(value, path(self.what), at):
            if isinstance(schema, dict) and not is_valid_schema(schema):
                message = f"{named(self.what)} is not a valid JSON Schema"
                yield Hit(place, message, "a valid JSON Schema", wrong_in_schema(schema) or brief(schema))


def valid_schema(what: str) -> Form:
    """A schema is valid under the meta-schema that it names, by default that of 2020-12."""
    return ValidSchema(what)


@dataclass(frozen=True, slots=True)
class Concatenates:
    parts: str
    whole: str

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        texts = [each for each, _ in select(value, path(self.parts)) if isinstance(each, str)]
        if not texts or any(map(_is_cut, texts)):
            return
        for whole, place in select(value, path(self.whole), at):
            if isinstance(whole, str) and whole != "".join(texts):
                message = f"{named(self.whole)} is not what {named(self.parts, many=True)} add up to"
                yield Hit(place, message, brief("".join(texts)), brief(whole))


def concatenates(parts: str, whole: str) -> Form:
    """Texts add up to another one. If one of them holds only a part of a character, they prove nothing."""
    return Concatenates(parts, whole)


@dataclass(frozen=True, slots=True)
class BytesOf:
    data: str
    text: str

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        texts = [each for each, _ in select(value, path(self.text)) if isinstance(each, str)]
        for data, place in select(value, path(self.data), at):
            if len(texts) != 1 or not isinstance(data, list) or _is_cut(texts[0]):
                continue
            wanted = list(texts[0].encode("utf-8", "surrogatepass"))
            if data != wanted:
                yield Hit(place, f"{named(self.data)} are not those of {named(self.text)}", brief(wanted), brief(data))


def bytes_of(data: str, text: str) -> Form:
    """An array has the bytes of a text in UTF-8; a text with a part of a character proves nothing."""
    return BytesOf(data, text)


def _is_cut(text: str) -> bool:
    r"""Whether a token has only a part of a character: servers write its bytes (`\xf0`), or a replacement character."""
    return "\\x" in text or "\ufffd" in text


@dataclass(frozen=True, slots=True)
class Fits:
    text: str
    pattern: str

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        patterns = [each for each, _ in select(value, path(self.pattern)) if isinstance(each, str)]
        for found, place in select(value, path(self.text), at) if len(patterns) == 1 else ():
            # A schema, because patterns of strangers run only in linear time, and within bounds.
            schema = {"type": "string", "pattern": f"^(?:{patterns[0]})$"}
            try:
                wrong = next(misfits(found, schema, Allowance()), None)
            except NotExercisedError as reason:
                yield NotExercised(place, str(reason))
                continue
            if wrong is not None:
                yield Hit(place, f"{named(self.text)} does not match {named(self.pattern)}", patterns[0], brief(found))


def fits(text: str, pattern: str) -> Form:
    """A whole text matches the regular expression at another path."""
    return Fits(text, pattern)
