"""The neutral transcript: the turns of both sides, in any dialect.

A dialect reads its wire into these types, the rules judge them, and the reference server renders them.
Every part has its place on the wire: `pointer` is a JSON pointer into the body, or
`event/N/...` in a stream. Nothing here imports anything of ours but `lazy`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from itertools import groupby
from operator import is_
from typing import Any, Literal

from conformance.model.frozen import dataclass
from conformance.model.lazy import lazy

Role = Literal["system", "user", "assistant", "tool", "unknown"]
Stop = Literal["end", "tool-calls", "length", "filter", "pause", "error", "other"]


@dataclass(frozen=True, slots=True)
class Malformed:
    """A value whose JSON text does not parse; `reason` is the parser's error."""

    text: str
    reason: str


def readable(value: Any) -> Any:
    """The value, or its text if that does not parse, as clients hand it on."""
    return value.text if isinstance(value, Malformed) else value


@dataclass(frozen=True, slots=True)
class ResultOf:
    """Arguments that are the result of an earlier call of the same turn; `call` is its number in the turn."""

    call: int


@dataclass(frozen=True, slots=True)
class Text:
    text: str
    pointer: str = ""


@dataclass(frozen=True, slots=True)
class Reasoning:
    """Thinking, if it is shown (`text`), and the provider's `signature` of it, if there is one."""

    text: str | None
    signature: str | None = None
    pointer: str = ""


UNNAMED = "(no name)"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool call by the model.

    `arguments` is the JSON value, or `Malformed` for text that does not parse.
    `wire` is the text as received, if the dialect has arguments as text.
    `kind` is `function`, `custom` (free text, no JSON) or `server` (run by the provider itself).
    `namespace` is that of its tool; `later` is whether the client may answer it in any later request.
    """

    id: str | None
    name: str | None
    arguments: Any
    pointer: str = ""
    wire: str | None = None
    kind: str = "function"
    signature: str | None = None
    namespace: str | None = None
    later: bool = False

    @property
    def title(self) -> str:
        """What a message calls it."""
        return self.name or UNNAMED


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool's result. `call_id` and `name` are None if the dialect does not have them."""

    call_id: str | None
    name: str | None
    content: Any
    is_error: bool | None = None
    pointer: str = ""
    kind: str = "function"


@dataclass(frozen=True, slots=True)
class Unknown:
    """A part that the dialect does not define; kept, never judged as another part."""

    kind: str | None
    value: Any
    pointer: str = ""


Part = Text | Reasoning | ToolCall | ToolResult | Unknown


@dataclass(frozen=True, slots=True)
class Source:
    """A page that a search of the provider found."""

    url: str
    title: str


@dataclass(frozen=True, slots=True)
class Search:
    """A search that the provider runs by itself; the text of its turn cites the sources."""

    query: str
    sources: tuple[Source, ...]


@dataclass(frozen=True)
class Turn:
    """All parts of one side before the other side's turn.

    `stop` is why a model's turn ended, `stop_wire` the dialect's own value for it, at `stop_pointer`.
    `id` is the provider's name for a reply, if a later request can refer to it instead of repeating it.
    `search` is for rendering a turn only: readers have what a dialect sends of it as parts.
    """

    role: Role
    parts: tuple[Part, ...]
    pointer: str = ""
    stop: Stop | None = None
    stop_wire: Any = None
    stop_pointer: str = ""
    id: str | None = None
    search: Search | None = field(default=None, compare=False)

    @lazy
    def text(self) -> str:
        return "".join(part.text for part in self.parts if isinstance(part, Text))

    @lazy
    def calls(self) -> tuple[ToolCall, ...]:
        """The calls that the client has to answer (a server tool answers itself)."""
        return tuple(part for part in self.parts if isinstance(part, ToolCall) and part.kind != "server")

    @lazy
    def server_parts(self) -> tuple[ToolCall | ToolResult, ...]:
        """The calls of the provider's own tools, and their results."""
        return tuple(part for part in self.parts if isinstance(part, (ToolCall, ToolResult)) and part.kind == "server")

    @lazy
    def results(self) -> tuple[ToolResult, ...]:
        return tuple(part for part in self.parts if isinstance(part, ToolResult) and part.kind != "server")


