"""The SDK types that the contract is compared with."""

from __future__ import annotations

import inspect
from typing import get_type_hints

from cohere.v2.client import V2Client
from cohere.v2.types import V2ChatResponse, V2ChatStreamResponse

from conformance.contract.sdk_types import Field, Source

_HINTS = get_type_hints(V2Client.chat)
_ASKED = {
    name: Field((_HINTS[name],), required=each.default is each.empty)
    for name, each in inspect.signature(V2Client.chat).parameters.items()
    if name in _HINTS and name != "request_options"
}
"""The SDK has no type for a request, but a method whose arguments are its fields."""

SDK_TYPES = {
    "request": Source(fields={**_ASKED, "stream": Field((bool,), required=False)}),
    "response": Source((V2ChatResponse,)),
    "event": Source((V2ChatStreamResponse,)),
    "error": Source(fields={"message": Field((str,), required=True), "id": Field((str,), required=False)}),
}
