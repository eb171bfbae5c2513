"""llama3-builtin: Llama 3.1 with `Environment: ipython` and a `Tools:` line, as a raw prompt.

Built-in tools are called in Python's words behind `<|python_tag|>`, other functions in JSON behind the same tag; a call
ends in `<|eom_id|>`.
"""

from __future__ import annotations

from conformance.textforms.llama.dialect import LlamaDialect

DIALECT = LlamaDialect("builtin")
