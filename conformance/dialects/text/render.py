"""The reference server's side of a text dialect: one text in a reply of its host dialect."""

from __future__ import annotations

from types import ModuleType

from conformance.dialects.text.raw import CHAT_HOST, RAW_HOST, is_raw
from conformance.dialects.text.reading import CUT
from conformance.model.document import Document, Mark
from conformance.model.exchange import Request
from conformance.model.registry import part_of
from conformance.model.rendered import IdFactory, Rendered
from conformance.model.transcript import Ask, Text, Turn


class HostRenderer:
    """Renders as the request was sent: as a chat, as a raw prompt, or without a request as the usual host does."""

    def __init__(self, host: str) -> None:
        self._host = host

    def _render(self, request: Request | None = None) -> ModuleType:
        body = None if request is None else request.body.json
        host = RAW_HOST if is_raw(body) else CHAT_HOST if isinstance(body, dict) and "messages" in body else self._host
        return part_of(host, "render")

    def text(self, text: str, turn: Turn, ask: Ask, request: Request, ids: IdFactory) -> Rendered:
        """The text as a plain reply with the turn's end; the host does not know about calls in the text."""
        plain = Turn(
            "assistant", (Text(text),), stop=turn.stop if turn.stop in CUT else "end", stop_wire=turn.stop_wire
        )
        rendered: Rendered = self._render(request).answer(plain, ask, request, ids)
        return rendered

    def failure(self, status: int, message: str, request: Request, ids: IdFactory) -> Rendered:
        """The host's error body for a status."""
        rendered: Rendered = self._render(request).failure(status, message, request, ids)
        return rendered

    def stream_failure(self, status: int, message: str, sent: int) -> tuple[Document | Mark, ...]:
        """The end of the host's stream when it fails in the middle."""
        last: tuple[Document | Mark, ...] = self._render().stream_failure(status, message, sent)
        return last
