"""`make same`: what counts as the same judgement, and that a tree's judgement is written down in full."""

from __future__ import annotations

import json
import os.path
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from conformance.inputs import read
from conformance.judge.checker import Checker
from conformance.judge.proofs.example import base_names
from conformance.judge.rule import all_rules
from conformance.judge.run_rules import run_rules
from conformance.model.registry import all_dialects
from devtools.places import ROOT
from devtools.same import dump, renames, report, trees
from devtools.same.compare import Comparison, Count, Found, Judgement, Place, compare, expected
from devtools.same.examples import Examples, differences
from devtools.same.renames import Mapping, RenamesError, pending
from tests.judge.test_bugs import cases

HERE, THERE = Place("a.yaml", 0, "request", "/id"), Place("a.yaml", 0, "request", "/name")


def entry(old: str, new: str, kind: str = "renamed", **more: Any) -> dict[str, Any]:
    return {"old": old, "new": new, "kind": kind, "reason": "a better name", **more}


def mapping(*entries: dict[str, Any]) -> Mapping:
    return Mapping(renames.parse({"renames": list(entries)}))


def found(rule: str, place: Place = HERE, severity: str = "error") -> Found:
    return Found(place, rule, severity)


def compared(old: list[Found], new: list[Found], *entries: dict[str, Any]) -> Comparison:
    return compare(Judgement(Counter(old)), Judgement(Counter(new)), mapping(*entries))


class TestFindings:
    def test_the_order_does_not_matter(self) -> None:
        assert compared([found("a"), found("b")], [found("b"), found("a")]).same

    def test_a_finding_that_vanished_is_a_difference(self) -> None:
        result = compared([found("a"), found("b")], [found("b")])
        assert not result.same
        assert result.vanished == Counter([found("a")])

    def test_a_finding_that_appeared_is_a_difference(self) -> None:
        result = compared([], [found("a")])
        assert not result.same
        assert result.appeared == Counter([found("a")])

    def test_how_often_a_rule_fires_at_a_place_matters(self) -> None:
        assert compared([found("a")] * 2, [found("a")]).vanished == Counter([found("a")])
        assert compared([found("a")], [found("a")] * 2).appeared == Counter([found("a")])

    @pytest.mark.parametrize(
        "other",
        [
            HERE._replace(source="b.yaml"),
            HERE._replace(exchange=1),
            HERE._replace(side="response"),
            HERE._replace(pointer=None),
        ],
    )
    def test_each_part_of_the_place_matters(self, other: Place) -> None:
        result = compared([found("a")], [found("a", other)])
        assert (result.vanished.total(), result.appeared.total()) == (1, 1)

    def test_a_changed_severity_is_reported_as_such(self) -> None:
        result = compared([found("a")], [found("a", severity="warning")])
        assert not result.same
        assert result.severities == Counter([(found("a"), "warning")])
        assert not result.vanished + result.appeared

    def test_a_changed_severity_that_is_declared_is_no_difference(self) -> None:
        declared = entry("a", "a", severity={"from": "error", "to": "warning"})
        assert compared([found("a")], [found("a", severity="warning")], declared).same
        assert not compared([found("a")], [found("a")], declared).same
        assert compared([found("a", severity="info")], [found("a", severity="info")], declared).same


class TestRenames:
    def test_a_renamed_rule_is_the_same(self) -> None:
        assert compared([found("a"), found("c")], [found("b"), found("c")], entry("a", "b")).same

    def test_a_renamed_rule_that_keeps_its_old_id_is_not(self) -> None:
        assert not compared([found("a")], [found("a")], entry("a", "b")).same

    def test_a_chain_is_followed_to_its_end(self) -> None:
        assert compared(
            [found("a"), found("b", THERE)], [found("c"), found("c", THERE)], entry("b", "c"), entry("a", "b")
        ).same

    def test_a_renamed_rule_may_change_its_severity(self) -> None:
        declared = entry("a", "b", severity={"from": "error", "to": "warning"})
        assert compared([found("a")], [found("b", severity="warning")], declared).same
        assert not compared([found("a")], [found("b")], declared).same

    def test_a_renamed_rule_swallows_no_finding_of_the_rule_whose_id_it_takes(self) -> None:
        assert not compared([found("a"), found("b")], [found("b")], entry("a", "b")).same

    def test_a_severity_that_had_changed_before_does_not_change_again(self) -> None:
        change = entry("a", "a", severity={"from": "warning", "to": "error"})
        [declared] = renames.parse({"renames": [change]})
        assert pending([declared], []) == [declared]
        assert pending([declared], [declared]) == []

    def test_an_id_that_had_changed_before_is_still_mapped(self) -> None:
        [declared] = renames.parse({"renames": [entry("a", "b")]})
        assert pending([declared], [declared]) == [declared]


