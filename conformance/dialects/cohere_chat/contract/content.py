"""What requests and replies share: blocks of content, calls, citations."""

from __future__ import annotations

from conformance.contract.nodes import Object
from conformance.contract.notation import *

__all__ = ["CITATION", "CITED", "SAID", "TEXT", "call"]

TEXT = obj(text=need(text()))
SAID = {"text": TEXT, "thinking": obj(thinking=need(text()))}
"""The blocks of an assistant's message, by type."""
CITED = {"id": need(text(1))}
_SOURCE = by(tool=obj(CITED, tool_output=may(mapping())), document=obj(CITED, document=may(mapping())))
CITATION = obj(
    start=need(integer(0)),
    end=need(integer(0)),
    text=need(text()),
    sources=need(array(_SOURCE, 1)),
    content_index=may(integer(0)),
    type=may(known("TEXT_CONTENT", "THINKING_CONTENT", "PLAN")),
)


def call(statement: str) -> Object:
    """A call, whose arguments are JSON text."""
    return obj(
        cite(statement),
        id=need(text(1)),
        type=need(word("function")),
        function=need(obj(name=need(text(1)), arguments=need(text()))),
    )
