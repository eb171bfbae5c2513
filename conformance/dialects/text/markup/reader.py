"""Reads the text of a model, piece by piece: text, thoughts, calls, and where the markup is broken.

A call is read twice at most. First, a mark counts only where what its template writes next follows it: JSON goes on to
its last bracket, and a value past a closing mark inside it. If the call cannot be read so, or its text ends before, it
is read again, and the first closing mark closes. What was read so once is not read so again, so that the time grows
with the text, whatever is in it.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from dataclasses import field
from typing import Any

from conformance.dialects.text.markup.grammar import FREE, JSON, NO_MARKS, Grammar, Marks, Step, grammar
from conformance.dialects.text.markup.incoming import Incoming
from conformance.dialects.text.markup.values import kinds_of, read_json, read_value
from conformance.model import jsontext
from conformance.model.frozen import dataclass
from conformance.model.transcript import Malformed, Reasoning, Text

_BRACKET = Marks("}")
_NO_NAME = re.compile(r"[\s<>]")
_BROKEN_AT = re.compile(r"\(char (\d+)\)$")
_SYMBOL = re.compile(r'["{}\[\]]')
_IN_STRING = re.compile(r'["\\\n]')


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call, at the place where its markup begins.

    `read_as` is, for each argument that the markup writes without a type, whether it was read as `json` or as `string`.
    """

    name: str
    arguments: Any
    id: str | None = None
    line: int = 1
    column: int = 1
    read_as: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Fault:
    """Broken markup, at the place where it breaks; `cut` is whether the text ends there. `name` is that of the call."""

    message: str
    line: int
    column: int
    cut: bool = False
    name: str | None = None


Event = Text | Reasoning | Call | Fault
_Reading = Generator[Event | None, None, None]
"""Events, and None where more text is needed."""


class _BrokenError(Exception):
    """The markup is broken at a place of the text."""

    def __init__(self, message: str, place: int) -> None:
        super().__init__(message)
        self.place = place


class Markup:
    """A reader for one text in a markup, as it comes.

    Args:
        name: The name of the markup.
        tools: The JSON Schemas of the parameters of tools, by the tools' names: a value of a parameter that is a string
            there stays a string. Without one, a value is JSON if it parses as JSON.
        thinking: Whether the prompt has opened the model's thoughts, so that the text begins within them.

    Raises:
        ConformanceError: there is no such markup.
    """

    def __init__(self, name: str, *, tools: Mapping[str, Any] | None = None, thinking: bool = False) -> None:
        self._text = Incoming()
        self._grammar = grammar(name)
        self._reader = _Reader(self._grammar, self._text, tools or {}).turn(thinking=thinking)

    def feed(self, text: str) -> Iterator[Event]:
        """What is certain after this piece: text as far as it is none of a mark, and calls as a whole."""
        self._text.add(text)
        return self._events()

    def finish(self) -> Iterator[Event]:
        """The rest, at the end of the text."""
        self._text.add("", last=True)
        return self._events()

    def _events(self) -> Iterator[Event]:
        events: list[Event] = []
        while (event := next(self._reader, None)) is not None:
            events.append(event)
        return iter(events)


def opened_before(name: str, text: str) -> bool:
    """Whether the whole text begins in the model's thoughts: it ends them, and does not begin them before."""
    opening, closing = grammar(name).thought or ("", "")
    return bool(closing) and closing in text and opening not in text[: text.index(closing)]


