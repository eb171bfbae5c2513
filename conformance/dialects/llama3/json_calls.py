"""Calls as JSON: one object, several in a row, or a list."""

from __future__ import annotations

import re
from typing import Any

from conformance.dialects.llama3.python_calls import is_call_list, read_call_list
from conformance.dialects.llama3.reading import Reading, next_call, split_end
from conformance.dialects.text.scan import members, value_end
from conformance.model import jsontext
from conformance.model.transcript import Malformed, Text, ToolCall
from conformance.model.values import text_of

_NAME = re.compile(r'\{\s*(?:"type"\s*:\s*"function"\s*,\s*)?"name"\s*:\s*("(?:[^"\\\n]|\\.)*")')
_GIVEN = re.compile(r'"(?:parameters|arguments)"\s*:\s*')
_MEANT = re.compile(r'\{\s*"(?:type"\s*:\s*"function"|name"|function"|parameters")')


def read_json(text: str, found: Reading, *, cut: bool) -> str | None:
    """Reads the calls, and returns the text after them; None if the first object is not a call."""
    while True:
        stop = value_end(text)
        value = jsontext.parse(text[:stop]) if stop is not None else Malformed(text, "it is not closed")
        if isinstance(value, Malformed):
            return _broken_json(text, value.reason, found, cut=cut) if _MEANT.match(text) else _not_json(text, found)
        if not _is_call(value):
            return _not_json(text, found)
        found.form = "json"
        found.parts.append(_json_call(text[:stop], value, found))
        following = next_call(text[stop:], ("{",))
        if following is None:
            return text[stop:]
        text = following


def _is_call(value: Any) -> bool:
    """Whether an object is intended as a call: it has parameters, or only a name."""
    if not isinstance(value, dict):
        return False
    if isinstance(value.get("function"), dict):
        return True
    return bool({"parameters", "arguments"} & value.keys()) or ("name" in value and value.keys() <= {"name", "type"})


def _not_json(text: str, found: Reading) -> str | None:
    """After other calls, the rest is text."""
    return text if found.form == "json" else None


def _json_call(raw: str, value: dict[str, Any], found: Reading) -> ToolCall:
    written = members(raw)
    if isinstance(value.get("function"), dict) and "name" not in value:
        found.fault("json", "the call is nested under `function`")
        raw, value = written.get("function", "{}"), value["function"]
        written = members(raw)
    name = text_of(value.get("name"))
    if name is None:
        found.fault("json", "`name` is not a string" if "name" in value else "the object has no `name`")
    if "parameters" in value and "arguments" in value:
        found.fault("json", "the object has both `parameters` and `arguments`")
    key = "parameters" if "parameters" in value else "arguments"
    if key not in value:
        found.fault("json", "the object has no `parameters`")
        return ToolCall(None, name, Malformed("", "no parameters"), wire="")
    if key == "arguments":
        found.fault("json", "the key is `arguments`, not `parameters`")
    elif not isinstance(value[key], dict):
        found.fault("json", f"`parameters` is of type {jsontext.kind(value[key])}")
    return ToolCall(None, name, value[key], wire=written.get(key))


def _broken_json(text: str, reason: str, found: Reading, *, cut: bool) -> str:
    """An object that is not valid JSON: its name and the beginning of its parameters, if they can be read."""
    found.form = "json"
    body, end, tail = split_end(text)
    name = _NAME.match(body)
    if not cut:
        found.fault("json", f"the object is not valid JSON: {reason}")
    if name is None:
        found.parts.append(Text(body))
        return (end or "") + tail
    given = _GIVEN.search(body, name.end())
    wire = body[given.end() :] if given else ""
    called = text_of(jsontext.parse(name[1]))
    found.parts.append(ToolCall(None, called, Malformed(wire, "cut off" if cut else reason), wire=wire))
    return (end or "") + tail


def read_list(text: str, found: Reading) -> str | None:
    """A list of calls in Python syntax, or of JSON objects; None if it is neither."""
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
    found.fault("json", "the calls are in an array")
    found.parts.extend(_json_call(jsontext.brief(each, 10**6), each, found) for each in value)
    return text[stop:]
