"""What Interactions can express of a conversation in another dialect."""

from __future__ import annotations

from conformance.model.expressible import Expressible

EXPRESSIBLE = Expressible(
    settings={
        "max tokens": ("/generation_config/max_output_tokens",),
        "temperature": ("/generation_config/temperature",),
        "top p": ("/generation_config/top_p",),
        "stop sequences": ("/generation_config/stop_sequences",),
        "seed": ("/generation_config/seed",),
    },
    switches={"reasoning": ("/generation_config/thinking_level", "/generation_config/thinking_summaries")},
    lacks={
        "broken-arguments": "the `arguments` of a `function_call` are a JSON object; only a stream can break them off",
        "parallel-flag": "requests have no switch against parallel calls (docs/contract/gemini-interactions.md)",
        "strict": "a function has no mark for strict arguments",
        "text-signature": "a `model_output` has no field for a signature; that of a `thought` is `signature`",
    },
)
