"""Reads YAML as plain data: it builds no objects, looks up no names, and refuses alias bombs.

The tree is composed here and not by PyYAML, whose composer recurses in C and crashes the process on deep
nesting. The composer here also adds up the size of aliases: they are legal and cheap (vcrpy writes them for repeated
values), but a value that would expand to an excessive size is refused, because code may iterate over it later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import field
from typing import Any

import yaml

from conformance.errors import ConformanceError
from conformance.model.frozen import dataclass

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)

_PREFIX = "tag:yaml.org,2002:"
_DEEPEST = 400
_UNFOLDED_AT_LEAST = 16 << 20
_UNFOLDED_FACTOR = 10
_NODE_WEIGHT = 16
_CORE_BOOLEAN = re.compile(r"(?:true|True|TRUE|false|False|FALSE)$")


class _Loader(_Base):  # type: ignore[misc]
    """PyYAML's safe loader, which also reads the harmless tags that recorders write, as plain values."""


# A date, or a single `=`, stays the text that it was on the wire: JSON has neither type.
_Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag not in (f"{_PREFIX}timestamp", f"{_PREFIX}value")]
    for first, resolvers in _Base.yaml_implicit_resolvers.items()
}


class _CoreLoader(_Loader):
    """The same with the booleans of YAML 1.2, in which `no` and `on` are text."""


_CoreLoader.yaml_implicit_resolvers = {
    first: [(tag, _CORE_BOOLEAN if tag == f"{_PREFIX}bool" else pattern) for tag, pattern in resolvers]
    for first, resolvers in _Loader.yaml_implicit_resolvers.items()
}


def _scalar(loader: Any, node: Any) -> Any:
    return loader.construct_scalar(node)


def _first_argument(loader: Any, node: Any) -> Any:
    """The one argument of an object's constructor: a case-insensitive header name, as aiohttp's recorders dump it."""
    values = loader.construct_sequence(node, deep=True)
    return str(values[0]) if values else ""


def _buffer(loader: Any, node: Any) -> Any:
    """The content of a dumped `BytesIO`."""
    state = loader.construct_mapping(node, deep=True).get("state")
    return state[0] if isinstance(state, (list, tuple)) and state else b""


def _iterated(loader: Any, node: Any) -> Any:
    """The items of a dumped iterator, as a list."""
    arguments = loader.construct_mapping(node, deep=True).get("args")
    return arguments[0] if isinstance(arguments, (list, tuple)) and arguments else []


for _tag, _construct in {
    f"{_PREFIX}python/str": _scalar,
    f"{_PREFIX}python/unicode": _scalar,
    f"{_PREFIX}python/tuple": lambda loader, node: tuple(loader.construct_sequence(node, deep=True)),
    f"{_PREFIX}python/object/new:_io.BytesIO": _buffer,
    f"{_PREFIX}python/object/apply:builtins.iter": _iterated,
    f"{_PREFIX}python/object/apply:multidict._multidict.istr": _first_argument,
    f"{_PREFIX}python/object/apply:multidict.istr": _first_argument,
    f"{_PREFIX}python/object/new:multidict._multidict.istr": _first_argument,
    "!binary": yaml.SafeLoader.yaml_constructors[f"{_PREFIX}binary"],
}.items():
    _Loader.add_constructor(_tag, _construct)


def parse(text: bytes, name: str, *, core_booleans: bool = False) -> Any:
    """The value of the only YAML document. With `core_booleans`, only `true` and `false` are booleans, as in YAML 1.2.

    Raises:
        ConformanceError: it is not YAML, is cut off, or contains what is not allowed; the text names the place.
    """
    found = documents(text, name, core_booleans=core_booleans, most=1)
    return found[0] if found else None


def documents(text: bytes, name: str, *, core_booleans: bool = False, most: int = 10_000) -> list[Any]:
    """The values of all YAML documents of a text, of which there may be so many at the `most`.

    Raises:
        ConformanceError: as for `parse`.
    """
    try:
        loader = (_CoreLoader if core_booleans else _Loader)(text)
    except (yaml.YAMLError, UnicodeError) as error:
        raise _refusal(name, error) from None
    try:
        return [loader.construct_document(node) for node in list(_Composer(loader, name).documents(most))]
    except ConformanceError:
        raise
    except yaml.YAMLError as error:
        raise _refusal(name, error) from None
    except (ValueError, TypeError, LookupError, AttributeError, RecursionError, OverflowError) as error:
        # Values that do not fit their tag: `!!int x`, `!!timestamp x`, invalid base64, an unhashable key.
        problem = f"{type(error).__name__}: {error}"
        raise ConformanceError(f"{name}: cannot be read as YAML ({problem})", "record it again") from None
    finally:
        loader.dispose()


