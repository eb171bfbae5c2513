"""What the Gemini API can express of a conversation in another dialect."""

from __future__ import annotations

from conformance.model.expressible import Expressible

_CONFIG = ("/generationConfig", "/generation_config")


def _places(*names: str) -> tuple[str, ...]:
    return tuple(f"{config}/{name}" for config in _CONFIG for name in names)


EXPRESSIBLE = Expressible(
    settings={
        "max tokens": _places("maxOutputTokens", "max_output_tokens"),
        "temperature": _places("temperature"),
        "top p": _places("topP", "top_p"),
        "stop sequences": _places("stopSequences", "stop_sequences"),
        "seed": _places("seed"),
    },
    switches={"reasoning": _places("thinkingConfig", "thinking_config")},
    lacks={
        "large-integers": "the `args` of a `functionCall` are a Struct of Protocol Buffers, whose numbers are doubles",
        "broken-arguments": "the `args` of a `functionCall` are a JSON value",
        "server-search": "a search of the provider is no part; `groundingMetadata` has its queries and what it found",
        "parallel-flag": "`toolConfig` has no switch against parallel calls (docs/contract/gemini.md)",
        "strict": "a function declaration has no mark for strict arguments",
    },
)
