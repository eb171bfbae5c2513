"""What Cohere's chat can express of a conversation in another dialect."""

from __future__ import annotations

from conformance.model.expressible import Expressible

EXPRESSIBLE = Expressible(
    settings={
        "max tokens": ("/max_tokens",),
        "temperature": ("/temperature",),
        "top p": ("/p",),
        "stop sequences": ("/stop_sequences",),
        "seed": ("/seed",),
    },
    switches={"reasoning": ("/thinking",)},
    lacks={
        "error-flag": "a tool message has a `content` only (Cohere OpenAPI, `ToolMessageV2`)",
        "parallel-flag": "requests have no switch against parallel calls (Cohere OpenAPI, /v2/chat)",
        "part-order": "a message has `tool_plan`, `content` and `tool_calls`, without an order between them",
        "server-tools": "the server runs no tools (Cohere, from version 1 to 2)",
        "signature": "messages and calls have no field for a signature (Cohere OpenAPI, `AssistantMessageV2`)",
    },
)
