"""Llama 3.1's raw prompts, in three dialects with different forms of calls in the prompt.

- `llama3-builtin`: `Environment: ipython` and a `Tools:` line. Built-in tools are called in Python syntax after
  `<|python_tag|>`, other functions in JSON after the same tag; a call ends in `<|eom_id|>`.
- `llama3-custom`: calls are `<function=NAME>{...}</function>`.
- `llama3-json`: calls are JSON objects. A Llama 3 prompt without another form belongs to this dialect, even one
  without functions.

A client may write the same instructions into the messages of a plain chat, which the server then frames: there, the
frame is the server's affair.
"""

from __future__ import annotations

from functools import partial

from conformance.dialects.llama3.claims import announces
from conformance.dialects.llama3.names import FORMS, HOST
from conformance.dialects.text.dialect import text_dialect
from conformance.dialects.text.raw import CHAT_HOST
from conformance.model.dialect import Dialect

_LACKS = {
    "tool-choice": "A raw prompt has no tool choice.",
    "reasoning": "Llama 3.1 has no reasoning of its own.",
    "parallel-tool-calls": "Llama 3.1 makes one call per turn.",
}


def _dialect(name: str, form: str) -> Dialect:
    return text_dialect(
        name=name,
        prefix="LLA",
        package=__name__,
        host=HOST,
        other_hosts=(CHAT_HOST,),
        announced=partial(announces, form=form),
        lacks=_LACKS,
        reference_model="meta-llama/Llama-3.1-8B-Instruct",
    )


DIALECTS = tuple(_dialect(name, form) for name, form in FORMS.items())
