"""A recorded conversation in place of a scenario: each request gets the response that was recorded at its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from conformance.errors import ConformanceError
from conformance.inputs import read
from conformance.model.behaviour import Behaviour
from conformance.model.dialect import Dialect
from conformance.model.document import Mark
from conformance.model.exchange import Exchange, Request
from conformance.model.registry import claim
from conformance.model.rendered import Delivery, IdFactory, Rendered
from conformance.model.transcript import Ask, Malformed, Turn
from conformance.reference.answering import Answer, Circumstances, failure_of, refusal_of, unanswerable
from conformance.reference.choosing import Script
from conformance.scenario.model import Conversation, Expect, Scenario, ScriptedTurn

_NOT_KEPT = ("content-length", "transfer-encoding", "content-encoding", "connection", "date", "keep-alive")
_EVENT_END = re.compile(r"(?<=\n\n)|(?<=\r\n\r\n)")


@dataclass(frozen=True, slots=True)
class _Recording:
    """One conversation of the cassette in one dialect. `begun` is how many turns of the model its first request has."""

    dialect: Dialect
    script: Script
    begun: int
    exchanges: tuple[Exchange, ...]
    replies: tuple[Turn | None, ...]


class Recorded:
    """The conversations of a cassette, or of any recording that `conformance check` reads."""

    def __init__(self, path: str) -> None:
        """Reads the recording.

        Raises:
            ConformanceError: it cannot be read, or has no exchange of a known dialect.
        """
        self.name = PurePath(path).stem
        self._recordings = list(_recordings(read([path]), self.name))
        if not self._recordings:
            raise ConformanceError(f"{path}: has no exchange of a known dialect", "pass another recording")

    @property
    def messages(self) -> list[str]:
        """The first user message of each conversation."""
        return [each.script.conversation.user for each in self._recordings]

    def answer(
        self,
        request: Request,
        scenarios: Mapping[str, Scenario],
        behaviours: Sequence[Behaviour] = (),
        circumstances: Circumstances = Circumstances(),  # noqa: B008 - it is frozen
    ) -> Answer:
        """The recorded response to a request; behaviours and scenarios change nothing."""
        del scenarios, behaviours
        dialect = claim(request)
        if dialect is None:
            rendered = unanswerable("unknown path; the cassette has no request to it")
            return Answer(Delivery.of(rendered), rendered, refusal="unknown path")
        refusal = refusal_of(dialect, request)
        ask = dialect.read_request(request, request.body.json)
        found = self._of(dialect, ask) if refusal is None else None
        if found is None:
            if circumstances.placing is not None and refusal is not None:
                circumstances.placing.refused(dialect)
            told = refusal or (404, f"The cassette has no conversation in {dialect.name} that begins so.")
            return _failed(dialect, *told, request)
        position = found.script.position(ask.history) - found.begun
        if circumstances.placing is not None:
            circumstances.placing.place(dialect, ask, found.script, position)
        return _at(found, position, ask, request)

    def _of(self, dialect: Dialect, ask: Ask) -> _Recording | None:
        """The recording that begins with the request's first words; if there is only one, that one."""
        same = [each for each in self._recordings if each.dialect.name == dialect.name]
        texts = [turn.text.strip() for turn in ask.history if turn.role == "user" and turn.text.strip()]
        words = [each for each in same if texts and each.script.conversation.user in texts[0]]
        return next(iter(words or (same if len(same) == 1 else [])), None)


def _recordings(exchanges: Iterable[Exchange], name: str) -> Iterator[_Recording]:
    """The conversations: each begins where a request has no more turns of the model than the one before it."""
    open_ones: list[tuple[Dialect, list[tuple[Exchange, Ask, int]]]] = []
    for exchange in exchanges:
        dialect = claim(exchange.request)
        if dialect is None or isinstance(exchange.request.body.json, Malformed):
            continue
        ask = dialect.read_request(exchange.request, exchange.request.body.json)
        said = sum(turn.role == "assistant" for turn in ask.history)
        last = next((each for each in reversed(open_ones) if each[0] is dialect), None)
        if last is None or said <= last[1][-1][2]:
            last = dialect, []
            open_ones.append(last)
        last[1].append((exchange, ask, said))
    for number, (dialect, entries) in enumerate(open_ones):
        first = entries[0][1]
        user = next((turn.text.strip() for turn in first.history if turn.role == "user" and turn.text.strip()), "")
        conversation = Conversation(user, tuple(ScriptedTurn() for _ in entries))
        label = name if len(open_ones) == 1 else f"{name}-{number}"
        script = Script(Scenario(label, "A recorded conversation.", (conversation,), (), Expect()), conversation, -1)
        recorded = tuple(exchange for exchange, _, _ in entries)
        replies = tuple(_reply(dialect, each) for each in recorded)
        yield _Recording(dialect, script, script.position(first.history), recorded, replies)


def _reply(dialect: Dialect, exchange: Exchange) -> Turn | None:
    if not exchange.response.ok:
        return None
    events = dialect.sse_events(exchange)
    replies = dialect.read_stream(events) if events is not None else dialect.read_reply(exchange.response.body.json)
    return replies[0] if replies else None


def _at(found: _Recording, position: int, ask: Ask, request: Request) -> Answer:
    if not 0 <= position < len(found.exchanges):
        return _failed(found.dialect, 400, f"The recording has {len(found.exchanges)} turns, not more.", request)
    recorded = found.exchanges[position].response
    if ask.stream != recorded.is_event_stream and recorded.ok and not found.dialect.server_chooses_streaming:
        here, there = ("a stream", "none") if recorded.is_event_stream else ("no stream", "one")
        return _failed(found.dialect, 400, f"The recording has {here}; the request asks for {there}.", request)
    headers = tuple((name, value) for name, value in recorded.headers if name.lower() not in _NOT_KEPT)
    text = recorded.body.text or ""
    pieces = [piece for piece in _EVENT_END.split(text) if piece] if recorded.is_event_stream else [text]
    rendered = Rendered(recorded.status, headers, tuple(map(Mark, pieces)))
    content = recorded.body.content
    delivery = (
        Delivery(rendered, (content,)) if isinstance(content, bytes) and len(pieces) == 1 else Delivery.of(rendered)
    )
    return Answer(
        delivery,
        rendered,
        found.dialect,
        found.script,
        position,
        len(found.exchanges),
        turn=found.replies[position],
        scripted_error=not recorded.ok,
    )


def _failed(dialect: Dialect, status: int, message: str, request: Request) -> Answer:
    rendered = failure_of(dialect, status, message, request, IdFactory(message))
    return Answer(Delivery.of(rendered), rendered, dialect, refusal=message)
