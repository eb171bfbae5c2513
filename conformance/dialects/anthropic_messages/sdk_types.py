"""The SDK types that the contract is compared with."""

from __future__ import annotations

from anthropic.types import (
    Message,
    RawMessageStreamEvent,
    message_create_params,
)
from anthropic.types.shared import ErrorResponse

from conformance.contract.sdk_types import Source

SDK_TYPES = {
    "request": Source((message_create_params.MessageCreateParams,)),
    "response": Source((Message,)),
    "event": Source((RawMessageStreamEvent, ErrorResponse)),
    "error": Source((ErrorResponse,)),
}
