"""The ways to break a relation between the fields of a value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import singledispatch
from typing import Any

from conformance.judge.proofs.edit import Edit
from conformance.judge.relations import comparisons, contents, forms, members, references, strict
from conformance.judge.relations.places import path
from conformance.model import jsontext
from conformance.model.jsontext import canonical
from conformance.model.transcript import Malformed
from devtools.relation_faults.growth import (
    UNKNOWN,
    Planted,
    again,
    dropped,
    found_at,
    grown,
    is_number,
    misfit,
    other,
    put,
    renamed,
    taken,
)


@singledispatch
def broken(form: Any, value: Any, at: str) -> Iterator[Planted]:
    """The ways to break a form in a value; `at` is the place of the value, from which the edits lead."""
    raise NotImplementedError(f"no fault is known for {type(form).__name__}: write one here")


@broken.register
def _(form: forms.SumOf, value: Any, at: str) -> Iterator[Planted]:
    for total, where in found_at(value, form.total, at):
        if is_number(total) and all(found_at(value, each, at) for each in form.parts):
            yield "sum + 1", (put(where, total + 1),)
            yield "sum - 1", (put(where, total - 1),)


@broken.register
def _(form: forms.PartOf, value: Any, at: str) -> Iterator[Planted]:
    for whole, _ in found_at(value, form.whole, at):
        for part, where in found_at(value, form.parts[0], at):
            if is_number(whole) and is_number(part):
                yield "part above the whole", (put(where, whole + 1),)


@broken.register
def _(form: forms.UpTo, value: Any, at: str) -> Iterator[Planted]:
    for found, where in found_at(value, form.what, at):
        if is_number(found):
            yield "above the most", (put(where, int(form.most) + 1),)


@broken.register
def _(form: forms.CountOf, value: Any, at: str) -> Iterator[Planted]:
    for items, _ in found_at(value, form.items, at):
        for count, where in found_at(value, form.count, at):
            if isinstance(items, list) and is_number(count):
                yield "count + 1", (put(where, len(items) + 1),)


@broken.register
def _(form: comparisons.Shorter, value: Any, at: str) -> Iterator[Planted]:
    for holder, _ in found_at(value, form.holders, at):
        length = sum(len(text) for each in form.texts for text, _ in found_at(holder, each, ""))
        for _, where in found_at(value, form.limit, at) if length else ():
            yield "limit below the length", (put(where, length - 1),)


@broken.register
def _(form: forms.IndexInto, value: Any, at: str) -> Iterator[Planted]:
    for items, _ in found_at(value, form.items, at):
        for index, where in found_at(value, form.index, at):
            if isinstance(items, (list, str)) and is_number(index):
                yield "past the end", (put(where, len(items)),)
                yield "before the start", (put(where, -1),)


@broken.register
def _(form: forms.RangeOf, value: Any, at: str) -> Iterator[Planted]:
    for holder, where in found_at(value, form.ranges, at):
        ends = found_at(holder, form.end, where)
        for whole, _ in found_at(value, form.whole, at):
            if isinstance(whole, (str, list)):
                yield from (("past the end", (put(end, form.measure(whole) + 1),)) for _, end in ends)
        for start, _ in found_at(holder, form.start, where):
            if is_number(start) and start > 0 and form.start != form.end:
                yield from (("ends before it begins", (put(end, start - 1),)) for _, end in ends)


@broken.register
def _(form: forms.Unique, value: Any, at: str) -> Iterator[Planted]:
    found = [each for each in found_at(value, form.what, at) if each[0] not in (None, "")]
    if len(found) > 1:
        yield "doubled", (put(found[1][1], found[0][0]),)
    elif found and (edit := again(value, found[0][1].removeprefix(at))):
        yield "its item doubled", (replace(edit, pointer=f"{at}{edit.pointer}"),)


@broken.register
def _(form: forms.Increases, value: Any, at: str) -> Iterator[Planted]:
    found = [each for each in found_at(value, form.what, at) if is_number(each[0])]
    if len(found) > 1:
        yield "repeated", (put(found[1][1], found[0][0]),)
        yield "lower", (put(found[1][1], found[0][0] - 1),)
    elif found and form.start is not None:
        yield "another start", (put(found[0][1], form.start + 1),)


@broken.register
def _(form: forms.Together, value: Any, at: str) -> Iterator[Planted]:
    there = [each for each in form.fields if any(found is not None for found, _ in found_at(value, each, at))]
    if len(there) > 1:
        yield "one without the other", taken(there[0], value, at)


@broken.register
def _(form: forms.Same, value: Any, at: str) -> Iterator[Planted]:
    for one, _ in found_at(value, form.one, at)[:1]:
        for found, where in found_at(value, form.other, at):
            if one is not None and found is not None:
                new = {key: other(each) for key, each in found.items()} if isinstance(found, dict) else other(found)
                yield "another value", (put(where, new),)


@broken.register
def _(form: forms.Encodes, value: Any, at: str) -> Iterator[Planted]:
    for text, where in found_at(value, form.what, at):
        if isinstance(text, str):
            yield "not encoded", (put(where, "data:;base64,%" if "URL" in form.encoding else "{ %"),)


@broken.register
def _(form: comparisons.Has, value: Any, at: str) -> Iterator[Planted]:
    for each in form.fields:
        if edits := taken(each, value, at):
            yield "taken away", edits


@broken.register
def _(form: comparisons.Differ, value: Any, at: str) -> Iterator[Planted]:
    taken_ones = [each for each, _ in found_at(value, form.one, at) if each not in (None, "")]
    for each, where in found_at(value, form.other, at):
        if taken_ones:
            yield "the same value", (put(where, taken_ones[0]),)
        elif edits := grown(value, path(form.one), at, each):
            yield "the same value added", edits


@broken.register
def _(form: comparisons.Constant, value: Any, at: str) -> Iterator[Planted]:
    found = found_at(value, form.what, at)
    if len(found) > 1:
        yield "changed", (put(found[1][1], other(found[0][0])),)


@broken.register
def _(form: comparisons.NotLess, value: Any, at: str) -> Iterator[Planted]:
    for least, _ in found_at(value, form.than, at):
        for _, where in found_at(value, form.what, at):
            earlier = "1900-01-01T00:00:00Z" if "T" in str(least) else "-1s"
            yield "too early", (put(where, least - 1 if is_number(least) else earlier),)


@broken.register
def _(form: comparisons.Lasts, value: Any, at: str) -> Iterator[Planted]:
    for end, where in found_at(value, form.end, at):
        yield "another end", (put(where, end + 60 if is_number(end) else "1900-01-01T00:00:00Z"),)


@broken.register
def _(form: comparisons.Contains, value: Any, at: str) -> Iterator[Planted]:
    for wanted, where in found_at(value, form.of, at):
        if found_at(value, form.what, at):
            yield "another one", (renamed(path(form.of), where, other(wanted)),)
        there = [each for each in found_at(value, form.what, at) if canonical(each[0]) == canonical(wanted)]
        if there:
            yield "one taken away", dropped(there, ())


@broken.register
def _(form: comparisons.SameOrder, value: Any, at: str) -> Iterator[Planted]:
    known = {canonical(each) for part in form.others.split(" | ") for each, _ in found_at(value, part, at)}
    found = [each for each in found_at(value, form.what, at) if canonical(each[0]) in known]
    if len(found) > 1 and canonical(found[0][0]) != canonical(found[1][0]):
        yield "in another order", (put(found[0][1], found[1][0]), put(found[1][1], found[0][0]))


@broken.register
def _(form: comparisons.Decreases, value: Any, at: str) -> Iterator[Planted]:
    found = [each for each in found_at(value, form.what, at) if is_number(each[0])]
    if len(found) > 1:
        yield "higher", (put(found[1][1], found[0][0] + 1),)


@broken.register
def _(form: contents.Quotes, value: Any, at: str) -> Iterator[Planted]:
    for excerpt, where in found_at(value, form.excerpt, at):
        if isinstance(excerpt, str) and found_at(value, form.whole, at) and found_at(value, form.end, at):
            yield "another text", (put(where, other(excerpt)),)
            if len(excerpt) > 1:
                yield "off by one", (put(where, excerpt[:-1]),)


@broken.register
def _(form: contents.InstanceOf, value: Any, at: str) -> Iterator[Planted]:
    for schema, _ in found_at(value, form.schema, at):
        for each, where in found_at(value, form.what, at):
            read = jsontext.parse(each) if form.text and isinstance(each, str) else each
            if not isinstance(read, Malformed) and isinstance(schema, dict):
                wrong = misfit(read, form.read(schema))
                if wrong is not None:
                    yield "schema broken", (put(where, json.dumps(wrong) if form.text else wrong),)


@broken.register
def _(form: contents.SameLength, value: Any, at: str) -> Iterator[Planted]:
    one, two = (found_at(value, each, at) for each in form.fields)
    for items, where in two if one else ():
        if isinstance(items, list):
            yield "one item more", (Edit("insert", f"{where}/{len(items)}", UNKNOWN),)


@broken.register
def _(form: contents.Among, value: Any, at: str) -> Iterator[Planted]:
    if not form.default and not any(each is not None for each, _ in found_at(value, form.others, at)):
        return
    found = found_at(value, form.what, at)
    for each, where in found:
        if each is not None:
            yield "another value", (renamed(path(form.what), where, other(each)),)
    if not found and (edits := grown(value, path(form.what), at)):
        yield "added", edits


@broken.register
def _(form: contents.Translates, value: Any, at: str) -> Iterator[Planted]:
    for word, _ in found_at(value, form.of, at):
        for each, where in found_at(value, form.what, at):
            words = dict(form.table)
            wrong = [one for row in words.values() for one in row if one not in words.get(word, (each, one))]
            if wrong:
                yield "another word", (put(where, wrong[0]),)


@broken.register
def _(form: contents.Concatenates, value: Any, at: str) -> Iterator[Planted]:
    for whole, where in found_at(value, form.whole, at):
        if isinstance(whole, str) and found_at(value, form.parts, at):
            yield "another text", (put(where, other(whole)),)


@broken.register
def _(form: contents.BytesOf, value: Any, at: str) -> Iterator[Planted]:
    for data, where in found_at(value, form.data, at):
        if isinstance(data, list) and found_at(value, form.text, at):
            yield "another byte", (put(where, [*data[:-1], 0]),)


@broken.register
def _(form: contents.Fits, value: Any, at: str) -> Iterator[Planted]:
    for pattern, there in found_at(value, form.pattern, at):
        for text, where in found_at(value, form.text, at):
            yield "another pattern", (put(there, UNKNOWN),)
            wrong = [each for each in (f"{text} %", "%") if not re.fullmatch(str(pattern), each)]
            if wrong:
                yield "not of the pattern", (put(where, wrong[0]),)


@broken.register
def _(form: members.Needs, value: Any, at: str) -> Iterator[Planted]:
    there = any(each is not None for each, _ in found_at(value, form.what, at))
    needed = [each for each in found_at(value, form.needed, at) if each[0] not in (None, False)]
    if there and needed:
        yield "what it needs taken away", taken(form.needed, value, at)
    known = not form.known or any(each is not None for each, _ in found_at(value, form.known, at))
    if not there and not needed and known and (edits := grown(value, path(form.what), at)):
        yield "added without what it needs", edits


@broken.register
def _(form: members.AtLeast, value: Any, at: str) -> Iterator[Planted]:
    for least, _ in found_at(value, form.least, at):
        for _, where in found_at(value, form.what, at):
            if least in form.order and form.order.index(least):
                yield "below the least", (put(where, form.order[form.order.index(least) - 1]),)


@broken.register
def _(form: members.Excludes, value: Any, at: str) -> Iterator[Planted]:
    there = [each for each in form.others if any(found is not None for found, _ in found_at(value, each, at))]
    here = any(found is not None for found, _ in found_at(value, form.what, at))
    if here is not bool(there):
        edits = grown(value, path(form.others[0] if here else form.what), at)
        kept = [where for each in (form.what, *form.others) for _, where in found_at(value, each, at)]
        if edits and not any(edit.pointer.startswith(where) for edit in edits for where in kept):
            yield "what it excludes added", edits


@broken.register
def _(form: members.Matches, value: Any, at: str) -> Iterator[Planted]:
    for text, where in found_at(value, form.what, at):
        wrong = [each for each in (f"{text} %\0", "", "%") if not re.fullmatch(form.pattern, each, re.DOTALL)]
        if isinstance(text, str) and wrong:
            yield "not of this form", (renamed(path(form.what), where, wrong[0]),)


@broken.register
def _(form: comparisons.Before, value: Any, at: str) -> Iterator[Planted]:
    for _, one in found_at(value, form.what, at):
        for _, two in found_at(value, form.others, at):
            if one.rpartition("/")[0] == two.rpartition("/")[0]:
                yield "swapped", (Edit("swap", one, two),)


@broken.register
def _(form: contents.ValidSchema, value: Any, at: str) -> Iterator[Planted]:
    for schema, where in found_at(value, form.what, at):
        if isinstance(schema, dict):
            yield "no valid schema", (put(f"{where}/type", 7),)


@broken.register
def _(form: strict.StrictSchema, value: Any, at: str) -> Iterator[Planted]:
    for schema, where in found_at(value, form.what, at):
        if isinstance(schema, dict) and schema.get("type") == "object":
            yield "an open object", (put(f"{where}/additionalProperties", True),)
            yield "a property not required", (put(f"{where}/properties/{UNKNOWN}", {"type": "string"}),)


@broken.register
def _(form: references.Resolves, value: Any, at: str) -> Iterator[Planted]:
    for whole, where in found_at(value, form.what, at):
        for _, place in references.references(whole, where, form.names):
            yield "led to nothing", (put(place, f"#/{UNKNOWN}"),)
