"""What the Responses API can express of a conversation in another dialect."""

from __future__ import annotations

from conformance.model.expressible import Expressible

EXPRESSIBLE = Expressible(
    settings={
        "max tokens": ("/max_output_tokens",),
        "temperature": ("/temperature",),
        "top p": ("/top_p",),
    },
    switches={"reasoning": ("/reasoning/effort", "/reasoning/summary")},
    lacks={
        "error-flag": "`function_call_output` has `call_id` and `output` only; its `status` is that of the item",
        "server-results": "a `web_search_call` has no result; its sources are in the annotations of the text",
        "text-signature": "an `output_text` has no field for a signature",
        "call-signature": "a `function_call` has no field for a signature; that of reasoning is `encrypted_content`",
    },
)
