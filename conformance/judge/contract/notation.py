"""The functions in which a contract is written; the package's docstring has the table of them."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from conformance.finding import Severity
from conformance.judge.contract.nodes import (
    Anything,
    Array,
    Cases,
    Field,
    Flag,
    Foreign,
    Later,
    Map,
    Node,
    Null,
    Number,
    Object,
    Others,
    Switch,
    Text,
)
from conformance.judge.contract.relations import Condition, Relation
from conformance.judge.contract.situation import When
from conformance.judge.contract.tell import Silence, Tell, Tells

anything: Node = Anything()
null: Node = Null()
boolean: Node = Flag()


@dataclass(frozen=True, slots=True)
class Closed:
    """The type of `closed`."""

    only: When | None = None


closed = Closed()
"""Among the parts of an object: the provider refuses fields that are not named."""


def closed_at(only: When) -> Closed:
    """As `closed`, of those alone of whom `only` holds."""
    return Closed(only)


def text(least: int = 0, most: int | None = None, pattern: str = "") -> Text:
    """A string: `text(1)` is not empty, `text(1, 64)` has at most 64 characters; `pattern` matches all of it."""
    return Text(least, most, pattern)


def word(*words: str) -> Text:
    """One of some strings: any other is against the contract."""
    return Text(words=words)


def known(*words: str) -> Text:
    """One of some strings, in a list that grows without notice: any other is told as undocumented."""
    return Text(words=words, others="told")


def number(low: float | None = None, high: float | None = None) -> Number:
    """A number, with its bounds."""
    return Number(low, high)


def integer(low: float | None = None, high: float | None = None) -> Number:
    """An integer, with its bounds."""
    return Number(low, high, whole=True)


def array(items: Node, least: int = 0, most: int | None = None, *, unique: bool = False, single: bool = False) -> Array:
    """An array of items, with the bounds of their number."""
    return Array(items, least, most, unique, single)


def mapping(values: Node = anything, keys: Text | None = None, most: int | None = None) -> Map:
    """An object whose keys are not the contract's."""
    return Map(values, keys, most)


def tell(
    cite: str | None = None,
    severity: Severity | Silence | None = None,
    *,
    rule: str | None = None,
    refused: int | None = None,
    fix: str | None = None,
) -> Tell:
    """How a violation is told."""
    return Tell(cite, severity, rule, refused, fix)


def refusal(cite: str, severity: Severity | None = None, *, rule: str | None = None, status: int = 400) -> Tell:
    """How a violation is told whose only reason is that the provider refuses it; no document says it."""
    return Tell(cite, severity, rule, status, basis="refusal")


def need(node: Node, told: Tell | None = None, /, *, only: When | None = None, **more: Any) -> Field:
    """A field that has to be there. `more`: a `Tell` for a kind, `unless=when(...)`, `also=("other_spelling",)`."""
    return _field(node, "need", told, only, more)


def should(node: Node, told: Tell | None = None, /, *, only: When | None = None, **more: Any) -> Field:
    """A field that the document requires and whose absence harms nobody, or has been seen: told as a warning."""
    return _field(node, "should", told, only, more)


def may(node: Node, told: Tell | None = None, /, *, only: When | None = None, **more: Any) -> Field:
    """A field that may be left out. `null=tell(...)` says that null is not the same as that."""
    return _field(node, "may", told, only, more)


def foreign(told: Tell, /, *, only: When | None = None, **instead: str) -> Mapping[str, Field]:
    """Fields of sister APIs, with what to use in their place: `foreign(tell(...), input="`messages`")`."""
    return {name: _field(Foreign(each), "may", told, only, {}) for name, each in instead.items()}


def first(*rows: Field) -> Field:
    """Rows for one field: the first whose `only` holds, or that has none, is asked."""
    return dataclasses.replace(rows[0], others=rows[1:])


def _field(
    node: Node, presence: Literal["need", "should", "may"], told: Tell | None, only: When | None, more: dict[str, Any]
) -> Field:
    unless, also = more.pop("unless", None), more.pop("also", ())
    tells: dict[str, Tell] = {**more, **({"": told} if told else {})}
    return Field(node, presence, null=False if "null" in more else None, tells=tells, only=only, unless=unless, also=also)


