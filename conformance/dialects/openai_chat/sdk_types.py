"""The SDK types that the JSON Schemas in `specs/wire/openai-chat` are made from."""

from __future__ import annotations

from openai.types import shared
from openai.types.chat import ChatCompletion, ChatCompletionChunk
from openai.types.chat.completion_create_params import CompletionCreateParams

from conformance.wire.assemble import SdkTypes, Source
from conformance.wire.typereader import Field

SDK_TYPES = SdkTypes(
    "openai",
    ("openai.types.chat", "openai.types.shared"),
    {
        "request": Source((CompletionCreateParams,), sent=True),
        "response": Source((ChatCompletion,)),
        "event": Source((ChatCompletionChunk,)),
        "error": Source(fields={"error": Field((shared.ErrorObject,), required=True)}, sent=True),
    },
)
