"""The texts of an exchange as the host dialect reads them, before a text dialect reads them."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.view import View
from conformance.model.dialect import Readers
from conformance.model.registry import layers_of
from conformance.model.transcript import Role, Text, Turn


def reply_texts(view: View) -> Iterator[tuple[Turn, Text]]:
    """The texts of a reply as the host reads them, each with its turn."""
    for turn in _host(view).replies(view.response, view.events):
        for part in turn.parts:
            if isinstance(part, Text):
                yield turn, part


def history_texts(view: View, role: Role) -> Iterator[Text]:
    """The texts of one role in a request as the host reads them."""
    ask = _host(view).read_request(view.exchange.request, view.request)
    for turn in ask.history:
        for part in turn.parts:
            if isinstance(part, Text) and turn.role == role:
                yield part


def _host(view: View) -> Readers:
    return layers_of(view.dialect.name, view.exchange.request)[0].readers
