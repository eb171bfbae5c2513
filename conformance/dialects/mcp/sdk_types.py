"""The SDK types that the contract is compared with."""

from __future__ import annotations

import mcp_types as types

from conformance.contract.sdk_types import Field, Source

_ENVELOPE = {"jsonrpc": Field((str,), required=True), "error": Field((types.ErrorData,), required=False)}

SDK_TYPES = {
    "request": Source(
        (types.ClientRequest, types.ClientNotification),
        fields={
            **_ENVELOPE,
            "id": Field((types.RequestId,), required=False),
            "result": Field((types.ClientResult,), required=False),
        },
    ),
    "response": Source(
        (types.ServerRequest, types.ServerNotification),
        fields={
            **_ENVELOPE,
            "id": Field((types.RequestId, type(None)), required=False),
            "result": Field((types.ServerResult,), required=False),
        },
    ),
}
