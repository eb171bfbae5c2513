"""The SDK types that the contract is compared with."""

from __future__ import annotations

from openai.types import shared
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.chat.completion_create_params import CompletionCreateParams

from conformance.contract.sdk_types import Field, Source

SDK_TYPES = {
    "request": Source((CompletionCreateParams,)),
    "response": Source((ChatCompletion,)),
    "event": Source((ChatCompletionChunk,)),
    "error": Source(fields={"error": Field((shared.ErrorObject,), required=True)}),
}
