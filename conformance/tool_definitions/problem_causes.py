"""The problems of a list of tools by cause: one entry for the same problem at several profiles, in several tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from conformance.judge.cause import wording_of
from conformance.profiles.subschemas import place_of
from conformance.profiles.tool_variants import Outcome
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.judgement import Judged, Problem

_ORDER = (Outcome.REFUSED, Outcome.UNKNOWN, Outcome.REWRITTEN, Outcome.IGNORED, Outcome.ACCEPTED)


@dataclass(frozen=True, slots=True)
class Place:
    """Where a problem is: the tool and its number in the list, None for the whole list, and the pointer."""

    tool: GivenTool | None
    number: int | None
    pointer: str

    @property
    def name(self) -> str:
        """The name of the tool; empty for the whole list."""
        return (self.tool.definition.name or "") if self.tool is not None else ""


@dataclass(slots=True)
class Cause:
    """One problem: where it is, and by which profile it is reported, with the problem as it is there."""

    first: Problem
    places: list[Place] = field(default_factory=list)
    profiles: dict[str, Problem] = field(default_factory=dict)

    @property
    def outcome(self) -> Outcome:
        return self.first.outcome

    @property
    def loses(self) -> bool:
        return self.first.loses


def causes_of(judged: Sequence[Judged], *, remarks: bool = True) -> list[Cause]:
    """The causes, the worst first. `remarks` are problems that do not keep a tool from being accepted."""
    found: dict[tuple[str, ...], Cause] = {}
    for result in judged:
        everything = [*result.problems, *(problem for tool in result.tools for problem in tool.problems)]
        for problem in everything:
            if not remarks and not counts(problem):
                continue
            cause = found.setdefault(_key(problem), Cause(problem))
            cause.profiles.setdefault(result.variant.full_name, problem)
            place = _place(problem, result)
            if place not in cause.places:
                cause.places.append(place)
    return sorted(found.values(), key=lambda each: (_ORDER.index(each.outcome), not each.loses, -len(each.profiles)))


def counts(problem: Problem) -> bool:
    """Whether a problem keeps a tool from being accepted as it is."""
    return problem.loses or problem.outcome in (Outcome.REFUSED, Outcome.UNKNOWN)


def _key(problem: Problem) -> tuple[str, ...]:
    return problem.outcome, problem.rule, problem.keyword or "", wording_of(problem.message)


def _place(problem: Problem, result: Judged) -> Place:
    if problem.tool is None:
        return Place(None, None, "")
    judged = result.tools[problem.tool]
    tool = judged.tool
    if not problem.in_schema:
        return Place(tool, problem.tool, tool.definition.pointer)
    at = place_of(tool.given, tool.definition.parameters, tool.definition.pointer)
    # Elsewhere the schema is one that was made from the input, so the input has no such place.
    return Place(tool, problem.tool, tool.definition.pointer if at is None else f"{at}{problem.pointer}")


def named(profiles: Sequence[str] | dict[str, Problem], most: int = 3) -> str:
    """The names of profiles in one phrase: `openai/chat, google/3 and 4 more`."""
    names = list(profiles)
    more = f" and {len(names) - most} more" if len(names) > most else ""
    return f"{', '.join(names[:most])}{more}"
