"""Where the document of a provider and the contract of a format differ, as the rows of `specs/documented`.

Both are walked together. Where only the owner's document has a limit, a violation becomes an info; what the provider's
document has is allowed, and nothing else is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from conformance.contract import Contract, Situation
from conformance.contract.nodes import Cases, Field, Foreign, Later, Node, Switch, Union
from conformance.contract.resolving import takes_null
from devtools.documents.documented import Documented
from devtools.documents.ruled import Ruled
from devtools.vendors.notation import bounds_of, described, object_of, schema_of

Row = dict[str, Any]

_DEEPEST = 9
_POLICY = (None, 0, 1)
"""The lower limits that hold everywhere: what counts is not negative, what names is not empty."""


def rows(contract: Contract, profile: str, published: Documented, owners: Documented) -> list[Row]:
    """The rows of one body of a provider, in the order of the contract, then of the document.

    `owners` is what the owner of the format documents: a field that it does not have, the provider cannot lack.
    """
    bare = contract.beside(contract.node)
    node = bare.resolved(Situation(provider=profile)).node
    return list(_Walk(contract).at(_Place("", published, _plainly([node]), owners)))


@dataclass(frozen=True)
class _Place:
    """A place in the contract and in both documents; `text` is what the provider's document writes about it.

    `shared`: the document has one object for several kinds, so that what is optional in it may be needed in one.
    """

    at: str
    published: Documented
    ruled: Ruled
    owners: Documented
    text: str = ""
    keys: frozenset[str] = frozenset()
    shared: bool = False
    depth: int = 0


class _Walk:
    def __init__(self, contract: Contract) -> None:
        self._subject = contract.subject
        self._reply = contract.side == "reply"

    def _row(self, at: str, difference: str, **what: Any) -> Row:
        return {"at": f"{self._subject} {at}", "difference": difference, **what}

    def at(self, here: _Place) -> Iterator[Row]:
        """The rows of one place and what lies in it."""
        at, published, ruled = here.at, here.published, here.ruled
        if ruled.is_anything or not published.types or here.depth > _DEEPEST:
            return
        documented, there = published.types - {"null"}, _types(ruled)
        compound = _is_compound(ruled) and (published.objects or published.items.objects)
        if at and (there - documented or (documented - there and not compound)):
            yield self._row(at, "type", allows=schema_of(published, reply=self._reply, text=here.text))
            return
        if at and documented - there:
            extra = Documented(tuple(each for each in published.choices if each.type in documented - there))
            yield self._row(at, "type", accepts=schema_of(extra, reply=self._reply))
        if at and (changed := _narrower(here, reply=self._reply)):
            yield self._row(at, changed, allows=schema_of(published, reply=self._reply, text=here.text))
            return
        if at and (kinds := _unlimited(here, reply=self._reply)):
            yield self._row(at, "limit", eases=kinds, severity="info")
        if ruled.arrays and published.items.choices:
            items = _plainly([each.items for each in ruled.arrays])
            inner = self.at(_Place(f"{at}/*", published.items, items, here.owners.items, depth=here.depth + 1))
            yield from inner if _is_compound(ruled) else self._of_array(here, list(inner))
        if ruled.maps and published.values.choices and not ruled.objects:
            values = _plainly([each.values for each in ruled.maps])
            inner = self.at(_Place(f"{at}/*", published.values, values, here.owners.values, depth=here.depth + 1))
            yield from self._of_array(here, list(inner))
        if ruled.switches and published.objects:
            yield from self._switch(here)
        elif ruled.objects and published.objects:
            yield from self._fields(here)

    def _of_array(self, here: _Place, items: list[Row]) -> Iterator[Row]:
        """The rows of plain items or values, as rows of their array or map: that is where a field is."""
        for row in items[:1]:
            whole = {"allows": schema_of(here.published, reply=self._reply, text=here.text)} if "allows" in row else {}
            yield {**row, "at": f"{self._subject} {here.at}", **whole}

    def _switch(self, here: _Place) -> Iterator[Row]:
        published = here.published
        key = here.ruled.switches[0].key
        switches = [each for each in here.ruled.switches if each.key == key]
        tags = published.tags(key)
        words = dict.fromkeys(word for each in switches for word, _ in each.cases)
        if not tags:
            yield from self._untold(here, key, switches)
            return
        for word in words:
            nodes = _plainly([node for each in switches for case, node in each.cases if case == word])
            where = f"{here.at}:{word}"
            if word in tags and not nodes.is_foreign:
                untold = published.tagged(key, None).choices  # those may be of any kind
                kind = Documented((*published.tagged(key, word).choices, *untold))
                shared = bool(untold) or any(len(each.words(key)) > 1 for each in kind.objects)
                owners, keys = here.owners.tagged(key, word), frozenset({key})
                place = _Place(where, kind, nodes, owners, keys=keys, shared=shared, depth=here.depth)
                yield from self._fields(place)
            elif not nodes.is_foreign and not _is_open(published, key) and not self._reply:
                yield self._row(where, "lacks", undocumented="error")
        for word in (each for each in tags if each not in words):
            made = object_of(published.tagged(key, word), reply=self._reply)
            made["properties"].pop(key, None)
            made["required"] = [each for each in made.get("required", ()) if each != key]
            yield self._row(f"{here.at}:{word}", "adds", allows=made)
        if published.may_lack(key) and not any(each.absent for each in switches) and len(tags) == 1:
            yield self._row(f"{here.at}/{key}", "required", assumes=tags[0])

    def _untold(self, here: _Place, key: str, switches: Sequence[Switch]) -> Iterator[Row]:
        """The rows of kinds that the document does not tell apart: it has one object, with the fields of all."""
        cases = {word: _plainly([node]) for each in switches for word, node in each.cases}
        every = frozenset(row.name for nodes in cases.values() for each in nodes.objects for row in each.fields)
        for word, nodes in cases.items():
            own = {row.name for each in nodes.objects for row in each.fields}
            if own & set(here.published.field_names()) - here.keys:
                others = frozenset({key}) | (every - own)
                owners = here.owners.tagged(key, word)
                place = _Place(f"{here.at}:{word}", here.published, nodes, owners, keys=others, shared=True)
                found = self._fields(replace(place, depth=here.depth))
                yield from (row for row in found if row["difference"] != "lacks")

    def _fields(self, here: _Place) -> Iterator[Row]:
        published, owners = here.published, here.owners
        own = {row.name: row for each in reversed(here.ruled.objects) for row in each.fields}
        spelled = {other for row in own.values() for other in row.also}
        for name, row in own.items():
            where = f"{here.at}/{name}"
            if name in here.keys or isinstance(row.node, Foreign):
                continue
            if name not in published.field_names():
                yield from self._lacking(where, row, owners)
                continue
            yield from self._presence(where, here, row)
            text = " ".join(described(published, name))
            if self._reply and published.requires(name) and _loses_null(published.field(name), row):
                yield self._row(where, "type", allows=schema_of(published.field(name), reply=True, text=text))
                continue
            inner = _Place(where, published.field(name), _plainly([row.node]), owners.field(name), text)
            yield from self.at(replace(inner, depth=here.depth + 1))
        for name in published.field_names():
            found = own.get(name)
            if name not in here.keys and name not in spelled and (found is None or isinstance(found.node, Foreign)):
                text = " ".join(described(published, name))
                made = schema_of(published.field(name), reply=self._reply, text=text)
                needed = {"required": True} if published.requires(name) else {}
                yield self._row(f"{here.at}/{name}", "adds", allows=made, **needed)

    def _lacking(self, where: str, row: Field, owners: Documented) -> Iterator[Row]:
        if not self._reply and row.name in owners.field_names():
            yield self._row(where, "lacks", undocumented="info")
        elif self._reply and row.presence == "need":
            yield self._row(where, "lacks", eases=["missing"], severity=_eased(row))

    def _presence(self, where: str, here: _Place, row: Field) -> Iterator[Row]:
        required = here.published.requires(row.name)
        if required and (row.presence == "may" or (not self._reply and _is_mild(row))):
            yield self._row(where, "required", required=True)
        elif not required and row.presence == "need" and not here.shared:
            # An SDK has the same type for a field of a reply that is null and for one that is not there.
            eased = {"eases": ["missing"], "severity": _eased(row)}
            yield self._row(where, "required", **(eased if self._reply else {"required": False}))


def _is_mild(row: Field) -> bool:
    """Whether the contract reports a missing field as less than an error, because servers differ."""
    return "missing" in row.citations and row.citations["missing"].severity is not None


def _loses_null(published: Documented, row: Field) -> bool:
    """Whether only the contract lets a plain value be null."""
    return takes_null(row.node) and "null" not in published.types and not _is_compound(_plainly([row.node]))


def _eased(row: Field) -> str:
    """How severe it stays that a field of a reply is missing.

    With a statement of its own, or where a strict client is known to fail, clients need it.
    """
    found = [each for kind, each in row.citations.items() if kind in ("", "missing")]
    return "warning" if any(each.number or each.breaks for each in found) else "info"


def _narrower(here: _Place, *, reply: bool) -> str:
    """Whether the document has another list or another range; empty if not."""
    words, ruled = set(here.published.words), here.ruled
    differs = words != set(ruled.words) if reply or here.published.is_closed else words - set(ruled.words)
    if words and differs and ruled.texts and (ruled.is_listed or here.published.is_closed or reply):
        return "values"
    bounds = bounds_of(here.published, here.text) if ruled.numbers else {}
    own = {(each.low, each.high) for each in ruled.numbers}
    return "range" if bounds and own != {(bounds.get("minimum"), bounds.get("maximum"))} else ""


def _unlimited(here: _Place, *, reply: bool) -> list[str]:
    """The kinds of limits that the contract has and the document has not, unless its description names them.

    Those of numbers in replies are no choice of the owner: a count is not negative, a byte is at most 255.
    """
    published, ruled, kinds = here.published, here.ruled, []
    if ruled.is_closed and "string" in published.types and not published.is_closed:
        kinds.append("value")
    bounds = [bound for each in ruled.numbers for bound in (each.low, each.high) if bound not in _POLICY]
    if not reply and bounds and not bounds_of(published, here.text) and not _names(here.text, bounds):
        kinds.append("range")
    for each in ruled.texts:
        limits = [each.most] if each.most is not None else [64] if "64" in each.pattern else []
        stated = published.pattern or published.bound("maxLength") is not None or _names(here.text, limits)
        if (limits or each.pattern) and not stated:
            kinds += ["pattern", "length"] if each.pattern else ["length"]
    most = [each.most for each in ruled.arrays if each.most is not None]
    if most and published.bound("maxItems") is None and not _names(here.text, most):
        kinds.append("count")
    return list(dict.fromkeys(kinds))


def _is_open(published: Documented, key: str) -> bool:
    """Whether objects with any other string under the key are documented, too."""
    return any(
        choice.type == "string" and "enum" not in choice.schema
        for each in published.objects
        for choice in each.within(each.fields.get(key, {})).choices()
    )


def _plainly(nodes: Sequence[Node]) -> Ruled:
    """The alternatives; of those that conditions choose between, the one that is left over."""
    return Ruled(tuple(_laid_out(nodes)))


def _laid_out(nodes: Sequence[Node]) -> Iterator[Node]:
    for node in nodes:
        if isinstance(node, Union):
            yield from _laid_out(node.choices)
        elif isinstance(node, Later):
            yield from _laid_out([node.node()])
        elif isinstance(node, Cases):
            yield from _laid_out([node.otherwise])
        else:
            yield node


def _types(ruled: Ruled) -> frozenset[str]:
    found = ruled.types - {"null"}
    return found - {"number"} if "integer" in found else found


def _is_compound(ruled: Ruled) -> bool:
    inner = _plainly([each.items for each in ruled.arrays])
    return bool(ruled.objects or ruled.switches or inner.objects or inner.switches)


def _names(text: str, limits: Sequence[float]) -> bool:
    """Whether a description names each of the limits."""
    words = {each.rstrip(".") for each in re.findall(r"[\d.]+", text)}
    return bool(limits) and all(words & {f"{abs(each):g}", f"{abs(each):.1f}"} for each in limits)
