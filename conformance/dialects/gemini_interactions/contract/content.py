"""Content and steps of Interactions, for requests and replies: each has a `type` that distinguishes it."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.contract.citation import Citation
from conformance.contract.nodes import Field, Node, Object
from conformance.contract.notation import *

BASE64 = text(pattern=r"[A-Za-z0-9+/_-]*={0,2}")
SEAL = text(1, pattern=r"[A-Za-z0-9+/_-]*={0,2}")
COUNT = integer(0)
RESOLUTION = known("low", "medium", "high", "ultra_high")
SEARCHES = known("web_search", "image_search", "enterprise_web_search")
RETRIEVALS = known("vertex_ai_search", "rag_store", "exa_ai_search", "parallel_ai_search")
_MIME = {
    "image": "image/png image/jpeg image/webp image/heic image/heif image/gif image/bmp image/tiff",
    "audio": "audio/wav audio/mp3 audio/aiff audio/aac audio/ogg audio/flac audio/mpeg audio/m4a audio/l16 audio/opus "
    "audio/alaw audio/mulaw audio/webm",
    "video": "video/mp4 video/mpeg video/mpg video/mov video/avi video/x-flv video/webm video/wmv video/3gpp "
    "video/jpeg2000",
    "document": "application/pdf text/csv",
}
_SPAN = {"start_index": may(COUNT), "end_index": may(COUNT)}
_REVIEWS = may(array(obj(review_id=may(text()), title=may(text()), url=may(text()))))
PLACES = may(array(obj(name=may(text()), place_id=may(text()), review_snippets=_REVIEWS, url=may(text()))))


def marks(cited: Citation) -> Node:
    """The citations and marks of a text."""
    return array(
        by_known(
            "type",
            {
                "url_citation": obj(cited, _SPAN, title=may(text()), url=may(text())),
                "file_citation": obj(
                    cited,
                    _SPAN,
                    custom_metadata=may(mapping()),
                    document_uri=may(text()),
                    file_name=may(text()),
                    media_id=may(text()),
                    page_number=may(integer()),
                    source=may(text()),
                ),
                "place_citation": obj(
                    cited, _SPAN, name=may(text()), place_id=may(text()), review_snippets=_REVIEWS, url=may(text())
                ),
                "speech_metadata": obj(cited, _SPAN, speaker=may(text()), style=may(text())),
                "word_info": obj(
                    cited,
                    _SPAN,
                    start_offset=may(text()),
                    end_offset=may(text()),
                    speaker=may(text()),
                    text=may(text()),
                ),
            },
            cited,
        )
    )


def media(cited: Citation) -> dict[str, Node]:
    """Images, sounds, videos and documents, in the request or at an address."""
    common = {"data": may(SEAL), "uri": may(text(1))}
    more: dict[str, Mapping[str, Field]] = {
        "image": {"resolution": may(RESOLUTION)},
        "audio": {"channels": may(integer(1)), "sample_rate": may(integer(1)), "rate": may(integer(1))},
        "video": {
            "name": may(text()),
            "resolution": may(RESOLUTION),
            "processing": may(
                known("static", "agentic")
                | obj(
                    type=need(word("static")),
                    start_offset=may(text()),
                    end_offset=may(text()),
                    fps=may(number(0)),
                )
            ),
        },
        "document": {},
    }
    return {
        kind: obj(cited, common, fields, mime_type=may(known(*_MIME[kind].split()))) for kind, fields in more.items()
    }


def content(cited: Citation) -> Node:
    """One piece of content."""
    return by_known("type", pieces(cited), cited)


def pieces(cited: Citation) -> dict[str, Node]:
    """The kinds of content."""
    written = obj(cited, text=need(text()), annotations=may(marks(cited)))
    return {"text": written, **media(cited)}


def arguments() -> dict[str, Object]:
    """The arguments of the calls of tools that Google runs."""
    queries = obj(queries=may(array(text())))
    return {
        "code_execution": obj(code=may(text()), language=may(known("python", "bash"))),
        "google_search": queries,
        "google_maps": queries,
        "retrieval": queries,
        "url_context": obj(urls=may(array(text()))),
    }


def results() -> dict[str, Node]:
    """The results of tools that Google runs."""
    status = known("success", "error", "paywall", "unsafe")
    return {
        "code_execution": text(),
        "google_search": array(obj(search_suggestions=may(text()))),
        "google_maps": array(obj(places=PLACES, widget_context_token=may(text()))),
        "url_context": array(obj(status=may(status), url=may(text()))),
        "file_search": array(mapping()),
    }


def steps(cited: Citation, called: Citation, returned: Citation, sealed: Citation, *, bare: bool = False) -> Node:
    """One step; the citations are those of a side's statements. `bare`: or one piece of content."""
    whole = content(cited)
    signed = {"signature": may(SEAL, sealed)}
    result = need(text() | array(whole) | mapping())
    found: dict[str, Node] = {
        "user_input": obj(cited, content=may(array(whole))),
        "model_output": obj(
            cited,
            content=may(array(whole)),
            error=may(obj(code=may(integer()), message=may(text()), details=may(array(mapping())))),
        ),
        "thought": obj(cited, signed, summary=may(array(whole))),
        "function_call": obj(called, signed, id=need(text(1)), name=need(text(1)), arguments=need(mapping())),
        "function_result": obj(
            returned,
            signed,
            call_id=need(text(1)),
            name=may(text(1)),
            result=result,
            is_error=may(boolean),
        ),
        "mcp_server_tool_call": obj(
            called,
            signed,
            id=need(text(1)),
            name=need(text(1)),
            server_name=need(text(1)),
            arguments=need(mapping()),
        ),
        "mcp_server_tool_result": obj(
            returned,
            signed,
            call_id=need(text(1)),
            name=may(text()),
            server_name=may(text()),
            result=result,
        ),
    }
    own, given = arguments(), results()
    for kind in ("code_execution", "google_search", "google_maps", "retrieval", "url_context", "file_search"):
        asked = {"arguments": (may if kind == "google_maps" else need)(own[kind])} if kind in own else {}
        extra = {
            "google_search": {"search_type": may(SEARCHES)},
            "retrieval": {"retrieval_type": may(RETRIEVALS)},
        }.get(kind, {})
        found[f"{kind}_call"] = obj(called, signed, asked, extra, id=need(text(1)))
        got = {"result": (may if kind == "file_search" else need)(given[kind])} if kind in given else {}
        found[f"{kind}_result"] = obj(returned, signed, got, call_id=need(text(1)), is_error=may(boolean))
    found["processing_call"] = obj(called, signed, id=need(text(1)))
    found["processing_result"] = obj(returned, signed, call_id=need(text(1)))
    return by_known("type", {**found, **pieces(cited)} if bare else found, cited)
