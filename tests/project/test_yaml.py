"""No mapping in the project's YAML has a key twice: PyYAML keeps the last one and says nothing."""

from __future__ import annotations

import pytest
import yaml

from conformance.model.yaml_problems import meaning_problems
from devtools.places import ROOT

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FILES = sorted(path for folder in ("conformance", "specs", "tests/data") for path in (ROOT / folder).rglob("*.yaml"))


def twice(text: str) -> list[str]:
    """The keys that a mapping has twice, each with the line where it stands again."""
    nodes = yaml.compose_all(text, Loader=_LOADER)
    problems = (problem for node in nodes for problem in meaning_problems(node, dates=True))
    return [f"{each.line}: {each.message}" for each in problems if "twice" in each.message]


@pytest.mark.parametrize("folder", ["conformance", "specs", "tests/data"])
def test_no_mapping_has_a_key_twice(folder: str) -> None:
    files = [path for path in FILES if path.is_relative_to(ROOT / folder)]
    assert files
    assert {str(path): found for path in files if (found := twice(path.read_text(encoding="utf-8")))} == {}


def test_a_key_that_stands_twice_is_found_wherever_it_is() -> None:
    assert twice("a: [{b: 1, c: 2, b: 3}]\n") == ["1: the key `b` is here twice, first in line 1"]
    assert twice("a: {b: 1}\nc: {b: 2}\n") == []
