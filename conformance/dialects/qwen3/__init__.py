"""qwen3: the chat template of Qwen3 as a raw prompt, with the tags that Hermes models introduced.

Turns are framed by `<|im_start|>` and `<|im_end|>`; tools are in the system turn, calls in `<tool_call>` blocks,
results in `<tool_response>` blocks of one user turn. There are no ids: results answer calls by position.
"""

from __future__ import annotations

from conformance.dialects.qwen3.claims import HOST, announced
from conformance.dialects.text.dialect import text_dialect

DIALECT = text_dialect(
    name="qwen3",
    prefix="QWE",
    package=__name__,
    host=HOST,
    announced=announced,
    lacks={"tool-choice": "A raw prompt has no tool choice."},
    reference_model="Qwen/Qwen3-8B",
)
