"""The sources of a Gemini reply: citations, searches and their results."""

from __future__ import annotations

from conformance.contract.notation import array, cite, first, integer, may, number, obj, text
from conformance.dialects.gemini.contract.common import COUNT, DURATION, NUMBER, of_google, of_vertex
from conformance.dialects.gemini.contract.places import FROM_2_5
from conformance.model.finding import Severity

_TEXT = may(text())
_SOURCE = obj(startIndex=may(COUNT), endIndex=may(COUNT), uri=_TEXT, license=_TEXT)
_PUBLICATION_DATE = obj(
    cite("GEM-R-030"),
    year=may(integer(0, 9999)),
    month=may(integer(0, 12)),
    day=may(integer(0, 31)),
)
_CITATION = obj(_SOURCE, title=_TEXT, publicationDate=may(_PUBLICATION_DATE))
CITATIONS = obj(
    # Vertex AI has `citations`, the Gemini API `citationSources`.
    citations=may(array(_CITATION)),
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
_RAG_CHUNK = obj(
    text=_TEXT,
    chunkId=_TEXT,
    fileId=_TEXT,
    pageSpan=may(obj(cite("GEM-R-028"), firstPage=may(integer(1)), lastPage=may(integer(1)))),
)
_CUSTOM_METADATA = obj(
    key=_TEXT,
    stringValue=_TEXT,
    numericValue=may(NUMBER),
    stringListValue=may(obj(values=may(array(text())))),
)
_CONTEXT = obj(
    uri=_TEXT,
    title=_TEXT,
    text=_TEXT,
    documentName=of_vertex(text()),
    ragChunk=of_vertex(_RAG_CHUNK),
    customMetadata=of_google(array(_CUSTOM_METADATA)),
    fileSearchStore=of_google(text()),
    pageNumber=of_google(integer(0)),
    mediaId=of_google(text()),
)
_CHUNK = obj(
    web=may(obj(uri=_TEXT, title=_TEXT, domain=of_vertex(text()))),
    image=may(obj(sourceUri=_TEXT, imageUri=_TEXT, title=_TEXT, domain=_TEXT)),
    maps=may(_PLACE),
    retrievedContext=may(_CONTEXT),
)
_IGNORED = cite("GEM-R-021", Severity.WARNING, because="clients ignore the scores of these models")
_SUPPORT = obj(
    segment=may(obj(partIndex=may(COUNT), startIndex=may(COUNT), endIndex=may(COUNT), text=_TEXT)),
    groundingChunkIndices=may(array(COUNT)),
    confidenceScores=first(
        may(array(number(0, 1), 0, 0), cite("GEM-R-021"), count=_IGNORED, only=FROM_2_5),
        may(array(number(0, 1)), cite("GEM-R-021")),
    ),
    renderedParts=may(array(COUNT)),
)
GROUNDING = obj(
    webSearchQueries=may(array(text())),
    imageSearchQueries=may(array(text())),
    retrievalQueries=of_vertex(array(text())),
    searchEntryPoint=may(obj(renderedContent=_TEXT, sdkBlob=_TEXT)),
    groundingChunks=may(array(_CHUNK)),
    groundingSupports=may(array(_SUPPORT)),
    retrievalMetadata=may(obj(googleSearchDynamicRetrievalScore=may(number(0, 1)))),
    googleMapsWidgetContextToken=_TEXT,
    sourceFlaggingUris=of_vertex(array(obj(flagContentUri=_TEXT, sourceId=_TEXT))),
)
