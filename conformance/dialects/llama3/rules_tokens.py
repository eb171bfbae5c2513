"""The tokens of a prompt and of a reply (docs/contract/llama3.md)."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.llama3.claims import prompt_in
from conformance.dialects.llama3.definitions import AT, Offer
from conformance.dialects.llama3.frame import BREAK
from conformance.dialects.llama3.judged import ends, frame_of, offered
from conformance.dialects.llama3.parse import read_reply
from conformance.dialects.llama3.tokens import BEGIN, EOM, EOT, misspelt
from conformance.dialects.text.host_texts import reply_texts
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity, Side
from conformance.model.jsontext import brief

_SHORT = 60


@rule(
    "llama-begin-token-wrong",
    scope="request",
    cites="LLA-Q-001",
)
def begin_token_wrong(view: View) -> Iterator[Hit]:
    """A prompt must start with exactly one begin token, from the client or from the server.

    With two or none, the prompt differs from the training data: the quality drops without an error.
    """
    frame, prompt = frame_of(view), prompt_in(view.request) or ""
    if frame is None:
        return
    added = view.request.get("add_special_tokens")
    if frame.begins > 1:
        yield Hit(AT, f"the prompt has {frame.begins} begin tokens", "once", str(frame.begins))
    elif frame.begins == 1 and not prompt.startswith(BEGIN):
        yield Hit(AT, "the prompt does not start with its begin token", BEGIN, brief(prompt[:_SHORT]))
    elif frame.begins == 1 and added is True:
        yield Hit(AT, "the prompt has a begin token, but lets the server add another", "one begin token", "two")
    elif frame.begins == 0 and added is False:
        yield Hit(AT, "the prompt has no begin token, and keeps the server from adding it", "one begin token", "none")


@rule(
    "llama-prompt-end-wrong",
    scope="request",
    cites=["LLA-Q-004", "LLA-C-001"],
)
def prompt_end_wrong(view: View) -> Iterator[Hit]:
    """A prompt must end with the assistant's header and two line feeds.

    Otherwise the model continues another role's message. Text after the header counts as the model's own.
    """
    frame = frame_of(view)
    if frame is None:
        return
    wanted = "the assistant's header and two line feeds"
    message = frame.opened
    if message is None:
        last = frame.messages[-1].role if frame.messages else "nothing"
        yield Hit(AT, "the prompt does not open the assistant's message", wanted, f"the message of {last}, ended")
    elif message.role != "assistant":
        yield Hit(AT, f"the prompt ends in an open message of {message.role}", wanted, brief(message.body[-_SHORT:]))
    elif message.breaks < len(BREAK) or not message.body.strip():
        if message.breaks < len(BREAK) or message.body:
            found = brief("\n" * message.breaks + message.body)
            yield Hit(AT, "the prompt does not end in exactly two line feeds", wanted, found)
    else:
        begun = brief(message.body[:_SHORT])
        yield Hit(AT, "the prompt has text in the assistant's open message", wanted, begun, severity=Severity.WARNING)


@rule(
    "llama-token-malformed",
    scope="exchange",
    cites="LLA-Q-006",
)
def token_malformed(view: View) -> Iterator[Hit]:
    """Special tokens must have a bar on both sides.

    Otherwise the tokenizer reads plain text: the message does not end, and the model continues.
    """
    found = misspelt(prompt_in(view.request) or "")
    if found:
        yield Hit(AT, "a token is misspelled", f"<|{found.strip('<|>')}|>", found, side="request")
    for _, part in reply_texts(view) if view.ok else ():
        found = misspelt(part.text)
        if found:
            wanted = f"<|{found.strip('<|>')}|>"
            yield Hit(part.pointer, "a token is misspelled", wanted, found, side="response")


@rule(
    "llama-call-end-token-wrong",
    scope="exchange",
    cites="LLA-R-008",
)
def call_end_token_wrong(view: View) -> Iterator[Hit]:
    """In an environment, a call must end in `<|eom_id|>`; all other calls, calls in tags, and text in `<|eot_id|>`.

    The token shows whether the turn continues after the tool. With the wrong one, a loop stops early or waits.
    """
    offer, frame = offered(view), frame_of(view)
    if frame is None:
        return
    for message in frame.messages:
        if message.role == "assistant" and message.end is not None:
            form = read_reply(message.body).form
            if form != "text":
                yield from _ended(AT, form, message.end, offer, "request")
    for reply, end in ends(view) if view.ok else ():
        yield from _ended(reply.pointer, reply.reading.form, end, offer, "response")


def _ended(at: str, form: str, end: str, offer: Offer, side: Side) -> Iterator[Hit]:
    """Whether the message of the model, of this form, ends in the wrong token."""
    wanted = EOM if form in ("built-in", "code") or (form == "json" and offer.ipython) else EOT
    if end != wanted:
        harm = Severity.INFO if form == "custom" else None  # Meta's documents show both
        yield Hit(at, f"{form} ends in {end}", wanted, end, severity=harm, side=side)