Happening = Literal["text", "reasoning", "tool_call_start", "tool_call_chunk", "tool_call_end", "stop"]


@dataclass(frozen=True, slots=True)
class StreamEvent:
    """What one event of a stream adds to a turn, the same in every dialect.

    Of a call there is one start, then its chunks, then one end: `call` is its number in the turn of its `choice`,
    which groups them if the wire has no id. The chunks joined are `arguments_complete`: JSON text,
    or the model's text if it is not JSON. `text` is that of text and reasoning, `stop` that of the stop.
    """

    kind: Happening
    pointer: str
    choice: int = 0
    text: str | None = None
    call: int | None = None
    tool_call_id: str | None = None
    tool_call_name: str | None = None
    tool_call_kind: str = "function"
    arguments_chunk: str | None = None
    arguments_complete: str | None = None
    stop: Stop | None = None
    stop_wire: Any = None


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """A tool as the request declares it; `parameters` is its JSON Schema, None if it has none.

    Its name is unique in its `namespace`.
    """

    name: str | None
    description: str | None = None
    parameters: Any = None
    strict: bool = False
    kind: str = "function"
    pointer: str = ""
    namespace: str | None = None

    @property
    def heading(self) -> dict[str, str | None]:
        """The members that all dialects share: `name`, and `description` if there is one: some refuse null, or ``."""
        given = {"name": self.name, "description": self.description}
        return {key: value for key, value in given.items() if key == "name" or value}


@dataclass(frozen=True, slots=True)
class Choice:
    """The tool choice: `auto`, `none`, `required` (at least one call), `named` (one of `names`).

    `constrained` is whether the provider keeps arguments to the schemas of the tools.
    """

    mode: Literal["auto", "none", "required", "named"]
    names: tuple[str, ...] = ()
    pointer: str = ""
    constrained: bool = False


@dataclass(frozen=True, slots=True)
class Ask:
    """A request in neutral form.

    `tools` is None when the request does not mention tools at all: a foreign recorder may have dropped them.
    `parallel` is None when unsaid. `extra` is for what only one dialect's own rules need.
    `partial` means that turns before `history` are kept by the server; `continues` is the id of the reply that
    they end with, where the request names one, at `continues_at`. `json_reply` means that the text of the reply has to
    be JSON, `resumable` that a request which goes on with more turns can be read on from where one of these begins.
    `stored` means that the request names something with tools or words of the system that the server keeps: a cache.
    """

    model: str | None = None
    tools: tuple[ToolDefinition, ...] | None = None
    choice: Choice | None = None
    parallel: bool | None = None
    history: tuple[Turn, ...] = ()
    stream: bool = False
    partial: bool = False
    continues: str | None = None
    continues_at: str = ""
    json_reply: bool = False
    resumable: bool = True
    stored: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)

    def tool(self, name: str | None, namespace: str | None = None) -> ToolDefinition | None:
        """The first tool of a name, in a namespace if one is given."""
        found = (tool for tool in self.tools or () if tool.name == name)
        return next((tool for tool in found if namespace is None or tool.namespace == namespace), None)


def merged(turns: Iterator[Turn]) -> Iterator[Turn]:
    """The turns, with adjacent turns of one role merged, as servers do before they look for results."""
    for role, group in groupby(turns, key=lambda turn: turn.role):
        if role not in ("user", "assistant"):
            yield from group
            continue
        first, *others = group
        rest = [part for turn in others for part in turn.parts]
        yield replace(first, parts=(*first.parts, *rest)) if rest else first


def beginning(one: Sequence[Turn], other: Sequence[Turn]) -> int:
    """How many turns, at their begin, the two have in common: the very same ones, read once."""
    same = list(map(is_, one, other))
    return same.index(False) if False in same else len(same)


def moved(turn: Turn, pointer: str) -> Turn:
    """The turn with the same pointer in all parts."""
    parts = tuple(replace(part, pointer=pointer) for part in turn.parts)
    return replace(turn, parts=parts, pointer=pointer, stop_pointer=pointer)


def calls_of(turns: tuple[Turn, ...]) -> Iterator[ToolCall]:
    """All calls of the turns, in order."""
    for turn in turns:
        yield from turn.calls