def obj(*parts: Object | Tell | Tells | Relation | Closed | Mapping[str, Field], **fields: Field) -> Object:
    """An object with its rows.

    `parts`: another object whose rows it has too; `Tell` or `{kind: Tell}` for all within; relations; `closed`; and
    `{name: row}` for names that Python does not take.
    """
    rows: dict[str, Field] = {}
    tells: dict[str, Tell] = {}
    relations: list[Relation] = []
    is_closed: bool | When = False
    for part in parts:
        if isinstance(part, Object):
            rows |= {each.name: each for each in part.fields}
            tells |= part.tells
            relations += part.relations
            is_closed = part.closed or is_closed
        elif isinstance(part, Tell):
            tells[""] = part
        elif isinstance(part, Relation):
            relations.append(part)
        elif isinstance(part, Closed):
            is_closed = part.only or True
        else:
            for name, each in part.items():
                if isinstance(each, Tell):
                    tells[name] = each
                else:
                    rows[name] = each
    rows |= fields
    named = tuple(_named(name, row) for name, row in rows.items())
    return Object(named, tuple(relations), is_closed, tells)


def _named(name: str, row: Field) -> Field:
    return dataclasses.replace(row, name=name, others=tuple(_named(name, each) for each in row.others))


def snaked(node: Object) -> Object:
    """The object with each row's name in snake case as well, as servers of protocol buffers take them."""
    rows = (dataclasses.replace(row, also=(*row.also, *({_snake(row.name)} - {row.name}))) for row in node.fields)
    return dataclasses.replace(node, fields=tuple(rows))


def _snake(name: str) -> str:
    return re.sub(r"(?<=[a-z0-9])([A-Z])", r"_\1", name).lower()


def by(key: str, words: Mapping[str, Node], told: Tell | Tells | None = None, *, absent: str | None = None) -> Switch:
    """Objects told apart by the string under a key; any other string is against the contract."""
    return _switch(key, words, told, "refused", absent)


def by_known(key: str, words: Mapping[str, Node], told: Tell | Tells | None = None) -> Switch:
    """As `by`, in a list that grows without notice: any other string is told as undocumented."""
    return _switch(key, words, told, "told", None)


def by_some(key: str, words: Mapping[str, Node], told: Tell | Tells | None = None) -> Switch:
    """As `by`, where nothing is said about any other string."""
    return _switch(key, words, told, "silent", None)


def _switch(
    key: str, words: Mapping[str, Node], told: Tell | Tells | None, others: Others, absent: str | None
) -> Switch:
    tells = {"": told} if isinstance(told, Tell) else told or {}
    return Switch(key, tuple(words.items()), others, absent, tells)


def cases(*found: tuple[str | Condition, Node], otherwise: Node) -> Cases:
    """Objects told apart by what they have, the first that holds: `cases(("error", FAILURE), otherwise=CHUNK)`."""
    return Cases(tuple((_condition(each), node) for each, node in found), otherwise)


def later(name: str, node: Callable[[], Node]) -> Later:
    """A node that contains itself: `later("schema", lambda: SCHEMA)`."""
    return Later(name, node)


def is_(name: str, *values: Any) -> Condition:
    """That a field has one of the values."""
    return Condition(name, values=values)


def over(name: str, bound: float) -> Condition:
    """That a field is above a number."""
    return Condition(name, over=bound)


def holds(name: str, item: Any) -> Condition:
    """That a field is an array with the item."""
    return Condition(name, item=item)


def excludes(*fields: str | Condition, told: Tell | None = None, only: When | None = None) -> Relation:
    """Not all of these together."""
    return _relation("excludes", fields, told, only)


def needs(field: str | Condition, *others: str | Condition, told: Tell | None = None, only: When | None = None) -> Relation:
    """The first only with one of the others."""
    return _relation("needs", (field, *others), told, only)


def some_of(*fields: str | Condition, told: Tell | None = None, only: When | None = None) -> Relation:
    """One of these at least."""
    return _relation("some", fields, told, only)


def one_of(*fields: str | Condition, told: Tell | None = None, only: When | None = None) -> Relation:
    """One of these and no more."""
    return _relation("one", fields, told, only)


def below(low: str, high: str, *, told: Tell | None = None, only: When | None = None) -> Relation:
    """The first is a smaller number than the second."""
    return _relation("below", (low, high), told, only)


def _relation(
    form: Literal["excludes", "needs", "some", "one", "below"],
    fields: tuple[str | Condition, ...],
    told: Tell | None,
    only: When | None,
) -> Relation:
    return Relation(form, tuple(map(_condition, fields)), told or Tell(), only)


def _condition(given: str | Condition) -> Condition:
    return given if isinstance(given, Condition) else Condition(given)
