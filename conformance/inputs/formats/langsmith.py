"""LangSmith runs of the type `llm`: from `Client.list_runs` or an export, as a list or JSON Lines.

Runs of the wrapped SDKs (`wrap_openai`, `wrap_anthropic`) have the request and the reply, runs of LangChain have its
messages and, in `extra.invocation_params`, the tools. Read by the schema of the SDK 0.15, and in LangChain 1's form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.inputs import native
from conformance.inputs.rows import Row, origin_of, rows_format, rows_in
from conformance.model.exchange import Exchange

_SETTINGS = frozenset({"tools", "choice", "parallel", "continues", "continues_at", "partial"})
"""What runs of the wrapped SDKs have of a request, which was passed to the SDK as a whole."""


def _runs(value: Any) -> Iterator[Row]:
    for each in rows_in(value, "runs"):
        if isinstance(each.get("run_type"), str) and "inputs" in each:
            yield each


def _exchange(run: Row, source: str, path: str) -> Exchange | None:
    if run["run_type"] != "llm":
        return None
    origin = origin_of(source, path, str(run.get("id")), run.get("trace_id"))
    asked, answered = native.value_of(run.get("inputs")), native.value_of(run.get("outputs"))
    batches = asked.get("messages") if isinstance(asked, Mapping) else None
    if isinstance(batches, list) and batches and isinstance(batches[0], list):
        from conformance.inputs import langchain

        return langchain.exchange(run, batches[0], answered, origin)
    return native.exchange(asked, answered or None, settings=_SETTINGS, **origin)


FORMAT = rows_format("langsmith", "LangSmith runs, of wrapped SDKs and of LangChain", _runs, _exchange)
