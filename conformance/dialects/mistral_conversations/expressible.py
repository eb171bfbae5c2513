"""What conversations can express of a conversation in another dialect."""

from __future__ import annotations

from conformance.model.expressible import Expressible

EXPRESSIBLE = Expressible(
    settings={
        "max tokens": ("/completion_args/max_tokens",),
        "temperature": ("/completion_args/temperature",),
        "top p": ("/completion_args/top_p",),
        "stop sequences": ("/completion_args/stop",),
        "seed": ("/completion_args/random_seed",),
    },
    switches={"reasoning": ("/completion_args/reasoning_effort",)},
    lacks={
        "error-flag": "a `function.result` has a `result` only (mistralai 3.7, `FunctionResultEntry`)",
        "call-signature": "a `function.call` has no field for a signature (mistralai 3.7, `FunctionCallEntry`)",
        "parallel-flag": "requests have no switch against parallel calls (mistralai 3.7, `CompletionArgs`)",
        "text-signature": "only a chunk of thoughts has a `signature` (mistralai 3.7, `ThinkChunk`)",
    },
)
