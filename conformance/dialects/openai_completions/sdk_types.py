"""The SDK types that the contract is compared with."""

from __future__ import annotations

from openai.types import Completion, completion_create_params, shared

from conformance.contract.sdk_types import Field, Source

SDK_TYPES = {
    "request": Source((completion_create_params.CompletionCreateParams,)),
    "response": Source((Completion,)),
    "event": Source((Completion,)),
    "error": Source(fields={"error": Field((shared.ErrorObject,), required=True)}),
}
