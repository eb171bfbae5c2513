"""The SDK types that the contract is compared with: the messages of each side."""

from __future__ import annotations

import mcp_types as types

from conformance.wire.assemble import SdkTypes, Source
from conformance.wire.typereader import Field

_ENVELOPE = {"jsonrpc": Field((str,), required=True), "error": Field((types.ErrorData,), required=False)}

SDK_TYPES = SdkTypes(
    "mcp",
    ("mcp_types._types",),
    {
        "request": Source(
            (types.ClientRequest, types.ClientNotification),
            fields={
                **_ENVELOPE,
                "id": Field((types.RequestId,), required=False),
                "result": Field((types.ClientResult,), required=False),
            },
            sent=True,
        ),
        "response": Source(
            (types.ServerRequest, types.ServerNotification),
            fields={
                **_ENVELOPE,
                "id": Field((types.RequestId, type(None)), required=False),
                "result": Field((types.ServerResult,), required=False),
            },
            sent=True,
        ),
    },
)
