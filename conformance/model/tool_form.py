"""The form in which a dialect's requests declare a tool, to write definitions in it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

from conformance.model.exchange import Request, json_request
from conformance.model.frozen import dataclass
from conformance.model.pointer import join, split
from conformance.model.transcript import ToolDefinition


@dataclass(frozen=True, slots=True)
class ToolForm:
    """Where the parts of a tool definition stand. All places are JSON pointers.

    Attributes:
        tools_at: The array of definitions, in the body of a request.
        heading_at: The object with `name` and `description`, in a definition.
        schema_at: The schema, in a definition. A provider can have others (`Variant.schema_at`).
        strict_at: The mark for strict tools, in a definition; None if there is none.
        fixed: Members that every definition has.
        to_json_schema: Converts the schema at `schema_at`, if the form has a schema language of its own there.
        path: That of a request; `{model}` in it is the model, which then is not in the body.
        body: What the shortest request has besides the tools and the model.
        model: The model of a request that names no other.
        version: The header field for the version of the API and its usual value, if requests have one.
    """

    tools_at: str
    heading_at: str
    schema_at: str
    path: str
    body: Mapping[str, Any]
    model: str = "-"
    version: tuple[str, str] | None = None
    strict_at: str | None = None
    fixed: Mapping[str, Any] = field(default_factory=dict)
    to_json_schema: Callable[[Any], Any] | None = None

    def request(self, tools: Sequence[Any], model: str | None, api_version: str | None) -> Request:
        """The shortest request with these definitions, for a model and a version of the API; None is the usual one."""
        named = model or self.model
        held: Any = list(tools)
        for step in reversed(split(self.tools_at)):
            held = [held] if step == "0" else {step: held}
        body = {**({} if "{model}" in self.path else {"model": named}), **self.body, **held}
        headers = [] if self.version is None else [(self.version[0], api_version or self.version[1])]
        return json_request(self.path.format(model=named), body, *headers)

    def written(
        self, tool: ToolDefinition, *, schema_at: str | None = None, strict: bool | None = None
    ) -> dict[str, Any]:
        """The definition of a tool. Its schema is at `schema_at`, if given; without `strict`, it has no such mark."""
        definition: dict[str, Any] = dict(self.fixed)
        for name, value in tool.heading.items():
            put(definition, join(self.heading_at, name), value)
        if tool.parameters is not None:
            put(definition, schema_at or self.schema_at, tool.parameters)
        if strict is not None and self.strict_at is not None:
            put(definition, self.strict_at, strict)
        return definition

    def place(self, number: int) -> str:
        """The pointer to a definition in the body of a request, by its number from 0."""
        return join(self.tools_at, number)


def put(document: dict[str, Any], pointer: str, value: Any) -> None:
    """Sets the value at a pointer, and makes the objects around it."""
    *around, last = split(pointer)
    for step in around:
        document = document.setdefault(step, {})
    document[last] = value
