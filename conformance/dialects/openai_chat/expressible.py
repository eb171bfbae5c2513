"""What Chat Completions can express of a conversation in another dialect."""

from __future__ import annotations

from conformance.model.expressible import Expressible

EXPRESSIBLE = Expressible(
    settings={
        "max tokens": ("/max_completion_tokens", "/max_tokens"),
        "temperature": ("/temperature",),
        "top p": ("/top_p",),
        "stop sequences": ("/stop",),
        "seed": ("/seed",),
    },
    switches={"reasoning": ("/reasoning_effort", "/reasoning")},
    lacks={
        "error-flag": "a tool message has `role`, `content` and `tool_call_id` only (CreateChatCompletionRequest)",
        "reasoning": "the API neither shows reasoning nor takes it back; `reasoning_content` is an extension of others",
        "server-tools": "a message has no part for a search that the provider ran (`web_search_options` returns none)",
        "signature": "messages and calls have no field for a signature",
        "part-order": "a message has one `content` and one `tool_calls`, without an order between them",
    },
    usage_asked_at="/stream_options/include_usage",
)
