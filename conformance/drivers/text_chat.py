"""The official OpenAI SDK as a plain chat, for the dialects that write their calls into the text."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import TYPE_CHECKING, Any

from conformance.dialects.prompted import parse as tags
from conformance.dialects.prompted import prompt as tag_prompt
from conformance.dialects.react import parse as labels
from conformance.dialects.react import prompt as label_prompt
from conformance.dialects.rewoo import parse as plans
from conformance.dialects.rewoo import prompt as plan_prompt
from conformance.dialects.rewoo.references import arguments_of
from conformance.drivers import ClientReading, DriverInput, ReadCall, result_text
from conformance.drivers.openai_client import openai_client
from conformance.model.transcript import Part, Text, ToolCall, Turn, readable

if TYPE_CHECKING:
    from openai import OpenAI


class PromptedDriver:
    name = "openai"
    dialect = "prompted"
    package = "openai"
    since = "1.55"

    def act(self, inputs: DriverInput, reading: ClientReading) -> None:
        """Ask, read the tags, run the calls, send their records, until a reply has no call.

        The wire has no ids: each call gets one here, which distinguishes it from all others of the run.
        """
        client = openai_client(inputs)
        numbers = count(1)
        messages = tag_prompt.messages(inputs.system, inputs.tools, (Turn("user", (Text(inputs.user),)),))
        for _ in range(inputs.max_turns):
            text, finish = _ask(client, inputs, messages)
            parts = tags.parse(text, cut=finish == "length")
            calls = _read(parts, reading)
            if not calls or finish == "length":
                reading.finished = True
                return
            answered = []
            for call in calls:
                arguments = readable(call.arguments)
                reading.calls.append(ReadCall(f"tool-call-{next(numbers)}", call.name, arguments))
                answered.append((call, inputs.execute(call.name or "", arguments).value))
            messages += [{"role": "assistant", "content": text}, tag_prompt.results(answered)]


class ReactDriver:
    name = "openai"
    dialect = "react"
    package = "openai"
    since = "1.55"

    def act(self, inputs: DriverInput, reading: ClientReading) -> None:
        """Ask up to the next observation, run the action, append the observation, until the final answer."""
        client = openai_client(inputs)
        messages = label_prompt.messages(inputs.system, inputs.tools, (Turn("user", (Text(inputs.user),)),))
        for _ in range(inputs.max_turns):
            text, finish = _ask(client, inputs, messages, stop=[labels.STOP])
            calls = _read(labels.parse(text, cut=finish == "length"), reading)
            if not calls or finish == "length":
                reading.finished = True
                return
            call = calls[0]
            arguments = readable(call.arguments)
            reading.calls.append(ReadCall(None, call.name, arguments))
            outcome = result_text(inputs.execute(call.name or "", arguments))
            messages[-1]["content"] = label_prompt.observed(messages[-1]["content"], text, outcome)


class RewooDriver:
    name = "openai"
    dialect = "rewoo"
    package = "openai"
    since = "1.55"

    def act(self, inputs: DriverInput, reading: ClientReading) -> None:
        """Ask for a plan, run its steps in turn with the evidence of those before, and ask for the answer."""
        client = openai_client(inputs)
        messages = plan_prompt.messages(inputs.system, inputs.tools, (Turn("user", (Text(inputs.user),)),))
        text, finish = _ask(client, inputs, messages)
        steps = _read(plans.parse(text, cut=finish == "length"), reading)
        if steps and finish != "length":
            tools = {tool.name: tool for tool in inputs.tools}
            evidence: dict[str, str] = {}
            for step in steps:
                reading.calls.append(ReadCall(step.id, step.name, readable(step.arguments)))
                arguments = arguments_of(step.wire or "", tools.get(step.name), evidence)
                evidence[step.id or ""] = result_text(inputs.execute(step.name or "", arguments))
            messages[-1] = {"role": "user", "content": plan_prompt.solver(inputs.user, text, evidence)}
            text, finish = _ask(client, inputs, messages)
            _read(plans.parse(text, cut=finish == "length"), reading)
        reading.finished = True


def _ask(client: OpenAI, inputs: DriverInput, messages: Sequence[Any], **options: Any) -> tuple[str, str | None]:
    """The text of the reply, and why it ended."""
    options |= {"model": inputs.model, "max_completion_tokens": inputs.options.max_tokens, "messages": messages}
    if not inputs.stream:
        choice = client.chat.completions.create(**options).choices[0]
        return choice.message.content or "", choice.finish_reason
    pieces: list[str] = []
    finish: str | None = None
    with client.chat.completions.create(stream=True, stream_options={"include_usage": True}, **options) as chunks:
        for chunk in chunks:
            for each in chunk.choices:
                pieces.append(each.delta.content or "")
                finish = each.finish_reason or finish
    return "".join(pieces), finish


def _read(parts: Sequence[Part], reading: ClientReading) -> list[ToolCall]:
    """The calls of a reply; its text is the answer, should the run end here."""
    reading.answer = "".join(part.text for part in parts if isinstance(part, Text))
    return [part for part in parts if isinstance(part, ToolCall)]


DRIVERS = (PromptedDriver(), ReactDriver(), RewooDriver())
