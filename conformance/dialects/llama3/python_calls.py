"""Calls in Python syntax: `[f(a='x'), g(b=1)]`, as Llama 3.2 and later write them."""

from __future__ import annotations

import ast
import re
import warnings
from typing import Any

from conformance.model.transcript import ToolCall

_LIST = re.compile(r"\[\s*[A-Za-z_][\w.]*\(")
_LONGEST = 100_000


def is_call_list(text: str) -> bool:
    """Whether the text begins as a list of calls does."""
    return _LIST.match(text) is not None


def read_call_list(text: str) -> list[ToolCall] | None:
    """The calls of the list; None if it is not a list of calls with keyword arguments that JSON can express."""
    if len(text) > _LONGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's warning about backslashes is for authors of code
            tree = ast.parse(text, mode="eval").body
            elements = tree.elts if isinstance(tree, ast.List) else []
            calls = [_call(element, text) for element in elements]
    except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
        return None
    return calls or None


def _call(node: ast.expr, text: str) -> ToolCall:
    """One call.

    Raises:
        ValueError: it is not a call, or has a value that JSON cannot express.
    """
    if not isinstance(node, ast.Call) or node.args:
        raise ValueError("no call with keyword arguments")
    name = ast.get_source_segment(text, node.func)
    arguments: dict[str, Any] = {}
    for keyword in node.keywords:
        if keyword.arg is None:
            raise ValueError("no name")
        arguments[keyword.arg] = _plain(ast.literal_eval(keyword.value))
    whole = ast.get_source_segment(text, node) or ""
    return ToolCall(None, name, arguments, wire=whole[len(name or "") + 1 : -1])


def _plain(value: Any) -> Any:
    """The value in JSON's types."""
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, dict) and all(isinstance(key, str) for key in value):
        return {key: _plain(each) for key, each in value.items()}
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise ValueError("no value of JSON")
