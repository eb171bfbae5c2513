"""Several turns of a Llama prompt (docs/contract/llama3.md, LLA-C)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from conformance.dialects.llama3.definitions import AT
from conformance.dialects.llama3.frame import Frame, Message
from conformance.dialects.llama3.judged import frame_of
from conformance.dialects.llama3.names import HOST
from conformance.dialects.llama3.parse import parse
from conformance.dialects.llama3.tokens import SPECIAL, TAG, end_of
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.registry import all_dialects
from conformance.model.transcript import Turn


@rule(
    "llama-echo-text-changed",
    scope="conversation",
    cites="LLA-C-002",
)
def echo_text_changed(view: View) -> Iterator[Hit]:
    """A call must be sent back exactly, with its tag, whitespace and end token.

    Otherwise the model continues from a text that it did not write, and the server's prompt cache does not match.
    """
    frame = frame_of(view)
    for written, message in _echoes(view, frame) if frame else ():
        if message.raw not in written and not any(_stripped(text, message.body) for text in written):
            was = brief(written[0], 160)
            yield Hit(AT, "the call is not sent back as the model wrote it", was, brief(message.raw, 160))


def _echoes(view: View, frame: Frame) -> Iterator[tuple[list[str], Message]]:
    """The message that repeats a call, with the texts that it may repeat.

    It is identified by its call, or by its position after the messages of an earlier prompt and before a result.
    """
    found = view.continues
    if found is not None:
        if found.reply.calls:
            before = view.earlier[found.earlier]
            echoed = [message for message in frame.messages if message.role == "assistant"]
            turns = [turn for turn in view.history if turn.role == "assistant"]
            written = _texts(before)[_place(before.replies, found.reply)]
            yield [written], echoed[_place(turns, found.echo)]
        return
    for number, (message, following) in enumerate(pairwise(frame.messages)):
        if message.role == "assistant" and following.role == "ipython":
            same = [each for each in view.earlier if _messages(each) == frame.messages[:number]]
            texts = [text for each in same if any(turn.calls for turn in each.replies) for text in _texts(each)]
            if texts:
                yield texts, message


def _messages(view: View) -> tuple[Message, ...]:
    frame = frame_of(view)
    return frame.messages if frame else ()


def _place(turns: Sequence[Turn], wanted: Turn) -> int:
    return next(number for number, turn in enumerate(turns) if turn is wanted)


def _texts(view: View) -> list[str]:
    """The reply's texts as the host reads them, one for each choice."""
    return [turn.text for turn in all_dialects()[HOST].readers.replies(view.response, view.events)]


def _stripped(written: str, body: str) -> bool:
    """Whether the server stripped tokens from the text, which the client then has to restore."""
    if end_of(written):
        return False
    return body == written or (not any(each in written for each in SPECIAL) and body.removeprefix(TAG) == written)


@rule(
    "llama-earlier-message-changed",
    scope="conversation",
    cites=["LLA-C-003", "LLA-C-002"],
    because="LLA-C-002 is about calls, and echoed-call-changed judges it; here any message may have changed",
)
def earlier_message_changed(view: View) -> Iterator[Hit]:
    """A prompt that continues a run must begin with the unchanged messages of the earlier prompt.

    Otherwise the model's earlier turns do not match their instructions, and the server cannot use its prompt cache.
    """
    beginning = list(_changed_beginning(view))
    yield from beginning or _changed_message(view)


def _changed_beginning(view: View) -> Iterator[Hit]:
    """The system message and the first user message, even if the rest differs too much to be the same run."""
    frame = frame_of(view)
    was = next(filter(None, (_continued(each, frame) for each in reversed(view.earlier))), None) if frame else None
    if frame is None or was is None:
        return
    for what, role in (("the system message", "system"), ("the first user message", "user")):
        now, before = (_bodies(each, role)[: None if role == "system" else 1] for each in (frame, was))
        if now != before:
            message = f"{what} differs from the earlier prompt's"
            yield Hit(AT, message, brief(_differing(before, now)), brief(_differing(now, before)))


def _changed_message(view: View) -> Iterator[Hit]:
    """The first message that differs from the earlier prompt."""
    found = view.continues
    if found is None:
        return
    before, now = frame_of(view.earlier[found.earlier]), frame_of(view)
    if before is None or now is None:
        return
    for number, (one, other) in enumerate(zip(before.messages, now.messages, strict=False)):
        if (one.role, one.raw) != (other.role, other.raw):
            what = f"message {number} differs from the earlier prompt's"
            yield Hit(AT, what, brief(one.raw), brief(other.raw))
            return


def _continued(before: View, frame: Frame) -> Frame | None:
    """The earlier prompt, if the frame repeats it and its reply, and at least one of its first messages is the same."""
    was = frame_of(before)
    if was is None:
        return None
    earlier, now = _bodies(was, "assistant"), _bodies(frame, "assistant")
    if len(now) <= len(earlier) or now[: len(earlier)] != earlier:
        return None
    same = any(_bodies(was, role)[:1] == _bodies(frame, role)[:1] for role in ("system", "user"))
    return was if same and any(parse(text) == parse(now[len(earlier)]) for text in _texts(before)) else None


def _bodies(frame: Frame, role: str) -> list[str]:
    return [message.body for message in frame.messages if message.role == role]


def _differing(these: Sequence[str], those: Sequence[str]) -> str:
    """The text from the first difference on."""
    one, other = "\n".join(these), "\n".join(those)
    place = next((at for at, (mine, yours) in enumerate(zip(one, other, strict=False)) if mine != yours), len(other))
    return one[place : place + 60]
