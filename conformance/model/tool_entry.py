"""The interface of a form of tool definitions: how an entry of a list is recognised, and how it is read.

Its module defines it as `FORM`: `tool_entries` in the folder of a dialect, or one of
`conformance.tool_definitions.inputs.forms`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from conformance.model.frozen import dataclass
from conformance.model.transcript import ToolDefinition

Entry = Mapping[str, Any]
"""An object that stands where a tool definition is expected."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A form of tool definitions.

    Attributes:
        name: Its name for `--from`: that of the dialect, if the form is a dialect's.
        title: What the form is, in a few words.
        claims: Whether an entry has this form. It must accept any object.
        read: The tools of an entry that has this form, each with its pointer; the second argument is the entry's.
            Hosted tools have their own kind. An entry that holds several tools yields several.
        fallback: Whether any other form that claims the same entry takes precedence.
    """

    name: str
    title: str
    claims: Callable[[Entry], bool]
    read: Callable[[Entry, str], Iterator[ToolDefinition]]
    fallback: bool = False
