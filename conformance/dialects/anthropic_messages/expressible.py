"""What Messages can express of a conversation in another dialect."""

from __future__ import annotations

from conformance.model.expressible import Expressible

EXPRESSIBLE = Expressible(
    settings={
        "max tokens": ("/max_tokens",),
        "temperature": ("/temperature",),
        "top p": ("/top_p",),
        "stop sequences": ("/stop_sequences",),
    },
    switches={"reasoning": ("/thinking", "/output_config/effort")},
    lacks={
        "broken-arguments": "the `input` of a `tool_use` block is a JSON value; only a stream can break it off",
        "call-signature": "a `tool_use` block has no field for a signature; that of thinking is `signature`",
        "text-signature": "a `text` block has no field for a signature",
    },
)
