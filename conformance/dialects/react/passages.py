"""The texts of ReAct that rows read: the form, the steps below it, and the replies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from conformance.dialects.react.claims import BEGIN, prompts
from conformance.dialects.react.parse import OBSERVATION, THOUGHT, Segment, scan
from conformance.dialects.react.prompt import ASKED, QUESTION
from conformance.dialects.text.host_texts import history_texts, reply_texts
from conformance.dialects.text.reading import CUT
from conformance.dialects.text.rows import Passage, Span, source
from conformance.judge.view import View
from conformance.model.transcript import Text

TOOL, TEXT = "tool", "text"


@source("reply")
def reply(view: View) -> Iterator[Passage]:
    """The replies, up to an observation that the model wrote itself."""
    for turn, part in reply_texts(view):
        spans: list[Span] = []
        for span in _spans(scan(part.text), cut=turn.stop in CUT):
            spans.append(span)
            if span.is_any(OBSERVATION):
                break
        yield Passage(part.pointer, tuple(spans), turn.stop in CUT, part.text)


def _spans(segments: Iterable[Segment], *, cut: bool = False) -> list[Span]:
    found = list(segments)
    return [
        Span(
            (each.label or TEXT,), each.body, f"{each.label or ''}: {each.body}", whole=not (cut and each is found[-1])
        )
        for each in found
    ]


@source("request")
def form(view: View) -> Iterator[Passage]:
    """The prompts, with the labels that they announce and the tools that they name."""
    tools = tuple(Span((TOOL,)) for _ in view.ask.tools or ())
    for text, pointer in prompts(view.request):
        yield Passage(pointer, (*tools, *_spans(scan(text))))


@source("request")
def steps(view: View) -> Iterator[Passage]:
    """The steps so far, from the question on."""
    return (found for part in history_texts(view, "user") if (found := _steps(part, view)) is not None)


@source("request")
def last_steps(view: View) -> Iterator[Passage]:
    """Those in the last text of the user, without an open thought at the end."""
    for part in list(history_texts(view, "user"))[-1:]:
        found = _steps(part, view)
        spans = list(found.spans) if found else []
        while spans and spans[-1].is_any(THOUGHT) and not spans[-1].text:
            spans.pop()
        yield Passage(part.pointer, tuple(spans))


def _asks(view: View) -> bool:
    """Whether a form announces the question; if not, it is what follows `Begin!`."""
    return any(ASKED.search(text) for text, _ in prompts(view.request))


def _steps(part: Text, view: View) -> Passage | None:
    _, begun, text = part.text.partition(f"\n{BEGIN}")
    if not begun:
        return None
    first, *rest = _spans(scan(text)) or [Span((TEXT,))]
    asked = first.is_any(TEXT) and (ASKED.match(text.lstrip()) is not None or not _asks(view))
    return Passage(part.pointer, (Span((QUESTION,), first.text) if asked else first, *rest))


@source("request")
def history(view: View) -> Iterator[Passage]:
    """The model's earlier turns: their actions, each closed by its input."""
    for turn in view.ask.history:
        calls = (
            Span(("action",), call.name or "", name=call.name or "", closed=call.wire is not None)
            for call in turn.calls
        )
        yield Passage(turn.calls[0].pointer if turn.calls else turn.pointer, tuple(calls))
