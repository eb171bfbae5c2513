"""The SDK types that the JSON Schemas in `specs/wire/mcp` are made from."""

from __future__ import annotations

import mcp_types as types

from conformance.wire.assemble import SdkTypes, Source
from conformance.wire.typereader import Field

_ENVELOPE = {"jsonrpc": Field((str,), required=True), "error": Field((types.ErrorData,), required=False)}
_CALLS = (types.ClientRequest, types.ClientNotification, types.ServerRequest, types.ServerNotification)

SDK_TYPES = SdkTypes(
    "mcp",
    ("mcp_types._types",),
    {
        "request": Source(
            _CALLS,
            fields={
                **_ENVELOPE,
                "id": Field((types.RequestId,), required=False),
                "result": Field((types.ClientResult,), required=False),
            },
            sent=True,
            batch="Message",
        ),
        "response": Source(
            _CALLS,
            fields={
                **_ENVELOPE,
                "id": Field((types.RequestId, type(None)), required=False),
                "result": Field((types.ServerResult,), required=False),
            },
            sent=True,
            batch="Message",
        ),
    },
)
