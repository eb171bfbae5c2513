"""LangSmith runs of the type `llm`: from `Client.list_runs` or an export, as a list or JSON Lines.

Runs of the wrapped SDKs (`wrap_openai`, `wrap_anthropic`) have the request and the reply, runs of LangChain have its
messages and, in `extra.invocation_params`, the tools. Read by the schema of the SDK 0.15, and in LangChain 1's form.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from conformance.inputs import native
from conformance.inputs.format import MESSAGES_ONLY, Format, Record
from conformance.model.exchange import Exchange

_SETTINGS = frozenset({"tools", "choice", "parallel", "continues", "continues_at", "partial"})
"""What runs of the wrapped SDKs have of a request, which was passed to the SDK as a whole."""


def _detect(value: Any) -> bool:
    return next(_runs(value), None) is not None


def _runs(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping) and isinstance(value.get("runs"), list):
        value = value["runs"]
    for each in value if isinstance(value, list) else [value]:
        if isinstance(each, Mapping) and isinstance(each.get("run_type"), str) and "inputs" in each:
            yield each


def _read(records: Iterable[Record], path: str) -> Iterator[Exchange]:
    for record in records:
        for run in _runs(record.value):
            found = _exchange(run, record.source, path) if run["run_type"] == "llm" else None
            if found is not None:
                yield found


def _exchange(run: Mapping[str, Any], source: str, path: str) -> Exchange | None:
    trace = run.get("trace_id")
    origin = {"source": source, "id": str(run.get("id")), "group": f"{path}#{trace}" if trace else ""}
    asked, answered = native.value_of(run.get("inputs")), native.value_of(run.get("outputs"))
    batches = asked.get("messages") if isinstance(asked, Mapping) else None
    if isinstance(batches, list) and batches and isinstance(batches[0], list):
        from conformance.inputs import langchain

        return langchain.exchange(run, batches[0], answered, origin)
    return native.exchange(asked, answered or None, settings=_SETTINGS, **origin)


FORMAT = Format(
    name="langsmith",
    title="LangSmith runs, of wrapped SDKs and of LangChain",
    detect=_detect,
    read=_read,
    lacks=MESSAGES_ONLY,
)
