"""The result as text: a verdict for each tool; then, in full, a table of tools and profiles, and the causes."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Sequence

import click

from conformance.cassette.redact import shown
from conformance.model.printable import count, short, visible
from conformance.profiles.tool_variants import Outcome, Variant
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.judgement import Judged, Problem, State
from conformance.tool_definitions.problem_causes import Cause, causes_of, counts, named
from conformance.tool_definitions.whole_list import clashes, size_of

WIDTH = 80
_NAME = 38
"""The width of the column of profiles."""
_WORDS = {State.ACCEPTED: "accepted", State.LOSS: "loss", State.UNKNOWN: "unknown", State.REFUSED: "refused"}
_SIGNS = {State.ACCEPTED: "+", State.LOSS: "~", State.UNKNOWN: "?", State.REFUSED: "X"}
_COLORS = {State.ACCEPTED: "green", State.LOSS: "yellow", State.UNKNOWN: "blue", State.REFUSED: "red"}
_CELL = 10
_COLOR_OF = {
    Outcome.REFUSED: "red",
    Outcome.UNKNOWN: "blue",
    Outcome.REWRITTEN: "yellow",
    Outcome.IGNORED: "yellow",
    Outcome.ACCEPTED: "green",
}


def lines_of(
    tools: Sequence[GivenTool],
    judged: Sequence[Judged],
    *,
    keeps: Callable[[Cause], bool] = lambda _: True,
    color: bool = False,
    verbose: bool = False,
) -> Iterator[str]:
    """The lines of the report, at most 80 columns wide except for names; of the causes, those that are kept."""
    for text in _verdicts(tools, judged):
        yield from textwrap.wrap(text, WIDTH, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)
    yield ""
    if verbose:
        yield from _table(tools, judged, color=color)
        if any(each.variant.enforced for each in judged):
            yield "* enforces the schema; the others only show it to the model, or it is not known"
        yield ""
        for number, cause in enumerate(filter(keeps, causes_of(judged, remarks=False)), 1):
            yield from _cause(number, cause, color=color)
    for spelled, group in clashes(tools):
        names = ", ".join(visible(tool.definition.name or "") for tool in group)
        yield f"the names {names} become the same ({spelled}) once they have only characters that all accept"
    yield from textwrap.wrap(sums_of(tools, judged) + ("" if verbose else "; -v shows the causes"), WIDTH)


def _verdicts(tools: Sequence[GivenTool], judged: Sequence[Judged]) -> Iterator[str]:
    """For each tool, where it is refused or loses something, and for what; then the same for the whole list."""
    for number, tool in enumerate(tools):
        states = [
            (state, [each for each in judged if each.tools[number].state is state])
            for state in (State.REFUSED, State.LOSS, State.UNKNOWN)
        ]
        parts = [_verdict(state, some, number) for state, some in states if some]
        if parts and states[0][1]:
            parts.insert(1, _mended(tools, number, states[0][1][0].variant))
        everywhere = "everywhere" if len(judged) > 1 else f"by {judged[0].variant.full_name}"
        text = "; ".join(filter(None, parts)) or f"accepted {everywhere}"
        yield f"{visible(tool.definition.name or '(no name)')}: {text}"
    for result in judged:
        for problem in result.problems:
            if counts(problem):
                state = _WORDS[State(problem.outcome)]
                yield f"the whole list: {state} by {result.variant.full_name}: {short(problem.message)}"


def _verdict(state: State, some: Sequence[Judged], number: int) -> str:
    words = {State.REFUSED: "refused by", State.LOSS: "accepted with loss by", State.UNKNOWN: "not known for"}
    outcome = Outcome.REFUSED if state is State.REFUSED else Outcome.UNKNOWN if state is State.UNKNOWN else None
    problems = [problem for each in some for problem in each.tools[number].problems]
    about = [each for each in problems if (each.loses if outcome is None else each.outcome is outcome)]
    names = list(dict.fromkeys(f"`{each.keyword}`" if each.keyword else _subject(each.message) for each in about))
    what = f" for {named(names)}" if names else ""
    return f"{words[state]} {named([each.variant.full_name for each in some])}{what}"


def _subject(message: str) -> str:
    """What a message is about: the first name in it, or all of it."""
    found = re.search(r"`[^`]+`", message)
    return found[0] if found else short(message)


def _mended(tools: Sequence[GivenTool], number: int, variant: Variant) -> str:
    """Whether rewriting for a profile makes it accept the tool."""
    from conformance.tool_definitions.rewriting import rewrite

    [after] = rewrite([tools[number]], variant).judged
    return "" if after.state is State.REFUSED else f"`--rewrite {variant.full_name}` mends that"


def _table(tools: Sequence[GivenTool], judged: Sequence[Judged], *, color: bool) -> Iterator[str]:
    """The profiles down, the tools across: in words if they fit, else as signs below the numbers of the tools."""
    names = [visible(shown(tool.definition.name or "")) for tool in tools]
    cell = max(_CELL, *(len(name) + 1 for name in names)) if names else _CELL
    wide = len(tools) * cell + _NAME <= WIDTH
    width = cell if wide else max(2, len(str(len(tools))) + 1)
    room = (WIDTH - _NAME) // width
    column = max([_NAME, *(len(each.variant.full_name) + 3 for each in judged)])
    blocks = range(0, max(len(tools), 1), room)
    if not wide:
        yield "  ".join(f"{sign} {state}" for state, sign in _SIGNS.items())
        yield from _legend(tools)
    for first in blocks:
        some = range(first, min(first + room, len(tools)))
        heads = (names[each] if wide else str(each + 1) for each in some)
        yield f"{'':{column}}{''.join(f'{head:<{width}}' for head in heads)}".rstrip()
        for each in judged:
            cells = "".join(_cell(each.tools[number].state, width, wide=wide, color=color) for number in some)
            mark = " *" if each.variant.enforced else ""
            yield f"{each.variant.full_name + mark:{column}}{cells}".rstrip()
        if first != blocks[-1]:
            yield ""


def _legend(tools: Sequence[GivenTool]) -> Iterator[str]:
    names = [f"{number} {visible(shown(tool.definition.name or ''))}" for number, tool in enumerate(tools, 1)]
    yield from textwrap.wrap("  ".join(name.replace(" ", "\u00a0", 1) for name in names), WIDTH, break_long_words=False)
    yield ""


def _cell(state: State, width: int, *, wide: bool, color: bool) -> str:
    text = f"{_WORDS[state] if wide else _SIGNS[state]:<{width}}"
    return click.style(text, fg=_COLORS[state]) if color else text


def _cause(number: int, cause: Cause, *, color: bool) -> Iterator[str]:
    """A cause in some lines: what, by whom, where, what to change, and the evidence."""
    problem = cause.first
    state = State.LOSS if cause.loses else State(cause.outcome)
    head = f"{_WORDS[state]:<8}"
    # Without secrets before it is wrapped: half of one does not look like one.
    message = textwrap.wrap(short(shown(problem.message)), WIDTH - 14, break_on_hyphens=False) or [""]
    yield f"{number:>3}  {click.style(head, fg=_COLOR_OF[cause.outcome], bold=True) if color else head} {message[0]}"
    yield from (f"{'':14}{line}" for line in message[1:])
    yield from _field("by", named(cause.profiles, len(cause.profiles)))
    yield from _field("at", _places(cause))
    if problem.loss:
        yield from _field("loss", f"the model may send {problem.loss}")
    if problem.fix:
        yield from _field("change", short(problem.fix))
    for text in dict.fromkeys(filter(None, map(evidence_of, cause.profiles.values()))):
        yield from _field("evidence", text)
    yield ""


def _field(name: str, text: str) -> Iterator[str]:
    first, *rest = textwrap.wrap(shown(text), WIDTH - 14, break_long_words=False, break_on_hyphens=False) or [""]
    yield f"     {name:<8} {first}"
    yield from (f"{'':14}{line}" for line in rest)


def _places(cause: Cause) -> str:
    return "; ".join(visible(f"{each.name} {each.pointer}".strip()) or "the whole list" for each in cause.places)


def evidence_of(problem: Problem) -> str:
    """The evidence of a problem with its kind and its date."""
    if not problem.evidence:
        return ""
    kind = "documented only" if problem.basis == "documented" else problem.basis
    details = ", ".join(
        filter(None, (kind, str(problem.seen or ""), f"since {problem.since}" if problem.since is not None else ""))
    )
    return f"{problem.evidence} ({details})" if details else problem.evidence


def sums_of(tools: Sequence[GivenTool], judged: Sequence[Judged]) -> str:
    """The size of the list, and how many profiles do what, in one line."""
    size = size_of(tools)
    states = [each.state for each in judged]
    numbers = ", ".join(f"{states.count(state)} {state}" for state in _SIGNS if state in states)
    whole = f"{count(size.tools, 'tool')} of roughly {count(size.tokens, 'token')}"
    return f"{whole}, at {count(len(states), 'profile')}: {numbers}"
