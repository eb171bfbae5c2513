"""Bugs that really happened: each that an exchange can show is found by the named rule at the named place.

The files of `tests/bugs` are described in the README.md there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import pytest
import yaml

from conformance.errors import ConformanceError
from conformance.judge.proofs.edit import edits_of
from conformance.judge.proofs.example import Example
from conformance.judge.rule import all_rules
from conformance.model.finding import Finding, Severity
from conformance.report.catalogue.contract import all_bugs
from conformance.report.catalogue.known_bugs import Bug, Thread, parse_bugs
from devtools.places import ROOT
from tests.judged import judge

HERE = ROOT / "tests" / "bugs"
_ABOUT = {"not_an_exchange", "repositories"}


@cache
def load(name: str) -> Any:
    return yaml.safe_load((HERE / f"{name}.yaml").read_text(encoding="utf-8"))


def bugs() -> list[dict[str, Any]]:
    return [bug for path in sorted(HERE.glob("*.yaml")) if path.stem not in _ABOUT for bug in load(path.stem)]


@dataclass(frozen=True)
class Case:
    """One case of a bug; `sound` is one that nothing is wrong with."""

    bug: str
    given: dict[str, Any]
    threads: tuple[str, ...]

    def example(self, *parts: str) -> Example:
        edits = [edit for part in parts for each in self.given.get(part) or () for edit in edits_of(each)]
        return Example(self.given["base"], tuple(edits))

    @property
    def faulty(self) -> Example:
        return self.example("scene", "fault")

    @property
    def repaired(self) -> Example:
        return self.example("scene", "fault", "repair") if "repair" in self.given else self.example("scene")

    @property
    def found(self) -> dict[str, Any]:
        found: dict[str, Any] = self.given["found"]
        dialect = self.given["base"].partition("/")[0]
        return {"exchange": 0, "dialect": dialect, **found}


def cases(kind: str = "cases") -> list[Any]:
    return [
        pytest.param(Case(bug["id"], given, tuple(given.get("threads", bug["threads"]))), id=f"{bug['id']}-{number}")
        for bug in bugs()
        for number, given in enumerate(bug.get(kind) or ())
    ]


def reported(findings: list[Finding]) -> list[str]:
    return [
        f"{each.severity} {each.rule} {each.exchange} {each.side} {each.pointer}: {each.message}" for each in findings
    ]


def place_of(finding: Finding) -> dict[str, Any]:
    return {key: getattr(finding, key) for key in ("rule", "dialect", "exchange", "side", "pointer")}


@pytest.mark.parametrize("case", cases())
def test_the_fault_is_found_by_its_rule_at_its_place(case: Case) -> None:
    findings = judge(case.faulty)
    assert case.found in [place_of(finding) for finding in findings], reported(findings)
    if case.given.get("alone"):
        assert [place_of(finding) for finding in findings] == [case.found]


@pytest.mark.parametrize("case", cases())
def test_the_repaired_exchange_has_no_error_and_trips_the_rule_no_more(case: Case) -> None:
    findings = judge(case.repaired)
    wrong = [each for each in findings if each.severity is Severity.ERROR or each.rule == case.found["rule"]]
    assert reported(wrong) == []


@pytest.mark.parametrize("case", cases("sound"))
def test_what_was_wrongly_refused_has_no_error(case: Case) -> None:
    assert reported([each for each in judge(case.faulty) if each.severity is Severity.ERROR]) == []


@pytest.mark.parametrize("case", cases())
def test_the_rule_names_the_threads(case: Case) -> None:
    rule = all_rules()[case.found["rule"]]
    assert {full(thread) for thread in case.threads} - set(rule.bugs) == set()


@pytest.mark.parametrize("bug", bugs(), ids=lambda bug: bug["id"])
def test_every_thread_of_a_bug_is_shown_by_a_case(bug: dict[str, Any]) -> None:
    given = [*bug["cases"], *(case for case in bug.get("sound") or () if "threads" in case)]
    shown = {thread for case in given for thread in case.get("threads", bug["threads"])}
    assert shown == set(bug["threads"])


def full(thread: str) -> str:
    """The thread with the owner of its repository, where the list of bugs leaves it out."""
    repo, _, number = thread.partition("#")
    return f"{load('repositories').get(repo, repo)}#{number}"


def test_every_repository_named_is_one_of_the_threads() -> None:
    named = {thread.partition("#")[0] for bug in bugs() for thread in bug["threads"]}
    assert set(load("repositories")) - named <= {"codex", "llama.cpp", "any-llm"}  # of bugs that are no exchange


def test_no_bug_is_reported_twice() -> None:
    ids = [bug["id"] for bug in (*bugs(), *load("not_an_exchange"))]
    assert sorted(ids) == sorted(set(ids))


def test_every_bug_of_the_list_is_here_and_no_other() -> None:
    assert set(all_bugs()) == {bug["id"] for bug in (*bugs(), *load("not_an_exchange"))}


@pytest.mark.parametrize("bug", bugs(), ids=lambda bug: bug["id"])
def test_the_threads_are_those_of_the_list(bug: dict[str, Any]) -> None:
    assert {full(thread) for thread in bug["threads"]} == {thread.name for thread in all_bugs()[bug["id"]].threads}


@pytest.mark.parametrize("bug", bugs(), ids=lambda bug: bug["id"])
def test_the_dialects_are_among_those_of_the_list(bug: dict[str, Any]) -> None:
    shown = {case["base"].partition("/")[0] for case in (*bug["cases"], *(bug.get("sound") or ()))}
    assert shown <= {*all_bugs()[bug["id"]].dialects}


def test_a_thread_with_a_link_leads_there_and_one_without_has_no_known_owner() -> None:
    for bug in all_bugs().values():
        for thread in bug.threads:
            repo, _, number = thread.name.partition("#")
            if "/" in repo:
                assert thread.link == f"https://github.com/{repo}/issues/{number}"
            else:
                assert repo not in load("repositories")


PAGE = """# Known bugs

