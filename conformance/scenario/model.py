"""Scenarios: provider-neutral scripts. `load` reads them from YAML; here is what they say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from conformance.model.transcript import ToolDefinition
from conformance.scenario.matchers import fits


@dataclass(frozen=True, slots=True)
class Return:
    """What a scripted tool gives back when its arguments fit `when`: a JSON `result`, or an `error` text."""

    when: Mapping[str, Any]
    result: Any = None
    error: str | None = None

    def fits(self, arguments: Mapping[str, Any]) -> bool:
        """Whether it is what the tool returns for these arguments, if no entry before it is."""
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
        """What it returns for these arguments: the first entry whose `when` fits; None where none does."""
        return next((entry for entry in self.returns if entry.fits(arguments)), None)


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    """`text` is the arguments to the letter, where the script writes them as JSON text."""

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
    """One turn of the reference model: thinking, text with placeholders, calls; cut off in the last, or failing."""

    text: str | None = None
    calls: tuple[ScriptedCall, ...] = ()
    reasoning: str | None = None
    cut_off: bool = False
    error: ProviderError | None = None


@dataclass(frozen=True, slots=True)
class Conversation:
    """What the user says, and the model's turns after it."""

    user: str
    model: tuple[ScriptedTurn, ...]

    @property
    def fails(self) -> ProviderError | None:
        """The error that ends the conversation; None for one that ends with an answer."""
        return self.model[-1].error


@dataclass(frozen=True, slots=True)
class ExpectedCall:
    """`arguments` is None where any will do."""

    tool: str
    arguments: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Expect:
    """`calls` is None where the scenario says nothing about calls; `findings` are rules that are to fire,
    `tolerates` rules that may.
    """

    calls: tuple[ExpectedCall, ...] | None = None
    contains: tuple[str, ...] = ()
    in_order: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()
    tolerates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Options:
    """`tool_choice` is auto, none, required or a tool's name; None where the scenario does not say."""

    max_tokens: int = 1024
    tool_choice: str | None = None
    parallel_tool_calls: bool | None = None
    reasoning: bool = False


@dataclass(frozen=True, slots=True)
class Scenario:
    """`not_applicable` gives the reason why a dialect, a driver or a `dialect/driver` cannot play it.

    `scripted` says why only a scripted model can be expected to play its part; None where any model can.
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
    path: Path = Path()

    several: bool = False
    """Whether the file has `conversations`, not one `user` and `model`."""

    @property
    def needs(self) -> tuple[str, ...]:
        """What a dialect must have a form for: the words of `exercise`, and `tool-choice` where one is set."""
        return (*self.exercise, "tool-choice") if self.options.tool_choice is not None else self.exercise

    def tool(self, name: str | None) -> Tool | None:
        """The tool of that name."""
        return next((tool for tool in self.tools if tool.name == name), None)
