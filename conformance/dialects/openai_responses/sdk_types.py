"""The SDK types that the contract is compared with."""

from __future__ import annotations

from openai.types import shared
from openai.types.responses import Response, ResponseStreamEvent, response_create_params

from conformance.contract.sdk_types import Field, Source

SDK_TYPES = {
    "request": Source((response_create_params.ResponseCreateParams,)),
    "response": Source((Response,)),
    "event": Source((ResponseStreamEvent,)),
    "error": Source(fields={"error": Field((shared.ErrorObject,), required=True)}),
}
