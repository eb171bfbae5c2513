"""The endpoints beside generating content: tokens, caches, files, batches. From the types of google-genai 3.6."""

from __future__ import annotations

from conformance.contract.notation import *
from conformance.dialects.gemini.contract import REPLY, REQUEST
from conformance.dialects.gemini.contract.common import COUNT, DURATION, TIME
from conformance.dialects.gemini.contract.reply import REPLY as _GENERATED
from conformance.dialects.gemini.contract.request import FIELDS
from conformance.dialects.gemini.contract.request import REQUEST as _WHOLE

_BY_MODALITY = may(array(obj(modality=may(text(1)), tokenCount=may(COUNT))))


_COUNTED = only(FIELDS, "contents", "systemInstruction", "tools", "generationConfig", "model")
_COUNTED_WHOLE = obj(
    excludes("generateContentRequest", "contents"),
    generateContentRequest=need(_WHOLE),
    contents=may(anything),
)
_CACHE = obj(
    name=need(text(pattern=r"(projects/.+/)?cachedContents/.+")),
    model=need(text(1)),
    displayName=may(text()),
    createTime=may(TIME),
    updateTime=may(TIME),
    expireTime=may(TIME),
    usageMetadata=may(obj(totalTokenCount=may(COUNT))),
)
_CACHED = obj(
    only(FIELDS, "contents", "systemInstruction", "tools", "toolConfig"),
    at_most_one_of("ttl", "expireTime"),
    model=need(text(1)),
    contents=may(anything),
    ttl=may(DURATION),
    expireTime=may(TIME),
    displayName=may(text(0, 128)),
    kmsKeyName=may(text(1)),
    encryptionSpec=may(anything),
    name=may(text(1)),
)
_FILE = obj(
    name=need(text(pattern=r"files/[a-z0-9-]{1,40}")),
    uri=should(text(1)),
    state=should(known("STATE_UNSPECIFIED", "PROCESSING", "ACTIVE", "FAILED")),
    mimeType=may(text(1)),
    displayName=may(text(0, 512)),
    sizeBytes=may(text(pattern="[0-9]+")),
    createTime=may(TIME),
    updateTime=may(TIME),
    expirationTime=may(TIME),
    source=may(known("SOURCE_UNSPECIFIED", "UPLOADED", "GENERATED", "REGISTERED")),
)
_BATCHED = obj(
    batch=need(
        obj(
            displayName=may(text()),
            model=may(text(1)),
            priority=may(text(pattern="-?[0-9]+") | integer()),
            inputConfig=need(
                obj(
                    one_of("requests", "fileName"),
                    requests=may(obj(requests=need(array(obj(request=need(_WHOLE), metadata=may(mapping())), 1)))),
                    fileName=may(text(1)),
                )
            ),
        )
    )
)
_RESPONDED = obj(
    at_most_one_of("response", "error"), response=may(_GENERATED), error=may(mapping()), metadata=may(mapping())
)
_STATES = (
    *("BATCH_STATE_UNSPECIFIED", "BATCH_STATE_PENDING", "BATCH_STATE_RUNNING", "BATCH_STATE_SUCCEEDED"),
    *("BATCH_STATE_FAILED", "BATCH_STATE_CANCELLED", "BATCH_STATE_EXPIRED"),
)
_BATCH = obj(
    at_most_one_of("response", "error"),
    name=need(text(pattern="batches/.+")),
    done=may(boolean),
    metadata=may(
        obj(
            state=may(known(*_STATES)),
            model=may(text(1)),
            displayName=may(text()),
            createTime=may(TIME),
            updateTime=may(TIME),
            endTime=may(TIME),
        )
    ),
    error=may(mapping()),
    response=may(
        obj(
            inlinedResponses=may(obj(inlinedResponses=may(array(_RESPONDED)))),
            responsesFile=may(text(1)),
        )
    ),
)
_EMPTY = REPLY.beside(obj())
_CACHE_REPLY = REPLY.beside(_CACHE)
CONTRACTS = {
    "count_tokens": (
        REQUEST.beside(cases(("generateContentRequest", _COUNTED_WHOLE), otherwise=_COUNTED)),
        REPLY.beside(
            obj(
                totalTokens=should(COUNT),
                cachedContentTokenCount=may(COUNT),
                totalBillableCharacters=may(COUNT),
                promptTokensDetails=_BY_MODALITY,
                cacheTokensDetails=_BY_MODALITY,
            ),
        ),
    ),
    "cache created": (REQUEST.beside(_CACHED), _CACHE_REPLY),
    "cache changed": (
        REQUEST.beside(obj(at_most_one_of("ttl", "expireTime"), ttl=may(DURATION), expireTime=may(TIME))),
        _CACHE_REPLY,
    ),
    "cache retrieved": (None, _CACHE_REPLY),
    "cache deleted": (None, _EMPTY),
    "files": (None, REPLY.beside(obj(files=may(array(_FILE)), nextPageToken=may(text(1))))),
    "file": (None, REPLY.beside(_FILE)),
    "file deleted": (None, _EMPTY),
    "file content": (None, None),
    "batch created": (REQUEST.beside(_BATCHED), REPLY.beside(_BATCH)),
    "batches": (None, REPLY.beside(obj(operations=may(array(_BATCH)), nextPageToken=may(text(1))))),
    "batch": (None, REPLY.beside(_BATCH)),
    "batch canceled": (None, _EMPTY),
    "batch deleted": (None, _EMPTY),
    "caches": (
        None,
        REPLY.beside(obj(cachedContents=may(array(_CACHE)), nextPageToken=may(text(1)))),
    ),
}
"""By the names in `Dialect.endpoints`: the contracts of the request, if it has a body, and of the reply."""
