"""The frame of a Llama prompt (docs/contract/llama3.md, LLA-Q)."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.llama3.claims import prompt_in
from conformance.dialects.llama3.definitions import AT
from conformance.dialects.llama3.frame import BREAK, ROLES
from conformance.dialects.llama3.judged import frame_of
from conformance.dialects.llama3.tokens import BEGIN, ENDS, EOM, misspelt
from conformance.dialects.text.host_texts import reply_texts
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief

_FORMAT = "meta-llama/llama-models models/llama3_1/prompt_format.md"
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
    "llama-message-frame-malformed",
    scope="request",
    cites="LLA-Q-002",
)
def message_frame_malformed(view: View) -> Iterator[Hit]:
    """Every message must be a header, two line feeds, the body and an end token.

    Otherwise the text differs from the training data: messages merge, or the model writes the user's part.
    """
    frame = frame_of(view)
    if frame is None:
        return
    if frame.loose:
        yield Hit(
            AT, "header tokens without a complete header", "a start, a role and an end", f"{frame.loose} too many"
        )
    for number, message in enumerate(frame.messages):
        named = f"message {number} ({message.role})"
        if message.breaks < len(BREAK):
            yield Hit(
                AT, f"{named} has fewer than two line feeds after its header", "two line feeds", str(message.breaks)
            )
        elif message.body.startswith("\n") and message.role != "ipython":
            hit = Hit(AT, f"{named} begins with an empty line", "two line feeds", "more", severity=Severity.WARNING)
            yield hit
        if message.end is None:
            yield Hit(AT, f"{named} has no end token", " or ".join(ENDS), brief(message.body[-_SHORT:]))


@rule(
    "llama-role-unknown",
    scope="request",
    cites="LLA-Q-003",
)
def role_unknown(view: View) -> Iterator[Hit]:
    """The role of every message must be `system`, `user`, `assistant` or, for a tool's result, `ipython`.

    The model was not trained on other roles, and does not recognise a result under them.
    """
    frame = frame_of(view)
    for number, message in enumerate(frame.messages if frame else ()):
        if message.role not in ROLES:
            yield Hit(AT, f"message {number} has an unknown role", " or ".join(ROLES), brief(message.role))


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
    "llama-message-end-token-wrong",
    scope="request",
    cites="LLA-Q-005",
)
def message_end_token_wrong(view: View) -> Iterator[Hit]:
    """Only an assistant message may end in `<|eom_id|>`; all others must end in `<|eot_id|>`.

    The token means that a tool has to run before the turn continues; it has no meaning after other roles.
    """
    frame = frame_of(view)
    for number, message in enumerate(frame.messages if frame else ()):
        if message.end == EOM and message.role != "assistant":
            yield Hit(AT, f"message {number} ({message.role}) ends in {EOM}", "<|eot_id|>", EOM)


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
    "llama-text-between-messages-unexpected",
    scope="request",
    cites="LLA-Q-009",
)
def text_between_messages_unexpected(view: View) -> Iterator[Hit]:
    """There must be no text between an end token and the next header.

    It belongs to no message, and the model was not trained on such text.
    """
    frame = frame_of(view)
    if frame is None:
        return
    gaps = [("before the first message", frame.before)]
    gaps += [(f"after message {number} ({each.role})", each.after) for number, each in enumerate(frame.messages)]
    for where, text in gaps:
        if text:
            yield Hit(AT, f"there is text {where}", "nothing", brief(text))


@rule(
    "llama-body-token-unexpected",
    scope="request",
    cites="LLA-Q-002",
    severity=Severity.WARNING,
    because="the message has its header and its end; whether a server reads the inner token as special is not known",
)
def body_token_unexpected(view: View) -> Iterator[Hit]:
    r"""A message must not contain an end token; in JSON, write it with an escape (`\u003c`).

    The tokenizer treats it as a real one: the author of a tool's result can end the message and begin another.
    """
    frame = frame_of(view)
    for number, message in enumerate(frame.messages if frame else ()):
        found = next((end for end in ENDS if end in message.body), None)
        if found:
            yield Hit(AT, f"message {number} ({message.role}) contains an end token", "none", found)