def _refusal(name: str, error: Exception) -> ConformanceError:
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error).split("\n", 1)[0]
    where = f"{name}:{mark.line + 1}" if mark is not None else name
    return ConformanceError(f"{where}: invalid or truncated YAML ({problem})", "correct the file or record it again")


@dataclass(slots=True)
class _Open:
    """A sequence or mapping that is being read. `weight` is its size with every alias in it expanded."""

    node: Any
    anchor: str | None
    children: list[Any] = field(default_factory=list)
    weight: int = _NODE_WEIGHT


class _Composer:
    def __init__(self, loader: Any, name: str) -> None:
        self.loader = loader
        self.name = name
        self.anchors: dict[str, tuple[Any, int]] = {}
        self.open: list[_Open] = []
        self.written = 0
        """The weight of everything in the file, without expanded aliases."""

    def documents(self, most: int) -> Iterator[Any]:
        """The root nodes of the documents."""
        root: Any = None
        begun = 0
        while (event := self.loader.get_event()) is not None:
            kind = type(event)
            if kind is yaml.ScalarEvent:
                root = self._close(self._scalar(event), event.anchor, _NODE_WEIGHT + len(event.value)) or root
            elif kind is yaml.AliasEvent:
                root = self._alias(event) or root
            elif kind is yaml.SequenceStartEvent:
                self._begin(yaml.SequenceNode, event)
            elif kind is yaml.MappingStartEvent:
                self._begin(yaml.MappingNode, event)
            elif kind in (yaml.SequenceEndEvent, yaml.MappingEndEvent):
                root = self._end() or root
            elif kind is yaml.DocumentStartEvent:
                begun += 1
                self.anchors.clear()
                if begun > most:
                    raise self._error(
                        event, "contains more than one YAML document", "split it into one file per document"
                    )
            elif kind is yaml.DocumentEndEvent and root is not None:
                yield root
                root = None

    def _scalar(self, event: Any) -> Any:
        tag = event.tag
        if tag is None or tag == "!":
            tag = self.loader.resolve(yaml.ScalarNode, event.value, event.implicit)
        self._admit(tag, event)
        self.written += _NODE_WEIGHT + len(event.value)
        return yaml.ScalarNode(tag, event.value, event.start_mark, event.end_mark, style=event.style)

    def _begin(self, kind: Any, event: Any) -> None:
        tag = event.tag
        if tag is None or tag == "!":
            tag = self.loader.resolve(kind, None, event.implicit)
        self._admit(tag, event)
        if len(self.open) >= _DEEPEST:
            raise self._error(
                event, f"nested more than {_DEEPEST} levels deep", "check that this is a recording of HTTP exchanges"
            )
        self.written += _NODE_WEIGHT
        if event.anchor is not None:
            self.anchors.pop(event.anchor, None)  # until it ends, an alias to it would be a cycle
        self.open.append(_Open(kind(tag, [], event.start_mark, event.end_mark), event.anchor))

    def _end(self) -> Any:
        done = self.open.pop()
        if isinstance(done.node, yaml.MappingNode):
            done.node.value = list(zip(done.children[::2], done.children[1::2], strict=True))
        else:
            done.node.value = done.children
        return self._close(done.node, done.anchor, done.weight)

    def _alias(self, event: Any) -> Any:
        if event.anchor not in self.anchors:
            raise self._error(event, f"alias *{event.anchor} has no anchor before it", "correct the file")
        node, weight = self.anchors[event.anchor]
        return self._close(node, None, weight)

    def _close(self, node: Any, anchor: str | None, weight: int) -> Any:
        """Adds a finished node to its parent; returns it if it is the root."""
        if anchor is not None:
            self.anchors[anchor] = (node, weight)
        if not self.open:
            return node
        holder = self.open[-1]
        holder.children.append(node)
        holder.weight += weight
        if holder.weight > _UNFOLDED_AT_LEAST + _UNFOLDED_FACTOR * self.written:
            raise ConformanceError(
                f"{self.name}: YAML aliases expand to an excessive size", "record it again without aliases"
            )
        return None

    def _admit(self, tag: str, event: Any) -> None:
        if tag not in self.loader.yaml_constructors and tag != f"{_PREFIX}merge":
            short = tag.replace(_PREFIX, "!!")
            raise self._error(
                event, f"tag {short} is not allowed, because it could run code", "record it again with plain values"
            )

    def _error(self, event: Any, problem: str, hint: str) -> ConformanceError:
        return ConformanceError(f"{self.name}:{event.start_mark.line + 1}: {problem}", hint)