## Streams

### C01

The fragments come
without `index`.

- dialect: openai-chat, qwen3
- threads: [a/b#1](https://github.com/a/b/issues/1) (joined (twice)); c#2
- check: An `index`.

### C02

Nothing.

- dialect: mcp
- threads: none (seen in the source)
- check: Something.
"""


def test_the_page_is_a_list_of_bugs() -> None:
    assert parse_bugs(PAGE) == [
        Bug(
            "C01",
            "The fragments come without `index`.",
            ("openai-chat", "qwen3"),
            (Thread("a/b#1", "https://github.com/a/b/issues/1"), Thread("c#2")),
            "An `index`.",
        ),
        Bug("C02", "Nothing.", ("mcp",), (), "Something."),
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("### C02", "### C1", "page:14: invalid bug number `C1`"),
        ("### C02", "### C01", "page:14: duplicate bug C01"),
        ("Nothing.\n", "", "page:14: C02 lacks its sentence"),
        ("- check: Something.\n", "", "page:14: C02 lacks check"),
        ("- check: Something.", "- test: Something.", "page:20: `- test: Something.` is not a field"),
        ("; c#2", "; somewhere", "page:5: `somewhere` is not a thread"),
    ],
)
def test_a_page_that_breaks_the_format_is_refused_with_its_line(old: str, new: str, message: str) -> None:
    with pytest.raises(ConformanceError) as caught:
        parse_bugs(PAGE.replace(old, new))
    assert caught.value.message == message
    assert caught.value.hint


@pytest.mark.parametrize("bug", load("not_an_exchange"), ids=lambda bug: bug["id"])
def test_a_bug_that_no_exchange_shows_has_a_reason_and_something_that_shows_it(bug: dict[str, Any]) -> None:
    assert bug["why"]
    assert bug["shown_by"]
    for place in bug["shown_by"]:
        path, _, test = place.partition("::")
        assert (ROOT / path).is_file(), place
        assert not test or f"def {test}(" in (ROOT / path).read_text(encoding="utf-8"), place