class TestMergedRules:
    BOTH = (entry("a", "c", "merged"), entry("b", "c", "merged"))

    def test_two_findings_at_one_place_become_one(self) -> None:
        result = compared([found("a"), found("b")], [found("c")], *self.BOTH)
        assert result.same
        assert result.collapsed == 1

    def test_two_findings_at_one_place_that_stay_two_are_a_difference(self) -> None:
        assert compared([found("a"), found("b")], [found("c")] * 2, *self.BOTH).appeared == Counter([found("c")])

    def test_findings_at_different_places_stay_two(self) -> None:
        old = [found("a"), found("b", THERE)]
        assert compared(old, [found("c"), found("c", THERE)], *self.BOTH).same
        assert compared(old, [found("c")], *self.BOTH).vanished == Counter([found("c", THERE)])

    @pytest.mark.parametrize("rule", ["a", "b"])
    def test_a_finding_that_only_one_of_them_made_must_survive(self, rule: str) -> None:
        assert compared([found(rule)], [found("c")], *self.BOTH).same
        assert compared([found(rule)], [], *self.BOTH).vanished == Counter([found("c")])

    def test_a_rule_may_be_merged_into_one_that_existed_before(self) -> None:
        into = entry("a", "b", "merged")
        assert compared([found("a"), found("b")], [found("b")], into).same
        assert compared([found("a")], [found("b")], into).same
        assert compared([found("b")], [], into).vanished == Counter([found("b")])

    def test_what_one_of_them_made_twice_stays_twice(self) -> None:
        assert expected(Counter([found("a"), found("a"), found("b")]), mapping(*self.BOTH)) == Counter([found("c")] * 2)

    def test_the_highest_severity_remains(self) -> None:
        old = [found("a", severity="warning"), found("b")]
        assert compared(old, [found("c")], *self.BOTH).same
        assert not compared(old, [found("c", severity="warning")], *self.BOTH).same

    def test_a_severity_is_not_raised_where_only_the_lesser_one_fired(self) -> None:
        old = [found("a", severity="warning")]
        assert compared(old, [found("c", severity="warning")], *self.BOTH).same
        assert not compared(old, [found("c")], *self.BOTH).same

    def test_merged_rules_may_be_renamed_afterwards(self) -> None:
        assert compared([found("a"), found("b")], [found("d")], *self.BOTH, entry("c", "d")).same

    def test_rules_that_are_not_listed_do_not_collapse(self) -> None:
        assert not compared([found("c"), found("x")], [found("c")], *self.BOTH).same


class TestFileOfRenames:
    def test_the_one_of_this_tree_is_sound(self) -> None:
        assert (ROOT / "tests" / "data" / "renames.yaml").is_file()
        entries = renames.load(ROOT)
        found, rules = Mapping(entries), {*all_rules(), *run_rules()}
        assert entries
        assert [each.old for each in entries if found.rule(each.old) not in rules] == []

    def test_a_tree_without_one_has_no_renames(self, tmp_path: Path) -> None:
        assert renames.load(tmp_path) == []

    @pytest.mark.parametrize(
        ("document", "says"),
        [
            (None, "`renames`, a list"),
            ({"renames": {}}, "`renames`, a list"),
            ({"renames": [], "more": 1}, "perhaps `retired`"),
            ({"renames": ["a"]}, "entry 0: needs"),
            ({"renames": [{"old": "a", "new": "b", "kind": "renamed"}]}, "needs old, new, kind and reason"),
            ({"renames": [entry("a", "b", note="x")]}, "nothing else"),
            ({"renames": [entry("a", "b", reason=" ")]}, "not empty"),
            ({"renames": [entry("a", "b", "split")]}, "renamed, merged, not 'split'"),
            ({"renames": [entry("a", "b", severity="error")]}, "severity must be"),
            ({"renames": [entry("a", "b", severity={"from": "error", "to": "fatal"})]}, "severity must be"),
            ({"renames": [entry("a", "b", severity={"from": "error", "to": "error"})]}, "severity must be"),
            ({"renames": [entry("a", "a")]}, "a keeps its id"),
            ({"renames": [entry("a", "b"), entry("a", "c")]}, "a is renamed twice"),
            ({"renames": [entry("a", "c"), entry("b", "c")]}, "two rules are renamed to c"),
            ({"renames": [entry("a", "b"), entry("b", "a")]}, "circle"),
        ],
    )
    def test_what_is_wrong_is_reported(self, document: Any, says: str) -> None:
        with pytest.raises(RenamesError, match=says):
            renames.parse(document)


