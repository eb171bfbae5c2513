"""Relations between the fields of one value: sums, parts, counts, indexes, ranges, order, encodings.

Each is true of every value at a relation's place. Its paths lead from there. A field that is absent, null or of another
type breaks no relation: that is for the contract.
"""

from __future__ import annotations

import base64
import binascii
import datetime as dt
import math
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Protocol, runtime_checkable

from conformance.judge.relations.described import names_of
from conformance.judge.relations.places import inner_of, path, select, shown
from conformance.model import jsontext
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief, canonical
from conformance.model.transcript import Malformed

_ROUNDED = 1e-4
_INT64 = re.compile(r"-?[0-9]{1,19}")


class Form(Protocol):
    """A relation between the fields of a value.

    If its first field is a path, it finds nothing without something there.
    """

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        """Where a value breaks it; `at` is the place of the value."""


@runtime_checkable
class Choosing(Protocol):
    """A form in which values are some of others: these can be looked up, so that not each has to be compared."""

    def chosen(self, value: Any) -> list[str]:
        """The values, as canonical texts."""

    def choices(self, value: Any) -> list[str]:
        """The others, as canonical texts. Without any, every value is right."""


@dataclass(frozen=True, slots=True)
class SumOf:
    total: str
    parts: tuple[str, ...]
    optional: tuple[str, ...]
    blamed: str

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        total, parts = _size_at(value, self.total), [_numbers(value, each) for each in self.parts]
        if total is None or not all(parts):
            return
        try:
            wanted = sum(map(sum, (*parts, *(_numbers(value, each) for each in self.optional))))
        except OverflowError:  # a fraction beside a number that no float can hold
            return
        if total != wanted and not (isinstance(wanted, float) and math.isclose(total, wanted, rel_tol=_ROUNDED)):
            added = " + ".join(named(each) for each in (*self.parts, *self.optional))
            yield Hit(
                f"{at}{self.blamed or self.total}",
                f"{named(self.total)} is not {added}",
                shown(wanted),
                shown(total),
                fix="add up again",
            )


def sum_of(total: str, *parts: str, optional: tuple[str, ...] = (), blamed: str = "") -> Form:
    """A number is the sum of others, or of all at a path; `optional` are those that count where they are present.

    Of an array, the number of its items is the total. At fault is the total, or what is at `blamed`. Fractions were
    rounded when they were written, so their sum may be a little off.
    """
    return SumOf(total, parts, optional, blamed)


@dataclass(frozen=True, slots=True)
class PartOf:
    parts: tuple[str, ...]
    whole: str
    int64: bool

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        size = _int64_at if self.int64 else _size_at
        found = {each: part for each in self.parts if (part := size(value, each)) is not None}
        whole = size(value, self.whole) if self.int64 or len(found) == len(self.parts) else None
        total = sum(found.values())
        if whole is not None and total > whole:
            added, them = " + ".join(map(named, found)), "them" if len(found) > 1 else "it"
            message = f"{added} is more than {named(self.whole)}, which includes {them}"
            yield Hit(f"{at}{next(iter(found))}", message, f"at most {shown(whole)}", shown(total))


def part_of(*parts_and_whole: str, int64: bool = False) -> Form:
    """A number is a part of the last one: at most as large. Several parts have nothing in common.

    Of an array, the number of its items counts. `int64`: numbers are written as texts, and a part that is 0 is absent.
    """
    *parts, whole = parts_and_whole
    return PartOf(tuple(parts), whole, int64)


@dataclass(frozen=True, slots=True)
class UpTo:
    what: str
    most: float

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        for found, place in select(value, path(self.what), at):
            if isinstance(found, (int, float)) and found > self.most:
                message = f"{named(self.what)} is above {shown(self.most)}"
                yield Hit(place, message, f"at most {shown(self.most)}", shown(found))


def up_to(what: str, most: float) -> Form:
    """A number is at most so large: what single models take, while the contract has what all do."""
    return UpTo(what, most)


@dataclass(frozen=True, slots=True)
class CountOf:
    count: str
    items: str

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        count, found = number_at(value, self.count), [each for each, _ in select(value, path(self.items))]
        if "*" not in self.items:
            if len(found) != 1 or not isinstance(found[0], list):
                return
            found = found[0]
        if count is not None and count != len(found):
            message = f"{named(self.count)} is not the number of items in {named(self.items)}"
            yield Hit(f"{at}{self.count}", message, str(len(found)), shown(count))


def count_of(count: str, items: str) -> Form:
    """A number is that of the items of an array, or of all at a path with `*`."""
    return CountOf(count, items)


@dataclass(frozen=True, slots=True)
class IndexInto:
    index: str
    items: str

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        arrays = [each for each, _ in select(value, path(self.items)) if isinstance(each, (list, str))]
        if len(arrays) != 1:
            return
        for index, place in select(value, path(self.index), at):
            if _is_number(index) and not 0 <= index < len(arrays[0]):
                what = "items" if isinstance(arrays[0], list) else "characters"
                message = f"the index points outside {named(self.items)}, which has {len(arrays[0])} {what}"
                yield Hit(place, message, f"0 to {len(arrays[0]) - 1}", shown(index))


