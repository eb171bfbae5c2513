"""The result for a list of tools at several profiles: what `conformance tools` shows, and `check` returns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from conformance.errors import ConformanceError
from conformance.judge.summary import Summary
from conformance.model.finding import Finding, Severity, Tally
from conformance.profiles.tool_variants import Outcome, Variant, all_variants, variants_called
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.judgement import Judged, State, judge
from conformance.tool_definitions.problem_causes import Cause, causes_of, counts, named
from conformance.tool_definitions.text import lines_of
from conformance.tool_definitions.whole_list import Size, clashes, size_of

_FIRST = (
    *("openai", "azure-openai", "anthropic", "google", "vertex", "mistral", "bedrock", "cohere", "groq", "xai"),
    *("deepseek", "openrouter", "vllm", "sglang", "llama-cpp", "ollama"),
)
"""The order of profiles; the others follow by name."""


@dataclass(frozen=True)
class ToolsResult:
    """What becomes of tools at some profiles.

    `judged` has an entry for each profile. `decisive` are the names of the profiles whose refusals are errors.
    """

    tools: tuple[GivenTool, ...]
    judged: tuple[Judged, ...]
    decisive: frozenset[str] = frozenset()

    @property
    def profiles(self) -> tuple[str, ...]:
        """The names of the profiles, in order."""
        return tuple(each.variant.full_name for each in self.judged)

    @cached_property
    def causes(self) -> list[Cause]:
        """The problems by cause, the worst first, without remarks."""
        return causes_of(self.judged, remarks=False)

    @cached_property
    def size(self) -> Size:
        """The size of the whole list."""
        return size_of(self.tools)

    def state(self, tool: str | int, profile: str) -> State:
        """What becomes of a tool, by its name or its number from 0, at a profile `PROFILE/VARIANT`.

        Raises:
            KeyError: there is no such tool, or the profile was not judged.
        """
        found = next((each for each in self.judged if each.variant.full_name == profile), None)
        if found is None:
            raise KeyError(profile)
        for number, each in enumerate(found.tools):
            if tool in (number, each.tool.definition.name):
                return each.state
        raise KeyError(tool)

    @property
    def refused(self) -> tuple[str, ...]:
        """The names of the profiles that refuse a request with these tools."""
        return tuple(each.variant.full_name for each in self.judged if each.state is State.REFUSED)

    @property
    def accepted(self) -> bool:
        """Whether all profiles accept all tools, with or without loss."""
        return all(each.state in (State.ACCEPTED, State.LOSS) for each in self.judged)

    def __str__(self) -> str:
        """The verdicts, the table and the causes, as `conformance tools -v` prints them."""
        return "\n".join(lines_of(self.tools, self.judged, verbose=True))

    def findings(self) -> Iterator[Finding]:
        """Each cause as a finding at its first place; then the names that clash.

        A refusal by a decisive profile is an error, by any other a warning, as are losses and unknown keywords at a
        decisive profile; everything else is an info.
        """
        yield from map(self.finding_of, causes_of(self.judged))
        for spelled, group in clashes(self.tools):
            names = ", ".join(tool.definition.name or "" for tool in group)
            yield Finding(
                rule="tool-name-ambiguous",
                severity=Severity.WARNING,
                message=f"the names {names} become the same",
                source=group[-1].source,
                id=group[-1].definition.name,
                pointer=group[-1].definition.pointer or None,
                expected="names that differ in letters, digits, underscores and hyphens",
                actual=spelled,
                fix="rename one of them",
            )

    def finding_of(self, cause: Cause) -> Finding:
        """A cause as a finding."""
        problem, place = cause.first, cause.places[0]
        where = f" at {problem.pointer}" if problem.in_schema and problem.pointer else ""
        tool = f"{place.name}{where}: " if place.tool is not None else ""
        others = [each.pointer for each in cause.places[1:] if each.pointer]
        source = place.tool.source if place.tool is not None else self.tools[0].source if self.tools else ""
        return Finding(
            rule=problem.rule,
            severity=self._severity(cause),
            message=f"{tool}{problem.message} (by {named(cause.profiles)})",
            source=source,
            id=place.name or None,
            side="request",
            pointer=place.pointer or None,
            actual=problem.actual,
            cite=problem.evidence,
            fix=problem.fix,
            tally=Tally(len(cause.places), others),
        )

    def _severity(self, cause: Cause) -> Severity:
        decisive = not self.decisive.isdisjoint(cause.profiles)
        if cause.outcome is Outcome.REFUSED:
            return Severity.ERROR if decisive else Severity.WARNING
        return Severity.WARNING if decisive and counts(cause.first) else Severity.INFO

    def summary(self) -> Summary:
        """The counts for a report, without those of findings, which are counted as they are reported."""
        return Summary(tools=len(self.tools), profiles=len(self.judged))

    def as_json(self) -> dict[str, Any]:
        """The member `tools` of the JSON report (`specs/report.schema.json`)."""
        return {
            "profiles": [
                {"name": each.variant.full_name, "about": each.variant.about, "state": str(each.state)}
                for each in self.judged
            ],
            "tools": [
                {
                    "name": tool.definition.name,
                    "source": tool.source,
                    "pointer": tool.definition.pointer,
                    "form": tool.form,
                    "states": {each.variant.full_name: str(each.tools[number].state) for each in self.judged},
                }
                for number, tool in enumerate(self.tools)
            ],
            "problems": [_cause_json(cause) for cause in self.causes],
            "size": {
                "tools": self.size.tools,
                "tokens": self.size.tokens,
                "longest_name": self.size.longest_name,
            },
        }


def _cause_json(cause: Cause) -> dict[str, Any]:
    return {
        "outcome": str(cause.outcome),
        "loses": cause.loses,
        "rule": cause.first.rule,
        "keyword": cause.first.keyword,
        "message": cause.first.message,
        "loss": cause.first.loss,
        "fix": cause.first.fix,
        "places": [{"tool": each.number, "pointer": each.pointer} for each in cause.places],
        "profiles": [
            {
                "name": name,
                "evidence": problem.evidence,
                "basis": problem.basis,
                "date": None if problem.seen is None else problem.seen.isoformat(),
                "since": None if problem.since is None else problem.since.isoformat(),
            }
            for name, problem in cause.profiles.items()
        ],
    }


def in_order() -> list[Variant]:
    """All variants, those of the best known profiles first."""
    ranks = {name: number for number, name in enumerate(_FIRST)}
    return sorted(all_variants().values(), key=lambda each: ranks.get(each.profile, len(ranks)))


def chosen(profiles: Sequence[str]) -> list[Variant]:
    """The variants of the profiles `PROFILE` or `PROFILE/VARIANT`, each once; the usual ones if none is given.

    Raises:
        ConformanceError: there is no such profile.
    """
    if not profiles:
        return [each for each in in_order() if each.usual]
    return list(dict.fromkeys(each for given in profiles for each in variants_called(given)))


def result_of(tools: Sequence[GivenTool], profiles: Sequence[str] = (), decisive: Sequence[str] = ()) -> ToolsResult:
    """The result for the tools at the profiles; by default at those that decide, or else at the usual ones.

    `decisive` are the profiles whose refusals are errors; by default those that were named. They are judged, too.

    Raises:
        ConformanceError: there is no such profile, or no tool with a schema.
    """
    functions = [tool for tool in tools if tool.definition.kind == "function"]
    if not functions:
        hint = "pass function tools, which have a schema" if tools else "pass at least one"
        raise ConformanceError("there are no tools" if not tools else "there are only hosted tools", hint)
    deciding = chosen(decisive or profiles) if decisive or profiles else []
    variants = list(dict.fromkeys([*chosen(profiles or decisive), *deciding]))
    return ToolsResult(
        tuple(functions),
        tuple(judge(functions, each) for each in variants),
        frozenset(each.full_name for each in deciding),
    )
