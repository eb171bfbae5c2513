"""What the rules of Llama's text read: the prompt's frame and tools, and each parsed reply."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from conformance.dialects.llama3.claims import prompt_in, texts_of
from conformance.dialects.llama3.definitions import CHAT_AT, Offer, offer_in, offer_of
from conformance.dialects.llama3.frame import Frame, read_frame
from conformance.dialects.llama3.parse import read_reply
from conformance.dialects.llama3.reading import Fault, Reading
from conformance.dialects.llama3.tokens import NUMBERS
from conformance.dialects.text.host_texts import reply_texts
from conformance.dialects.text.reading import CUT
from conformance.judge.view import View
from conformance.model.frozen import dataclass
from conformance.model.transcript import Turn


def frame_of(view: View) -> Frame | None:
    """The frame of the view's prompt; None if there is no prompt."""
    prompt = prompt_in(view.request)
    return None if prompt is None else read_frame(prompt)


def offered(view: View) -> Offer:
    """The tools of the view's prompt, or of the text of its chat."""
    prompt = prompt_in(view.request)
    return offer_in(*texts_of(view.request), CHAT_AT) if prompt is None else offer_of(prompt)


@dataclass(frozen=True, slots=True)
class Reply:
    """One reply: the host's turn, its text with its pointer, and the parsed text."""

    turn: Turn
    text: str
    pointer: str
    reading: Reading

    @property
    def cut(self) -> bool:
        return self.turn.stop in CUT

    def faults(self, *kinds: Fault) -> Iterator[tuple[Fault, str]]:
        """The faults of the reply, of these kinds."""
        return ((kind, what) for kind, what in self.reading.faults if kind in kinds)


@lru_cache(maxsize=32)
def _read(text: str, cut: bool) -> Reading:  # noqa: FBT001 - a cache needs positional keys
    return read_reply(text, cut=cut)


def replies(view: View) -> Iterator[Reply]:
    """The replies that are not empty, in the order of the choices."""
    for turn, part in reply_texts(view):
        yield Reply(turn, part.text, part.pointer, _read(part.text, turn.stop in CUT))


def ends(view: View) -> Iterator[tuple[Reply, str]]:
    """The replies whose end token is known: from the text, or from the number that the server gives."""
    numbers = {str(number): token for token, number in NUMBERS.items()}
    reasons = list(_reasons(view))
    for place, reply in enumerate(replies(view)):
        if reply.cut or reply.turn.stop == "error":
            continue
        stated = numbers.get(str(reasons[place])) if place < len(reasons) else None
        end = reply.reading.end or stated
        if end is not None:
            yield reply, end


def _reasons(view: View) -> Iterator[Any]:
    """The `stop_reason` of each choice, which vLLM adds to the finish reason; for a stream, that of its one choice."""
    bodies = [view.response] if view.events is None else [event.json for event in view.events]
    found = []
    for body in bodies:
        choices = body.get("choices") if isinstance(body, dict) else None
        found += (
            [each.get("stop_reason") for each in choices or () if isinstance(each, dict)]
            if isinstance(choices, list)
            else []
        )
    if view.events is None:
        yield from found
    else:
        yield next((each for each in reversed(found) if each is not None), None)
