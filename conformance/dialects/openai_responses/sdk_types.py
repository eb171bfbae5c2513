"""The SDK types that the JSON Schemas in `specs/wire/openai-responses` are made from."""

from __future__ import annotations

from openai.types import shared
from openai.types.responses import Response, ResponseStreamEvent, response_create_params

from conformance.wire.assemble import SdkTypes, Source
from conformance.wire.typereader import Field

SDK_TYPES = SdkTypes(
    "openai",
    ("openai.types.responses", "openai.types.shared", "openai.types.shared_params"),
    {
        "request": Source((response_create_params.ResponseCreateParams,), sent=True),
        "response": Source((Response,)),
        "event": Source((ResponseStreamEvent,)),
        "error": Source(fields={"error": Field((shared.ErrorObject,), required=True)}, sent=True),
    },
)
