"""The forms of a call: tag with Python, JSON object, `<function=...>`, and the list of Llama 3.2 and later.

`read_calls` takes the text that follows a mark of a call and is given all of it. It knows what each form looks like
when it is whole, what of a broken or cut one is still certain, and says what is wrong in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from conformance import jsontext
from conformance.dialects.riding import members, value_end
from conformance.textforms.llama.python_calls import is_call_list, read_call_list
from conformance.textforms.llama.tokens import BUILT_IN, CODE, ENDS, TAG
from conformance.transcript import Malformed, Part, Text, ToolCall, Unknown

Form = Literal["text", "built-in", "code", "json", "custom", "list"]
Fault = Literal["built-in", "json", "custom", "around", "before", "spacing", "cut"]
OPEN, CLOSE = "<function=", "</function>"

_BUILT_IN = re.compile(r'([A-Za-z_]\w*)\.call\(query="([^"]*)"\)')
_BEGUN = re.compile(rf"({'|'.join(BUILT_IN)})(?!\w)")
_CUSTOM = re.compile(r"<function=([^<>\n]*)>")
_NAME = re.compile(r'\{\s*(?:"type"\s*:\s*"function"\s*,\s*)?"name"\s*:\s*("(?:[^"\\\n]|\\.)*")')
_GIVEN = re.compile(r'"(?:parameters|arguments)"\s*:\s*')
_MEANT = re.compile(r'\{\s*"(?:type"\s*:\s*"function"|name"|function"|parameters")')


@dataclass
class Reading:
    """What a reply says: its parts, the form of its calls, the token that ends it, and what is wrong, in words."""

    parts: list[Part] = field(default_factory=list)
    form: Form = "text"
    end: str | None = None
    faults: list[tuple[Fault, str]] = field(default_factory=list)

    def fault(self, kind: Fault, what: str) -> None:
        self.faults.append((kind, what))

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        return tuple(part for part in self.parts if isinstance(part, ToolCall))


def read_calls(text: str, found: Reading, *, cut: bool) -> None:
    """Reads the text from where a call may begin; `cut` says that it may end anywhere."""
    content = text.removeprefix(TAG)
    tagged = len(content) < len(text)
    start = content.lstrip()
    rest: str | None
    if tagged and start != content and not start.startswith(ENDS):
        found.fault("spacing", "white space follows the tag")
    if start.startswith(OPEN):
        rest = _custom_calls(start, found, cut=cut)
    elif start.startswith("{"):
        rest = _json_calls(start, found, cut=cut)
    elif start.startswith("["):
        rest = _list(start, found)
    elif _BUILT_IN.match(start) or (tagged and _BEGUN.match(start)) or start.startswith(_CALLED):
        rest = _built_in_calls(start, found, cut=cut)
    else:
        rest = None
    if rest is None:
        _code_or_text(content if tagged else text, found, tagged=tagged)
    else:
        _rest(rest, found)


_CALLED = tuple(f"{name}.call(" for name in BUILT_IN)


def _code_or_text(content: str, found: Reading, *, tagged: bool) -> None:
    body, found.end, tail = split_end(content)
    if tagged:
        found.form = "code"
        found.parts.append(ToolCall(None, CODE, body, wire=body, kind="custom"))
        if body.rstrip() != body:
            found.fault("spacing", "white space comes before the end token")
    elif body:
        found.parts.append(Text(body))
    if tail:
        _after_end(tail, found)


def split_end(text: str) -> tuple[str, str | None, str]:
    """The text up to its end token, the token, and what follows it; the last token of the text is its end."""
    place, end = max((text.rfind(each), each) for each in ENDS)
    if place < 0:
        return text, None, ""
    return text[:place], end, text[place + len(end) :]


def _rest(rest: str, found: Reading) -> None:
    """What stands behind the calls: the end token, or what should not be there."""
    kept = rest.lstrip()
    end = next((each for each in ENDS if kept.startswith(each)), None)
    if end is None:
        body, found.end, tail = split_end(rest)
        if body.strip():
            found.fault("around", "text follows the call")
            found.parts.append(Text(body))
        if tail:
            _after_end(tail, found)
        return
    if kept != rest:
        found.fault("spacing", "white space comes before the end token")
    found.end = end
    if kept != end:
        _after_end(kept[len(end) :], found)


def _after_end(tail: str, found: Reading) -> None:
    found.fault("around", "text follows the end token" if tail.strip() else "white space follows the end token")
    found.parts.append(Unknown("after the end", tail))


def _separator(text: str, begins: tuple[str, ...]) -> str | None:
    """The text from the next call on, where one follows: behind a semicolon, or at once."""
    following = text.lstrip().removeprefix(";").lstrip()
    return following if following.startswith(begins) else None


def _built_in_calls(text: str, found: Reading, *, cut: bool) -> str:
    found.form = "built-in"
    while True:
        match = _BUILT_IN.match(text)
        if match is None:
            name = _BEGUN.match(text)
            body, end, tail = split_end(text)
            wire = body[name.end() :] if name else body
            if not cut:
                found.fault("built-in", f'{body[:60]!r} is no `name.call(query="...")`')
            found.parts.append(ToolCall(None, name[1] if name else None, Malformed(wire, "no call"), wire=wire))
            return (end or "") + tail
        found.parts.append(ToolCall(None, match[1], {"query": match[2]}, wire=f'query="{match[2]}"'))
        following = _separator(text[match.end() :], BUILT_IN)
        if following is None:
            return text[match.end() :]
        text = following


def _json_calls(text: str, found: Reading, *, cut: bool) -> str | None:
    """None where the first object is no call: then the text is only text."""
    while True:
        stop = value_end(text)
        value = jsontext.parse(text[:stop]) if stop is not None else Malformed(text, "it is not closed")
        if isinstance(value, Malformed):
            return _broken_json(text, value.reason, found, cut=cut) if _MEANT.match(text) else _not_json(text, found)
        if not _is_call(value):
            return _not_json(text, found)
        found.form = "json"
        found.parts.append(_json_call(text[:stop], value, found))
        following = _separator(text[stop:], ("{",))
        if following is None:
            return text[stop:]
        text = following


def _is_call(value: Any) -> bool:
    """Whether an object is meant as a call: it has parameters, or nothing but a name."""
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("function"), dict):
        return True
    return bool({"parameters", "arguments"} & value.keys()) or ("name" in value and value.keys() <= {"name", "type"})


def _not_json(text: str, found: Reading) -> str | None:
    """Where calls came before, what is left is text behind them."""
    return text if found.form == "json" else None


def _json_call(raw: str, value: dict[str, Any], found: Reading) -> ToolCall:
    written = members(raw)
    if isinstance(value.get("function"), dict) and "name" not in value:
        found.fault("json", "the call is nested under `function`")
        raw, value = written.get("function", "{}"), value["function"]
        written = members(raw)
    name = value.get("name")
    if not isinstance(name, str):
        found.fault("json", "`name` is no string" if "name" in value else "the object has no `name`")
    if "parameters" in value and "arguments" in value:
        found.fault("json", "the object has both `parameters` and `arguments`")
    key = "parameters" if "parameters" in value else "arguments"
    if key not in value:
        found.fault("json", "the object has no `parameters`")
        return ToolCall(None, name if isinstance(name, str) else None, Malformed("", "no parameters"), wire="")
    if key == "arguments":
        found.fault("json", "the key is `arguments`, not `parameters`")
    elif not isinstance(value[key], dict):
        found.fault("json", f"`parameters` is of type {jsontext.kind(value[key])}")
    return ToolCall(None, name if isinstance(name, str) else None, value[key], wire=written.get(key))


def _broken_json(text: str, reason: str, found: Reading, *, cut: bool) -> str:
    """An object that does not parse: its name and the beginning of its parameters, if they can be seen."""
    found.form = "json"
    body, end, tail = split_end(text)
    name = _NAME.match(body)
    if not cut:
        found.fault("json", f"the object does not parse: {reason}")
    if name is None:
        found.parts.append(Text(body))
        return (end or "") + tail
    given = _GIVEN.search(body, name.end())
    wire = body[given.end() :] if given else ""
    called = jsontext.parse(name[1])
    wanted = called if isinstance(called, str) else None
    found.parts.append(ToolCall(None, wanted, Malformed(wire, "cut off" if cut else reason), wire=wire))
    return (end or "") + tail


def _custom_calls(text: str, found: Reading, *, cut: bool) -> str:
    found.form = "custom"
    while True:
        opened = _CUSTOM.match(text)
        if opened is None:
            body, end, tail = split_end(text)
            if not cut:
                found.fault("custom", "the opening tag is not `<function=NAME>`")
            found.parts.append(Unknown("half a tag", body))
            return (end or "") + tail
        text = text[opened.end() :]
        stop, wire, closed = _tagged(text)
        call = ToolCall(None, opened[1], jsontext.parse(wire), wire=wire)
        found.parts.append(call)
        if not (cut and not closed):
            for what in _custom_faults(call, closed=closed):
                found.fault("custom", what)
        following = _separator(text[stop:], (OPEN,))
        if following is None:
            return text[stop:]
        text = following


def _tagged(text: str) -> tuple[int, str, bool]:
    """What stands behind an opening tag: where it is over, the text inside, and whether a closing tag closes it.

    A closing tag inside a string of the JSON closes nothing.
    """
    begin = len(text) - len(text.lstrip())
    end = value_end(text, begin) if text.startswith("{", begin) else None
    close = text.find(CLOSE, end if end is not None else 0)
    body, _, _ = split_end(text)
    if close < 0 or (end is not None and text[end:close].strip()):
        if end is not None:
            return end, text[:end], False
        return len(body), body, False
    return close + len(CLOSE), text[:close], True


def _custom_faults(call: ToolCall, *, closed: bool) -> Iterator[str]:
    if not call.name:
        yield "the opening tag names no function"
    if not closed:
        yield f"`{CLOSE}` is missing"
    if isinstance(call.arguments, Malformed):
        yield f"what stands between the tags is not JSON: {call.arguments.reason}"
    elif not isinstance(call.arguments, dict):
        yield f"what stands between the tags is of type {jsontext.kind(call.arguments)}"
    if "\n" in (call.wire or ""):
        yield "the call takes more than one line"


def _list(text: str, found: Reading) -> str | None:
    """A list of calls in Python's words, or of JSON objects; None where it is neither."""
    body, end, tail = split_end(text)
    if is_call_list(body):
        calls = read_call_list(body.rstrip())
        if calls is None:
            return None
        found.form = "list"
        found.parts.extend(calls)
        return body[len(body.rstrip()) :] + (end or "") + tail
    stop = value_end(text)
    value = jsontext.parse(text[:stop]) if stop is not None else None
    if not isinstance(value, list) or not value or not all(isinstance(each, dict) and "name" in each for each in value):
        return None
    found.form = "json"
    found.fault("json", "the calls stand in an array")
    found.parts.extend(_json_call(jsontext.brief(each, 10**6), each, found) for each in value)
    return text[stop:]
