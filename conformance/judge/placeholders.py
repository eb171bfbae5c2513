"""Placeholders: values that a recorder's sanitiser put in place of an id, a signature or another value.

A placeholder proves nothing about the form of the value: its length, its alphabet, its prefix. That two of them are
equal, or differ, is still judged; a placeholder and a value that the sanitiser has kept are not compared. Beside
placeholders, a time of 0 is one, too.
"""

from __future__ import annotations

import re
from typing import Any
from weakref import WeakKeyDictionary

from conformance.judge.rule_ids import defect_of
from conformance.judge.view import View
from conformance.model.exchange import Body, Exchange
from conformance.model.finding import Finding
from conformance.model.pointer import MISSING, get
from conformance.model.transcript import ToolCall, ToolResult

_PLACEHOLDER = re.compile(
    r'"?(?:[^\s{}\[\]"]*redacted[^\s{}\[\]"]*|\*{3,}|\[redacted\]|<[^<>{}"]*redacted[^<>{}"]*>'
    r'|(?-i:<[A-Z][A-Z0-9_]{3,}>))"?',
    re.IGNORECASE,
)
_LONGEST = 100
_TIMES = re.compile(r".*/(?:created|completed|updated|expires)(?:_at)?")
_OF_FORM = frozenset({"ambiguous", "invalid", "malformed", "out-of-range", "too-long", "unsupported", "wrong"})
_OF_TWO = frozenset({"changed", "mismatch"})
_OF_REFERENCE = frozenset({"missing", "orphaned", "unanswered"})
_EVENT = re.compile(r"event/(\d+)(/.*)?")


def is_placeholder(value: Any) -> bool:
    """Whether a value is `call_REDACTED_1`, `***`, `<redacted>`, `<OPENAI_API_KEY>` or the like."""
    return isinstance(value, str) and _PLACEHOLDER.fullmatch(value) is not None


def is_redacted(exchange: Exchange) -> bool:
    """Whether a sanitiser left nothing of the conversation on either side: in every API, it is in arrays."""
    return _is_redacted(exchange.request.body) and _is_redacted(exchange.response.body)


def _is_redacted(body: Body) -> bool:
    if is_placeholder(_beginning(body)):
        return True
    value = body.json
    members = value.values() if isinstance(value, dict) else ()
    return any(map(is_placeholder, members)) and not any(isinstance(each, list) for each in members)


def _beginning(body: Body) -> str:
    return (body.text or "")[:_LONGEST].strip()


def is_about_placeholder(finding: Finding, view: View) -> bool:
    """Whether a finding is about the form of a value that a sanitiser has replaced, or compares it with another."""
    defect = defect_of(finding.rule)
    if defect in _OF_FORM:
        value = _value(finding, view)
        return is_placeholder(finding.actual) or is_placeholder(value) or (value == 0 and _is_zeroed(finding, view))
    if defect in _OF_TWO:
        return finding.actual is not None and is_placeholder(finding.actual) != is_placeholder(finding.expected)
    return defect in _OF_REFERENCE and _is_sanitised(view) and _is_half_replaced(finding, view)


_sanitised: WeakKeyDictionary[View, bool] = WeakKeyDictionary()


def _is_sanitised(view: View) -> bool:
    """Whether the bodies contain placeholders."""
    known = _sanitised.get(view)
    if known is None:
        bodies = (view.exchange.request.body, view.exchange.response.body)
        known = any("redacted" in (each.text or str(each.content)).lower() for each in bodies)
        _sanitised[view] = known
    return known


def _is_zeroed(finding: Finding, view: View) -> bool:
    """Whether a sanitiser that has left placeholders wrote this time."""
    return _TIMES.fullmatch(finding.pointer or "") is not None and _is_sanitised(view)


def _is_half_replaced(finding: Finding, view: View) -> bool:
    """Whether the finding is about a call or result, and some of the ids of these are placeholders, others not."""
    turns = (*view.history, *view.replies)
    parts = [each for turn in turns for each in turn.parts if isinstance(each, (ToolCall, ToolResult))]
    ids = [each.id if isinstance(each, ToolCall) else each.call_id for each in parts]
    if defect_of(finding.rule) == "orphaned":
        ids.append(finding.actual)
    elif not any(each.pointer == finding.pointer for each in parts):
        return False
    return len({is_placeholder(each) for each in ids if each}) > 1


def _value(finding: Finding, view: View) -> Any:
    """The value at the place of a finding; the text of a body as a whole."""
    pointer = finding.pointer
    if pointer is None:
        side = view.exchange.request if finding.side == "request" else view.exchange.response
        return _beginning(side.body)
    if finding.side == "request":
        return get(view.request, pointer)
    match = _EVENT.fullmatch(pointer)
    if match is None:
        return get(view.response, pointer)
    events, number = view.events or (), int(match[1])
    return get(events[number].json, match[2] or "") if number < len(events) else MISSING
