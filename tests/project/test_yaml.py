"""No mapping in the project's YAML has a key twice: PyYAML keeps the last one and says nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
import yaml

from devtools.places import ROOT

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FILES = sorted(path for folder in ("conformance", "specs", "tests/data") for path in (ROOT / folder).rglob("*.yaml"))


def twice(text: str) -> Iterator[str]:
    """The keys that a mapping has twice, with their lines."""
    waiting = list(yaml.compose_all(text, Loader=_LOADER))
    while waiting:
        node = waiting.pop()
        if isinstance(node, yaml.MappingNode):
            keys = Counter(key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode))
            yield from (f"{node.start_mark.line + 1}: {key}" for key, times in keys.items() if times > 1)
            waiting += [each for pair in node.value for each in pair]
        elif isinstance(node, yaml.SequenceNode):
            waiting += node.value


@pytest.mark.parametrize("folder", ["conformance", "specs", "tests/data"])
def test_no_mapping_has_a_key_twice(folder: str) -> None:
    files = [path for path in FILES if path.is_relative_to(ROOT / folder)]
    assert files
    assert {str(path): found for path in files if (found := list(twice(path.read_text(encoding="utf-8"))))} == {}


def test_a_key_that_stands_twice_is_found_wherever_it_is() -> None:
    assert list(twice("a: [{b: 1, c: 2, b: 3}]\n")) == ["1: b"]
    assert list(twice("a: {b: 1}\nc: {b: 2}\n")) == []
