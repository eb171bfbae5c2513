"""llama3-json: Llama 3.1 with calls as JSON objects, as a raw prompt.

Every Llama 3 prompt that asks for no other form is of this dialect, one without functions too.
"""

from __future__ import annotations

from conformance.textforms.llama.dialect import LlamaDialect

DIALECT = LlamaDialect("json")
