"""Revision 2026-07-28: parameters of tools that a client repeats in headers, because a schema marks them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from conformance.dialects.mcp.headers import ENCODED, decoded
from conformance.dialects.mcp.lists import listed, tools_of
from conformance.dialects.mcp.messages import sent
from conformance.dialects.mcp.revision import stateless
from conformance.dialects.mcp.session import session_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief, canonical
from conformance.model.pointer import MISSING

_MARK = "x-mcp-header"
_SAFE = 2**53 - 1
"""The largest integer that every number of JavaScript can hold."""
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_PLAIN = ("string", "integer", "boolean")
_NO_SCHEMA = frozenset({"default", "examples", "enum", "const"})


@dataclass(frozen=True, slots=True)
class _Marked:
    """A schema with the mark. `names` lead to the argument; None if not only `properties` lead to the schema."""

    schema: dict[str, Any]
    at: tuple[str | int, ...]
    names: tuple[str, ...] | None


def _marked(schema: Any, at: tuple[str | int, ...] = (), names: tuple[str, ...] | None = ()) -> Iterator[_Marked]:
    if isinstance(schema, list):
        for number, each in enumerate(schema):
            yield from _marked(each, (*at, number), None)
    if not isinstance(schema, dict):
        return
    if _MARK in schema:
        yield _Marked(schema, (*at, _MARK), names or None)
    for key, each in schema.items():
        if key == "properties" and isinstance(each, dict):
            for name, inner in each.items():
                yield from _marked(inner, (*at, key, name), None if names is None else (*names, name))
        elif key not in _NO_SCHEMA:
            yield from _marked(each, (*at, key), None)


@rule(
    "mcp-parameter-header-invalid",
    scope="exchange",
    side="response",
    cites="MCP-M-073",
)
def mcp_parameter_header_invalid(view: View) -> Iterator[Hit]:
    """From 2026-07-28 on, `x-mcp-header` must be a header name of its own, at a parameter of a plain type.

    Clients leave a tool with a wrong one out of the list: the model never sees it.
    """
    if not stateless(view):
        return
    for _, response, result in listed(view):
        for number, tool in enumerate(tools_of(result)):
            taken: set[str] = set()
            for each in _marked(tool.get("inputSchema") if isinstance(tool, dict) else None):
                name = each.schema[_MARK]
                wrong = _fault(each, taken)
                if wrong:
                    at = ("result", "tools", number, "inputSchema", *each.at)
                    yield response.hit(wrong, *at, expected="the name of a header", actual=brief(name))
                taken.add(str(name).lower())


def _fault(marked: _Marked, taken: set[str]) -> str | None:
    """What is wrong with a mark."""
    name = marked.schema[_MARK]
    if not isinstance(name, str) or not _TOKEN.fullmatch(name):
        return "this is no name of a header"
    if name.lower() in taken:
        return "another parameter has this header"
    if marked.names is None:
        return "not only `properties` lead to this parameter"
    return None if marked.schema.get("type") in _PLAIN else "the parameter is no string, integer or boolean"


@rule(
    "mcp-parameter-header-mismatch",
    scope="exchange",
    side="request",
    cites="MCP-M-074",
)
def mcp_parameter_header_mismatch(view: View) -> Iterator[Hit]:
    """From 2026-07-28 on, a call must repeat each argument that `x-mcp-header` marks in a header `Mcp-Param-…`.

    Gateways route by the header, and the server has to refuse a call in which the two differ.
    """
    if not stateless(view) or "mcp-method" not in view.exchange.request.headers:
        return
    for message in sent(view):
        tool = session_of(view).listing.entry(message.params.get("name")) if message.method == "tools/call" else None
        for each in _marked(tool.get("inputSchema")) if tool is not None else ():
            if each.names is None or _fault(each, set()):
                continue
            name = f"mcp-param-{each.schema[_MARK]}"
            raw, wanted = view.exchange.request.headers.get(name), _argument(message.params, each.names)
            given = decoded(raw)
            if raw is not None and (not raw.isascii() or (raw == given and raw.startswith(ENCODED))):
                yield Hit(None, f"{name} is not in Base64", f"{ENCODED}...?=", brief(raw), side="request")
            elif each.schema["type"] == "integer" and abs(_number(wanted) or 0) > _SAFE:
                yield Hit(None, f"{name} is of a larger integer than is safe", str(_SAFE), wanted, side="request")
            elif not _same(given, wanted):
                yield Hit(None, f"{name} differs from the argument", wanted or "no such header", given, side="request")


def _argument(params: dict[str, Any], names: tuple[str, ...]) -> str | None:
    """An argument as a header has it; None if there is none, or it is null."""
    value: Any = params.get("arguments")
    for name in names:
        value = value.get(name, MISSING) if isinstance(value, dict) else MISSING
    if value is MISSING or value is None or isinstance(value, (dict, list)):
        return None
    return value if isinstance(value, str) else canonical(value)


def _same(given: str | None, wanted: str | None) -> bool:
    """Whether a header repeats an argument: as text, or as the same number."""
    return given == wanted or (_number(given) is not None and _number(given) == _number(wanted))


def _number(written: str | None) -> float | None:
    try:
        return None if written is None else float(written)
    except ValueError:
        return None
