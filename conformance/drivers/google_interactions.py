"""The official Google Gen AI SDK on Interactions: with the state that the server keeps, and without."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any

from conformance.drivers import DriverInput, ReadCall, arguments_of
from conformance.drivers.google_genai import client_of
from conformance.drivers.loop import LoopDriver, Reply, Result, since_kept

if TYPE_CHECKING:
    from google.genai import Client

_MODES = {"auto": "auto", "none": "none", "required": "any"}
_PREVIOUS = "previous_interaction_id"
_CONTINUES = "automatic_continuation"


class InteractionsDriver(LoopDriver):
    """Continues the interaction that the server keeps; the history has its id in place of its steps."""

    name = "google-genai"
    dialect = "gemini-interactions"
    package = "google-genai"
    since = "2.3"
    cut_off = ("incomplete",)
    stores = True

    def client(self, inputs: DriverInput) -> Client:
        return client_of(inputs)

    def opening(self, inputs: DriverInput) -> list[Any]:
        return [{"type": "user_input", "content": [{"type": "text", "text": inputs.user}]}]

    def ask(self, client: Client, inputs: DriverInput, history: list[Any], turn: int) -> Reply:
        """What the server keeps is not sent again."""
        new, previous = since_kept(history, _PREVIOUS)
        body = {"input": new, **previous, **_settings(inputs, turn, stores=self.stores)}
        create: Any = client.interactions.create  # its types are one for a stream and one for a reply
        body |= {_CONTINUES: False} if _CONTINUES in signature(create).parameters else {}  # earlier ones never do
        answered = create(model=inputs.model, **body)
        steps, ended = _assembled(answered) if inputs.stream else (list(map(_plain, answered.steps or ())), answered)
        called = [step for step in steps if step["type"] == "function_call"]
        calls = [ReadCall(step["id"], step["name"], step["arguments"]) for step in called]
        said = [each for step in steps if step["type"] == "model_output" for each in step.get("content") or ()]
        echo = [{_PREVIOUS: ended.id}] if self.stores and ended is not None else steps
        return Reply("".join(each.get("text", "") for each in said), calls, echo, ended and ended.status)

    def answers(self, results: Sequence[Result]) -> Sequence[Any]:
        return [_result(each) for each in results]


class StatelessInteractionsDriver(InteractionsDriver):
    """Nothing is stored: every step goes back as it came."""

    name = "google-genai-stateless"
    stores = False


def _settings(inputs: DriverInput, turn: int, *, stores: bool) -> dict[str, Any]:
    sampling = inputs.options.sampling(temperature="temperature", top_p="top_p", stop="stop_sequences")
    config: dict[str, Any] = {"max_output_tokens": inputs.options.max_tokens, **sampling}
    if inputs.options.reasoning:
        config["thinking_summaries"] = "auto"
    choice = inputs.tool_choice(turn)
    if choice is not None:
        named = {"allowed_tools": {"mode": "any", "tools": [choice]}}
        config["tool_choice"] = _MODES.get(choice) or named
    functions = [
        {"type": "function", **tool.heading, "parameters": tool.parameters or {"type": "object"}}
        for tool in inputs.tools
    ]
    search = [{"type": "google_search"}] if inputs.options.search else []
    return {
        "generation_config": config,
        **({"tools": [*functions, *search]} if functions or search else {}),
        **({"system_instruction": inputs.system} if inputs.system else {}),
        **({} if stores else {"store": False}),
        **({"stream": True} if inputs.stream else {}),
    }


def _result(result: Result) -> dict[str, Any]:
    """An object as it is, anything else as a text."""
    value = result.outcome.value
    returned = value if isinstance(value, dict) else [{"type": "text", "text": str(value)}]
    failed = {"is_error": True} if result.outcome.is_error else {}
    named = {"call_id": result.call.id, "name": result.call.name}
    return {"type": "function_result", **named, "result": returned, **failed}


def _plain(value: Any) -> dict[str, Any]:
    plain: dict[str, Any] = value.model_dump(mode="json", by_alias=True, exclude_none=True)
    return plain


def _assembled(events: Iterable[Any]) -> tuple[list[dict[str, Any]], Any]:
    """The steps of a stream, and the interaction as it ended; None if it did not."""
    steps: dict[int, dict[str, Any]] = {}
    ended = None
    for event in events:
        if event.event_type == "step.start":
            steps[event.index] = {**_plain(event.step), "pieces": ""}
        elif event.event_type == "step.delta":
            _grow(steps[event.index], _plain(event.delta))
        elif event.event_type == "interaction.completed":
            ended = event.interaction
        elif event.event_type == "error":
            raise RuntimeError(f"the stream failed: {event.error and event.error.message}")
    for step in steps.values():
        pieces = step.pop("pieces")
        if step["type"] == "function_call":
            step["arguments"] = arguments_of(pieces) if pieces else step.get("arguments") or {}
    return [steps[index] for index in sorted(steps)], ended


def _grow(step: dict[str, Any], delta: dict[str, Any]) -> None:
    kind = delta["type"]
    if kind == "arguments_delta":
        step["pieces"] += delta.get("arguments", "")
    elif kind == "thought_signature":
        step["signature"] = step.get("signature", "") + delta.get("signature", "")
    elif kind in ("text", "thought_summary"):
        content = step.setdefault("summary" if kind == "thought_summary" else "content", [])
        piece = delta.get("content") if kind == "thought_summary" else delta
        if content and piece and content[-1].get("type") == piece.get("type") == "text":
            content[-1]["text"] += piece["text"]
        elif piece:
            content.append(piece)
    elif kind == step["type"]:
        step.update(delta)


DRIVERS = (InteractionsDriver(), StatelessInteractionsDriver())
