"""The official Cohere package on version 2 of its chat."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from conformance.drivers import DriverInput, ReadCall, arguments_of, result_text
from conformance.drivers.loop import LoopDriver, Reply, Result

if TYPE_CHECKING:
    from cohere import ClientV2

_CHOICES = {"none": "NONE", "required": "REQUIRED"}


class CohereDriver(LoopDriver):
    name = "cohere"
    dialect = "cohere-chat"
    package = "cohere"
    since = "5.18"
    cut_off = ("MAX_TOKENS",)

    def client(self, inputs: DriverInput) -> ClientV2:
        from cohere import ClientV2

        return ClientV2(
            api_key=inputs.api_key,
            base_url=inputs.base_url(""),
            timeout=inputs.timeout,
            httpx_client=inputs.http_client,
            log_warning_experimental_features=False,
        )

    def opening(self, inputs: DriverInput) -> list[Any]:
        system = [{"role": "system", "content": inputs.system}] if inputs.system else []
        return [*system, {"role": "user", "content": inputs.user}]

    def ask(self, client: ClientV2, inputs: DriverInput, history: list[Any], turn: int) -> Reply:
        choice = inputs.tool_choice(turn)
        functions = [{**tool.heading, "parameters": tool.parameters or {"type": "object"}} for tool in inputs.tools]
        given = {
            "tools": [{"type": "function", "function": each} for each in functions] or None,
            # A tool can be forced, but not which one.
            "tool_choice": _CHOICES.get(choice, "REQUIRED") if choice not in (None, "auto") else None,
            "max_tokens": inputs.options.max_tokens,
            "thinking": {"type": "enabled"} if inputs.options.reasoning else None,
            **inputs.options.sampling(temperature="temperature", top_p="p", stop="stop_sequences"),
        }
        sent: dict[str, Any] = {key: value for key, value in given.items() if value is not None}
        # The package names the version of the kernel, which a cassette must not have.
        options: Any = {"max_retries": 0, "additional_headers": {"X-Fern-Platform": sys.platform}}
        asked = client.chat_stream if inputs.stream else client.chat
        answered: Any = asked(model=inputs.model, messages=history, request_options=options, **sent)
        message, stop = _gathered(answered) if inputs.stream else (answered.message, answered.finish_reason)
        return _reply(message, stop)

    def answers(self, results: Sequence[Result]) -> Sequence[Any]:
        """An object goes back as a document, which the model can cite, and everything else as text."""
        return [
            {
                "role": "tool",
                "tool_call_id": each.call.id,
                "content": [{"type": "document", "document": {"data": each.outcome.value}}]
                if isinstance(each.outcome.value, dict)
                else result_text(each.outcome),
            }
            for each in results
        ]


def _reply(message: Any, stop: str | None) -> Reply:
    calls = [
        ReadCall(each.id, each.function.name, arguments_of(each.function.arguments or "{}"))
        for each in message.tool_calls or ()
    ]
    text = "".join(each.text for each in message.content or () if each.type == "text")
    return Reply(text, calls, [message], stop)


def _gathered(events: Iterable[Any]) -> tuple[Any, str | None]:
    """The message of a stream, which the package leaves to the program to put together."""
    from cohere import AssistantMessageResponse

    found: dict[str, Any] = {}
    stop = None
    for event in events:
        added: Any = getattr(getattr(event, "delta", None), "message", None)
        if event.type == "tool-plan-delta":
            found["tool_plan"] = found.get("tool_plan", "") + added.tool_plan
        elif event.type == "content-start":
            found.setdefault("content", []).append(added.content.dict())
        elif event.type == "content-delta":
            for kind, piece in added.content.dict(exclude_none=True).items():
                found["content"][event.index][kind] += piece
        elif event.type == "tool-call-start":
            found.setdefault("tool_calls", []).append(added.tool_calls.dict())
        elif event.type == "tool-call-delta":
            found["tool_calls"][event.index]["function"]["arguments"] += added.tool_calls.function.arguments
        elif event.type == "citation-start":
            found.setdefault("citations", []).append(added.citations.dict())
        elif event.type == "message-end":
            stop = event.delta.finish_reason
            if event.delta.error:
                raise RuntimeError(f"the stream failed: {event.delta.error}")
    for call in found.get("tool_calls", ()):
        call["function"]["arguments"] = call["function"]["arguments"] or "{}"
    return AssistantMessageResponse(role="assistant", **found), stop


DRIVERS = (CohereDriver(),)
