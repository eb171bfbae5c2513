"""llama3-custom: Llama 3.1 with calls in `<function=NAME>{...}</function>`, as a raw prompt."""

from __future__ import annotations

from conformance.textforms.llama.dialect import LlamaDialect

DIALECT = LlamaDialect("custom")
