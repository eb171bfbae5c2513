"""The official OpenAI SDK on raw prompts, with each dialect's own prompt before it and parser after it.

The SDK transports only text; the conversation is ours. A reply is sent back in the form of the dialect's template, or
unchanged, if the dialect's prompt module has a function `echo`. A prompt lets the model think where
the scenario wants it to and the dialect's `render` takes `thinking`.
"""

from __future__ import annotations

from collections.abc import Mapping
from inspect import signature
from types import ModuleType
from typing import TYPE_CHECKING, Any

from conformance.drivers import ClientReading, DriverInput, ReadCall, result_text
from conformance.model.registry import all_dialects, optional_part, part_of
from conformance.model.transcript import Malformed, Part, Text, ToolCall, ToolResult, Turn

if TYPE_CHECKING:
    from openai import OpenAI

_HOST = "openai-completions"
_KEEP_TOKENS = {"skip_special_tokens": False, "include_stop_str_in_output": True, "add_special_tokens": False}
"""Options of vLLM and similar servers: return special tokens, and add none to the prompt."""


class TextCompletionsDriver:
    """One raw-prompt dialect over the SDK's legacy completions, by the `prompt` and `parse` modules of its folder."""

    name = "openai"
    package = "openai"
    since = "1.55"

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect

    def act(self, inputs: DriverInput, reading: ClientReading) -> None:
        """The usual loop; each prompt has the whole conversation."""
        from openai import OpenAI

        client = OpenAI(
            base_url=inputs.base_url("/v1"),
            api_key=inputs.api_key,
            http_client=inputs.http_client,
            max_retries=0,
            timeout=inputs.timeout,
        )
        prompts, parser = part_of(self.dialect, "prompt"), part_of(self.dialect, "parse")
        thinks = inputs.options.reasoning and "thinking" in signature(prompts.render).parameters
        how = {"thinking": True} if thinks else {}
        history = [Turn("user", (Text(inputs.user),))]
        for _ in range(inputs.max_turns):
            prompt = prompts.render(inputs.system, inputs.tools, tuple(history), **how)
            text, finish = _complete(client, prompt, _options(inputs), stream=inputs.stream)
            said = Turn("assistant", parser.parse(text, cut=finish == "length"))
            reading.answer = said.text
            if not said.calls or finish == "length":
                reading.finished = True
                return
            history.append(_echo(prompts, text, said.parts))
            history.append(Turn("tool", tuple(_run(inputs, reading, call) for call in said.calls)))


def _echo(prompts: ModuleType, text: str, parts: tuple[Part, ...]) -> Turn:
    """The reply as it goes back."""
    echoed: Turn = prompts.echo(text) if hasattr(prompts, "echo") else Turn("assistant", parts)
    return echoed


def _run(inputs: DriverInput, reading: ClientReading, call: ToolCall) -> ToolResult:
    reading.calls.append(ReadCall(call.id, call.name, call.arguments))
    arguments = call.arguments.text if isinstance(call.arguments, Malformed) else call.arguments
    outcome = inputs.execute(call.name or "", arguments)
    return ToolResult(call.id, call.name, result_text(outcome), is_error=outcome.is_error)


def _options(inputs: DriverInput) -> Mapping[str, Any]:
    return {"model": inputs.model, "max_tokens": inputs.options.max_tokens, "extra_body": _KEEP_TOKENS}


def _complete(client: OpenAI, prompt: str, options: Mapping[str, Any], *, stream: bool) -> tuple[str, str | None]:
    """The text and why it ended; of a stream, the texts of all chunks in their order."""
    if not stream:
        choice = client.completions.create(prompt=prompt, **options).choices[0]
        return choice.text, choice.finish_reason
    said: list[str] = []
    finish: str | None = None
    with client.completions.create(
        prompt=prompt, stream=True, stream_options={"include_usage": True}, **options
    ) as chunks:
        for chunk in chunks:
            for piece in chunk.choices[:1]:
                said.append(piece.text)
                finish = piece.finish_reason or finish
    return "".join(said), finish


DRIVERS = tuple(
    TextCompletionsDriver(name)
    for name, dialect in all_dialects().items()
    if dialect.host == _HOST and optional_part(name, "prompt") is not None
)
