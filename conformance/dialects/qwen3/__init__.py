"""qwen3: the chat template of Qwen3 as a raw prompt, with the tags that Hermes models introduced.

Turns are framed by `<|im_start|>` and `<|im_end|>`; tools are in the system turn, calls in `<tool_call>` blocks,
results in `<tool_response>` blocks of one user turn. There are no ids: results answer calls by position.
"""

from __future__ import annotations

from typing import Any

from conformance.dialects.qwen3 import parse
from conformance.dialects.qwen3.prompt import START
from conformance.dialects.qwen3.request import HOST, prompt_of, read_request
from conformance.dialects.text.dialect import text_dialect


def _announced(body: Any) -> bool:
    return START in prompt_of(body)


DIALECT = text_dialect(
    name="qwen3",
    prefix="QWE",
    package=__name__,
    host=HOST,
    announced=_announced,
    read_request=read_request,
    parse=parse.parse,
    reader=parse.Reader,
    lacks={"tool-choice": "A raw prompt has no tool choice."},
    reference_model="Qwen/Qwen3-8B",
)
