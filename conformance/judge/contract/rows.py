"""The functions for rows, objects, and how violations are reported."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from conformance.judge.contract.nodes import Field, Foreign, Node, Object
from conformance.judge.contract.relations import Relation, snake_case
from conformance.judge.contract.situation import When
from conformance.judge.contract.tell import Silence, Tell, Tells
from conformance.model.finding import Severity


@dataclass(frozen=True, slots=True)
class Closed:
    """The type of `closed`."""

    only: When | None = None


closed = Closed()
"""Among the parts of an object: the provider refuses fields that are not named."""


def closed_at(only: When) -> Closed:
    """Like `closed`, but only where `only` is true."""
    return Closed(only)


def tell(
    cite: str | None = None,
    severity: Severity | Silence | None = None,
    *,
    rule: str | None = None,
    refused: int | None = None,
    fix: str | None = None,
) -> Tell:
    """How a violation is reported."""
    return Tell(cite, severity, rule, refused, fix)


def refusal(cite: str, severity: Severity | None = None, *, rule: str | None = None, status: int = 400) -> Tell:
    """How a violation is reported that no document forbids, but the provider refuses."""
    return Tell(cite, severity, rule, status, basis="refusal")


def need(node: Node, told: Tell | Tells | None = None, /, *, only: When | None = None, **more: Any) -> Field:
    """A required field.

    `told`: how all violations are reported, or `{kind: how}`. `more`: the same as `kind=tell(...)`; `unless=when(...)`:
    where it may be missing; `also=("other_spelling",)`.
    """
    return _field(node, "need", told, only, more)


def should(node: Node, told: Tell | Tells | None = None, /, *, only: When | None = None, **more: Any) -> Field:
    """A required field whose absence harms no client, or was observed: its absence is a warning."""
    return _field(node, "should", told, only, more)


def may(node: Node, told: Tell | Tells | None = None, /, *, only: When | None = None, **more: Any) -> Field:
    """An optional field. `null=tell(...)`: null is not the same as leaving it out."""
    return _field(node, "may", told, only, more)


def foreign(told: Tell, /, *, only: When | None = None, **instead: str) -> Mapping[str, Field]:
    """Fields of related APIs, with what to use instead: `foreign(tell(...), input="`messages`")`."""
    return {name: _field(Foreign(each), "may", told, only, {}) for name, each in instead.items()}


def first(*rows: Field) -> Field:
    """Rows for one field: the first one applies whose `only` is true, or that has no `only`."""
    return dataclasses.replace(rows[0], others=rows[1:])


def _field(
    node: Node,
    presence: Literal["need", "should", "may"],
    told: Tell | Tells | None,
    only: When | None,
    more: dict[str, Any],
) -> Field:
    unless, also = more.pop("unless", None), more.pop("also", ())
    by_kind = {**tells(told), **more}
    null_is_told = False if "null" in by_kind else None
    return Field(node, presence, null=null_is_told, tells=by_kind, only=only, unless=unless, also=also)


def tells(told: Tell | Tells | None) -> Tells:
    """The facts by kind, whether given for all kinds or by kind."""
    return {"": told} if isinstance(told, Tell) else told or {}


def obj(*parts: Object | Tell | Tells | Relation | Closed | Mapping[str, Field], **fields: Field) -> Object:
    """An object with its rows.

    `parts`: another object, whose rows it includes; `Tell` or `{kind: Tell}` for everything in it; relations; `closed`;
    and `{name: row}` for names that are not Python identifiers.
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
    """The object with each row's name in snake case as well, as servers of protocol buffers accept them.

    The names in its relations, too.
    """
    return dataclasses.replace(
        node, fields=tuple(map(_snaked_row, node.fields)), relations=tuple(map(_snaked_relation, node.relations))
    )


def _snaked_row(row: Field) -> Field:
    also = tuple(dict.fromkeys((*row.also, *({snake_case(row.name)} - {row.name}))))
    return dataclasses.replace(row, also=also, others=tuple(map(_snaked_row, row.others)))


def _snaked_relation(relation: Relation) -> Relation:
    asked = tuple(dataclasses.replace(each, snake=True) for each in relation.conditions)
    return dataclasses.replace(relation, conditions=asked)
