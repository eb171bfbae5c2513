"""The sources of a Gemini reply: citations, searches and their results."""

from __future__ import annotations

from conformance.contract.notation import array, integer, may, number, obj, text
from conformance.dialects.gemini.contract.common import COUNT, DURATION, NUMBER

_TEXT = may(text())
_SOURCE = obj(startIndex=may(COUNT), endIndex=may(COUNT), uri=_TEXT, license=_TEXT)
CITATIONS = obj(
    # Vertex AI has `citations`, the Gemini API `citationSources`.
    citations=may(
        array(
            obj(
                _SOURCE,
                title=_TEXT,
                publicationDate=may(
                    obj(year=may(integer(0, 9999)), month=may(integer(0, 12)), day=may(integer(0, 31)))
                ),
            )
        )
    ),
    citationSources=may(array(_SOURCE)),
)
_REVIEW = obj(
    authorAttribution=may(obj(displayName=_TEXT, photoUri=_TEXT, uri=_TEXT)),
    flagContentUri=_TEXT,
    googleMapsUri=_TEXT,
    relativePublishTimeDescription=_TEXT,
    review=_TEXT,
    reviewId=_TEXT,
    title=_TEXT,
)
_PLACE = obj(
    uri=_TEXT,
    title=_TEXT,
    text=_TEXT,
    placeId=_TEXT,
    placeAnswerSources=may(
        obj(reviewSnippets=may(array(_REVIEW)), reviewSnippet=may(array(_REVIEW)), flagContentUri=_TEXT)
    ),
    route=may(obj(distanceMeters=may(COUNT), duration=may(DURATION), encodedPolyline=_TEXT)),
)
_CONTEXT = obj(
    uri=_TEXT,
    title=_TEXT,
    text=_TEXT,
    documentName=_TEXT,
    ragChunk=may(
        obj(
            text=_TEXT,
            chunkId=_TEXT,
            fileId=_TEXT,
            pageSpan=may(obj(firstPage=may(integer(0)), lastPage=may(integer(0)))),
        )
    ),
    customMetadata=may(
        array(
            obj(
                key=_TEXT,
                stringValue=_TEXT,
                numericValue=may(NUMBER),
                stringListValue=may(obj(values=may(array(text())))),
            )
        )
    ),
    fileSearchStore=_TEXT,
    pageNumber=may(integer(0)),
    mediaId=_TEXT,
)
_CHUNK = obj(
    web=may(obj(uri=_TEXT, title=_TEXT, domain=_TEXT)),
    image=may(obj(sourceUri=_TEXT, imageUri=_TEXT, title=_TEXT, domain=_TEXT)),
    maps=may(_PLACE),
    retrievedContext=may(_CONTEXT),
)
_SUPPORT = obj(
    segment=may(obj(partIndex=may(COUNT), startIndex=may(COUNT), endIndex=may(COUNT), text=_TEXT)),
    groundingChunkIndices=may(array(COUNT)),
    confidenceScores=may(array(NUMBER)),
    renderedParts=may(array(COUNT)),
)
GROUNDING = obj(
    webSearchQueries=may(array(text())),
    imageSearchQueries=may(array(text())),
    retrievalQueries=may(array(text())),
    searchEntryPoint=may(obj(renderedContent=_TEXT, sdkBlob=_TEXT)),
    groundingChunks=may(array(_CHUNK)),
    groundingSupports=may(array(_SUPPORT)),
    retrievalMetadata=may(obj(googleSearchDynamicRetrievalScore=may(number(0, 1)))),
    googleMapsWidgetContextToken=_TEXT,
    sourceFlaggingUris=may(array(obj(flagContentUri=_TEXT, sourceId=_TEXT))),
)
