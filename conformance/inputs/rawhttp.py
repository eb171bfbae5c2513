"""HTTP messages as text: a start line, headers, a blank line and a body, as `curl -i` prints them."""

from __future__ import annotations

import re

from conformance.model.exchange import Headers
from conformance.model.frozen import dataclass

_STATUS = re.compile(rb"HTTP/[\d.]+ (?P<status>\d{3})[^\n]*\n")
_REQUEST = re.compile(rb"(?P<method>[A-Z]{3,7}) (?P<url>\S+)(?: HTTP/[\d.]+)?\r?\n")
_BLANK = re.compile(rb"\r?\n\r?\n")


@dataclass(frozen=True, slots=True)
class Message:
    """A message. If the text is only a body, everything else is None."""

    body: bytes
    headers: Headers | None = None
    status: int | None = None
    method: str | None = None
    url: str | None = None


def is_message(head: bytes) -> bool:
    """Whether a text begins like an HTTP message."""
    return _STATUS.match(head) is not None or _REQUEST.match(head) is not None


def is_response(head: bytes) -> bool:
    """Whether a text begins like the response of an HTTP server."""
    return _STATUS.match(head) is not None


def parsed(content: bytes) -> Message:
    """The message in a text. Responses before the last one (100 Continue, a redirect) are skipped."""
    message = Message(content)
    while (start := _STATUS.match(message.body) or _REQUEST.match(message.body)) is not None:
        blank = _BLANK.search(message.body, start.end() - 1)
        if blank is None:
            break
        lines = message.body[start.end() : max(start.end(), blank.start())].decode("latin-1").splitlines()
        headers = Headers((name.strip(), value.strip()) for name, _, value in (line.partition(":") for line in lines))
        found = start.groupdict()
        rest = message.body[blank.end() :]
        if "url" in found:
            return Message(rest, headers, method=found["method"].decode(), url=found["url"].decode("utf-8", "replace"))
        message = Message(rest, headers, status=int(found["status"]))
    return message
