"""Scenarios: provider-neutral scripts. `load` reads them from YAML; this is their content."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from conformance.model.jsontext import texts
from conformance.model.transcript import Search, ToolDefinition
from conformance.scenario.matchers import fits


@dataclass(frozen=True, slots=True)
class Return:
    """What a scripted tool returns if its arguments match `when`: a JSON `result`, or an `error` text."""

    when: Mapping[str, Any]
    result: Any = None
    error: str | None = None

    def fits(self, arguments: Mapping[str, Any]) -> bool:
        """Whether the tool returns it for these arguments, if no earlier entry matches."""
        return all(key in arguments and fits(arguments[key], wanted) for key, wanted in self.when.items())


@dataclass(frozen=True, slots=True)
class Tool:
    """`parameters` is a JSON Schema, None for a tool without arguments; `output` is that of its results, or None."""

    name: str
    description: str
    parameters: Mapping[str, Any] | None
    returns: tuple[Return, ...]
    output: Mapping[str, Any] | None = None

    @property
    def definition(self) -> ToolDefinition:
        return ToolDefinition(self.name, self.description, self.parameters)

    def answer(self, arguments: Mapping[str, Any]) -> Return | None:
        """What it returns for these arguments: the first entry whose `when` matches; None if no entry does."""
        return next((entry for entry in self.returns if entry.fits(arguments)), None)


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    """`text` is the exact text of the arguments, if the script writes them as JSON text."""

    tool: str
    arguments: Any
    text: str | None = None


@dataclass(frozen=True, slots=True)
class ProviderError:
    """The provider fails with a status; after a text, in the middle of the stream."""

    status: int
    message: str


@dataclass(frozen=True, slots=True)
class ScriptedTurn:
    """One turn of the reference model: thinking, text with placeholders, calls; cut off in the last, or failing.

    `search` is made, and its sources cited, if the request enables the provider's own search. `filtered` is whether a
    filter of the provider ends it.
    """

    text: str | None = None
    calls: tuple[ScriptedCall, ...] = ()
    reasoning: str | None = None
    cut_off: bool = False
    filtered: bool = False
    error: ProviderError | None = None
    search: Search | None = None
    native: tuple[Mapping[str, Any], ...] = ()
    """Items in the wire format of the scenario's one dialect, which come first."""


@dataclass(frozen=True, slots=True)
class Native:
    """What only one dialect has: fields that each request has, and what the client answers to items, by their types."""

    dialect: str
    request: Mapping[str, Any]
    answers: Mapping[str, Any]

    def answer(self, item: Mapping[str, Any]) -> Any:
        """What the client sends back for an item: its members in place of their names in braces; None for nothing."""
        return _filled(self.answers.get(item.get("type", "")), item)


def _filled(value: Any, item: Mapping[str, Any]) -> Any:
    if isinstance(value, dict):
        return {key: _filled(each, item) for key, each in value.items()}
    if isinstance(value, list):
        return [_filled(each, item) for each in value]
    named = isinstance(value, str) and value.startswith("{") and value.endswith("}")
    return item.get(value[1:-1], value) if named else value


@dataclass(frozen=True, slots=True)
class Conversation:
    """The user's message, and the model's turns after it."""

    user: str
    model: tuple[ScriptedTurn, ...]

    @property
    def fails(self) -> ProviderError | None:
        """The error that ends the conversation; None for one that ends with an answer."""
        return self.model[-1].error


@dataclass(frozen=True, slots=True)
class ExpectedCall:
    """`arguments` is None if any are allowed."""

    tool: str
    arguments: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Expect:
    """`calls` is None if the scenario expects nothing about calls; `findings` are rules that must report a finding,
    `tolerates` rules that may.
    """

    calls: tuple[ExpectedCall, ...] | None = None
    contains: tuple[str, ...] = ()
    in_order: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    tolerates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Options:
    """`tool_choice` is auto, none, required or a tool's name; None if the scenario does not set it.

    `strict` is whether the tools are, `cached_tokens` how many tokens of each prompt the scripted model takes from a
    cache, `search` whether the provider's own search of the web is enabled. `output` is the schema of the answer's
    text, `image` whether the user's message has an image, and `in_parts` whether the system's words and the results
    are sent in parts. `stored` is whether the server keeps the conversation.
    """

    max_tokens: int = 1024
    tool_choice: str | None = None
    parallel_tool_calls: bool | None = None
    reasoning: bool = False
    temperature: float | None = None
    top_p: float | None = None
    stop: Sequence[str] | None = None
    strict: bool = False
    cached_tokens: int = 0
    search: bool = False
    output: Mapping[str, Any] | None = None
    image: bool = False
    in_parts: bool = False
    stored: bool = False

    def sampling(self, **names: str) -> dict[str, Any]:
        """The settings of sampling that are set, under the names that a dialect has for them."""
        return {name: value for key, name in names.items() if (value := getattr(self, key)) is not None}


@dataclass(frozen=True, slots=True)
class Scenario:
    """`not_applicable` gives the reason why a dialect, a driver or a `dialect/driver` cannot play it.

    `scripted` is why only a scripted model can play it; None if any model can.
    """

    id: str
    summary: str
    conversations: tuple[Conversation, ...]
    exercise: tuple[str, ...]
    expect: Expect
    tools: tuple[Tool, ...] = ()
    system: str | None = None
    options: Options = Options()
    executor: Literal["scripted", "mcp", "mcp-handshake"] = "scripted"
    not_applicable: Mapping[str, str] = field(default_factory=dict)
    scripted: str | None = None
    native: Native | None = None
    path: Path = Path()

    several: bool = False
    """Whether the file has `conversations`, not one `user` and `model`."""

    @property
    def needs(self) -> tuple[str, ...]:
        """What a dialect must have a form for: the words of `exercise`, and `tool-choice` if one is set."""
        return (*self.exercise, "tool-choice") if self.options.tool_choice is not None else self.exercise

    def tool(self, name: str | None) -> Tool | None:
        """The tool of that name."""
        return next((tool for tool in self.tools if tool.name == name), None)

    @property
    def stated(self) -> Iterator[str]:
        """The texts that requests carry as they are: what is asked, and what describes the tools."""
        yield from filter(None, (self.system, *(each.user for each in self.conversations)))
        for tool in self.tools:
            yield from texts([tool.name, tool.description, (tool.parameters or {}).get("properties")])
