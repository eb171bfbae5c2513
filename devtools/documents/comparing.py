"""A contract held against the documents, place by place: both are walked together, so that what contains itself ends.

A place is a JSON pointer with `*` for any item or key, and `:word` for the objects that have that string as their tag.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from conformance.contract import Contract
from conformance.contract.nodes import Field, Foreign, Map, Node, Object
from devtools.documents.documented import Documented
from devtools.documents.explained import CITED, LEAST, OPEN, POLICY, SISTER, VENDOR, explained, of_owner
from devtools.documents.limits import limits
from devtools.documents.lines import Kind, Line
from devtools.documents.ruled import Ruled, rows_of

_DEEPEST = 8


class Comparison:
    """Compares one contract with what the documents say of its body; `vendors` is what others have beyond that."""

    def __init__(self, dialect: str, contract: Contract, vendors: Documented | None = None) -> None:
        self._dialect = dialect
        self._vendors = paths(vendors) if vendors is not None else frozenset()
        self._contract = contract
        self._seen: set[tuple[frozenset[int], frozenset[int]]] = set()

    def lines(self, published: Documented, node: Node | None = None) -> Iterator[Line]:
        """Every difference, each pair of descriptions at the first place where they meet."""
        yield from self._at("", published, Ruled.of([self._contract.node if node is None else node]))

    def _line(self, place: str, kind: Kind, text: str, because: str = "") -> Line:
        return Line(self._dialect, self._contract.subject, place, kind, text, because)

    def _at(self, place: str, published: Documented, ruled: Ruled) -> Iterator[Line]:
        pair = frozenset(id(each.schema) for each in published.choices), frozenset(map(id, ruled.nodes))
        if pair in self._seen or ruled.is_anything or not published.types:
            return
        self._seen.add(pair)
        yield from self._types(place, published, ruled)
        yield from self._words(place, published, ruled)
        for kind, text in limits(published, ruled):
            yield self._line(place, kind, text, POLICY if text in LEAST else "")
        if ruled.arrays:
            yield from self._at(f"{place}/*", published.items, Ruled.of(each.items for each in ruled.arrays))
        yield from self._objects(place, published, ruled, frozenset())

    def _of_vendor(self, place: str) -> str:
        return VENDOR if re.sub(r":[^/]+", "", place) in self._vendors else ""

    def _types(self, place: str, published: Documented, ruled: Ruled) -> Iterator[Line]:
        there = ruled.types
        for name in sorted(published.types - there - {"null"}):
            if name != "integer" or "number" not in there:
                yield self._line(place, "type", f"{name} is documented, the contract has {_listed(there)}")
        for name in sorted(there - published.types - {"null"}):
            if name != "number" or "integer" not in published.types or "integer" in there:
                yield self._line(place, "type", f"{name} is in the contract, documented is {_listed(published.types)}")

    def _words(self, place: str, published: Documented, ruled: Ruled) -> Iterator[Line]:
        documented, there = set(published.words), set(ruled.words)
        if ruled.is_listed:
            folded = {each.upper() for text in ruled.texts if text.folded for each in text.words}
            for word in sorted(each for each in documented - there if each.upper() not in folded):
                yield self._line(place, "value undescribed", word)
            if ruled.is_closed and not published.is_closed and "string" in published.types:
                yield self._line(place, "list", "any string is documented, the contract has a closed list")
        elif documented and published.is_closed and ruled.texts:
            yield self._line(place, "list", "a closed list is documented, the contract takes any string")
        if documented:
            yield from (self._line(place, "value undocumented", each) for each in sorted(there - documented))

    def _objects(self, place: str, published: Documented, ruled: Ruled, keys: frozenset[str]) -> Iterator[Line]:
        if ruled.switches:
            yield from self._switch(place, published, ruled, keys)
        elif ruled.objects or ruled.maps:
            if published.objects:
                yield from self._fields(place, published, ruled.objects, keys, is_map=bool(ruled.maps))
            elif published.open_objects and not published.values.choices:
                for name, rows in rows_of(ruled.objects).items():
                    yield self._line(f"{place}/{name}", "field undocumented", "", explained(rows) or OPEN)
            yield from self._map(place, published, ruled.maps)

    def _map(self, place: str, published: Documented, maps: Sequence[Map]) -> Iterator[Line]:
        if maps and published.values.choices:
            yield from self._at(f"{place}/*", published.values, Ruled.of(each.values for each in maps))

    def _switch(self, place: str, published: Documented, ruled: Ruled, keys: frozenset[str]) -> Iterator[Line]:
        key = ruled.switches[0].key
        switches = [each for each in ruled.switches if each.key == key]
        others = [each for each in ruled.nodes if each not in switches]
        otherwise = [each.otherwise for each in switches if each.otherwise is not None]
        words = dict.fromkeys(word for each in switches for word, _ in each.cases)
        tags, known = published.tags(key), keys | {key}
        absent = {each.absent for each in switches} - {None}
        if not (published.objects and (tags or not published.open_objects)):
            return  # the documents do not tell these apart
        for word in words:
            nodes = Ruled.of(node for each in switches for case, node in each.cases if case == word)
            if tags and word not in tags and not (word in absent and published.tagged(key, None).objects):
                yield self._line(f"{place}:{word}", "case undocumented", "", SISTER if nodes.is_foreign else "")
                continue
            narrowed = published.tagged(key, word) if word in tags or not tags else published.tagged(key, None)
            if word in absent and word in tags:
                narrowed = Documented((*narrowed.choices, *published.tagged(key, None).choices))
            yield from self._objects(f"{place}:{word}", narrowed, nodes, known)
        rest = Ruled.of([*otherwise, *others])
        for word in (each for each in tags if each not in words):
            if rest.objects or rest.switches:
                yield from self._objects(f"{place}:{word}", published.tagged(key, word), rest, keys)
            else:
                yield self._line(f"{place}:{word}", "case undescribed", "")
        if tags and not absent and (rest.objects or rest.switches) and published.tagged(key, None).objects:
            yield from self._objects(place, published.tagged(key, None), rest, keys)
        if not absent and tags and published.may_lack(key):
            yield self._line(f"{place}/{key}", "required", "the contract requires it, no document does")

    def _fields(
        self, place: str, published: Documented, objects: Sequence[Object], keys: frozenset[str], *, is_map: bool
    ) -> Iterator[Line]:
        rows = rows_of(objects)
        spellings = {other: name for name, each in rows.items() for row in each for other in row.also}
        documented = published.field_names()
        for name in documented:
            if name not in rows and spellings.get(name) not in rows and name not in keys and not is_map:
                yield self._line(f"{place}/{name}", "field undescribed", _listed(published.field(name).types))
        for name, every in rows.items():
            where = f"{place}/{name}"
            if name in keys:
                continue
            if name not in documented:
                because = explained(every) or (OPEN if published.open_objects else "") or self._of_vendor(where)
                yield self._line(where, "field undocumented", _listed(Ruled.of([every[0].node]).types), because)
                continue
            asked = of_owner(every, self._contract.official) or every
            ruled = Ruled.of(each.node for each in asked if not isinstance(each.node, Foreign))
            if not ruled.nodes:
                yield self._line(where, "field undescribed", "the contract refuses it")
                continue
            yield from self._presence(where, published, name, asked, in_all=len(every) >= len(objects))
            if self._contract.side == "reply" and not _takes_null(asked) and "null" in published.field(name).types:
                yield self._line(where, "null", "null is documented")
            yield from self._at(where, published.field(name), ruled)

    def _presence(
        self, where: str, published: Documented, name: str, rows: Sequence[Field], *, in_all: bool
    ) -> Iterator[Line]:
        if published.requires(name) and all(each.presence == "may" for each in rows):
            yield self._line(where, "required", "every document requires it, the contract does not")
        if published.may_lack(name) and in_all and all(_is_needed(each) for each in rows):
            because = CITED if explained(rows) == CITED else ""
            yield self._line(where, "required", "the contract requires it, no document does", because)


def paths(published: Documented, at: str = "", depth: int = 0) -> frozenset[str]:
    """The places of all documented fields, down to some depth."""
    found = {f"{at}/{name}" for name in published.field_names()}
    if depth < _DEEPEST:
        found |= {
            path for name in published.field_names() for path in paths(published.field(name), f"{at}/{name}", depth + 1)
        }
        if published.items.choices:
            found |= paths(published.items, f"{at}/*", depth + 1)
    return frozenset(found)


def _is_needed(row: Field) -> bool:
    return row.presence == "need" and row.only is None and row.unless is None


def _takes_null(rows: Sequence[Field]) -> bool:
    ruled = Ruled.of(each.node for each in rows)
    return ruled.is_anything or "null" in ruled.types or any(each.null for each in rows)


def _listed(names: frozenset[str]) -> str:
    return " or ".join(sorted(names)) or "anything"
