"""The Responses API over plain HTTP, stateless: each request has all earlier items."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from conformance.drivers import DriverInput
from conformance.drivers.loop import Reply
from conformance.drivers.raw_http.raw import AnswerError, RawHttpDriver
from conformance.drivers.requests import ResponsesRequests


class Responses(ResponsesRequests, RawHttpDriver):
    def ask(self, client: Any, inputs: DriverInput, history: list[Any], turn: int) -> Reply:
        """The calls are those of the items."""
        found = super().ask(client, inputs, history, turn)
        return self.reply(inputs, found.echo, found.text, found.stop)

    def path(self, inputs: DriverInput) -> str:
        """One path for both modes."""
        return "/responses"

    def credential(self, inputs: DriverInput) -> Mapping[str, str]:
        """A bearer token."""
        return {"authorization": f"Bearer {inputs.api_key}"}

    def read(self, body: Any) -> Reply:
        """All items of the output."""
        return _reply(body["output"], body["status"])

    def read_events(self, events: Iterator[tuple[str, str]]) -> Reply:
        """The items as each was declared done, in the order of the output."""
        items: dict[int, Any] = {}
        stop = None
        for _, data in events:
            event = json.loads(data)
            if event["type"] == "response.output_item.done":
                items[event["output_index"]] = event["item"]
            elif event["type"] in ("response.completed", "response.incomplete"):
                stop = event["response"]["status"]
            elif event["type"] in ("error", "response.failed"):
                raise AnswerError(data[:200])
        return _reply([items[index] for index in sorted(items)], stop)


def _reply(items: Sequence[Any], stop: str | None) -> Reply:
    text = [
        part["text"]
        for item in items
        if item["type"] == "message"
        for part in item["content"]
        if part["type"] == "output_text"
    ]
    # Requests refuse fields that are null in an answer, such as a reasoning item's status.
    echo = [{key: value for key, value in item.items() if value is not None} for item in items]
    return Reply("".join(text), [], echo, stop)
