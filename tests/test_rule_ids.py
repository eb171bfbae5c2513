"""Rule ids: `<prefix>-<object>-<defect>`, with a closed list of defects; and faults of a stream that a rule tells."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from pathlib import Path

import pytest

import conformance.dialects
from conformance.judge.renames import renames, retired
from conformance.judge.rule import Rule, all_rules
from conformance.judge.rule_ids import DEFECTS, defect_of
from conformance.judge.run_rules import RUN_RULES
from conformance.model.registry import dialects_in
from tests.conftest import ROOT

DIALECTS = Path(conformance.dialects.__file__).parent
GRAMMARS = sorted(path.parent.name for path in DIALECTS.glob("*/grammar.py"))


IDS = (*all_rules(), *RUN_RULES)


def folder_of(rule: Rule) -> str:
    """The folder of the dialect in which the rule lies; empty for neutral rules."""
    package = rule.judge.__module__.removeprefix("conformance.")
    return package.split(".")[1] if package.startswith("dialects.") else ""


def prefixes() -> dict[str, Counter[str]]:
    """The first words of the ids in each dialect's folder, of rules that judge no dialect of another folder."""
    found: dict[str, Counter[str]] = {}
    for rule in all_rules().values():
        if folder_of(rule) and rule.dialects and {*rule.dialects} <= {*dialects_in(rule.judge.__module__)}:
            found.setdefault(folder_of(rule), Counter())[rule.id.partition("-")[0]] += 1
    return found


@pytest.mark.parametrize("rule", IDS)
def test_an_id_ends_in_a_word_for_the_defect_and_names_what_is_at_fault(rule: str) -> None:
    defect = defect_of(rule)
    assert defect, f"{rule} ends in no word of conformance/judge/rule_ids.py"
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", rule.removesuffix(f"-{defect}"))


@pytest.mark.parametrize("defect", DEFECTS)
def test_every_word_for_a_defect_is_in_use(defect: str) -> None:
    assert defect in map(defect_of, IDS)


def test_the_rules_of_a_folder_have_a_prefix_of_their_own() -> None:
    assert {folder: len(words) for folder, words in prefixes().items()} == dict.fromkeys(prefixes(), 1)
    owners = {word: folder for folder, words in prefixes().items() for word in words}
    assert len(owners) == len(prefixes()) >= 10
    for rule in all_rules().values():
        assert owners.get(rule.id.partition("-")[0], folder_of(rule)) == folder_of(rule), rule.id
    assert not [rule for rule in RUN_RULES if rule.partition("-")[0] in owners]


def test_no_id_is_a_former_one_and_every_former_one_leads_to_a_rule() -> None:
    assert len(IDS) == len(set(IDS))
    assert set(IDS) & renames().keys() == set()
    assert set(renames().values()) - set(IDS) == set()
    assert renames()["chat-error-shape"] == "chat-error-malformed"


def test_a_retired_id_is_no_rule_and_leads_to_none() -> None:
    assert "response-schema-mismatch" in retired()
    assert retired().keys() & {*IDS, *renames(), *renames().values()} == set()


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
