"""LiteLLM's logs: the `standard_logging_object` of its callbacks (one JSON object each), and rows of its spend logs.

LiteLLM writes messages and replies of every provider in OpenAI's format. So `check` judges what the
application sent to LiteLLM and got from it. The traffic between LiteLLM and the provider is not in the log.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from conformance.inputs import native
from conformance.inputs.rows import Row, origin_of, rows_format, rows_in
from conformance.model.exchange import Exchange

_TOOLS = ("tools", "tool_choice", "functions", "function_call", "parallel_tool_calls")
_SETTINGS = frozenset({"tools", "choice", "parallel"})


def _detect(value: Any) -> bool:
    if isinstance(value, list) and value:
        value = value[0]
    if not isinstance(value, Mapping) or "call_type" not in value or "messages" not in value:
        return False
    return "model_parameters" in value or "spend" in value


def _exchange(payload: Row, source: str, path: str) -> Exchange | None:
    asked, kept = native.value_of(payload.get("proxy_server_request")), _SETTINGS
    if not isinstance(asked, dict) or not asked.keys() & {"messages", "input"}:
        messages = native.value_of(payload.get("messages"))
        parameters = payload.get("model_parameters")
        settings = parameters if isinstance(parameters, Mapping) else {}
        kept = _SETTINGS if settings else frozenset()
        tools = {name: settings[name] for name in _TOOLS if settings.get(name) is not None}
        member = "input" if "responses" in str(payload.get("call_type")) else "messages"
        asked = {"model": payload.get("model"), member: messages, **tools} if messages else None
    reply = None if payload.get("status") == "failure" else payload.get("response") or None
    name = payload.get("id") or payload.get("request_id")
    trace = payload.get("trace_id") or payload.get("session_id")
    return native.exchange(asked, reply, settings=kept, **origin_of(source, path, name, trace))


FORMAT = rows_format(
    "litellm",
    "logs of LiteLLM's callbacks (standard_logging_object) and spend logs",
    rows_in,
    _exchange,
    detect=_detect,
)
