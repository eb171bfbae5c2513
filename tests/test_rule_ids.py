"""Rule ids: `<prefix>-<object>-<defect>`, with a closed list of defects; and faults of a stream that a rule tells."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from pathlib import Path

import pytest

import conformance.dialects
from conformance.judge.rule_ids import DEFECTS, defect_of
from tests.conftest import ROOT

DIALECTS = Path(conformance.dialects.__file__).parent
GRAMMARS = sorted(path.parent.name for path in DIALECTS.glob("*/grammar.py"))


@pytest.mark.parametrize("folder", GRAMMARS)
def test_every_fault_of_a_stream_is_told_by_one_rule(folder: str) -> None:
    rules = "".join(path.read_text(encoding="utf-8") for path in (DIALECTS / folder).glob("rules*.py"))
    told = Counter(re.findall(r"hits\(view, Fault\.(\w+)\)", rules))
    faults = importlib.import_module(f"conformance.dialects.{folder}.grammar").Fault
    assert told == {fault.name: 1 for fault in faults}


def test_the_defect_of_an_id_is_its_last_words() -> None:
    assert defect_of("chat-request-field-wrong-type") == "wrong-type"
    assert defect_of("chat-request-value-out-of-range") == "out-of-range"
    assert defect_of("chat-wrong") == "wrong"
    assert defect_of("chat-field-type") is None
    assert defect_of("missing") is None


def test_the_documentation_lists_the_defects() -> None:
    text = (ROOT / "docs" / "writing.md").read_text(encoding="utf-8")
    section = text.partition("### Rule ids")[2].partition("\n## ")[0]
    assert dict(re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", section, re.MULTILINE)) == dict(DEFECTS)
    assert len(DEFECTS) <= 35