def index_into(index: str, items: str) -> Form:
    """A number is the position, from 0, of an item of an array, or of a character of a text."""
    return IndexInto(index, items)


@dataclass(frozen=True, slots=True)
class RangeOf:
    ranges: str
    start: str
    end: str
    whole: str
    measure: Callable[[Any], int]
    unit: str

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        kind = list if self.unit == "items" else str
        wholes = [each for each, _ in select(value, path(self.whole)) if isinstance(each, kind)]
        length = self.measure(wholes[0]) if len(wholes) == 1 else None
        for holder, place in select(value, path(self.ranges), at):
            start, end = number_at(holder, self.start), number_at(holder, self.end)
            begun = 0 if start is None else start
            if begun < 0:
                yield Hit(f"{place}{self.start}", "the range begins before the text", "0 or more", shown(begun))
            elif end is not None and end < begun:
                message = f"the range ends before it begins, at {shown(begun)}"
                yield Hit(f"{place}{self.end}", message, f"{shown(begun)} or more", shown(end))
            elif length is not None and max(begun, begun if end is None else end) > length:
                far = self.end if end is not None and end > length else self.start
                message = f"the range leaves {named(self.whole)}, which has {length} {self.unit}"
                yield Hit(f"{place}{far}", message, f"at most {length}", brief(number_at(holder, far)))


def range_of(ranges: str, start: str, end: str, whole: str, *, unit: str = "characters") -> Form:
    """Two numbers are a range in a text or an array: `end` is not part of it. `ranges` leads to their objects.

    `unit`: what they count: `characters`, `bytes` (of UTF-8) or `items`.
    """
    measure = {"characters": len, "items": len, "bytes": lambda each: len(each.encode("utf-8", "surrogatepass"))}[unit]
    return RangeOf(ranges, start, end, whole, measure, unit)


@dataclass(frozen=True, slots=True)
class Unique:
    what: str

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        seen: dict[str, str] = {}
        for each, place in select(value, path(self.what), at):
            if each is None or each == "":
                continue
            known = seen.setdefault(canonical(each), place)
            if known != place:
                yield Hit(place, f"{brief(each)} is already at {known}", "a value of its own", brief(each))


def unique(what: str) -> Form:
    """The values at a path differ from each other."""
    return Unique(what)


@dataclass(frozen=True, slots=True)
class Increases:
    what: str
    by: int | None
    start: int | None

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        before: float | None = None if self.start is None else self.start - (self.by or 1)
        first = True
        for each, place in select(value, path(self.what), at):
            if not _is_number(each):
                continue
            wrong = before is not None and (each != before + self.by if self.by else each <= before)
            if wrong and before is not None:
                wanted = shown(before + self.by) if self.by else f"more than {shown(before)}"
                found = f"{named(self.what)} is {brief(each)}"
                message = f"{found} at the beginning" if first else f"{found}, after {shown(before)}"
                yield Hit(place, message, wanted, brief(each))
                return
            before, first = each, False


def increases(what: str, *, by: int | None = None, start: int | None = None) -> Form:
    """Each number at a path is larger than the one before; `by` so much; the first is `start`."""
    return Increases(what, by, start)


@dataclass(frozen=True, slots=True)
class Together:
    fields: tuple[str, ...]

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        found = {each: any(inner is not None for inner, _ in select(value, path(each))) for each in self.fields}
        if any(found.values()) and not all(found.values()):
            there = listed([each for each in found if found[each]])
            lacking = listed([each for each in found if not found[each]])
            yield Hit(at, f"{there} without {lacking}", f"all of {listed(self.fields)}, or none", f"only {there}")


def together(*fields: str) -> Form:
    """All of the fields are present, or none."""
    return Together(fields)


@dataclass(frozen=True, slots=True)
class Same:
    one: str
    other: str
    numbers: bool
    last: bool
    loosely: bool

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        for wanted, _ in list(select(value, path(self.one)))[:1]:
            for found, place in select(value, path(self.other), at):
                if self.numbers and (isinstance(found, bool) or not isinstance(found, (int, float))):
                    continue
                if self.last and _last(found) == _last(wanted):
                    continue
                are_alike = jsontext.agrees if self.loosely else jsontext.same
                if found is not None and wanted is not None and not are_alike(found, wanted):
                    message = f"{named(self.other)} differs from {named(self.one)}"
                    yield Hit(place, message, brief(wanted), brief(found))

    def chosen(self, value: Any) -> list[str]:
        return [canonical(each) for each, _ in select(value, path(self.other)) if each is not None]

    def choices(self, value: Any) -> list[str]:
        found = list(select(value, path(self.one)))[:1]
        return [canonical(each) for each, _ in found if each is not None]


