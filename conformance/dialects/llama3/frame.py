"""The frame of a prompt: one begin token, then messages, each a header, two line feeds, a body and an end token.

Reading loses no text and never raises. A message ends with the last end token before the next header, so a token
inside a body stays there, and a rule reports it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from conformance.dialects.llama3.tokens import BEGIN, ENDS, HEADER, HEADER_END, end_of
from conformance.model.frozen import dataclass

BREAK = "\n\n"
ROLES = ("system", "user", "assistant", "ipython")
_HEADER = re.compile(r"<\|start_header_id\|>([^<>\n]{0,64})<\|end_header_id\|>")


@dataclass(frozen=True, slots=True)
class Message:
    """`breaks` is the number of line feeds after the header, at most two; a third belongs to the body.

    `end` is the end token, None if it is missing; `after` is the text between it and the next header.
    """

    role: str
    body: str
    breaks: int
    end: str | None
    after: str = ""

    @property
    def raw(self) -> str:
        """The body with its end token, as a model writes it."""
        return self.body + (self.end or "")


@dataclass(frozen=True, slots=True)
class Frame:
    """`before` is the text before the first header, without the begin tokens, which `begins` counts.

    `opened` is the open message of the model at the end of the prompt, None if there is none.
    `loose` counts header tokens that are not part of a header.
    """

    messages: tuple[Message, ...]
    begins: int
    before: str
    opened: Message | None
    loose: int


@lru_cache(maxsize=64)
def read_frame(prompt: str) -> Frame:
    """The prompt, split into its messages."""
    headers = list(_HEADER.finditer(prompt))
    messages: list[Message] = []
    for number, header in enumerate(headers):
        stop = headers[number + 1].start() if number + 1 < len(headers) else len(prompt)
        messages.append(_message(header[1], prompt[header.end() : stop]))
    before = prompt[: headers[0].start()] if headers else prompt
    opened = messages.pop() if messages and messages[-1].end is None else None
    tokens = prompt.count(HEADER) + prompt.count(HEADER_END)
    return Frame(tuple(messages), prompt.count(BEGIN), before.replace(BEGIN, ""), opened, tokens - 2 * len(headers))


def _message(role: str, rest: str) -> Message:
    breaks = 0
    while breaks < len(BREAK) and rest.startswith("\n"):
        breaks, rest = breaks + 1, rest[1:]
    end = end_of(rest)
    if end is not None:
        return Message(role, rest[: -len(end)], breaks, end)
    place, end = max((rest.rfind(each), each) for each in ENDS)
    if place < 0:
        return Message(role, rest, breaks, None)
    return Message(role, rest[:place], breaks, end, rest[place + len(end) :])


def framed(role: str, body: str, end: str) -> str:
    """One message as text; a body with its end token gets no second one."""
    return f"{HEADER}{role}{HEADER_END}{BREAK}{body}{'' if end_of(body) else end}"


def opening(role: str) -> str:
    """The header of the model's open message."""
    return f"{HEADER}{role}{HEADER_END}{BREAK}"


def head_of(prompt: str) -> str:
    """The prompt up to the first message of the model: system and user messages."""
    return prompt.partition(f"{HEADER}assistant{HEADER_END}")[0]
