"""The lines of the tools compared with those of the earlier prompt."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.qwen3.request import frames_of, tool_lines
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.transcript import Malformed


@rule(
    "qwen3-tool-line-changed",
    scope="conversation",
    cites="QWE-Q-003",
)
def qwen3_tool_line_changed(view: View) -> Iterator[Hit]:
    """A tool must keep all its fields from one prompt of a run to the next.

    If a template drops `strict` or `additionalProperties`, the model sees a different tool.
    """
    found = view.continues
    if found is None:
        return
    before = {_name(line): line for line in tool_lines(frames_of(view.earlier[found.earlier].request)) or ()}
    sent = frames_of(view.request)
    for line in tool_lines(sent) or ():
        was = before.get(_name(line))
        if was is not None and not jsontext.same(jsontext.parse(was), jsontext.parse(line)):
            yield Hit(sent[0].at, f"the declaration of the tool {_name(line)} has changed", brief(was), brief(line))
            return


def _name(line: str) -> str | None:
    value = jsontext.parse(line)
    if isinstance(value, Malformed) or not isinstance(value, dict) or not isinstance(value.get("function"), dict):
        return None
    name = value["function"].get("name")
    return name if isinstance(name, str) else None
