"""The SDK types that the JSON Schemas in `specs/wire/anthropic-messages` are made from."""

from __future__ import annotations

from anthropic.types import (
    Message,
    RawMessageStreamEvent,
    TextBlock,
    TextBlockParam,
    TextDelta,
    ToolParam,
    beta,
    message_create_params,
)
from anthropic.types.shared import ErrorResponse

from conformance.wire.assemble import SdkTypes, Source
from conformance.wire.build import Company

_BLOCKS: Company = {
    TextBlock: (
        beta.BetaMCPToolUseBlock,
        beta.BetaMCPToolResultBlock,
        beta.BetaAdvisorToolResultBlock,
        beta.BetaCompactionBlock,
    ),
    TextDelta: (beta.BetaCompactionContentBlockDelta,),
}
_SENT_BLOCKS: Company = {
    TextBlockParam: (
        beta.BetaMCPToolUseBlockParam,
        beta.BetaRequestMCPToolResultBlockParam,
        beta.BetaAdvisorToolResultBlockParam,
        beta.BetaCompactionBlockParam,
    ),
    ToolParam: (beta.BetaAdvisorTool20260301Param, beta.BetaMCPToolsetParam),
}
"""Of the beta types, only what recordings contain: tools on a server, advice, compaction."""

SDK_TYPES = SdkTypes(
    "anthropic",
    ("anthropic.types", "anthropic.types.shared"),
    {
        "request": Source((message_create_params.MessageCreateParams,), sent=True, company=_SENT_BLOCKS),
        "response": Source((Message,), company=_BLOCKS),
        "event": Source((RawMessageStreamEvent, ErrorResponse), company=_BLOCKS),
        "error": Source((ErrorResponse,)),
    },
)
