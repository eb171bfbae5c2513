"""Inspect's logs of evaluations (inspect_ai, UK AISI) in JSON: the model calls among the events of each sample.

A call has the request that was given to the provider's SDK, and what that returned. Long texts are attachments of the
sample, and the messages of its requests are kept once (`events_data`). Calls that failed, and replies from Inspect's
cache, are left out. Read by version 2 of the log: inspect_ai 0.3.285, and older logs, which have a `transcript`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from conformance.inputs import native
from conformance.inputs.rows import Row, origin_of, rows_format, rows_in
from conformance.model.exchange import Exchange

_SETTINGS = frozenset({"tools", "choice", "parallel", "continues", "continues_at", "partial"})
"""What calls have of a request, which was passed to the SDK as a whole."""
_REFERENCES = ("attachment://", "tc://")


def _detect(value: Any) -> bool:
    if not isinstance(value, Mapping) or not isinstance(value.get("eval"), Mapping):
        return False
    return "version" in value and isinstance(value.get("samples"), list)


def _calls(log: Any) -> Iterator[Row]:
    """The calls of a log, each with its sample and epoch, the event, and its request and response with their texts."""
    for sample in rows_in(log, "samples"):
        kept = native.object_of(sample, "transcript") or sample
        texts = native.object_of(kept, "attachments") or native.object_of(kept, "content")
        pool = native.object_of(sample, "events_data").get("calls")
        for event in rows_in(kept, "events"):
            call = native.object_of(event, "call")
            if event.get("event") != "model" or not call or event.get("cache") == "read":
                continue
            if not event.get("error") and not call.get("error"):
                request, response = _asked(call, pool), call.get("response")
                texted = {"request": _whole(request, texts), "response": _whole(response, texts)}
                yield {"run": f"{sample.get('id')}/{sample.get('epoch')}", "event": event, **texted}


def _asked(call: Row, pool: Any) -> dict[str, Any]:
    """The request of a call; its messages are ranges of the pool of all messages of the sample, if it has one."""
    request, ranges = dict(native.object_of(call, "request")), call.get("call_refs")
    if isinstance(ranges, list) and isinstance(pool, list):
        request[call.get("call_key") or "messages"] = [each for begin, end in ranges for each in pool[begin:end]]
    if "tool_config" in request:  # of Google's SDK
        request["toolConfig"] = request["tool_config"]
    return request


def _whole(value: Any, texts: Mapping[str, Any]) -> Any:
    """The value with the texts that it refers to; a reference to a text that is absent stays."""
    if isinstance(value, Mapping):
        return {key: _whole(each, texts) for key, each in value.items()}
    if isinstance(value, list):
        return [_whole(each, texts) for each in value]
    if isinstance(value, str) and value.startswith(_REFERENCES):
        return texts.get(value.partition("://")[2], value)
    return value


def _exchange(call: Row, source: str, path: str) -> Exchange | None:
    response = call["response"]
    name = call["event"].get("uuid") or (response.get("id") if isinstance(response, Mapping) else None)
    origin = origin_of(source, path, name, call["run"])
    return native.exchange(call["request"], response or None, settings=_SETTINGS, **origin)


FORMAT = rows_format("inspect", "Inspect's logs of evaluations, in JSON", _calls, _exchange, detect=_detect)
