"""Rule ids: `<prefix>-<object>-<defect>`, with a closed list of defects; and faults of a stream that a rule tells."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from enum import Enum
from pathlib import Path

import conformance.dialects
from conformance.judge.rule import Rule, all_rules
from conformance.judge.rule_ids import DEFECTS, defect_of
from conformance.judge.run_rules import run_rules
from conformance.model.data_files import yaml_data
from conformance.model.registry import dialects_in
from devtools.places import ROOT

DIALECTS = Path(conformance.dialects.__file__).parent
GRAMMARS = sorted(path.parent.name for path in DIALECTS.glob("*/grammar.py"))


IDS = (*all_rules(), *run_rules())


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


def test_an_id_ends_in_a_word_for_the_defect_and_names_what_is_at_fault() -> None:
    for rule in IDS:
        defect = defect_of(rule)
        assert defect, f"{rule} ends in no word of conformance/judge/rule_ids.py"
        assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", rule.removesuffix(f"-{defect}")), rule


def test_every_word_for_a_defect_is_in_use() -> None:
    assert set(DEFECTS) - set(map(defect_of, IDS)) == set()


def test_the_rules_of_a_folder_have_a_prefix_of_their_own() -> None:
    assert {folder: len(words) for folder, words in prefixes().items()} == dict.fromkeys(prefixes(), 1)
    owners = {word: folder for folder, words in prefixes().items() for word in words}
    assert len(owners) == len(prefixes()) >= 10
    for rule in all_rules().values():
        assert owners.get(rule.id.partition("-")[0], folder_of(rule)) == folder_of(rule), rule.id
    assert not [rule for rule in run_rules() if rule.partition("-")[0] in owners]


def test_no_id_is_given_twice() -> None:
    assert len(IDS) == len(set(IDS))


def test_every_fault_of_a_stream_is_reported_by_one_rule_of_a_dialect() -> None:
    reported: dict[type[Enum], set[str]] = {}
    for folder in GRAMMARS:
        rules = "".join(path.read_text(encoding="utf-8") for path in (DIALECTS / folder).glob("rules*.py"))
        rows = yaml_data(DIALECTS / folder / "faults.yaml")
        found = Counter(re.findall(r"hits\(view, Fault\.(\w+)\)", rules))
        found.update(row["fault"].upper() for row in rows.values())
        assert set(found.values()) == {1}, folder
        faults = importlib.import_module(f"conformance.dialects.{folder}.grammar").Fault
        reported.setdefault(faults, set()).update(found)  # dialects with the same grammar share its faults
    assert reported == {faults: set(faults.__members__) for faults in reported}


def test_the_defect_of_an_id_is_its_last_words() -> None:
    assert defect_of("chat-request-field-wrong-type") == "wrong-type"
    assert defect_of("chat-request-value-out-of-range") == "out-of-range"
    assert defect_of("chat-wrong") == "wrong"
    assert defect_of("chat-field-type") is None
    assert defect_of("missing") is None


def test_the_documentation_lists_the_defects() -> None:
    text = (ROOT / "docs" / "contributing" / "rules.md").read_text(encoding="utf-8")
    section = text.partition("## Rule ids")[2].partition("\n## ")[0]
    assert dict(re.findall(r"^\| `([a-z-]+)` \| (.+) \|$", section, re.MULTILINE)) == dict(DEFECTS)
    assert len(DEFECTS) <= 35
