"""What the three Llama dialects are: they differ in what their prompts ask for, and in nothing else."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from conformance.dialects import Dialect, all_dialects, riding
from conformance.exchange import Exchange, Request
from conformance.sse import Event
from conformance.textforms.llama.definitions import form_of
from conformance.textforms.llama.reader import ReplyReader, parse
from conformance.textforms.llama.turns import prompt_in, read_prompt
from conformance.transcript import Ask, Moment, Turn

CARRIER = "openai-completions"


class LlamaDialect:
    """One of them, by its form: `builtin`, `custom` or `json`."""

    prefix = "LLA"
    answers_last_call = True
    carrier: str | None = CARRIER

    def __init__(self, form: str) -> None:
        self.name = f"llama3-{form}"
        self._form = form

    @property
    def _carrier(self) -> Dialect:
        return all_dialects()[CARRIER]

    def claims(self, request: Request) -> bool:
        if not self._carrier.claims(request):
            return False
        prompt = prompt_in(request.body.json)
        return prompt is not None and form_of(prompt) == self._form

    def read_request(self, request: Request, body: Any) -> Ask:
        ask = self._carrier.read_request(request, body)
        prompt = prompt_in(body)
        return ask if prompt is None else read_prompt(ask, prompt)

    def read_reply(self, body: Any) -> tuple[Turn, ...]:
        return tuple(riding.reread(turn, parse) for turn in self._carrier.read_reply(body))

    def read_stream(self, events: Sequence[Event]) -> tuple[Turn, ...]:
        return tuple(riding.reread(turn, parse) for turn in self._carrier.read_stream(events))

    def narrate(self, events: Sequence[Event]) -> Iterator[Moment]:
        return riding.narrate(self._carrier.narrate(events), ReplyReader)

    def stream_events(self, exchange: Exchange) -> tuple[Event, ...] | None:
        return self._carrier.stream_events(exchange)