class TestWhatElseIsCompared:
    def test_counts_are_compared_by_source(self) -> None:
        one, other = Count("corpus", "unclaimed", "a"), Count("corpus", "unclaimed", "b")
        result = compare(Judgement(counts=Counter([one])), Judgement(counts=Counter([other])), mapping())
        assert not result.same
        assert result.counts == {one: (1, 0), other: (0, 1)}

    def test_harness_errors_are_compared_under_the_new_id(self) -> None:
        old = Judgement(harness_errors=Counter(["rule chat-a failed on x: KeyError: 'id'"]))
        new = Judgement(harness_errors=Counter(["rule chat-b failed on x: KeyError: 'id'"]))
        assert compare(old, new, mapping(entry("chat-a", "chat-b"))).same
        assert not compare(old, Judgement(), mapping(entry("chat-a", "chat-b"))).same

    def test_another_message_or_cite_is_listed_and_no_difference(self) -> None:
        old, new = (self.judgement("a", "it is", "OAC-1"), self.judgement("b", "it was", "OAC-1"))
        result = compare(old, new, mapping(entry("a", "b")))
        assert result.same
        assert {name: list(changes) for name, changes in result.details.items() if changes} == {
            "message": [("b", "it is", "it was")]
        }
        assert list(report.details(result.details))[1:] == ["      1 b", "          - it is", "          + it was"]

    def judgement(self, rule: str, message: str, cite: str) -> Judgement:
        place = {**HERE._asdict(), "rule": rule, "severity": "error"}
        finding = {**place, **dict.fromkeys(dump.DETAILS), "message": message, "cite": cite}
        line = {"part": "corpus", "source": "a.yaml", "counts": {"exchanges": 1}, "harness_errors": []}
        return Judgement.of([{**line, "findings": [finding]}])

    def test_examples_are_listed(self) -> None:
        def example(kind: str, name: str, number: int = 0, url: str = "u") -> dict[str, Any]:
            return {"kind": kind, "name": name, "number": number, "complete": True, "request": {"url": url}}

        old = [
            example("base", "x/call"),
            example("base", "x/gone"),
            example("violating", "a"),
            example("violating", "z"),
        ]
        new = [example("base", "x/call", url="v"), example("violating", "b"), example("violating", "b", 1)]
        reported = dict(differences(Examples.of(old), Examples.of(new), mapping(entry("a", "b"))))
        assert {title: names for title, names in reported.items() if names} == {
            "bases with different bytes": ["x/call"],
            "removed bases": ["x/gone"],
            "removed rules": ["z"],
            "rules with a different number of examples": ["b (violating: 1, now 2)"],
        }


class TestReport:
    def test_nothing_is_reported_where_nothing_changed(self) -> None:
        assert list(report.lines(compared([found("a")], [found("a")]))) == []

    def test_rules_come_with_counts_and_their_first_places(self) -> None:
        gone = [found("a", HERE._replace(exchange=number)) for number in range(5)]
        assert list(report.lines(compared([*gone, found("b")], []))) == [
            "vanished: 6 findings of 2 rules",
            "      5 a (error)",
            "          a.yaml, exchange 0, request /id",
            "          a.yaml, exchange 1, request /id",
            "          a.yaml, exchange 2, request /id",
            "          … and 2 more",
            "      1 b (error)",
            "          a.yaml, exchange 0, request /id",
        ]

    def test_a_rule_that_seems_to_be_renamed_is_pointed_out(self) -> None:
        reported = list(report.lines(compared([found("a")], [found("b")])))
        assert reported[1] == "      1 a (error); b appeared at the same places: renamed?"

    def test_a_changed_severity_names_both(self) -> None:
        reported = list(report.lines(compared([found("a")], [found("a", severity="info")])))
        assert reported[1] == "      1 a, error before, info now"


