"""What hosted tools work on: vector stores of `file_search`, containers of `code_interpreter`. Types of openai 3.52."""

from __future__ import annotations

from typing import Any

from conformance.contract import Contract
from conformance.contract.notation import *
from conformance.dialects.openai_responses.contract import REPLY, REQUEST

_COUNT = integer(0)
_TIME = may(integer(0) | null)
_METADATA = may(mapping() | null)
_ANCHOR = need(word("last_active_at"))
_STORE_ENDS = obj(anchor=_ANCHOR, days=need(integer(1, 365)))
_STORE = obj(
    id=need(text(1)),
    object=need(word("vector_store")),
    created_at=need(_COUNT),
    name=need(text() | null),
    usage_bytes=need(_COUNT),
    file_counts=need(
        obj({each: need(_COUNT) for each in ("in_progress", "completed", "failed", "cancelled", "total")})
    ),
    status=need(known("expired", "in_progress", "completed")),
    expires_after=may(_STORE_ENDS | null),
    expires_at=_TIME,
    last_active_at=_TIME,
    metadata=_METADATA,
)
_STORE_FILE = obj(
    id=need(text(1)),
    object=need(word("vector_store.file")),
    created_at=need(_COUNT),
    usage_bytes=need(_COUNT),
    vector_store_id=need(text(1)),
    status=need(known("in_progress", "completed", "cancelled", "failed")),
    last_error=may(obj(code=need(text(1)), message=need(text())) | null),
    attributes=may(mapping() | null),
    chunking_strategy=may(mapping() | null),
)
_CONTAINER = obj(
    id=need(text(1)),
    object=need(word("container")),
    created_at=need(_COUNT),
    name=need(text()),
    status=need(text(1)),
    expires_after=may(obj(anchor=may(word("last_active_at")), minutes=may(_COUNT)) | null),
    last_active_at=_TIME,
    memory_limit=may(known("1g", "4g", "16g", "64g") | null),
    network_policy=may(mapping() | null),
)
_CONTAINER_FILE = obj(
    id=need(text(1)),
    object=need(word("container.file")),
    created_at=need(_COUNT),
    bytes=need(_COUNT | null),
    container_id=need(text(1)),
    path=need(text(1)),
    source=need(text(1)),
)


def list_of(kind: Any) -> Contract:
    """The contract of a reply that lists objects of a kind."""
    return REPLY.beside(obj(object=need(word("list")), data=need(array(kind)), has_more=may(boolean)))


def _deleted(kind: str) -> Contract:
    return REPLY.beside(obj(id=need(text(1)), object=need(word(f"{kind}.deleted")), deleted=need(boolean)))


_STORED = obj(
    name=may(text() | null),
    description=may(text() | null),
    file_ids=may(array(text(1), 0, 500)),
    expires_after=may(_STORE_ENDS | null),
    chunking_strategy=may(mapping()),
    metadata=_METADATA,
)
_ADDED = obj(file_id=need(text(1)), attributes=may(mapping() | null), chunking_strategy=may(mapping()))
_CONTAINED = obj(
    name=need(text()),
    file_ids=may(array(text(1))),
    expires_after=may(obj(anchor=_ANCHOR, minutes=need(integer(1)))),
    memory_limit=may(word("1g", "4g", "16g", "64g")),
    network_policy=may(mapping()),
    skills=may(array(mapping())),
)
CONTRACTS = {
    "stores": (None, list_of(_STORE)),
    "store created": (REQUEST.beside(_STORED), REPLY.beside(_STORE)),
    "store": (None, REPLY.beside(_STORE)),
    "store changed": (REQUEST.beside(only(_STORED, "name", "expires_after", "metadata")), REPLY.beside(_STORE)),
    "store deleted": (None, _deleted("vector_store")),
    "store files": (None, list_of(_STORE_FILE)),
    "store file added": (REQUEST.beside(_ADDED), REPLY.beside(_STORE_FILE)),
    "store file": (None, REPLY.beside(_STORE_FILE)),
    "store file deleted": (None, _deleted("vector_store.file")),
    "containers": (None, list_of(_CONTAINER)),
    "container created": (REQUEST.beside(_CONTAINED), REPLY.beside(_CONTAINER)),
    "container": (None, REPLY.beside(_CONTAINER)),
    "container deleted": (None, None),
    "container files": (None, list_of(_CONTAINER_FILE)),
    "container file": (None, REPLY.beside(_CONTAINER_FILE)),
    "container file deleted": (None, None),
    "container file content": (None, None),
}
"""By the names in `Dialect.endpoints`: the contracts of the request, if it has a body, and of the reply."""
