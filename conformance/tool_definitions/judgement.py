"""The judgement of a list of tools by one variant of a profile: `judge`.

What the contracts and rules of a dialect know comes from them: the tools are put into the shortest request of that
dialect, which is judged under the profile. The rows of the variant add what becomes of each keyword.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from enum import StrEnum
from typing import Any

from conformance.dialects.neutral.tool_keywords import IGNORED, LIMIT, REFUSED, fix_of, loss_of, message_of, too_much
from conformance.judge.checker import Checker
from conformance.judge.relations.rows import needs_more
from conformance.model.exchange import UNANSWERED, Exchange, Response
from conformance.model.finding import Finding, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import get
from conformance.model.registry import all_dialects
from conformance.model.tool_form import ToolForm, put
from conformance.profiles.profiles import all_profiles
from conformance.profiles.tool_forms import form_called
from conformance.profiles.tool_keywords import Treated, occurrences, schema_in, treated
from conformance.profiles.tool_sizes import Exceeded, exceeded, of_list
from conformance.profiles.tool_variants import Basis, Fact, Outcome, Variant
from conformance.tool_definitions.given import GivenTool

LATEST = date.max
"""The day of a judgement about today: rows that ended do not apply, those that began do."""
_FROM_ROWS = (IGNORED, LIMIT, REFUSED)
UNKNOWN = "tool-keyword-unknown"
"""The statement about keywords of which nothing is known."""
_RULES = {Outcome.REFUSED: REFUSED, Outcome.UNKNOWN: UNKNOWN}


class State(StrEnum):
    """What a provider makes of a tool."""

    ACCEPTED = "accepted"
    LOSS = "accepted with loss"
    UNKNOWN = "unknown"
    REFUSED = "refused"


@dataclass(frozen=True, slots=True, eq=False)
class Problem:
    """One reason why a tool is refused, loses something, or cannot be judged; or a remark, if its outcome is accepted.

    Attributes:
        outcome: `refused`, `ignored`, `rewritten`, `unknown`, or `accepted` for a remark.
        loses: Whether the model may send what the schema forbids.
        tool: The number of the tool in the list, from 0; None for a problem of the whole list.
        pointer: The place in the tool's schema if `in_schema`, else in its definition as it is sent.
        keyword: The keyword of the schema that it is about; None for another problem.
        message: What is wrong, in a sentence.
        rule: The id of the rule that reports it for a recorded request.
        fix: What to change.
        actual: The value that it is about, shortened.
        evidence, basis, seen, since: Where that is documented, reported or recorded; of what kind that is (None where
            the contract of a dialect states it); of which day that is; and since when it is so.
        loss: What the model may send although the schema forbids it.
    """

    outcome: Outcome
    message: str
    rule: str
    tool: int | None = None
    pointer: str = ""
    in_schema: bool = False
    keyword: str | None = None
    loses: bool = False
    loss: str | None = None
    fix: str | None = None
    actual: str | None = None
    evidence: str | None = None
    basis: Basis | None = None
    seen: date | None = None
    since: date | None = None


@dataclass(frozen=True, slots=True, eq=False)
class JudgedTool:
    """A tool with its problems at one variant. `sent` is the definition as it would be sent."""

    tool: GivenTool
    sent: dict[str, Any]
    problems: tuple[Problem, ...]

    @property
    def state(self) -> State:
        """What becomes of the tool."""
        return state_of(self.problems)


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """A list of tools at one variant. `problems` are those of the list as a whole."""

    variant: Variant
    tools: tuple[JudgedTool, ...]
    problems: tuple[Problem, ...] = field(default=())

    @property
    def state(self) -> State:
        """The worst of all: one refused tool refuses the whole request."""
        return state_of([*self.problems, *(problem for tool in self.tools for problem in tool.problems)])


def state_of(problems: Sequence[Problem]) -> State:
    """The state that a set of problems means."""
    outcomes = {problem.outcome for problem in problems}
    if Outcome.REFUSED in outcomes:
        return State.REFUSED
    if Outcome.UNKNOWN in outcomes:
        return State.UNKNOWN
    return State.LOSS if any(problem.loses for problem in problems) else State.ACCEPTED


def judge(tools: Sequence[GivenTool], variant: Variant, *, day: date | None = LATEST) -> Judged:
    """What the provider makes of the tools, if they are sent to it in this way.

    A tool that is given in the variant's form is sent as it stands there, and any other in that form with the same
    schema. `day` is the day of the request.
    """
    form = form_called(variant.form)
    sent = [written(tool, variant, form) for tool in tools]
    problems = [*_of_request(sent, variant, form), *_of_limits(sent, form, variant, day)]
    known = {(each.tool, each.pointer) for each in problems if each.outcome is Outcome.REFUSED and each.in_schema}
    problems += [each for each in _of_keywords(sent, variant, day) if not _explained(each, known)]
    return Judged(
        variant,
        tuple(
            JudgedTool(tool, sent[number], tuple(each for each in problems if each.tool == number))
            for number, tool in enumerate(tools)
        ),
        tuple(each for each in problems if each.tool is None),
    )


def written(tool: GivenTool, variant: Variant, form: ToolForm | None = None) -> dict[str, Any]:
    """The definition of a tool as it is sent to the variant."""
    form = form or form_called(variant.form)
    given = tool.given if tool.form == variant.form and isinstance(tool.given, dict) else None
    if given is not None and (schema_in(given, variant) is not None or tool.definition.parameters is None):
        definition = dict(given)
        if form.strict_at is not None and variant.strict is not None:
            definition = _copied(given)
            put(definition, form.strict_at, variant.strict)
        return definition
    # A mark that is false means the same as its absence, except to servers that then try strict mode by themselves.
    strict = variant.strict if form.strict_at is not None else None
    return form.written(replace(tool.definition), schema_at=variant.schema_at, strict=strict)


def _copied(value: Any) -> Any:
    return {key: _copied(each) for key, each in value.items()} if isinstance(value, dict) else value


def _of_request(sent: Sequence[dict[str, Any]], variant: Variant, form: ToolForm) -> Iterator[Problem]:
    """What the contract and the rules of the dialect find in the tools of a request."""
    if variant.form not in all_dialects():
        return
    request = form.request(sent, variant.model, variant.api_version)
    profile = replace(all_profiles()[variant.profile], model=variant.model)
    checker = Checker(variant.form, profile=profile)
    for finding in checker.feed(Exchange(request, Response(UNANSWERED), complete=True)):
        if finding.rule in _FROM_ROWS or needs_more(finding.rule):
            continue
        if (finding.pointer or "").startswith(form.tools_at):
            for pointer in (finding.pointer or "", *finding.tally.places):
                yield _of_finding(finding, pointer, sent, variant, form)


def _of_finding(
    finding: Finding, pointer: str, sent: Sequence[dict[str, Any]], variant: Variant, form: ToolForm
) -> Problem:
    number, _, rest = pointer[len(form.tools_at) + 1 :].partition("/")
    tool = int(number) if number.isdecimal() and int(number) < len(sent) else None
    place = f"/{rest}" if rest else ""
    found = None if tool is None else schema_in(sent[tool], variant)
    within = found is not None and (place == found[1] or place.startswith(f"{found[1]}/"))
    if found is not None and within:
        place = place[len(found[1]) :]
    return Problem(
        outcome=Outcome.REFUSED if finding.severity is Severity.ERROR else Outcome.ACCEPTED,
        message=finding.message,
        rule=finding.rule,
        tool=tool,
        pointer=place,
        in_schema=within,
        keyword=_keyword_at(found[0], place) if found is not None and within else None,
        fix=finding.fix or (f"expected: {finding.expected}" if finding.expected else None),
        actual=finding.actual,
        evidence=finding.cite,
    )


def _keyword_at(schema: Any, pointer: str) -> str | None:
    return next((each.keyword for each in occurrences(schema) if each.pointer == pointer), None)


def _of_limits(sent: Sequence[dict[str, Any]], form: ToolForm, variant: Variant, day: date | None) -> Iterator[Problem]:
    headings = [get(definition, form.heading_at) for definition in sent]
    for number, over in of_list([(_text(each, "name"), _text(each, "description")) for each in headings], variant, day):
        yield _of_limit(over, tool=number)
    for number, definition in enumerate(sent):
        found = schema_in(definition, variant)
        for over in () if found is None else exceeded(found[0], variant, day):
            yield replace(_of_limit(over, tool=number), in_schema=True, pointer=over.pointer)


def _text(heading: Any, key: str) -> str | None:
    value = heading.get(key) if isinstance(heading, dict) else None
    return value if isinstance(value, str) else None


def _of_limit(over: Exceeded, *, tool: int | None) -> Problem:
    limit = over.limit
    return Problem(
        outcome=limit.outcome,
        message=too_much(over),
        rule=LIMIT,
        tool=tool,
        fix=limit.fix,
        actual=over.found,
        **_proof(limit),
    )


def _of_keywords(sent: Sequence[dict[str, Any]], variant: Variant, day: date | None) -> Iterator[Problem]:
    for number, definition in enumerate(sent):
        found = schema_in(definition, variant)
        for each in () if found is None else treated(found[0], variant, day):
            if each.outcome is not Outcome.ACCEPTED:
                yield _of_keyword(each, number)


def _of_keyword(each: Treated, number: int) -> Problem:
    return Problem(
        outcome=each.outcome,
        message=message_of(each),
        rule=_RULES.get(each.outcome, IGNORED),
        tool=number,
        pointer=each.occurrence.pointer,
        in_schema=True,
        keyword=each.occurrence.keyword,
        loses=each.loses,
        loss=loss_of(each) if each.loses else None,
        fix=fix_of(each),
        actual=brief(each.occurrence.value),
        **({} if each.row is None else _proof(each.row)),
    )


def _proof(fact: Fact) -> dict[str, Any]:
    return {"evidence": fact.evidence, "basis": fact.basis, "seen": fact.day, "since": fact.since}


def _explained(problem: Problem, known: set[tuple[int | None, str]]) -> bool:
    """Whether a contract or a rule refuses the same keyword, or one around it, which the provider rejects first."""
    steps = problem.pointer.split("/")
    around = ("/".join(steps[:length]) for length in range(2, len(steps) + 1))
    return any((problem.tool, pointer) in known for pointer in around)
