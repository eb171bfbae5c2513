"""What requests and replies share: chunks of content, and entries, which a `type` distinguishes."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.contract.citation import Citation
from conformance.contract.nodes import Field, Node, Object
from conformance.contract.notation import *

__all__ = ["CONFIRMED", "COUNT", "MADE_BY", "NAMED", "chunks", "content", "entries"]

COUNT = integer(0)
NAMED = known("web_search", "web_search_premium", "code_interpreter", "image_generation", "document_library") | text(1)
"""The name of a tool that the server runs, or of a connector."""
_ARGUMENTS = text() | mapping()
_TEXT = may(text() | null)
CONFIRMED = may(known("pending", "allowed", "denied") | null)
MADE_BY = {"model": may(text(1) | null), "agent_id": may(text(1) | null)}
"""The model or the agent that an output is from."""


def chunks(cited: Citation, *, output: bool) -> dict[str, Object]:
    """The kinds of chunks of a message; only the model's refers to what a tool found."""
    words = obj(cited, text=need(text()))
    shown = obj(
        cited,
        tool=need(NAMED),
        title=need(text()),
        url=_TEXT,
        favicon=_TEXT,
        description=_TEXT,
    )
    picture = text(1) | obj(cited, url=need(text(1)), detail=may(known("low", "auto", "high") | null))
    found = {
        "text": words,
        "image_url": obj(cited, image_url=need(picture)),
        "document_url": obj(cited, document_url=need(text(1)), document_name=_TEXT),
        "thinking": obj(
            cited,
            thinking=need(array(by_known({"text": words, "reference": _REFERENCE, "tool_reference": shown}))),
            signature=_TEXT,
            closed=may(boolean),
        ),
        "tool_file": obj(cited, tool=need(NAMED), file_id=need(text(1)), file_name=_TEXT, file_type=_TEXT),
    }
    return {**found, "tool_reference": shown} if output else found


_REFERENCE = obj(reference_ids=need(array(integer() | text())))


def content(cited: Citation, *, output: bool) -> Node:
    """The content of a message: a text, or chunks."""
    return text() | array(by_known(chunks(cited, output=output), cited))


def entries(said: Citation, called: Citation, run: Citation) -> dict[str, Object]:
    """The kinds of entries. The citations are those for messages, for calls, and for what the server does."""
    made: Mapping[str, Field] = {
        "object": may(word("entry")),
        "id": may(text(1)),
        "created_at": may(text()),
        "completed_at": may(text() | null),
    }
    handed = {f"{which}_agent_{what}": need(text(1)) for which in ("previous", "next") for what in ("id", "name")}
    return {
        "message.input": obj(
            said,
            made,
            role=need(known("user", "assistant")),
            content=need(content(said, output=False)),
            prefix=may(boolean),
        ),
        "message.output": obj(
            said,
            made,
            MADE_BY,
            role=may(word("assistant")),
            content=need(content(said, output=True)),
        ),
        "function.call": obj(
            called,
            made,
            MADE_BY,
            tool_call_id=need(text(1)),
            name=need(text(1)),
            arguments=need(_ARGUMENTS),
            confirmation_status=CONFIRMED,
        ),
        "function.result": obj(called, made, tool_call_id=need(text(1)), result=need(text())),
        "tool.execution": obj(run, made, MADE_BY, name=need(NAMED), arguments=need(text()), info=may(mapping())),
        "agent.handoff": obj(run, made, handed),
    }