def _last(value: Any) -> Any:
    """The last segment of a name with several."""
    return value.rpartition("/")[2] if isinstance(value, str) else value


def equal(one: str, other: str, *, numbers: bool = False, last: bool = False, loosely: bool = False) -> Form:
    """Two fields have the same value; the second is at fault, with `numbers` only if it is a number.

    `last`: the last segments of two names are enough (`models/gemini-2.5-flash` and `gemini-2.5-flash`). `loosely`: an
    object may have fields that the other one does not have.
    """
    return Same(one, other, numbers, last, loosely)


@dataclass(frozen=True, slots=True)
class Encodes:
    what: str
    encoding: str

    def hits(self, value: Any, at: str) -> Iterator[Hit]:
        for each, place in select(value, path(self.what), at):
            if isinstance(each, str) and (reason := _ENCODINGS[self.encoding](each)):
                yield Hit(place, f"the text is not {self.encoding}: {reason}", self.encoding, brief(each))


def encodes(what: str, encoding: str) -> Form:
    """A text has an encoding: `base64`, `JSON`, `a JSON object`, `a date and time (RFC 3339)` or `a URI`.

    `base64 in a data URL` is for texts that can be another URL instead.

    Raises:
        KeyError: there is no such encoding.
    """
    _ = _ENCODINGS[encoding]
    return Encodes(what, encoding)


def _base64(text: str) -> str:
    plain = text.replace("-", "+").replace("_", "/")
    try:
        base64.b64decode(plain + "=" * (-len(plain.rstrip("=")) % 4 if not plain.endswith("=") else 0), validate=True)
    except (binascii.Error, ValueError) as error:
        return str(error)
    return ""


def _data_url(text: str) -> str:
    head, comma, data = text.partition(",")
    return _base64(data) if comma and head.startswith("data:") and head.endswith(";base64") else ""


def _json(text: str) -> str:
    value = jsontext.parse(text)
    return value.reason if isinstance(value, Malformed) else ""


def _object(text: str) -> str:
    value = jsontext.parse(text)
    if isinstance(value, Malformed):
        return value.reason
    return "" if isinstance(value, dict) else f"it is {jsontext.kind(value)}"


def _date(text: str) -> str:
    try:
        found = dt.datetime.fromisoformat(re.sub(r"\.(\d{6})\d+", r".\1", text))
    except ValueError:
        return "it cannot be read"
    return "" if found.tzinfo is not None or "T" not in text else "it has no offset from UTC"


def _uri(text: str) -> str:
    return "" if re.match(r"[A-Za-z][A-Za-z0-9+.-]*:\S", text) else "it has no scheme"


_ENCODINGS: Mapping[str, Callable[[str], str]] = {
    "base64": _base64,
    "base64 in a data URL": _data_url,
    "base64 or a URL": lambda text: _data_url(text) if ":" in text else _base64(text),
    "JSON": _json,
    "a JSON object": _object,
    "a date and time (RFC 3339)": _date,
    "a URI": _uri,
}


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def number_at(value: Any, where: str) -> float | None:
    """The one number at a path; None if there is none, or several."""
    steps = path(where)
    if steps.names is not None:
        number = inner_of(value, steps.names)
        return number if _is_number(number) else None
    found = [each for each, _ in select(value, steps)]
    return found[0] if len(found) == 1 and _is_number(found[0]) else None


def _size_at(value: Any, where: str) -> float | None:
    """The one number at a path, or how many items the one array there has."""
    steps = path(where)
    found = [inner_of(value, steps.names)] if steps.names is not None else [each for each, _ in select(value, steps)]
    number = found[0] if len(found) == 1 else None
    return len(number) if isinstance(number, list) else number if _is_number(number) else None


def _int64_at(value: Any, where: str) -> int | None:
    """The one whole number at a path, which Google writes as a text."""
    found = [each for each, _ in select(value, path(where))]
    number = found[0] if len(found) == 1 else None
    if isinstance(number, str) and _INT64.fullmatch(number):
        return int(number)
    return number if isinstance(number, int) and not isinstance(number, bool) else None


def _numbers(value: Any, where: str) -> list[float]:
    """All numbers at a path; none if one of the values is not a number."""
    found = [each for each, _ in select(value, path(where))]
    return found if all(map(_is_number, found)) else []


def any_of(value: Any, where: str, at: str = "") -> list[tuple[Any, str]]:
    """The values at a path, or at several, which ` | ` separates, each with its place."""
    return [found for each in where.split(" | ") for found in select(value, path(each), at)]


def named(where: str, *, many: bool = False) -> str:
    """A path as words: its last members, without the tests; with `many`, all that is there together."""
    return names_of(path(where), many=many) or "the value"


def listed(paths: Any) -> str:
    """Several paths as words."""
    *most, last = [named(each) for each in paths]
    return f"{', '.join(most)} and {last}" if most else last
