"""The functions for rows, objects, and how violations are reported."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, Literal

from conformance.contract.citation import Citation, Citations, Silence
from conformance.contract.nodes import Field, Foreign, Node, Object
from conformance.contract.relations import Relation, snake_case
from conformance.contract.situation import When
from conformance.model.finding import Severity
from conformance.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Closed:
    """The type of `closed`."""

    only: When | None = None


closed = Closed()
"""Among the parts of an object: the provider refuses fields that are not named."""


def closed_at(only: When) -> Closed:
    """Like `closed`, but only where `only` is true."""
    return Closed(only)


def cite(
    number: str | None = None,
    severity: Severity | Silence | None = None,
    *,
    because: str = "",
    rule: str | None = None,
    refused: int | None = None,
    fix: str | None = None,
    breaks: str = "",
) -> Citation:
    """How a violation is reported: by a statement, with its severity, or another one `because` of something.

    Raises:
        ValueError: the number is more than a number; or a severity has no reason, or a reason no severity.
    """
    reason = _reason(number, severity, because)
    return Citation(_number(number), severity, rule, refused, fix, because=reason, breaks=breaks)


def refusal(
    number: str, severity: Severity | None = None, *, because: str = "", rule: str | None = None, status: int = 400
) -> Citation:
    """How a violation is reported that no document forbids, but the provider refuses."""
    reason = _reason(number, severity, because)
    return Citation(_number(number), severity, rule, status, basis="refusal", because=reason)


def _number(number: str | None) -> str | None:
    if number is not None and " " in number:
        raise ValueError(f"{number!r}: a row cites the number and nothing else; a source belongs to the statement")
    return number


def _reason(number: str | None, severity: Severity | Silence | None, because: str) -> str:
    if isinstance(severity, Severity) == (not because):
        raise ValueError(f"{number}: a severity other than the statement's has its reason in `because`, and only that")
    return because


def need(
    node: Node, citation: Citation | Citations | None = None, /, *, only: When | None = None, **more: Any
) -> Field:
    """A required field.

    `citation`: how all violations are reported, or `{kind: how}`. `more`: the same as `kind=cite(...)`;
    `unless=when(...)`: where it may be missing; `also=("other_spelling",)`.
    """
    return _field(node, "need", citation, only, more)


def should(
    node: Node, citation: Citation | Citations | None = None, /, *, only: When | None = None, **more: Any
) -> Field:
    """A required field whose absence harms no client, or was observed: its absence is a warning."""
    return _field(node, "should", citation, only, more)


def may(node: Node, citation: Citation | Citations | None = None, /, *, only: When | None = None, **more: Any) -> Field:
    """An optional field. `null=cite(...)`: null is not the same as leaving it out."""
    return _field(node, "may", citation, only, more)


def foreign(citation: Citation, /, *, only: When | None = None, **instead: str) -> Mapping[str, Field]:
    """Fields of related APIs, with what to use instead: `foreign(cite(...), input="`messages`")`."""
    return {name: _field(Foreign(each), "may", citation, only, {}) for name, each in instead.items()}


def first(*rows: Field) -> Field:
    """Rows for one field: the first one applies whose `only` is true, or that has no `only`."""
    return dataclasses.replace(rows[0], others=rows[1:])


def _field(
    node: Node,
    presence: Literal["need", "should", "may"],
    citation: Citation | Citations | None,
    only: When | None,
    more: dict[str, Any],
) -> Field:
    unless, also = more.pop("unless", None), more.pop("also", ())
    by_kind = {**citations(citation), **more}
    null_has_citation = False if "null" in by_kind else None
    return Field(node, presence, null=null_has_citation, citations=by_kind, only=only, unless=unless, also=also)


def citations(citation: Citation | Citations | None) -> Citations:
    """The facts by kind, whether given for all kinds or by kind."""
    return {"": citation} if isinstance(citation, Citation) else citation or {}


def obj(*parts: Object | Citation | Citations | Relation | Closed | Mapping[str, Field], **fields: Field) -> Object:
    """An object with its rows.

    `parts`: another object, whose rows it includes; `Citation` or `{kind: Citation}` for everything in it; relations;
    `closed`; and `{name: row}` for names that are not Python identifiers.
    """
    rows: dict[str, Field] = {}
    citations: dict[str, Citation] = {}
    relations: list[Relation] = []
    is_closed: bool | When = False
    for part in parts:
        if isinstance(part, Object):
            rows |= {each.name: each for each in part.fields}
            citations |= part.citations
            relations += part.relations
            is_closed = part.closed or is_closed
        elif isinstance(part, Citation):
            citations[""] = part
        elif isinstance(part, Relation):
            relations.append(part)
        elif isinstance(part, Closed):
            is_closed = part.only or True
        else:
            for name, each in part.items():
                if isinstance(each, Citation):
                    citations[name] = each
                else:
                    rows[name] = each
    rows |= fields
    named = tuple(_named(name, row) for name, row in rows.items())
    return Object(named, tuple(relations), is_closed, citations)


def _named(name: str, row: Field) -> Field:
    return dataclasses.replace(row, name=name, others=tuple(_named(name, each) for each in row.others))


def only(node: Object, *names: str) -> Object:
    """The object with the rows of these names only, and without its relations: for an endpoint that takes fewer."""
    fields = tuple(each for each in node.fields if each.name in names)
    return dataclasses.replace(node, fields=fields, relations=())


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
