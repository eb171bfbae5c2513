"""tiny-chat over plain HTTP."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.drivers import DriverInput, ReadCall, result_text
from conformance.drivers.loop import Reply, Result
from conformance.drivers.raw_http.raw import AnswerError, RawHttpDriver


class TinyChat(RawHttpDriver):
    """The requests of tiny-chat, and how its answers are read."""

    dialect = "tiny-chat"

    def path(self, inputs: DriverInput) -> str:
        return "/tiny/chat"

    def credential(self, inputs: DriverInput) -> Mapping[str, str]:
        return {"authorization": f"Bearer {inputs.api_key}"}

    def opening(self, inputs: DriverInput) -> list[Any]:
        system = [{"role": "system", "text": inputs.system}] if inputs.system else []
        return [*system, {"role": "user", "text": inputs.user}]

    def body(self, inputs: DriverInput, history: list[Any], turn: int) -> Mapping[str, Any]:
        tools = [{**tool.heading, "parameters": tool.parameters or {}} for tool in inputs.tools]
        return {"model": inputs.model, "messages": history, "tools": tools, "stream": inputs.stream}

    def answers(self, results: Sequence[Result]) -> Sequence[Any]:
        return [{"role": "tool", "id": each.call.id, "result": result_text(each.outcome)} for each in results]

    def read(self, body: Any) -> Reply:
        return _reply(body["text"], body.get("calls", []), body["stop"])

    def read_events(self, events: Iterator[tuple[str, str]]) -> Reply:
        text, calls, stop = "", [], None
        for _, data in events:
            event = json.loads(data)
            if "error" in event:
                raise AnswerError(event["error"]["message"])
            text += event.get("text", "")
            calls += [event["call"]] if "call" in event else []
            stop = event.get("stop", stop)
        return _reply(text, calls, stop)


def _reply(text: str, calls: list[Any], stop: str | None) -> Reply:
    seen = [ReadCall(call["id"], call["name"], call["arguments"]) for call in calls]
    echo = {"role": "assistant", "text": text, **({"calls": calls} if calls else {})}
    return Reply(text, seen, [echo], stop)


DRIVERS = (TinyChat(),)
