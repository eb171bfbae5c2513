"""What Ollama's chat can express of a conversation in another dialect."""

from __future__ import annotations

from conformance.model.expressible import Expressible

EXPRESSIBLE = Expressible(
    settings={
        "max tokens": ("/options/num_predict",),
        "temperature": ("/options/temperature",),
        "top p": ("/options/top_p",),
        "stop sequences": ("/options/stop",),
        "seed": ("/options/seed",),
    },
    switches={"reasoning": ("/think",)},
    lacks={
        "broken-arguments": "the `arguments` of a call are a JSON object",
        "error-flag": "a tool message has a `content` only (api/types.go, `Message`)",
        "parallel-flag": "requests have no switch against parallel calls (api/types.go, `ChatRequest`)",
        "part-order": "a message has one `content` and one `tool_calls`, without an order between them",
        "server-tools": "the server runs no tools",
        "signature": "messages and calls have no field for a signature",
        "strict": "a tool has no mark for strict arguments (api/types.go, `ToolFunction`)",
    },
)
