"""Content and steps of Interactions, for requests and replies: each has a `type` that distinguishes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from conformance.contract.citation import Citation
from conformance.contract.nodes import Field, Node, Object
from conformance.contract.notation import *

_BASE64 = r"[A-Za-z0-9+/_-]*={0,2}"
COUNT = integer(0)
RESOLUTION = known("low", "medium", "high", "ultra_high")
SEARCHES = known("web_search", "image_search", "enterprise_web_search")
RETRIEVALS = known("vertex_ai_search", "rag_store", "exa_ai_search", "parallel_ai_search")
MODALITIES = known("text", "image", "audio", "video", "document")
TIERS = may(known("flex", "standard", "priority", "deferred"))
_MIME = {
    "image": "image/png image/jpeg image/webp image/heic image/heif image/gif image/bmp image/tiff",
    "audio": "audio/wav audio/mp3 audio/aiff audio/aac audio/ogg audio/flac audio/mpeg audio/m4a audio/l16 audio/opus "
    "audio/alaw audio/mulaw audio/webm",
    "video": "video/mp4 video/mpeg video/mpg video/mov video/avi video/x-flv video/webm video/wmv video/3gpp",
    "document": "application/pdf text/csv application/msword application/vnd.ms-excel application/vnd.ms-powerpoint "
    "application/vnd.oasis.opendocument.presentation application/vnd.oasis.opendocument.spreadsheet "
    "application/vnd.oasis.opendocument.text "
    "application/vnd.openxmlformats-officedocument.presentationml.presentation "
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet "
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document "
    "application/vnd.openxmlformats-officedocument.wordprocessingml.template",
}
_TEXT = may(text())
_OFFSETS = dict.fromkeys(("start_offset", "end_offset"), may(text(pattern=r"\d+(\.\d+)?s")))
_CELLS = r"(\$?[A-Za-z]{1,3}\$?[0-9]*|\$?[0-9]+)"
_PAGED = cite("GIN-Q-022")
_READ_PAGES = obj(
    _PAGED,
    start_page=may(integer(1)),
    end_page=may(integer(1)),
    content_layers=may(array(known("page_image", "page_text"))),
)
_READ_SHEET = obj(
    _PAGED,
    sheet_index=may(integer(1)),
    visible_cells=may(text(pattern=rf"([^!]+!)?{_CELLS}(:{_CELLS})?")),
    content_layers=may(array(known("visual", "data", "formulas"))),
)
_STATIC = {"type": need(word("static"))}
_LAYERS = may(array(known("frames", "audio", "transcript")))
_READ_AUDIO = obj(_STATIC, _OFFSETS, end_offset=may(text(pattern=r"(?=.*[1-9])\d+(\.\d+)?s")))
_READ_VIDEO = obj(_STATIC, _OFFSETS, fps=may(number(0)), content_layers=_LAYERS)
_READ_DOCUMENT = obj(_STATIC, page_options=may(_READ_PAGES), spreadsheet_options=may(_READ_SHEET))
_OF_CONTENT: Mapping[str, Mapping[str, Field]] = {
    "image": {},
    "audio": {"processing": may(known("static") | _READ_AUDIO)},
    "video": {"processing": may(known("static", "agentic") | _READ_VIDEO), "name": _TEXT},
    "document": {"processing": may(known("static") | _READ_DOCUMENT), "resolution": may(RESOLUTION)},
}
"""What media have in content, and not in a delta."""
_OF_MEDIA: Mapping[str, Mapping[str, Field]] = {
    "image": {"resolution": may(RESOLUTION)},
    "audio": {"channels": may(integer(1)), "sample_rate": may(integer(1))},
    "video": {"resolution": may(RESOLUTION)},
    "document": {},
}
_PLACE: Mapping[str, Field] = {
    "name": _TEXT,
    "place_id": _TEXT,
    "review_snippets": may(array(obj(review_id=_TEXT, title=_TEXT, url=_TEXT))),
    "url": _TEXT,
}
_FILE = ("document_uri", "file_name", "media_id", "source")
_MARKS: Mapping[str, Mapping[str, Field]] = {
    "url_citation": {"title": _TEXT, "url": _TEXT},
    "file_citation": {
        "custom_metadata": may(mapping()),
        "page_number": may(integer()),
        **dict.fromkeys(_FILE, _TEXT),
    },
    "place_citation": {**_PLACE, "place_id": may(text(pattern=r"places/.+"))},
    "speech_metadata": dict.fromkeys(("speaker", "style"), _TEXT),
    "word_info": dict.fromkeys(("start_offset", "end_offset", "speaker", "text"), _TEXT),
}
_QUERIES = obj(queries=may(array(text())))
_FETCHED = obj(status=may(known("success", "error", "paywall", "unsafe")), url=_TEXT)
_FAILED = {"is_error": may(boolean)}
HOSTED: Mapping[str, tuple[Mapping[str, Field], Mapping[str, Field]]] = {
    "code_execution": (
        {"arguments": need(obj(code=_TEXT, language=may(known("python", "bash"))))},
        {"result": need(text()), **_FAILED},
    ),
    "google_search": (
        {"arguments": need(_QUERIES)},
        {"result": need(array(obj(search_suggestions=_TEXT))), **_FAILED},
    ),
    "google_maps": (
        {"arguments": may(_QUERIES)},
        {"result": need(array(obj(places=may(array(obj(_PLACE))), widget_context_token=_TEXT)))},
    ),
    "retrieval": ({"arguments": need(_QUERIES), "retrieval_type": may(RETRIEVALS)}, _FAILED),
    "url_context": (
        {"arguments": need(obj(urls=may(array(text()))))},
        {"result": need(array(_FETCHED)), **_FAILED},
    ),
    "tool_search": ({"arguments": need(obj(function_names=may(array(text(1)))))}, {}),
    "file_search": ({}, {}),
    "processing": ({}, {}),
}
"""The tools that Google runs, with what their calls and their results have."""
_MCP = {"name": need(text(1)), "server_name": need(text(1)), "arguments": need(mapping())}
_OF_MCP = {"name": _TEXT, "server_name": _TEXT}


def seal(cited: Citation | None = None, least: int = 1) -> Field:
    """A signature, or other bytes; in the beginning of a step it may be empty."""
    return may(text(least, pattern=_BASE64), cited)


def marks(cited: Citation) -> Node:
    """The citations and marks of a text."""
    span = {"start_index": may(COUNT), "end_index": may(COUNT)}
    return array(by_known({kind: obj(cited, span, fields) for kind, fields in _MARKS.items()}, cited))


def media(cited: Citation) -> dict[str, Object]:
    """Images, sounds, videos and documents, in the request or at an address."""
    common = {"data": seal(), "uri": may(text(1))}
    return {
        kind: obj(cited, common, fields, mime_type=may(known(*_MIME[kind].split())))
        for kind, fields in _OF_MEDIA.items()
    }


def pieces(cited: Citation) -> dict[str, Object]:
    """The kinds of content."""
    found = {kind: obj(node, _OF_CONTENT[kind]) for kind, node in media(cited).items()}
    return {"text": obj(cited, text=need(text()), annotations=may(marks(cited))), **found}


def content(cited: Citation, *kinds: str) -> Node:
    """One piece of content, of these kinds or of any."""
    found = pieces(cited)
    return by_known({kind: found[kind] for kind in kinds or found}, cited)


def function(cited: Citation, name: Field) -> Object:
    """The declaration of a function: among the tools, or in what a search for tools has found."""
    return obj(
        cited,
        name=name,
        description=_TEXT,
        short_description=_TEXT,
        parameters=may(obj(type=should(word("object")))),
        defer_loading=may(boolean),
    )


def calls_and_results(called: Citation, returned: Citation, signature: Field) -> dict[str, Object]:
    """The calls of tools that Google runs, and results, without their ids: so they are in a delta."""
    given = by_known({**pieces(returned), "function": function(returned, need(text(1)))}, returned)
    result = {"result": need(text() | array(given) | mapping())}
    found = {
        "mcp_server_tool_call": obj(called, _MCP),
        "mcp_server_tool_result": obj(returned, _OF_MCP, result),
        "function_result": obj(returned, _FAILED, result, name=may(text(1))),
    }
    for kind, (asked, answered) in HOSTED.items():
        found[f"{kind}_call"] = obj(called, asked, signature=signature)
        found[f"{kind}_result"] = obj(returned, answered, signature=signature)
    loaded = obj(function(returned, may(text(1))), type=should(word("function")))
    found["tool_search_result"] = obj(found["tool_search_result"], result=may(array(loaded)))
    return found


def steps(cited: Citation, called: Citation, returned: Citation, sealed: Citation) -> dict[str, Object]:
    """The kinds of steps; the citations are those of a side's statements."""
    shown = may(array(content(cited)))
    error = obj(code=may(integer(0, 16)), message=_TEXT, details=may(array(mapping())))
    found = {
        "user_input": obj(cited, content=shown),
        "model_output": obj(cited, content=shown, error=may(error)),
        "thought": obj(cited, signature=seal(sealed), summary=may(array(content(cited, "text", "image")))),
        "function_call": obj(
            called, id=need(text(1)), name=need(text(1)), arguments=need(mapping()), signature=seal(sealed)
        ),
    }
    for kind, node in calls_and_results(called, returned, seal(sealed)).items():
        key = "id" if kind.endswith("_call") else "call_id"
        found[kind] = obj(node, {key: need(text(1))})
    search, code = found["google_search_call"], found["code_execution_result"]
    return {
        **found,
        "google_search_call": obj(search, search_type=may(SEARCHES)),
        "code_execution_result": obj(code, result=need(text() | array(content(returned)))),
    }


def begun(whole: Mapping[str, Object]) -> dict[str, Object]:
    """Steps as they begin: arguments and a result may come in pieces, and a signature be empty."""
    empty = {"signature": seal(None, 0)}
    return {
        kind: obj(eased(node, "arguments", "result"), empty if any(row.name in empty for row in node.fields) else {})
        for kind, node in whole.items()
    }


def eased(node: Object, *names: str) -> Object:
    """The object with these fields optional."""
    return obj(node, {row.name: replace(row, presence="may") for row in node.fields if row.name in names})
