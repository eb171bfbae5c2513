"""A recorded conversation in place of a scenario: each request gets the response that was recorded at its place."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath

from conformance.errors import ConformanceError
from conformance.inputs import read
from conformance.model.behaviour import Behaviour
from conformance.model.dialect import Dialect
from conformance.model.document import Mark
from conformance.model.exchange import Exchange, Response
from conformance.model.registry import claim, has_part
from conformance.model.rendered import Delivery, IdFactory, Rendered
from conformance.model.transcript import Ask, Malformed, Turn
from conformance.reference.answering import Answer, failure_of, unanswerable
from conformance.reference.choosing import Script
from conformance.reference.placing import Place
from conformance.reference.stored import Refusal
from conformance.scenario.model import Conversation, Expect, Scenario, ScriptedTurn

_NOT_KEPT = ("content-length", "transfer-encoding", "content-encoding", "connection", "date", "keep-alive")
_EVENT_END, _LINE_END = re.compile(r"(?<=\n\n)|(?<=\r\n\r\n)"), re.compile(r"(?<=\n)")


class Recorded:
    """The conversations of a cassette, or of any recording that `conformance check` reads, as the source of answers."""

    keeps = False

    def __init__(self, path: str) -> None:
        """Reads the recording.

        Raises:
            ConformanceError: it cannot be read, or has no exchange of a known dialect.
        """
        self.path = path
        self._scripts = list(_scripts(read([path]), PurePath(path).stem))
        if not self._scripts:
            raise ConformanceError(f"{path}: has no exchange of a known dialect", "pass another recording")

    @property
    def messages(self) -> list[str]:
        """The first user message of each conversation."""
        return [script.conversation.user for _, script in self._scripts]

    def answers(self, dialect: Dialect) -> bool:
        """Whether it can answer in a dialect."""
        return any(each is dialect for each, _ in self._scripts) or has_part(dialect.name, "render")

    def script_of(self, dialect: Dialect, ask: Ask, wanted: str | None) -> Script | None:
        """The recording that begins with the request's first words; if there is only one, that one."""
        del wanted
        same = [script for each, script in self._scripts if each is dialect]
        first = _first_words(ask)
        words = [each for each in same if first and each.conversation.user in first]
        return next(iter(words or (same if len(same) == 1 else [])), None)

    def unmatched(self, dialect: Dialect | None, wanted: str | None) -> str:
        """Why a request has no script; for None, why it has no dialect."""
        del wanted
        if dialect is None:
            return "unknown path; the cassette has no request to it"
        return f"The cassette has no conversation in {dialect.name} that begins so."

    def answer(self, place: Place, refusal: Refusal | None, behaviours: Sequence[Behaviour] = ()) -> Answer:
        """The recorded response to a request; behaviours change nothing."""
        del behaviours
        dialect, script = place.dialect, place.script
        if dialect is None:
            return Answer.of(unanswerable(place.reason), "unknown path")
        if refusal is None and script is not None:
            refusal = _not_recorded(dialect, script, place)
        if refusal is not None or script is None:
            status, reason = refusal or (404, place.reason)
            return Answer.of(failure_of(dialect, status, reason, place.request, IdFactory(reason)), reason)
        response, turn = script.recorded[place.position]
        delivery = _delivery(response)
        return Answer(delivery, delivery.rendered, len(script.recorded), turn=turn, scripted_error=not response.ok)


def _not_recorded(dialect: Dialect, script: Script, place: Place) -> Refusal | None:
    """Why the recording has no answer at a place."""
    if not 0 <= place.position < len(script.recorded):
        return 400, f"The recording has {len(script.recorded)} turns, not more."
    response, _ = script.recorded[place.position]
    if place.ask.stream != response.is_stream and response.ok and not dialect.server_chooses_streaming:
        here, there = ("a stream", "none") if response.is_stream else ("no stream", "one")
        return 400, f"The recording has {here}; the request asks for {there}."
    return None


def _delivery(response: Response) -> Delivery:
    """A recorded response as it is sent again."""
    headers = tuple((name, value) for name, value in response.headers if name.lower() not in _NOT_KEPT)
    text, content = response.body.text or "", response.body.content
    end = _LINE_END if response.is_lines else _EVENT_END
    pieces = [piece for piece in end.split(text) if piece] if response.is_stream else [text]
    rendered = Rendered(response.status, headers, tuple(map(Mark, pieces)))
    return Delivery(rendered, (content,)) if isinstance(content, bytes) and len(pieces) < 2 else Delivery.of(rendered)


def _scripts(exchanges: Iterable[Exchange], name: str) -> Iterator[tuple[Dialect, Script]]:
    """The conversations: each begins where a request has no more turns of the model than the one before it."""
    found: list[tuple[Dialect, list[tuple[Exchange, Ask, int]]]] = []
    for exchange in exchanges:
        dialect = claim(exchange.request)
        if dialect is None or isinstance(exchange.request.body.json, Malformed):
            continue
        ask = dialect.readers.read_request(exchange.request, exchange.request.body.json)
        turns = sum(turn.role == "assistant" for turn in ask.history)
        last = next((each for each in reversed(found) if each[0] is dialect), None)
        if last is None or turns <= last[1][-1][2]:
            last = dialect, []
            found.append(last)
        last[1].append((exchange, ask, turns))
    for number, (dialect, entries) in enumerate(found):
        first = entries[0][1]
        conversation = Conversation(_first_words(first), tuple(ScriptedTurn() for _ in entries))
        label = name if len(found) == 1 else f"{name}-{number}"
        scenario = Scenario(label, "A recorded conversation.", (conversation,), (), Expect())
        recorded = tuple((exchange.response, _reply(dialect, exchange)) for exchange, _, _ in entries)
        script = Script(scenario, conversation, -1, recorded)
        yield dialect, replace(script, begun=script.position(first.history))


def _first_words(ask: Ask) -> str:
    """The first message of the user that has a text."""
    return next((turn.text.strip() for turn in ask.history if turn.role == "user" and turn.text.strip()), "")


def _reply(dialect: Dialect, exchange: Exchange) -> Turn | None:
    if not exchange.response.ok:
        return None
    replies = dialect.readers.replies(exchange.response.body.json, dialect.readers.sse_events(exchange))
    return replies[0] if replies else None
