"""The forms of a call: tag with Python, JSON object, `<function=...>`, and the list of Llama 3.2 and later.

`read_calls` takes the whole text from a call's mark on. It reads complete calls of each form, what is certain of
broken or truncated ones, and words for what is wrong.
"""

from __future__ import annotations

import re

from conformance.dialects.llama3.custom_calls import read_custom
from conformance.dialects.llama3.json_calls import read_json, read_list
from conformance.dialects.llama3.reading import OPEN, Reading, next_call, split_end
from conformance.dialects.llama3.tokens import BUILT_IN, CODE, ENDS, TAG
from conformance.model.transcript import Malformed, Text, ToolCall, Unknown

_BUILT_IN = re.compile(r'([A-Za-z_]\w*)\.call\(query="([^"]*)"\)')
_BEGUN = re.compile(rf"({'|'.join(BUILT_IN)})(?!\w)")


def read_calls(text: str, found: Reading, *, cut: bool) -> None:
    """Reads the text from where a call may begin; `cut` is whether it may be truncated."""
    content = text.removeprefix(TAG)
    tagged = len(content) < len(text)
    while content.startswith(TAG):
        found.fault("around", "the tag is repeated")
        content = content.removeprefix(TAG)
    start = content.lstrip()
    rest: str | None
    if tagged and start != content and not start.startswith(ENDS):
        found.fault("spacing", "whitespace follows the tag")
    if start.startswith(OPEN):
        rest = read_custom(start, found, cut=cut)
    elif start.startswith("{"):
        rest = read_json(start, found, cut=cut)
    elif start.startswith("["):
        rest = read_list(start, found)
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
            found.fault("spacing", "whitespace precedes the end token")
    elif body:
        found.parts.append(Text(body))
    if tail:
        _after_end(tail, found)


def _rest(rest: str, found: Reading) -> None:
    """The text after the calls: the end token, or what should not be there."""
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
        found.fault("spacing", "whitespace precedes the end token")
    found.end = end
    if kept != end:
        _after_end(kept[len(end) :], found)


def _after_end(tail: str, found: Reading) -> None:
    found.fault("around", "text follows the end token" if tail.strip() else "whitespace follows the end token")
    found.parts.append(Unknown("after the end", tail))


def _built_in_calls(text: str, found: Reading, *, cut: bool) -> str:
    found.form = "built-in"
    while True:
        match = _BUILT_IN.match(text)
        if match is None:
            name = _BEGUN.match(text)
            body, end, tail = split_end(text)
            wire = body[name.end() :] if name else body
            if not cut:
                found.fault("built-in", f'{body[:60]!r} is not `name.call(query="...")`')
            found.parts.append(ToolCall(None, name[1] if name else None, Malformed(wire, "no call"), wire=wire))
            return (end or "") + tail
        found.parts.append(ToolCall(None, match[1], {"query": match[2]}, wire=f'query="{match[2]}"'))
        following = next_call(text[match.end() :], BUILT_IN)
        if following is None:
            return text[match.end() :]
        text = following
