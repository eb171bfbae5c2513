"""The quick admission of values, by a JSON Schema that is compiled from a contract.

It is compiled as draft 4, the only draft in which 12.0 is not an integer, so that it is never less strict than `check`:
a value that it admits has no violation. A value that it does not admit may also have none.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Any

from conformance.contract.compiling import schema_of
from conformance.contract.nodes import Array, Cases, Later, Node, Object, Switch
from conformance.contract.resolving import inside
from conformance.profiles.schema_work import size_of

if TYPE_CHECKING:
    import jsonschema_rs

_WORTH = 2_000
"""How many JSON values `check` has judged by the time that a schema could have been compiled and have judged them.

For a validator that had to be dropped it is the size of its schema: they compete for room, and the large ones take most
of it.
"""


_MOST_COMPILED = 150_000
"""How many JSON values the schemas have together whose validators are kept; each takes about 500 bytes."""
_COMPILED: OrderedDict[Admission, int] = OrderedDict()
"""The admissions with a validator, the one used longest ago first, and the size of its schema."""


class Admission:
    """Whether values have no violation, by a schema that is compiled at its first use."""

    def __init__(self, node: Node) -> None:
        self._node = node
        self._offered = 0
        self._worth = _WORTH
        self._validator: jsonschema_rs.Draft4Validator | None = None

    def admits(self, value: Any) -> bool:
        """Whether the value has no violation; also False if that is not known."""
        return self.admits_all([value])

    def admits_all(self, values: list[Any]) -> bool:
        """The same for many values, such as the events of a stream, in one call."""
        validator = self._validator or self._compiled()
        _COMPILED.move_to_end(self)
        try:
            return validator.is_valid(values)
        except ValueError:  # not JSON, or half of a surrogate pair
            return False

    def _compiled(self) -> jsonschema_rs.Draft4Validator:
        """The validator of a list of values. Those that were used longest ago make room for it."""
        import jsonschema_rs  # a tenth of the time of a verdict about one exchange, which may not need it

        one = schema_of(self._node, shared=_shared(self._node))
        schema = {"type": "array", "$defs": one.pop("$defs", {}), "items": one}
        validator = self._validator = jsonschema_rs.Draft4Validator(schema)
        _COMPILED[self] = size_of(schema)
        while len(_COMPILED) > 1 and sum(_COMPILED.values()) > _MOST_COMPILED:
            forgotten, size = _COMPILED.popitem(last=False)
            forgotten.forget(size)
        return validator

    def forget(self, size: int) -> None:
        """Drops the validator, until so many values were judged again that compiling one of this size pays."""
        self._worth = max(_WORTH, size)
        self._validator = None
        self._offered = 0

    def passes(self, value: Any) -> bool:
        """As `admits`, but not known until the values together are large enough to be worth the compilation."""
        return self._pays(value) and self.admits(value)

    def all_pass(self, values: list[Any]) -> bool:
        """As `admits_all`, but not known until the values together are large enough to be worth the compilation."""
        return self._pays(values) and self.admits_all(values)

    def _pays(self, value: Any) -> bool:
        if self._offered < self._worth:
            self._offered += size_of(value, self._worth)
        return self._offered >= self._worth


def _shared(root: Node) -> set[int]:
    """The objects that a schema has several times: without references, it is a hundred times larger.

    A node can occur several times in a tree, under several spellings of a field, or as an item and in its place.
    """
    found: set[int] = set()
    seen: set[int] = set()
    waiting = [(root, False)]
    while waiting:
        node, again = waiting.pop()
        once = isinstance(node, (Object, Switch, Cases))
        again = again or id(node) in seen
        if again and once:
            found.add(id(node))
        if id(node) in seen:
            continue
        seen.add(id(node))
        repeated = {id(each.node) for each in node.fields if each.also} if isinstance(node, Object) else set()
        twice = (again and not once) or (isinstance(node, Array) and node.single)
        inner = [node.node()] if isinstance(node, Later) else inside(node)
        waiting.extend((each, twice or id(each) in repeated) for each in inner)
    return found