class TestDump:
    def test_a_name_is_found_in_either_layout(self) -> None:
        assert dump.find("join", ("nowhere.at.all", "json", "os.path")) is os.path.join

    def test_a_name_that_is_nowhere_says_what_to_do(self) -> None:
        with pytest.raises(LookupError, match="no Example in nowhere or json: add its module to HOMES"):
            dump.find("Example", ("nowhere", "json"))

    def test_a_module_that_is_broken_is_not_taken_for_one_of_another_layout(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (tmp_path / "broken_tree.py").write_text("import nowhere_at_all\n", encoding="utf-8")
        monkeypatch.syspath_prepend(tmp_path)
        with pytest.raises(ModuleNotFoundError, match="nowhere_at_all"):
            dump.find("join", ("broken_tree", "os.path"))

    def test_every_example_is_written_with_its_completeness(self) -> None:
        written = list(dump.examples())
        due = {("base", f"{dialect}/{name}", 0, True) for dialect in all_dialects() for name in base_names(dialect)}
        due |= {
            (kind, rule.id, number, example.complete)
            for rule in all_rules().values()
            for kind in ("conforming", "violating")
            for number, example in enumerate(getattr(rule, kind))
        }
        assert {(each["kind"], each["name"], each["number"], each["complete"]) for each in written} == due
        assert {each["complete"] for each in written} == {True, False}
        assert all(json.loads(json.dumps(each)) == each for each in written)

    def test_every_bug_is_written(self) -> None:
        runs = {dump.run_of(each) for each in dump.bugs()}
        assert len(runs) == 2 * len(cases()) + len(cases("sound"))

    def test_a_complete_example_is_judged_both_ways(self, tmp_path: Path) -> None:
        rule = next(each for each in all_rules().values() if each.needs_complete and each.violating[0].complete)
        judged = self.judged(tmp_path, dump._records("violating", rule.id, 0, rule.violating[0]))
        fired = {line["part"] for line in judged for finding in line["findings"] if finding["rule"] == rule.id}
        assert {line["part"] for line in judged} == {"examples", "incomplete"}
        assert fired == {"examples"}

    def test_an_incomplete_example_is_judged_as_such(self, tmp_path: Path) -> None:
        record = next(each for each in dump.examples() if not each["complete"])
        assert {line["part"] for line in self.judged(tmp_path, [record])} == {"examples"}

    def test_the_judgement_of_a_recording_is_that_of_check(self, tmp_path: Path) -> None:
        path = str(ROOT / "tests" / "data" / "violating.jsonl")
        checker = Checker()
        due = [finding for exchange in read([path]) for finding in checker.feed(exchange)]
        judged = self.judged(tmp_path, [], path)
        assert due
        assert [finding for line in judged for finding in line["findings"]] == [
            {name: each.as_json()[name] for name in ("severity", *Place._fields, "rule", *dump.DETAILS)} for each in due
        ]
        totals = Judgement.of(judged).totals()["corpus"]
        assert {name: totals[name] for name in dump.COUNTS} == {
            name: getattr(checker.summary, name) for name in dump.COUNTS
        }

    def test_a_file_that_cannot_be_read_is_counted_as_such(self, tmp_path: Path) -> None:
        path = tmp_path / "no.yaml"
        path.write_text("a: 1\n", encoding="utf-8")
        [line] = self.judged(tmp_path, [], str(path))
        assert line["counts"] == {"raised NotARecordingError": 1}

    def judged(self, folder: Path, records: Any, *files: str) -> list[dict[str, Any]]:
        examples = folder / "examples.jsonl"
        examples.write_text("".join(f"{json.dumps(each)}\n" for each in records), encoding="utf-8")
        plan = {"examples": str(examples), "files": [{"part": "corpus", "path": path} for path in files]}
        return list(dump.judge(plan))

    @pytest.mark.process
    def test_a_tree_that_is_not_the_imported_one_is_refused(self, tmp_path: Path) -> None:
        command = [sys.executable, "-P", dump.__file__, "examples", str(tmp_path / "out")]
        done = subprocess.run(
            command, cwd=tmp_path, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=False
        )
        assert done.returncode == 1
        assert "is to be judged" in done.stderr


class TestTrees:
    @pytest.fixture
    def repository(self, tmp_path: Path) -> Path:
        folder = tmp_path / "repository"
        folder.mkdir()
        self.git(folder, "init", "--quiet")
        for text in ("one", "two"):
            (folder / "file").write_text(text, encoding="utf-8")
            self.git(folder, "add", "file")
            self.git(folder, "-c", "user.name=n", "-c", "user.email=e", "commit", "--quiet", "-m", text)
        return folder

    def git(self, folder: Path, *arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout

    def test_a_commit_is_checked_out_and_removed(self, repository: Path, tmp_path: Path) -> None:
        with trees.checked_out(repository, "HEAD~1", tmp_path / "tree") as tree:
            assert (tree / "file").read_text(encoding="utf-8") == "one"
            assert trees.title(repository, "HEAD~1").endswith(" one")
        assert not tree.exists()
        assert len(self.git(repository, "worktree", "list").splitlines()) == 1

    def test_a_revision_that_is_none_is_refused(self, repository: Path) -> None:
        with pytest.raises(trees.NoSuchCommitError, match="'nowhere' names no commit"):
            trees.commit(repository, "nowhere")
