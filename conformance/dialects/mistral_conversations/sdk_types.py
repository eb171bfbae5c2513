"""The SDK types that the contract is compared with."""

from __future__ import annotations

from mistralai.client.models import (
    ConversationAppendRequest,
    ConversationEventsData,
    ConversationRequest,
    ConversationResponse,
    ConversationRestartRequest,
)

from conformance.contract.sdk_types import Field, Source

SDK_TYPES = {
    "request": Source((ConversationRequest, ConversationAppendRequest, ConversationRestartRequest)),
    "response": Source((ConversationResponse,)),
    "event": Source((ConversationEventsData,)),
    "error": Source(fields={"message": Field((str,), required=False), "detail": Field((list,), required=False)}),
}
