"""Mutants: each operator puts a fault in, the rules catch what is one, and nothing is excused that is caught."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any, ClassVar

import pytest
from click.testing import CliRunner

from conformance.drivers import transport
from conformance.drivers.transport import RecordingTransport
from conformance.matrix.cells import Cell
from conformance.matrix.replay import replay
from conformance.model.exchange import Exchange
from devtools.mutants import outgoing
from devtools.mutants.__main__ import main
from devtools.mutants.equivalents import Allowance, Ledger, all_allowances, fits
from devtools.mutants.operator import Fault, Operator, all_operators
from devtools.mutants.running import Plan, parts_of, run, subjects_of
from devtools.mutants.sampling import rank
from devtools.mutants.schema_freedom import forget, schema_of
from devtools.mutants.score import Score
from devtools.mutants.sources import cassettes, from_cassettes
from devtools.mutants.subject import Subject
from devtools.mutants.tree import edited, kind_of
from devtools.mutants.trial import Outcome, conforms, try_out
from tests.apart import apart
from tests.cassettes import PLAYED, SHIPPED, cell
from tests.sampling import amount, sample

_RISK = "a kind of mutant that a rule stops catching, where what it still catches is in the sample"
EXCHANGES = amount(8, 4, risk=_RISK)
"""From how many exchanges of each folder the operators are proved."""
MUTANTS = amount(120, 40, risk=_RISK)
"""How many of a dialect are tried."""


@pytest.fixture(scope="module", autouse=True)
def forgotten() -> Iterator[None]:
    """The exchanges and the schemas of their parts take half a gigabyte: they end with the module."""
    yield
    subjects.cache_clear()
    forget()


@cache
def subjects() -> tuple[Subject, ...]:
    plan = Plan(parts_of("cassettes"), exchanges=EXCHANGES)
    return tuple(subject for part in plan.parts for subject in subjects_of(plan, part))


def faults(operator: Operator) -> Iterator[tuple[Subject, Fault]]:
    for subject in subjects():
        if operator.fits(subject):
            for fault in operator.faults(subject):
                yield subject, fault


def content(exchange: Exchange) -> tuple[Any, ...]:
    request, response = exchange.request, exchange.response
    sent = (request.method, request.url, tuple(request.headers), request.body.text)
    return (*sent, response.status, tuple(response.headers), response.body.text)


@pytest.mark.parametrize("operator", all_operators(), ids=lambda each: each.name)
def test_an_operator_puts_a_fault_in_and_leaves_the_original_alone(operator: Operator) -> None:
    found = next(faults(operator), None)
    if found is None:
        found = next(iter(in_all_cassettes(operator)), None)
    assert found is not None, "no conforming exchange gives it anything to do"
    subject, fault = found
    before = content(subject.exchange)
    assert content(fault.made()) != before
    assert content(subject.exchange) == before
    assert operator.faults.__doc__


def in_all_cassettes(operator: Operator) -> Iterator[tuple[Subject, Fault]]:
    for subject in from_cassettes(cassettes(parts_of("cassettes"))):
        if operator.fits(subject):
            found = next(iter(operator.faults(subject)), None)
            if found is not None and conforms(subject):
                yield subject, found


def test_putting_the_same_value_back_is_no_fault() -> None:
    """What the rules find in a mutant comes from its fault, and not from its being written anew."""
    for subject in subjects():
        for tree in subject.trees:
            again = Subject(tree.rebuilt(tree.document), subject.earlier, subject.later)
            assert conforms(again), (subject.name, tree.place)


def test_a_change_leaves_the_rest_of_the_document_alone() -> None:
    document = {"a": [{"b": 1}, {"c": 2}]}
    assert edited(document, ("a", 0), lambda holder: {**holder, "b": 3}) == {"a": [{"b": 3}, {"c": 2}]}
    assert document == {"a": [{"b": 1}, {"c": 2}]}


@pytest.mark.parametrize(
    ("item", "kind"),
    [
        ({"type": "text"}, "*:text"),
        ({"role": "user"}, "*:user"),
        ({"functionCall": {}, "thoughtSignature": "x"}, "*:functionCall"),
        ({"text": "x"}, "*:text"),
        ({"count": 1}, "*"),
        (7, "*"),
    ],
)
def test_the_items_of_an_array_are_told_apart_by_their_kind(item: Any, kind: str) -> None:
    assert kind_of(item) == kind


@pytest.mark.parametrize(
    ("place", "pattern", "fit"),
    [
        ("/messages/*:user/content", "/messages/*/content", True),
        ("/messages/*:user/content", "/messages/*:tool/content", False),
        ("event/text/choices/*:delta/delta", "event/*/choices/*/delta", True),
        ("/tools/*/function/description", "**/description", True),
        ("/tools", "/tools/*", False),
        ("/messages/*:system/content", "/messages/*:user|*:system/content", True),
        ("/messages/*:tool/content", "/messages/*:user|*:system/content", False),
    ],
)
def test_a_pattern_means_some_places_and_no_others(place: str, pattern: str, fit: bool) -> None:  # noqa: FBT001
    assert fits(place, pattern) is fit


def test_a_schema_says_which_members_are_optional() -> None:
    schema = schema_of("openai-chat", "request")
    assert schema is not None
    document = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
    assert schema.admits_document(document)
    assert not schema.admits_document({"model": "m"})
    assert schema.declares({**document, "temperature": 1}, ("temperature",))
    assert not schema.declares({**document, "unheard_of": 1}, ("unheard_of",))


def outcome(rules: tuple[str, ...], allowance: Allowance | None = None, *, ours: bool = True) -> Outcome:
    """A mutant that an entry of the list means; without one, a mutant at a place that none means."""
    each = allowance or all_allowances()[0]
    side = each.sides[0] if each.sides else "request"
    place = (
        "/".join(step.split("|")[0] for step in each.place.replace("**", "x").split("/")) if allowance else "nowhere"
    )
    return Outcome(each.dialects[0], each.operator, side, place, place, "subject", rules, ours=ours)


def test_an_entry_that_excuses_what_is_caught_is_stale() -> None:
    ledger = Ledger()
    wholly = next(each for each in all_allowances() if not each.partly)
    assert ledger.excuses(outcome((), wholly))
    assert list(ledger.stale([], whole=False)) == []
    assert not ledger.excuses(outcome(("some-rule",), wholly))
    assert [text for text in ledger.stale([], whole=False) if text.startswith("some-rule catches")]


def test_an_entry_that_is_true_in_part_is_stale_where_everything_is_caught() -> None:
    ledger = Ledger()
    partly = next(each for each in all_allowances() if each.partly)
    assert not ledger.excuses(outcome(("some-rule",), partly))
    assert list(ledger.stale([], whole=False)) == []
    assert f"excuses nothing: {partly}" in ledger.stale(partly.dialects, whole=True)
    assert ledger.excuses(outcome((), partly))
    assert list(ledger.stale([], whole=True)) == []


def test_an_entry_that_excuses_nothing_is_stale_in_a_whole_run() -> None:
    everything = {dialect for each in all_allowances() for dialect in each.dialects}
    texts = list(Ledger().stale(everything, whole=True))
    ours = [each for each in all_allowances() if not each.foreign]
    assert len([text for text in texts if text.startswith("excuses nothing")]) == len(ours)


def test_an_entry_about_recordings_of_others_holds_in_them_alone() -> None:
    ledger = Ledger()
    theirs = next(each for each in all_allowances() if each.foreign and each.operator == "late-result")
    assert not ledger.excuses(outcome((), theirs))
    assert list(ledger.unused_abroad())
    assert ledger.excuses(outcome((), theirs, ours=False))
    assert not ledger.excuses(outcome(("some-rule",), theirs, ours=False))
    assert f"excuses nothing: {theirs}" not in list(ledger.unused_abroad())


def fault_at(operator: str, envelope: str, place: str, *, streamed: bool = False) -> tuple[Subject, Operator, Fault]:
    """The first fault of an operator at a place, in an exchange of a dialect."""
    found = next(each for each in all_operators() if each.name == operator)
    return next(
        (subject, found, fault)
        for subject in subjects()
        if subject.envelope == envelope and bool(subject.blocks) is streamed and found.fits(subject)
        for fault in found.faults(subject)
        if fault.place == place
    )


def test_what_only_absence_shows_is_not_judged_in_a_recording_of_others() -> None:
    subject, operator, fault = fault_at("drop-header", "anthropic-messages", "headers/anthropic-version")
    assert try_out(subject, operator, fault).caught
    theirs = Subject(replace(subject.exchange, complete=False))
    (again,) = (each for each in operator.faults(theirs) if each.place == fault.place)
    reported = try_out(theirs, operator, again)
    assert (reported.caught, reported.foreign, reported.ours) == (False, True, False)
    score = Score().add_all([reported])
    assert (score.dialects["anthropic-messages"].foreign, score.below, list(score.escapes)) == (1, [], [])


def test_an_unknown_word_is_free_and_an_empty_one_is_a_fault() -> None:
    place = "/content/0/type"
    tried = {name: try_out(*fault_at(name, "anthropic-messages", place)) for name in ("alter", "empty")}
    assert tried["alter"].free or tried["alter"].caught
    assert "messages-reply-block-malformed" in tried["empty"].rules


def test_a_member_that_no_schema_knows_is_free() -> None:
    subject, operator, _ = fault_at("retype", "openai-chat", "/model")
    more = Subject(subject.with_request({**subject.request_json, "mirostat": 2}), subject.earlier, subject.later)
    (fault,) = (each for each in operator.faults(more) if each.place == "/mirostat")
    outcome = try_out(more, operator, fault)
    assert outcome.free or outcome.caught  # a contract may be closed: OpenAI refuses names that it does not know


def test_every_entry_names_an_operator_and_says_why() -> None:
    names = {each.name for each in all_operators()}
    for each in all_allowances():
        assert each.operator in names
        assert each.reason


def test_what_escapes_is_counted_and_named() -> None:
    score = Score().add_all([outcome(("some-rule",)), outcome(())])
    (dialect,) = score.dialects
    assert score.dialects[dialect].score == 1 / 2
    assert score.below == [dialect]
    assert list(score.escapes.values()) == [1]


def _scored(plan: Plan) -> Score:
    return Score().add_all(run(plan))


def test_a_sample_of_the_mutants_of_every_dialect_is_caught() -> None:
    """The seed is fixed: this fails when a rule stops catching, and shows what escapes."""
    score = apart(
        _scored, Plan(parts_of("cassettes"), cap=2, sample=MUTANTS, exchanges=amount(6, 4, risk=_RISK), seed=2)
    )
    assert sorted(score.dialects) == sorted(
        [*(folder for folder in parts_of("cassettes")), "mcp", "openai-completions"]
    )
    assert {dialect: count.made for dialect, count in score.dialects.items() if count.made < MUTANTS // 2} == {}
    escapes = [f"{' '.join(kind)}: {sample.subject} {sample.place}" for kind, sample in score.samples.items()]
    assert score.below == [], escapes
    assert list(score.ledger.stale(score.dialects, whole=False)) == []
    assert score.broken == []


@pytest.mark.usefixtures("corpus")
def test_a_sample_of_the_mutants_of_real_recordings_is_caught() -> None:
    plan = Plan(parts_of("corpus"), cap=1, sample=MUTANTS, exchanges=amount(15, 6, risk=_RISK), seed=1)
    score = apart(_scored, plan)
    assert {"anthropic-messages", "gemini", "openai-chat", "openai-responses"} <= set(score.dialects)
    escapes = [f"{' '.join(kind)}: {sample.subject} {sample.place}" for kind, sample in score.samples.items()]
    assert score.below == [], escapes
    assert score.broken == []


SENT = sample(
    (
        min((each for each in PLAYED if each.dialect == dialect), key=lambda each: rank(3, each.id))
        for dialect in sorted({each.dialect for each in PLAYED})
    ),
    lambda each: each.driver.name,
    lambda each: each.stream,
    risk="a change of a request that one dialect alone does not compare, of those with the same driver",
)
"""One cell of each dialect."""


@pytest.mark.parametrize("chosen", SENT, ids=lambda each: each.id)
def test_what_the_sdks_send_is_mutated_and_replay_is_red(chosen: Cell) -> None:
    outcomes = list(outgoing.of_cell(chosen))
    assert {"alter-path", "drop-key", "not-sent", "retype", "send-twice"} <= {each.operator for each in outcomes}
    assert [f"{each.operator} {each.place}" for each in outcomes if not each.caught] == []
    assert [text for each in outcomes for text in each.broken] == []


class FaultyTap(RecordingTransport):
    """Changes the body of the first request that it is given, below the SDK and above what notes it down."""

    changed: ClassVar[list[bytes]] = []

    def handle_request(self, request: Any) -> Any:
        body = request.read().replace(b'"role"', b'"roll"', 1)
        if not self.changed and body != request.content:
            self.changed.append(body)
            headers = [(name, value) for name, value in request.headers.multi_items() if name != "content-length"]
            extensions = request.extensions
            request = type(request)(request.method, request.url, headers=headers, content=body, extensions=extensions)
        return super().handle_request(request)


CHANGED_FOR_REAL = [
    "weather-openai-chat-openai-sync",
    "weather-openai-chat-raw-http-stream",
    "weather-anthropic-messages-anthropic-stream",
    "weather-gemini-google-genai-sync",
    "weather-openai-responses-openai-sync",
    "weather-prompted-openai-sync",
]


@pytest.mark.parametrize("cell_id", CHANGED_FOR_REAL)
def test_a_request_that_is_really_changed_on_its_way_is_red(cell_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = cell(cell_id)
    assert replay(chosen, SHIPPED / chosen.relative_path).passed
    monkeypatch.setattr(FaultyTap, "changed", [])
    monkeypatch.setattr(transport, "RecordingTransport", FaultyTap)
    verdict = replay(chosen, SHIPPED / chosen.relative_path)
    assert len(FaultyTap.changed) == 1
    assert not verdict.passed
    assert "request-drift" in {finding.rule for finding in verdict.findings}


def test_a_mutant_is_told_from_a_conforming_exchange() -> None:
    subject = next(each for each in subjects() if each.envelope == "openai-chat" and not each.blocks and each.view.ok)
    operator = next(each for each in all_operators() if each.name == "drop-key")
    fault = next(each for each in operator.faults(subject) if each.place == "/choices")
    assert try_out(subject, operator, fault).caught


def test_the_command_lists_the_operators() -> None:
    result = CliRunner().invoke(main, ["--list"])
    assert result.exit_code == 0
    assert {line.split()[0] for line in result.output.splitlines()} >= {"drop-key", "swap-deltas", "drop-token"}


def test_the_command_shows_a_mutant() -> None:
    arguments = [
        "--source",
        "cassettes",
        "--dialect",
        "react",
        "--operator",
        "drop-token",
        "--cap",
        "1",
        "--show",
        "Action",
    ]
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0
    assert "react drop-token" in result.output
    assert "caught by" in result.output


def test_the_command_counts_and_reports_what_is_below_the_threshold() -> None:
    arguments = ["--source", "cassettes", "--dialect", "react", "--sample", "5", "--cap", "1", "--jobs", "1"]
    result = CliRunner().invoke(main, [*arguments, "--no-outgoing"])
    assert "Mutants by dialect" in result.output
    assert ("is below" in result.output) is (result.exit_code == 1)


def test_the_command_knows_its_operators() -> None:
    result = CliRunner().invoke(main, ["--operator", "no-such", "--source", "cassettes"])
    assert result.exit_code == 2
    assert "unknown operator 'no-such'" in result.output
