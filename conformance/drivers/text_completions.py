"""The official OpenAI SDK on raw prompts, with each dialect's own prompt before it and parser after it.

The SDK transports only text; the conversation is ours. A reply is sent back in the form of the dialect's template, or
unchanged, if the dialect's prompt module has a function `echo`. A prompt lets the model think where
the scenario wants it to and the dialect's `render` takes `thinking`; one of several dialects takes its `dialect`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from inspect import signature
from types import ModuleType
from typing import TYPE_CHECKING, Any

from conformance.drivers import DriverInput, ReadCall, result_text
from conformance.drivers.loop import LoopDriver, Reply, Result
from conformance.drivers.openai_client import openai_client
from conformance.model.registry import all_dialects, optional_part, part_of
from conformance.model.transcript import Part, Text, ToolResult, Turn

if TYPE_CHECKING:
    from openai import OpenAI

_HOST = "openai-completions"
_KEEP_TOKENS = {"skip_special_tokens": False, "include_stop_str_in_output": True, "add_special_tokens": False}
"""Options of vLLM and similar servers: return special tokens, and add none to the prompt."""


class TextCompletionsDriver(LoopDriver):
    """One raw-prompt dialect over the SDK's legacy completions, by the `prompt` and `parse` modules of its folder."""

    name = "openai"
    package = "openai"
    since = "1.55"

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect

    def client(self, inputs: DriverInput) -> OpenAI:
        return openai_client(inputs)

    def opening(self, inputs: DriverInput) -> list[Any]:
        return [Turn("user", (Text(inputs.user),))]

    def ask(self, client: OpenAI, inputs: DriverInput, history: list[Any], turn: int) -> Reply:
        """Each prompt has the whole conversation."""
        prompts, parser = part_of(self.dialect, "prompt"), part_of(self.dialect, "parse")
        options = {"thinking": inputs.options.reasoning, "dialect": self.dialect}
        how = {name: options[name] for name in options.keys() & signature(prompts.render).parameters}
        prompt = prompts.render(inputs.system, inputs.tools, tuple(history), **how)
        text, finish = _complete(client, prompt, _options(inputs), stream=inputs.stream)
        read = Turn("assistant", parser.parse(text, cut=finish == "length"))
        calls = [ReadCall(call.id, call.name, call.arguments) for call in read.calls]
        return Reply(read.text, calls, [_echo(prompts, text, read.parts)], finish)

    def answers(self, results: Sequence[Result]) -> Sequence[Any]:
        return [Turn("tool", tuple(map(_tool_result, results)))]


def _echo(prompts: ModuleType, text: str, parts: tuple[Part, ...]) -> Turn:
    """The reply as it goes back."""
    echoed: Turn = prompts.echo(text) if hasattr(prompts, "echo") else Turn("assistant", parts)
    return echoed


def _tool_result(result: Result) -> ToolResult:
    call, outcome = result.call, result.outcome
    return ToolResult(call.id, call.name, result_text(outcome), is_error=outcome.is_error)


def _options(inputs: DriverInput) -> Mapping[str, Any]:
    return {"model": inputs.model, "max_tokens": inputs.options.max_tokens, "extra_body": _KEEP_TOKENS}


def _complete(client: OpenAI, prompt: str, options: Mapping[str, Any], *, stream: bool) -> tuple[str, str | None]:
    """The text and why it ended; of a stream, the texts of all chunks in their order."""
    if not stream:
        choice = client.completions.create(prompt=prompt, **options).choices[0]
        return choice.text, choice.finish_reason
    pieces: list[str] = []
    finish: str | None = None
    with client.completions.create(
        prompt=prompt, stream=True, stream_options={"include_usage": True}, **options
    ) as chunks:
        for chunk in chunks:
            for piece in chunk.choices[:1]:
                pieces.append(piece.text)
                finish = piece.finish_reason or finish
    return "".join(pieces), finish


DRIVERS = tuple(
    TextCompletionsDriver(name)
    for name, dialect in all_dialects().items()
    if dialect.host == _HOST and optional_part(name, "prompt") is not None
)
