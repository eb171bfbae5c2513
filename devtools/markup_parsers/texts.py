"""The texts that the parsers read: 25 in each of eight markups, of 25 kinds, made from the seed."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from conformance.dialects.text.markup.grammar import grammar
from devtools.markup_parsers.writing import ROLE_HEADER, Called, schemas, written

MARKUPS = ("qwen3-coder", "glm", "kimi", "deepseek", "minimax", "gpt-oss", "mistral", "granite")
_WORDS = ("Oslo", "Lima", "Seoul", "Cairo", "Quito", "Turin", "Sapporo", "Leeds")
_TOOLS = ("get_weather", "find_place", "send_note", "list_files")


@dataclass(frozen=True, slots=True)
class Sample:
    """A text, with the tools that were offered and the calls that are complete in it."""

    markup: str
    kind: str
    text: str
    tools: Mapping[str, Any]
    calls: tuple[Called, ...]


Draw = random.Random


def samples(markups: Iterable[str] = MARKUPS, seed: int = 31) -> Iterator[Sample]:
    """The texts in the markups."""
    for markup in markups:
        draw = Draw(f"{seed}/{markup}")
        for kind, make in KINDS.items():
            calls = make(markup, draw)
            yield _changed(markup, kind, calls)


def _changed(markup: str, kind: str, calls: list[Called]) -> Sample:
    text, complete = written(markup, calls), calls
    first = len(written(markup, calls[:1]))
    if kind == "text before":
        text = _before(markup, "Let me look that up.\n") + text
    elif kind == "text after":
        text += _after(markup, "\nDone.")
    elif kind == "a call in thoughts":
        text = (
            _thought(markup, "I could call it here." if markup == "gpt-oss" else f"I could write {text} here.") + text
        )
    elif kind == "end of the turn" and markup == "gpt-oss":  # the recipient where the template has it
        text = ROLE_HEADER.format(name=calls[0][0]) + text.partition("<|message|>")[2]
    elif kind == "end of the turn":
        text += grammar(markup).ends[0]
    elif kind == "cut in the second call":
        text, complete = text[: (first + len(text)) // 2 + 1], calls[:1]
    elif kind == "cut in the first call":
        text, complete = text[: first // 2], []
    elif kind == "first call broken":
        wrong = text.replace(calls[0][0], "", 1) if markup not in ("granite", "kimi") else text.replace('"', "'", 2)
        text, complete = wrong if markup != "kimi" else text.replace(":0", "", 1), calls[1:]
    return Sample(markup, kind, text, schemas(calls), tuple(complete))


def _before(markup: str, text: str) -> str:
    if markup != "gpt-oss":
        return text
    return f"<|channel|>commentary<|message|>{text.strip()}<|end|><|start|>assistant"


def _after(markup: str, text: str) -> str:
    return f"<|start|>assistant<|channel|>final<|message|>{text.strip()}<|return|>" if markup == "gpt-oss" else text


def _thought(markup: str, text: str) -> str:
    if markup == "gpt-oss":
        return f"<|channel|>analysis<|message|>{text}<|end|><|start|>assistant"
    marks = grammar(markup).thought
    return f"{marks[0]}{text}{marks[1]}\n" if marks else ""


def _one(**arguments: Any) -> Callable[[str, Draw], list[Called]]:
    """One call, with a city that is drawn, and these arguments; `{}` in a text stands for the city."""

    def make(_markup: str, draw: Draw) -> list[Called]:
        city = draw.choice(_WORDS)
        filled = {
            key: value.replace("{}", city) if isinstance(value, str) else value for key, value in arguments.items()
        }
        return [(draw.choice(_TOOLS), {"city": city, **filled})]

    return make


def _two(_markup: str, draw: Draw) -> list[Called]:
    one, other = draw.sample(_TOOLS, 2)
    return [(one, {"city": draw.choice(_WORDS), "days": draw.randint(2, 9)}), (other, {"place": draw.choice(_WORDS)})]


def _nothing(_markup: str, draw: Draw) -> list[Called]:
    return [(draw.choice(_TOOLS), {})]


def _with_marks(which: str) -> Callable[[str, Draw], list[Called]]:
    def make(markup: str, draw: Draw) -> list[Called]:
        of = grammar(markup)
        inner = next((step.inner[-1].marks[0] for step in of.call if step.slot == "parameters"), None)
        closing = of.closing or of.opening
        mark = (inner or closing[0]) if which == "closing" else (of.opening or of.restarts)[0]
        return [(draw.choice(_TOOLS), {"note": f"write {mark} {draw.choice(_WORDS)}"})]

    return make


def _named(name: str) -> Callable[[str, Draw], list[Called]]:
    return lambda _markup, draw: [(name, {"city": draw.choice(_WORDS)})]


KINDS: Mapping[str, Callable[[str, Draw], list[Called]]] = {
    "one call": _one(),
    "two calls": _two,
    "no arguments": _nothing,
    "text before": _one(),
    "text after": _one(),
    "end of the turn": _one(),
    "a call in thoughts": _one(),
    "numbers, true and null": _one(days=3, limit=0.5, dry=True, wet=False, until=None),
    "object": _one(where={"at": {"lat": 1.5, "names": ["a", "b"]}, "near": []}),
    "array": _one(names=["{}", "x"], numbers=[1, 2.5, None]),
    "empty string": _one(note=""),
    "string of digits": _one(zip="01234", count="12"),
    "string true": _one(note="true", other="null"),
    "string of JSON": _one(note='{"a": [1, 2]}'),
    "quotes and backslashes": _one(note='say "{}" and \\n, \\\\ or \' it'),
    "angle brackets": _one(note="if a < b > c: <b>{}</b> &amp; </b>"),
    "other letters": _one(note="서울 날씨 😀 Größe {}"),
    "line ends inside": _one(note="def f():\n    return '{}'\n\n    # end"),
    "white space around": _one(note="  {}  "),
    "closing mark in a value": _with_marks("closing"),
    "opening mark in a value": _with_marks("opening"),
    "dots and dashes in the name": _named("files.list-all"),
    "cut in the second call": _two,
    "cut in the first call": _one(note="a longer text about {}"),
    "first call broken": _two,
}
BROKEN = ("cut in the second call", "cut in the first call", "first call broken")
"""The kinds whose texts are not as the template writes them."""
