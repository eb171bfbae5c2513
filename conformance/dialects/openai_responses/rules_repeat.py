"""The settings of a request that its response repeats; docs/contract/openai-responses.md, OAR-R."""

from __future__ import annotations

import marshal
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from conformance.dialects.openai_responses.chain import delivered
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.pointer import join
from conformance.model.values import list_of


@rule(
    "responses-tools-mismatch",
    scope="reply",
    cites="OAR-R-009",
)
def tools_mismatch(view: View) -> Iterator[Hit]:
    """The tools in a response must be those of the request, except for what strict mode adds to their schemas.

    The model saw these: it did not get a description or property that is missing here.
    """
    sent = [tool for tool in _functions(view.request) if "function" not in tool]
    for response, at in delivered(view):
        shown = response.get("tools")
        if isinstance(shown, list):
            yield from (replace(hit, pointer=f"{join(at, 'tools')}{hit.pointer}") for hit in _differences(sent, shown))


def _differences(sent: list[dict[str, Any]], shown: list[Any]) -> Sequence[Hit]:
    """The differences, with places in the tools shown. A run has the same tools over and over."""
    try:
        return _known(marshal.dumps(sent, 2), marshal.dumps(shown, 2))  # without references: equal values, equal bytes
    except ValueError:  # nested too deeply, or holding what is no JSON
        return tuple(_all_compared(sent, shown))


@lru_cache(maxsize=64)
def _known(sent: bytes, shown: bytes) -> tuple[Hit, ...]:
    return tuple(_all_compared(marshal.loads(sent), marshal.loads(shown)))  # noqa: S302 - we dumped it


def _all_compared(listed: list[dict[str, Any]], shown: list[Any]) -> Iterator[Hit]:
    sent = {tool["name"]: tool for tool in listed}
    seen: set[str] = set()
    for number, tool in enumerate(shown):
        name = tool.get("name") if isinstance(tool, dict) else None
        if not isinstance(name, str) or name not in sent:
            continue
        seen.add(name)
        if sent[name].get("defer_loading") is not True:  # deferred tools are loaded later
            yield from _compared(sent[name], tool, join("", number))
    missing = sorted(set(sent) - seen)
    if missing:
        yield Hit(
            "",
            f"{', '.join(missing)} was sent, but is missing in the response",
            ", ".join(sent),
            brief(sorted(seen)),
        )


def _compared(sent: dict[str, Any], tool: dict[str, Any], pointer: str) -> Iterator[Hit]:
    if (sent.get("description") or None) != (tool.get("description") or None):
        yield Hit(
            join(pointer, "description"),
            "the description differs from the request",
            brief(sent.get("description")),
            brief(tool.get("description")),
        )
    has_strict = isinstance(sent.get("strict"), bool)  # without `strict`, the server may close the schema
    as_sent, as_seen = sent.get("parameters"), tool.get("parameters")
    if (
        as_sent == {}
        and isinstance(as_seen, dict)
        and as_seen.get("type") == "object"
        and not as_seen.get("properties")
    ):
        return  # the empty schema, written out
    if not has_strict:
        as_sent, as_seen = _loose(as_sent), _loose(as_seen)
    if has_strict and tool.get("strict", sent["strict"]) is not sent["strict"]:
        at = join(pointer, "strict")
        yield Hit(at, "strict differs from the request", brief(sent["strict"]), brief(tool.get("strict")))
    if isinstance(as_sent, dict) and not jsontext.same(as_sent, as_seen):
        yield Hit(
            join(pointer, "parameters"),
            "the schema differs from the request",
            brief(sent["parameters"]),
            brief(tool.get("parameters")),
        )


def _loose(schema: Any) -> Any:
    """The schema without what strict mode adds, and without the name of its own grammar."""
    if isinstance(schema, dict):
        return {
            key: _loose(value)
            for key, value in schema.items()
            if key not in ("additionalProperties", "required", "$schema") or isinstance(value, dict)
        }
    return [_loose(each) for each in schema] if isinstance(schema, list) else schema


def _functions(body: Any) -> list[dict[str, Any]]:
    return [
        tool
        for tool in list_of(body.get("tools") if isinstance(body, dict) else None)
        if isinstance(tool, dict) and tool.get("type") == "function" and isinstance(tool.get("name"), str)
    ]
