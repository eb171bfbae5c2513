"""qwen3: the chat template of Qwen3 with the tags that Hermes models introduced: a raw prompt, or text of a chat.

Turns are framed by `<|im_start|>` and `<|im_end|>`; tools are in the system turn, calls in `<tool_call>` blocks,
results in `<tool_response>` blocks of one user turn. There are no ids: results answer calls by position.
A client may write the tools, calls and results into the messages of a plain chat itself, which the server then frames.
"""

from __future__ import annotations

from conformance.dialects.qwen3.claims import HOST, announced
from conformance.dialects.text.dialect import text_dialect
from conformance.dialects.text.raw import CHAT_HOST

DIALECT = text_dialect(
    name="qwen3",
    prefix="QWE",
    package=__name__,
    host=HOST,
    other_hosts=(CHAT_HOST,),
    announced=announced,
    lacks={"tool-choice": "A raw prompt has no tool choice."},
    reference_model="Qwen/Qwen3-8B",
)
