"""Every field that a request, a reply or an event can reach in a document, and what the document writes about it.

A place is written as in a row of relations: `messages/*[assistant]/tool_calls/*[function]/id`, where `*` is any item
or key, and the word in brackets is the tag of an object.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from devtools.documents.documented import TAGS
from devtools.documents.messages import Revision
from devtools.documents.reading import Documents
from devtools.documents.schemas import Schema, Spec


@dataclass(frozen=True, slots=True)
class Place:
    """One field in one document, or, without a field, an object.

    `group` is the field above with the tag of the object, or, without a tag, with the one above that: the same field in
    the same object of many places is one. A description of a named definition belongs to the object, any other one to
    the field.
    """

    dialect: str
    document: str
    subject: str
    path: str
    group: str
    field: str
    types: frozenset[str]
    descriptions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Step:
    """A schema to walk: its path, the field that has it, and the object that has the field."""

    schema: Schema
    path: str
    field: str
    above: str


def places(documents: Documents, dialects: tuple[str, ...]) -> Iterator[Place]:
    """All places of the bodies of some dialects, in all documents that there are."""
    for dialect in dialects:
        for body, found in documents.bodies.items():
            name, _, subject = body.partition(" ")
            if name == dialect and subject != "sister":
                for spec in found.values():
                    yield from of_body(dialect, subject, spec)
        if dialect == "mcp":
            for name, content in sorted(documents.revisions.items()):
                for message in Revision(name, content).messages():
                    yield from of_body(dialect, message.contract.subject, message.spec, message.name)


def of_body(dialect: str, subject: str, spec: Spec, root: str = "") -> Iterator[Place]:
    """The places of one body in one document: each object once below each field."""
    left, seen = deque([_Step(spec.schema, root, root or subject, "")]), set[tuple[int, str]]()
    while left:
        step = left.popleft()
        for schema, text in _alternatives(spec, step.schema):
            objects = [each for each in spec.within(schema).choices() if each.type == "object"] if not text else []
            if text:
                yield Place(dialect, spec.document.name, subject, step.path, step.field, "", frozenset(), (text,))
            for each in objects:
                tag = _tag(each)
                own, path = f"{step.field}{tag}", f"{step.path}{tag}"
                group = own if tag or not step.above else f"{step.above}/{own}"
                if (id(each.schema), group) not in seen:
                    seen.add((id(each.schema), group))
                    for name, inner in each.fields.items():
                        where = f"{path}/{name}".removeprefix("/")
                        types = frozenset(one.type for one in spec.within(inner).choices()) - {"null"}
                        written = tuple(_descriptions(inner))
                        yield Place(dialect, spec.document.name, subject, where, group, name, types, written)
                        left.append(_Step(inner, where, name, own))
        left += (_Step(each, f"{step.path}/*", step.field, step.above) for each in _inner(spec, step.schema))


def _alternatives(spec: Spec, schema: Schema) -> Iterator[tuple[Schema, str]]:
    """The schema itself, and each description that a definition behind it has."""
    yield schema, ""
    pending, seen = [schema], set[int]()
    while pending:
        each = pending.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if "$ref" in each:
            target = spec.document.definitions[each["$ref"].rpartition("/")[2]]
            if target.get("description"):
                yield target, str(target["description"])
            pending.append(target)
        for key in ("anyOf", "oneOf", "allOf"):
            pending += each.get(key, ())


def _descriptions(schema: Schema) -> Iterator[str]:
    """The descriptions that stand at a field itself, and not at a definition that it refers to."""
    if schema.get("description"):
        yield str(schema["description"])
    yield from map(str, schema.get("enumDescriptions", ()))
    for key in ("anyOf", "oneOf", "allOf"):
        for each in schema.get(key, ()):
            yield from _descriptions(each)
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), dict) and "properties" not in schema[key]:
            yield from _descriptions(schema[key])


def _inner(spec: Spec, schema: Schema) -> Iterator[Schema]:
    for each in spec.within(schema).choices():
        for key in ("items", "additionalProperties"):
            inner = each.schema.get(key)
            if isinstance(inner, dict) and inner:
                yield inner


def _tag(spec: Spec) -> str:
    for key in TAGS:
        words = spec.words(key)
        if len(words) == 1:
            return f"[{words[0]}]"
    return ""
