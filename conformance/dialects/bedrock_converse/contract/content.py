"""The content blocks of Converse, for requests and replies: each is an object with one of its members."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.contract.citation import Citation
from conformance.contract.nodes import Node, Object
from conformance.contract.notation import *

_TYPES = {"image": "png jpeg gif webp", "document": "pdf csv doc docx xls xlsx html txt md"}
_VIDEO = "mkv mov mp4 webm flv mpeg mpg wmv three_gp"
_AUDIO = "mp3 opus wav aac flac mp4 ogg mkv mka x-aac m4a mpeg mpga pcm webm"
BASE64 = text(1, pattern=r"[A-Za-z0-9+/]*={0,2}")
NAME = text(1, 64, "[a-zA-Z0-9_-]+")
ID = text(1, 64, "[a-zA-Z0-9_.:-]+")
GUARDRAIL = "arn:aws(-[^:]+)?:bedrock:[a-z0-9-]{1,20}:[0-9]{12}:guardrail/[a-z0-9]+"
VERSION = "|[1-9][0-9]{0,7}|DRAFT"
COUNT = integer(0)
INVOKED = when(path=r"/invoke(-with-response-stream)?/?$")
"""Nova's own API."""
_ERROR = may(obj(message=may(text())))
_INDEX = may(integer(0))
_SPAN = {"start": _INDEX, "end": _INDEX}


def union(citation: Citation, members: Mapping[str, Node], **more: Node) -> Object:
    """An object with exactly one of these members."""
    rows = {name: may(node) for name, node in {**members, **more}.items()}
    return obj(one_of(*rows, cite=citation), rows)


def words(listed: str) -> Node:
    """One of the words of a text."""
    return word(*listed.split())


S3 = obj(
    uri=need(text(1, 1024, r"s3://[a-z0-9][\.\-a-z0-9]{1,61}[a-z0-9](/.*)?")),
    bucketOwner=may(text(pattern="[0-9]{12}")),
)


def media(cited: Citation) -> dict[str, Node]:
    """Images, documents, videos and sounds, each with a format and a source."""
    files: dict[str, Node] = {"bytes": BASE64, "s3Location": S3}
    whole = union(cited, files, text=text(), content=array(union(cited, {"text": text()})))
    source = union(cited, files)
    document = obj(
        format=may(words(_TYPES["document"])),
        name=need(text(1, 200), cite("BRC-Q-019")),
        source=need(whole),
        context=may(text()),
        citations=may(CITED),
    )
    found: dict[str, Node] = {"document": document}
    for kind, formats in (("image", _TYPES["image"]), ("video", _VIDEO), ("audio", _AUDIO)):  # `video/mp4` was accepted
        error = {} if kind == "video" else {"error": _ERROR}
        found[kind] = obj(
            cited,
            error,
            format=need(known(*formats.split()) if kind == "video" else words(formats)),
            source=need(source),
        )
    return found


CITED = obj(enabled=need(boolean))
CACHE_POINT = obj(cite("BRC-Q-015"), type=need(word("default")), ttl=may(word("5m", "1h")))
_GUARDED = cite("BRC-Q-017")
GUARDED = union(
    _GUARDED,
    {
        "text": obj(_GUARDED, text=need(text()), qualifiers=may(array(words("grounding_source query guard_content")))),
        "image": obj(_GUARDED, format=need(words("png jpeg")), source=need(union(_GUARDED, {"bytes": BASE64}))),
    },
)
_FOUND = cite("BRC-Q-018")
SEARCH_RESULT = obj(
    _FOUND,
    source=need(text()),
    title=need(text()),
    content=need(array(obj(text=need(text())))),
    citations=may(CITED),
)
CITATION = obj(
    title=may(text(1)),
    source=may(text(1)),
    sourceContent=may(array(obj(text=may(text())))),
    location=may(
        union(
            cite("BRC-R-017"),
            dict.fromkeys(("documentChar", "documentPage", "documentChunk"), obj(_SPAN, documentIndex=_INDEX)),
            searchResultLocation=obj(_SPAN, searchResultIndex=_INDEX),
            web=obj(url=may(text(1)), domain=may(text(1))),
        )
    ),
)
_CHANGED = cite("BRC-Q-020")
_REFERENCE = obj(
    _CHANGED,
    tool=need(obj(type=may(text(1, 64)), name=may(text(1, 128)), serverName=may(text(1, 128)))),
)


def blocks(call: Citation, result: Citation, thought: Citation, shown: Citation) -> dict[str, Node]:
    """The members of a content block; the citations are those of a side's statements."""
    files = media(shown)
    inner = {name: files[name] for name in ("image", "document", "video")}
    answer = union(result, inner, json=mapping(), text=text(), searchResult=SEARCH_RESULT)
    return {
        **files,
        "text": text(),
        # `tool_use` is no type of the service model, but 68 recorded calls have it.
        "toolUse": obj(
            call,
            toolUseId=need(ID),
            name=need(NAME),
            input=need(anything),
            type=may(known("server_tool_use", "tool_use")),
        ),
        "toolResult": obj(
            result,
            toolUseId=need(ID),
            content=need(array(answer)),
            status=may(word("success", "error")),
            type=may(text()),
        ),
        "guardContent": GUARDED,
        "cachePoint": CACHE_POINT,
        "reasoningContent": union(
            thought,
            {"reasoningText": obj(thought, text=need(text()), signature=may(text(1))), "redactedContent": text()},
        ),
        "citationsContent": obj(
            content=may(array(union(shown, {"text": text()}))),
            citations=may(array(CITATION)),
        ),
        "searchResult": SEARCH_RESULT,
        "toolAddition": _REFERENCE,
        "toolRemoval": _REFERENCE,
    }


def message(role: Node, block: Any, citation: Citation) -> Object:
    """A message with its blocks."""
    return obj(citation, role=need(role), content=need(array(block)))
