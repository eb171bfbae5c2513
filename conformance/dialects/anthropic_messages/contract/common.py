"""Shared parts of the rows of Messages: how they are reported, and the small objects of requests."""

from __future__ import annotations

from typing import Any

from conformance.contract.nodes import Field, Object
from conformance.contract.notation import *
from conformance.model.finding import Severity

EXTRA = cite("ANT-Q-014", Severity.WARNING, because="every beta adds fields that are then accepted", refused=400)

NAME = r"[a-zA-Z0-9_-]{1,128}"
ID = r"[a-zA-Z0-9_-]+"
SERVER_ID = r"srvtoolu_[a-zA-Z0-9_]+"


def sent(*parts: Any, **rows: Field) -> Object:
    """An object of a request; other fields are refused."""
    return obj(closed, {"unknown": EXTRA}, *parts, **rows)


CACHE = may(by(ephemeral=sent(ttl=may(word("5m", "1h")))))
CITED = sent(enabled=may(boolean))
"""Whether the model should cite a document."""
CALLER = by_known(
    direct=sent(),
    code_execution_20250825=sent(tool_id=need(text(pattern=SERVER_ID))),
    code_execution_20260120=sent(tool_id=need(text(pattern=SERVER_ID))),
)
_TITLE = text(1, 255) | null
_DOCUMENT = {
    "cited_text": need(text()),
    "document_index": need(integer(0)),
    "document_title": need(_TITLE),
    "file_id": may(text()),
}
IN_SEARCH_RESULT = {
    "cited_text": need(text()),
    "search_result_index": need(integer(0)),
    "source": need(text()),
    "start_block_index": need(integer(0)),
    "end_block_index": need(integer(0)),
    "title": need(text() | null),
}
"""A citation of a search result, in a request as in a reply."""
CITATIONS = may(
    array(
        by_known(
            char_location=sent(_DOCUMENT, start_char_index=need(integer(0)), end_char_index=need(integer(0))),
            page_location=sent(_DOCUMENT, start_page_number=need(integer(1)), end_page_number=need(integer(1))),
            content_block_location=sent(
                _DOCUMENT, start_block_index=need(integer(0)), end_block_index=need(integer(0))
            ),
            web_search_result_location=sent(
                cited_text=need(text()),
                encrypted_index=need(text()),
                title=need(text(1, 512) | null),
                url=need(text(1, 2048)),
            ),
            search_result_location=sent(IN_SEARCH_RESULT),
        )
    )
)
"""The citations of a text that is sent back from a reply."""
