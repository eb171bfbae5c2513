"""The result as text: a table of tools and profiles, then the problems by cause."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator, Sequence

import click

from conformance.model.printable import count, short, visible
from conformance.profiles.tool_variants import Outcome
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.judgement import Judged, Problem, State
from conformance.tool_definitions.problem_causes import Cause, causes_of, named
from conformance.tool_definitions.whole_list import clashes, size_of

WIDTH = 80
_NAME = 38
"""The width of the column of profiles."""
_WORDS = {State.ACCEPTED: "accepted", State.LOSS: "loss", State.UNKNOWN: "unknown", State.REFUSED: "refused"}
_SIGNS = {State.ACCEPTED: "+", State.LOSS: "~", State.UNKNOWN: "?", State.REFUSED: "X"}
_COLORS = {State.ACCEPTED: "green", State.LOSS: "yellow", State.UNKNOWN: "blue", State.REFUSED: "red"}
_CELL = 10
_PLACES = 3
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
    """The lines of the report, at most 80 columns wide except for long names; of the causes, those that are kept."""
    yield from _table(tools, judged, color=color)
    if any(each.variant.enforced for each in judged):
        yield "* enforces the schema; the others only show it to the model, or it is not known"
    yield ""
    for number, cause in enumerate(filter(keeps, causes_of(judged, remarks=False)), 1):
        yield from _cause(number, cause, color=color, verbose=verbose)
    for spelled, group in clashes(tools):
        names = ", ".join(visible(tool.definition.name or "") for tool in group)
        yield f"the names {names} become the same ({spelled}) once they have only characters that all accept"
    yield from textwrap.wrap(sums_of(tools, judged), WIDTH)


def _table(tools: Sequence[GivenTool], judged: Sequence[Judged], *, color: bool) -> Iterator[str]:
    """The profiles down, the tools across: in words if they fit, else as signs below the numbers of the tools."""
    wide = len(tools) * _CELL + _NAME <= WIDTH
    width = (WIDTH - _NAME) // max(len(tools), 1) if wide else max(2, len(str(len(tools))) + 1)
    room = (WIDTH - _NAME) // width
    blocks = range(0, max(len(tools), 1), room)
    if not wide:
        yield "  ".join(f"{sign} {state}" for state, sign in _SIGNS.items())
        yield from _legend(tools)
    for first in blocks:
        some = range(first, min(first + room, len(tools)))
        names = (visible(tools[each].definition.name or "") if wide else str(each + 1) for each in some)
        yield f"{'':{_NAME}}{''.join(f'{_cut(name, width - 1):<{width}}' for name in names)}".rstrip()
        for each in judged:
            cells = "".join(_cell(each.tools[number].state, width, wide=wide, color=color) for number in some)
            mark = " *" if each.variant.enforced else ""
            yield f"{_cut(each.variant.full_name, _NAME - 3) + mark:{_NAME}}{cells}".rstrip()
        if first != blocks[-1]:
            yield ""


def _legend(tools: Sequence[GivenTool]) -> Iterator[str]:
    names = [f"{number} {visible(tool.definition.name or '')}" for number, tool in enumerate(tools, 1)]
    yield from textwrap.wrap("  ".join(name.replace(" ", "\u00a0", 1) for name in names), WIDTH, break_long_words=False)
    yield ""


def _cell(state: State, width: int, *, wide: bool, color: bool) -> str:
    text = f"{_WORDS[state] if wide else _SIGNS[state]:<{width}}"
    return click.style(text, fg=_COLORS[state]) if color else text


def _cause(number: int, cause: Cause, *, color: bool, verbose: bool) -> Iterator[str]:
    """A cause in some lines: what, by whom, where, what to change, and the evidence."""
    problem = cause.first
    state = State.LOSS if cause.loses else State(cause.outcome)
    head = f"{_WORDS[state]:<8}"
    message = textwrap.wrap(short(problem.message), WIDTH - 14, break_on_hyphens=False) or [""]
    yield f"{number:>3}  {click.style(head, fg=_COLOR_OF[cause.outcome], bold=True) if color else head} {message[0]}"
    yield from (f"{'':14}{line}" for line in message[1:])
    most = len(cause.profiles) if verbose else 6
    yield from _field("by", named(cause.profiles, most))
    yield from _field("at", _places(cause, verbose=verbose))
    if problem.loss:
        yield from _field("loss", f"the model may send {problem.loss}")
    if problem.fix:
        yield from _field("change", short(problem.fix))
    for text in _evidence(cause, verbose=verbose):
        yield from _field("evidence", text)
    yield ""


def _field(name: str, text: str) -> Iterator[str]:
    first, *rest = textwrap.wrap(text, WIDTH - 14, break_long_words=False, break_on_hyphens=False) or [""]
    yield f"     {name:<8} {first}"
    yield from (f"{'':14}{line}" for line in rest)


def _places(cause: Cause, *, verbose: bool) -> str:
    most = len(cause.places) if verbose else _PLACES
    shown = [visible(f"{each.name} {each.pointer}".strip()) or "the whole list" for each in cause.places[:most]]
    more = f"; and {count(len(cause.places) - most, 'more place')}" if len(cause.places) > most else ""
    return f"{'; '.join(shown)}{more}"


def _evidence(cause: Cause, *, verbose: bool) -> Iterator[str]:
    """The evidence of each profile, each text once; only the first without `verbose`."""
    texts = list(dict.fromkeys(filter(None, map(evidence_of, cause.profiles.values()))))
    yield from texts if verbose else texts[:1]
    if len(texts) > 1 and not verbose:
        yield f"and {count(len(texts) - 1, 'more source')}; -v shows them"


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


def _cut(text: str, width: int) -> str:
    return text if len(text) <= width else f"{text[: width - 1]}…"
