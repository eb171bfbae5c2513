"""An exchange on an HTML page: as a conversation, from the neutral transcript, and as wire."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from conformance.judge.view import View
from conformance.model.exchange import Exchange
from conformance.model.finding import Side
from conformance.model.jsontext import brief
from conformance.model.printable import count, few, visible
from conformance.model.registry import all_dialects, claim
from conformance.model.transcript import Malformed, Part, Reasoning, Text, ToolCall, ToolResult, Turn
from conformance.report import html_messages
from conformance.report.wire_lines import ShownLine, body_lines, covered, head_lines, shown

_PART = 1_200
"""The longest text of a part, in characters."""
_FIRST, _LAST = 2, 8
"""How many turns of a long history are shown."""


def wire_of(exchange: Exchange, side: Side, pointer: str | None) -> list[ShownLine]:
    """A message with its headers, JSON indented and the place marked; long ones around the place only."""
    lines = body_lines(exchange, side)
    head = shown(head_lines(exchange, side), most=20)
    return [*head, ShownLine(""), *shown(lines, covered(lines, pointer))] if lines else head


def conversation_of(
    exchange: Exchange,
    dialect: str | None = None,
    side: Side | None = None,
    pointer: str | None = None,
    known: int = 0,
) -> list[dict[str, Any]]:
    """The turns of both sides in the form of the page's template; none if no dialect claims the exchange.

    JSON-RPC has messages in place of turns. The part at the place of a finding is marked; `known` turns are left out.
    """
    try:
        messages = html_messages.messages_of(exchange)
        if messages:
            return [_of_message(each, marked=html_messages.is_at(each, side, pointer)) for each in messages]
        reader = all_dialects().get(dialect or "") or claim(exchange.request)
        if reader is None:
            return []
        view = View(exchange, reader)
        history = [_turn(turn, pointer if side != "response" else None) for turn in view.ask.history[known:]]
        replies = [_turn(turn, pointer if side != "request" else None) for turn in view.replies]
        tools = [tool.name or "(no name)" for tool in view.ask.tools or ()]
    except Exception:  # noqa: BLE001 - a fault of ours, which the judge has reported; the wire is still shown
        return []
    return [*_tools(tools if not known else ()), *_ends_of(history), *replies, *_failure(view)]


def _of_message(message: html_messages.Message, *, marked: bool) -> dict[str, Any]:
    part = _shown(message.title, message.text, marked=marked, kind=message.kind)
    return {"role": message.role, "stop": "", "parts": [part]}


def _tools(names: Sequence[str]) -> Iterator[dict[str, Any]]:
    if names:
        yield {"role": "tools", "stop": "", "parts": [_shown("declared", few(names, 20), marked=False)]}


def _ends_of(turns: list[dict[str, Any]]) -> list[dict[str, Any]]:
    left = len(turns) - _FIRST - _LAST
    if left <= 0:
        return turns
    gap = {"role": "", "stop": "", "parts": [_shown(f"⋯ {count(left, 'turn')} left out", "", marked=False)]}
    return [*turns[:_FIRST], gap, *turns[-_LAST:]]


def _failure(view: View) -> Iterator[dict[str, Any]]:
    if not view.ok:
        text = view.exchange.response.body.text
        body = brief(view.response, 10 * _PART) if text is None else text
        part = _shown(f"failed with status {view.exchange.response.status}", body, marked=False)
        yield {"role": "server", "stop": "", "parts": [part]}


def _turn(turn: Turn, pointer: str | None) -> dict[str, Any]:
    stop = "" if turn.stop_wire is None else visible(f"stops: {turn.stop_wire}"[:100])
    return {"role": turn.role, "stop": stop, "parts": [_part(part, is_at(part, pointer)) for part in turn.parts]}


def is_at(part: Part, pointer: str | None) -> bool:
    """Whether the place is in the part, or the part in the place."""
    if not pointer or not part.pointer:
        return False
    one, other = f"{pointer}/", f"{part.pointer}/"
    return one.startswith(other) or (other.startswith(one) and one.count("/") > 2)


def _part(part: Part, marked: bool) -> dict[str, Any]:  # noqa: FBT001 - one caller
    if isinstance(part, Text):
        return _shown("", part.text, marked=marked)
    if isinstance(part, Reasoning):
        return _shown("reasoning", part.text or "(not shown)", marked=marked, kind="reasoning")
    if isinstance(part, ToolCall):
        title = f"calls {part.name or '(no name)'}, id {part.id or '(none)'}"
        title += "" if part.kind == "function" else f", {part.kind}"
        return _shown(title, _value(part.arguments), marked=marked, kind="call")
    if isinstance(part, ToolResult):
        of = part.call_id or part.name or "(no id)"
        return _shown(
            f"result of {of}{', failed' if part.is_error else ''}", _value(part.content), marked=marked, kind="result"
        )
    return _shown(f"unknown part: {part.kind or 'no type'}", _value(part.value), marked=marked, kind="unknown")


def _value(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, Malformed):
        return f"{value.text}\n(not JSON: {value.reason})"
    try:
        return json.dumps(value, ensure_ascii=False, indent=2)
    except (TypeError, ValueError, RecursionError):
        return str(value)


def _shown(title: str, text: str, *, marked: bool, kind: str = "text") -> dict[str, Any]:
    cut = text if len(text) <= _PART else f"{text[:_PART]}… ({len(text)} characters)"
    lines = "\n".join(map(visible, cut.split("\n")))
    return {"kind": kind, "title": visible(title[:200]), "text": lines, "marked": marked}