class _Reader:
    def __init__(self, markup: Grammar, text: Incoming, tools: Mapping[str, Any]) -> None:
        self._markup, self._text, self._tools = markup, text, tools
        self._lenient_from = 0
        self._name: str | None = None
        self._ends_of: dict[Step, Marks] = {}

    def turn(self, *, thinking: bool) -> _Reading:
        """The whole text."""
        if self._markup.messages is not None:
            yield from self._messages(self._markup.messages)
            return
        markup, text = self._markup, self._text
        if thinking and markup.thought:
            yield from self._thought()
        while True:
            _, mark = yield from self._until(markup.turn, Text)
            if mark is None:
                return
            if mark in markup.opening:
                yield from self._section() if markup.before else self._call()
                continue
            text.skip(mark)
            if mark in markup.ends:
                yield from self._rest(mark)
                return
            if mark in markup.thought[:1]:
                yield from self._thought()
            else:
                yield self._fault(f"`{mark}` stands outside of what it belongs to", text.place - len(mark))

    def _thought(self) -> _Reading:
        opening, closing = self._markup.thought
        _, mark = yield from self._until(Marks((closing,)), Reasoning)
        if mark is None:
            yield self._fault(f"the text ends in the model's thoughts: no `{closing}` follows `{opening}`")
        self._text.skip(mark)

    def _rest(self, mark: str) -> _Reading:
        """What follows the end of the turn, which is none of it."""
        yield from self._blank()
        if not self._text.exhausted:
            yield self._fault(f"text follows `{mark}`, which ends the turn")
        yield from self._until(NO_MARKS)

    def _messages(self, given: Mapping[str, Any]) -> _Reading:
        """A turn that is written as messages: what each one is, its header says."""
        text, ends, opened = self._text, Marks((*given["ends"], given["begin"])), Marks([given["begin"]])
        heads = Marks((given["content"], *ends))
        while True:
            yield from self._blank()
            begin = text.place
            opening = (yield from self._next(opened)) or ""
            text.skip(opening)
            header, mark = yield from self._until(heads)
            read = re.fullmatch(given["header"], (opening + header).strip())
            if mark != given["content"]:
                if header.strip() or opening:
                    yield self._fault(f"the header of a message ends without `{given['content']}`", begin)
            elif read is None:
                yield self._fault("the header of the message has no channel, or text that is not known", begin)
            text.skip(None if mark == given["begin"] else mark)
            if mark is None:
                return
            if mark != given["content"]:
                continue
            recipient = read and (read["to"] or read["then"])
            if recipient:
                function = re.fullmatch(given["function"], recipient)
                steps = self._markup.call if function else self._markup.other
                yield from self._call({"name": function["name"] if function else recipient}, steps, begin)
                continue
            kind = Reasoning if read and read["channel"] == given["thought"] else Text
            _, mark = yield from self._until(ends, kind)
            text.skip(None if mark == given["begin"] else mark)

    def _section(self) -> _Reading:
        """The calls of a turn, with what is around them."""
        markup, text = self._markup, self._text
        wanted = markup.within
        try:
            yield from self._walk(markup.before, {})
            while True:
                mark = yield from self._wanted(wanted)
                if mark in markup.call[0].first:
                    whole = yield from self._call()
                    if not whole and (markup.separator or text.exhausted):
                        return
                    wanted = markup.behind
                    continue
                text.skip(mark)
                if mark not in markup.separator:
                    return
                wanted = markup.call[0].first
        except _BrokenError as broken:
            yield self._fault(str(broken), broken.place)
            yield from self._onward()

    def _call(
        self, found: Mapping[str, Any] | None = None, steps: Sequence[Step] = (), begin: int | None = None
    ) -> Generator[Event | None, None, bool]:
        """One call, and whether it is whole.

        `found` are slots that are known, `steps` is its pattern, if it is not that of the markup.
        """
        text, steps = self._text, steps or self._markup.call
        begin = text.place if begin is None else begin
        for lenient in (True, False) if text.place >= self._lenient_from else (False,):
            slots = dict(found or {})
            self._name = slots.get("name")
            if lenient:
                text.mark()
            try:
                yield from self._walk(steps, slots, lenient=lenient)
            except _BrokenError as broken:
                if lenient:
                    self._lenient_from = text.place
                    text.back()
                    continue
                yield self._fault(str(broken), broken.place)
                yield from self._onward()
                return False
            text.unmark()
            try:
                yield self._made(slots, begin)
            except _BrokenError as broken:
                yield self._fault(str(broken), broken.place)
            return True
        return False

    def _onward(self) -> _Reading:
        """Skips a broken call: to its end, or to what begins something else."""
        _, mark = yield from self._until(self._markup.onward)
        if mark in self._markup.closing:
            self._text.skip(mark)

    def _walk(self, steps: Sequence[Step], slots: dict[str, Any], *, lenient: bool = False) -> _Reading:
        """Reads a pattern, and puts what is in its slots into `slots`, each with its place."""
        text, left = self._text, iter(steps)
        for step in left:
            if step.slot is None:
                mark = yield from self._wanted(step.marks, at_end=step.at_end)
                text.skip(mark)
            elif step.inner:
                while (yield from self._wanted(step.either)) in step.first:
                    inner: dict[str, Any] = {} if step.slot == "parameters" else slots
                    yield from self._walk(step.inner, inner, lenient=lenient)
                    if inner is not slots:
                        slots.setdefault(step.slot, []).append(inner)
            elif step.slot in JSON:
                slots[step.slot] = yield from self._json(step, lenient=lenient)
            elif step.slot in FREE:
                slots[step.slot] = yield from self._free(step, next(left), lenient=lenient)
            else:
                slots[step.slot] = yield from self._word(step)

    def _word(self, step: Step) -> Generator[Event | None, None, str]:
        """A name, an id or a key: up to what may follow."""
        begin = self._text.place
        found, mark = yield from self._until(self._stops(step))
        word: str = found if step.slot == "key" else found.strip()
        if mark not in step.then:
            raise self._expected(step.then)
        if step.slot == "id" and self._markup.id is not None:
            named = re.fullmatch(self._markup.id, word)
            if named is None:
                raise _BrokenError(f"the id {jsontext.brief(word)} is not of the form `{self._markup.id}`", begin)
            self._name = named["name"]
        if step.slot == "name":
            if not word or _NO_NAME.search(word):
                raise _BrokenError(f"{jsontext.brief(word)} is no name of a tool", begin)
            self._name = word
        return word

    def _free(self, step: Step, closing: Step, *, lenient: bool) -> Generator[Event | None, None, str]:
        """Any text, up to the mark after it, which is consumed; a lenient reading needs what follows the mark, too."""
        text, pieces = self._text, list[str]()
        stops = step.then if lenient else self._stops(step)
        while True:
            found, mark = yield from self._until(stops)
            pieces.append(found)
            if mark is None and closing.at_end:
                break
            if mark not in step.then:
                raise self._expected(step.then)
            text.skip(mark)
            if not lenient or not closing.then:
                break
            space = yield from self._blank()
            if (yield from self._next(closing.then)) is not None:
                break
            pieces += (mark, space)
            stops = self._stops(step)
        value = "".join(pieces)
        return value.removeprefix("\n").removesuffix("\n") if step.trimmed else value

    def _json(self, step: Step, *, lenient: bool) -> Generator[Event | None, None, Any]:
        """A JSON object: up to its last bracket, or to what may follow it."""
        yield from self._wanted(step.first)
        begin = self._text.place
        if lenient:
            found = yield from self._balanced()
        else:
            found, _ = yield from self._until(self._stops(step))
        value = read_json(found.rstrip())
        if isinstance(value, Malformed):
            if self._text.exhausted:
                raise self._expected(_BRACKET)
            at = _BROKEN_AT.search(value.reason)
            raise _BrokenError(f"the JSON is broken: {value.reason}", begin + (int(at[1]) if at else 0))
        return value

    def _balanced(self) -> Generator[Event | None, None, str]:
        """The text up to the bracket that closes the one at its beginning."""
        text, pieces = self._text, list[str]()
        depth, within, escaped = 0, False, False
        while True:
            found = None
            if escaped and text.at < len(text.text):
                pieces.append(text.take(text.at + 1))
                escaped = False
            if not escaped:
                found = (_IN_STRING if within else _SYMBOL).search(text.text, text.at)
            pieces.append(text.take(found.end() if found else len(text.text)))
            symbol = found[0] if found else ""
            if symbol == '"':
                within = not within
            elif symbol == "\\":
                escaped = True
            elif symbol and symbol != "\n":
                depth += 1 if symbol in "{[" else -1
                if not depth:
                    return "".join(pieces)
            if symbol == "\n" or text.exhausted:
                raise self._expected(_BRACKET)
            if not symbol and not text.ended:
                yield None

    def _made(self, slots: Mapping[str, Any], begin: int) -> Call:
        """The call of the slots."""
        line, column = self._text.position(begin)
        whole = slots.get("object", slots)
        name, identity = (self._name, whole.get("id")) if whole is slots else (whole.get("name"), whole.get("id"))
        if not isinstance(name, str) or not name or (whole is not slots and "arguments" not in whole):
            raise _BrokenError("the call has no `name` that is a string, or no `arguments`", begin)
        arguments, read_as = whole.get("arguments"), dict[str, str]()
        if "content" in slots:
            arguments = slots["content"]
        elif whole is slots and "arguments" not in slots:
            arguments, schema = {}, self._tools.get(name)
            properties = schema.get("properties") if isinstance(schema, dict) else None
            for each in slots.get("parameters", ()):
                key = each["key"]
                types = kinds_of(properties.get(key), schema) if isinstance(properties, dict) else set()
                if key in arguments:
                    raise _BrokenError(f"the call has the parameter {jsontext.brief(key)} twice", begin)
                value = read_value(each["value"], types, self._markup.words, each.get("string"))
                arguments[key], read_as[key] = value
        return Call(name, arguments, identity if isinstance(identity, str) else None, line, column, read_as)

    def _stops(self, step: Step) -> Marks:
        """What ends text in a slot: what may follow it, or what begins something else."""
        if step not in self._ends_of:
            self._ends_of[step] = Marks((*step.then, *self._markup.restarts))
        return self._ends_of[step]

    def _until(self, marks: Marks, kind: type[Text | Reasoning] | None = None) -> Generator[Event | None, None, Any]:
        """The text up to the first of the marks, and the mark, which is not consumed: None at the end of the text.

        With `kind`, the text comes as events instead.
        """
        text, pieces = self._text, list[str]()
        while True:
            end, mark = text.find(marks)
            piece = text.take(end)
            if kind is None:
                pieces.append(piece)
            elif piece:
                yield kind(piece)
            if mark is not None or text.ended:
                return "".join(pieces), mark
            yield None

    def _next(self, marks: Marks) -> Generator[Event | None, None, str | None]:
        """Which of the marks is next, if one is; it is not consumed."""
        while True:
            mark, open_ = self._text.begins_with(marks)
            if not open_:
                return mark
            yield None

    def _wanted(self, marks: Marks, *, at_end: bool = False) -> Generator[Event | None, None, str]:
        """Which of the marks is next, after white space."""
        yield from self._blank()
        mark = yield from self._next(marks)
        if mark is None and not (at_end and self._text.exhausted):
            raise self._expected(marks)
        return mark or ""

    def _blank(self) -> Generator[Event | None, None, str]:
        """White space, which is consumed."""
        text, pieces = self._text, list[str]()
        while True:
            pieces.append(text.blank())
            if text.at < len(text.text) or text.ended:
                return "".join(pieces)
            yield None

    def _expected(self, marks: Marks) -> _BrokenError:
        text = self._text
        if text.ended and any(each.startswith(text.text[text.at :]) for each in marks):
            text.take(len(text.text))
        here = "the text ends where" if text.exhausted else "here,"
        return _BrokenError(f"{here} {marks} is expected", text.place)

    def _fault(self, message: str, place: int | None = None) -> Fault:
        at = self._text.place if place is None else place
        name, self._name = self._name, None
        return Fault(message, *self._text.position(at), cut=self._text.exhausted, name=name)
