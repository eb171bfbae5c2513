"""What Converse can express of a conversation in another dialect."""

from __future__ import annotations

from conformance.model.expressible import Expressible

EXPRESSIBLE = Expressible(
    settings={
        "max tokens": ("/inferenceConfig/maxTokens",),
        "temperature": ("/inferenceConfig/temperature",),
        "top p": ("/inferenceConfig/topP",),
        "stop sequences": ("/inferenceConfig/stopSequences",),
    },
    switches={"reasoning": ("/additionalModelRequestFields/thinking", "/outputConfig/effort")},
    lacks={
        "broken-arguments": "the `input` of a `toolUse` block is a JSON value; only a stream can break it off",
        "call-signature": "a `toolUse` block has no field for a signature; that of reasoning is `signature`",
        "parallel-flag": "`toolConfig` has no switch against parallel calls (docs/contract/bedrock-converse.md)",
        "text-signature": "a `text` block has no field for a signature",
    },
)
