"""Llama 3.1's raw prompts, in three dialects with different forms of calls in the prompt.

- `llama3-builtin`: `Environment: ipython` and a `Tools:` line. Built-in tools are called in Python syntax after
  `<|python_tag|>`, other functions in JSON after the same tag; a call ends in `<|eom_id|>`.
- `llama3-custom`: calls are `<function=NAME>{...}</function>`.
- `llama3-json`: calls are JSON objects. A Llama 3 prompt without another form belongs to this dialect, even one
  without functions.
"""

from __future__ import annotations

from typing import Any

from conformance.dialects.llama3.definitions import form_of
from conformance.dialects.llama3.names import HOST
from conformance.dialects.llama3.reader import ReplyReader, parse
from conformance.dialects.llama3.turns import prompt_in, read_prompt
from conformance.dialects.text.dialect import text_dialect
from conformance.model.dialect import Dialect
from conformance.model.exchange import Request
from conformance.model.registry import all_dialects
from conformance.model.transcript import Ask

_LACKS = {
    "tool-choice": "A raw prompt has no tool choice.",
    "reasoning": "Llama 3.1 has no reasoning of its own.",
    "parallel-tool-calls": "Llama 3.1 makes one call per turn.",
}


def _read_request(request: Request, body: Any) -> Ask:
    ask = all_dialects()[HOST].read_request(request, body)
    prompt = prompt_in(body)
    return ask if prompt is None else read_prompt(ask, prompt)


def _dialect(form: str) -> Dialect:
    def announced(body: Any) -> bool:
        prompt = prompt_in(body)
        return prompt is not None and form_of(prompt) == form

    return text_dialect(
        name=f"llama3-{form}",
        prefix="LLA",
        package=f"{__name__}.{form}",
        host=HOST,
        announced=announced,
        read_request=_read_request,
        parse=parse,
        reader=ReplyReader,
        lacks=_LACKS,
        reference_model="meta-llama/Llama-3.1-8B-Instruct",
    )


DIALECTS = tuple(_dialect(form) for form in ("builtin", "custom", "json"))
