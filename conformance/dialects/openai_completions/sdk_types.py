"""The SDK types that the JSON Schemas in `specs/wire/openai-completions` are compared with."""

from __future__ import annotations

from openai.types import Completion, completion_create_params, shared

from conformance.wire.assemble import SdkTypes, Source
from conformance.wire.typereader import Field

SDK_TYPES = SdkTypes(
    "openai",
    ("openai.types.completion_create_params",),
    {
        "request": Source((completion_create_params.CompletionCreateParams,), sent=True),
        "response": Source((Completion,)),
        "event": Source((Completion,)),
        "error": Source(fields={"error": Field((shared.ErrorObject,), required=True)}, sent=True),
    },
)
