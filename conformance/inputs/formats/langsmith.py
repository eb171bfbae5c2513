"""LangSmith runs of the type `llm`: from `Client.list_runs` or an export, as a list or JSON Lines.

Runs of the wrapped SDKs (`wrap_openai`, `wrap_anthropic`) have the request and the reply, runs of LangChain have its
messages and, in `extra.invocation_params`, the tools. Read by the schema of the SDK 0.15, and in LangChain 1's form.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from conformance.inputs import native
from conformance.inputs.format import Format, Record
from conformance.inputs.messages import Call, Conversation, Message, Result, path_of
from conformance.model.exchange import Exchange

_ROLES = {"human": "user", "ai": "assistant", "AIMessageChunk": "assistant", "system": "system", "tool": "tool"}


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
        return _of_langchain(run, batches[0], answered, origin)
    return native.exchange(asked, answered or None, **origin)


def _of_langchain(
    run: Mapping[str, Any], history: Sequence[Any], answered: Any, origin: Mapping[str, Any]
) -> Exchange | None:
    generations = answered.get("generations") if isinstance(answered, Mapping) else None
    replies = generations[0] if isinstance(generations, list) and generations else None
    extra = _object(run, "extra")
    settings, metadata = _object(extra, "invocation_params"), _object(extra, "metadata")
    turns = [_message(each) for each in history]
    answers = (
        [_message(_object(each, "message")) for each in replies] if isinstance(replies, list) and replies else None
    )
    if any(message is None for message in [*turns, *(answers or [])]):
        return None
    model = settings.get("model") or metadata.get("ls_model_name")
    tools = settings.get("tools")
    return Conversation(
        history=[each for each in turns if each is not None],
        replies=None if answers is None else [each for each in answers if each is not None],
        model=model if isinstance(model, str) else None,
        tools=tools if isinstance(tools, list) else None,
        path=path_of(metadata.get("ls_provider")),
        origin=origin,
    ).exchange()


def _message(value: Any) -> Message | None:
    """A LangChain message, serialised with its constructor; None if it is of another kind."""
    members = _object(value, "kwargs") or (value if isinstance(value, Mapping) else {})
    role = _ROLES.get(str(members.get("type") or members.get("role")))
    if role is None:
        return None
    if role == "tool":
        return Message(
            role, [Result(_word(members.get("tool_call_id")), members.get("content"), _word(members.get("name")))]
        )
    parts: list[str | Call | Result] = list(_texts(members.get("content")))
    for name in ("tool_calls", "invalid_tool_calls"):  # the arguments of an invalid call are text that is not JSON
        calls = members.get(name)
        parts.extend(
            Call(_word(call.get("id")), str(call.get("name") or ""), call.get("args"))
            for call in (calls if isinstance(calls, list) else ())
            if isinstance(call, Mapping)
        )
    metadata = _object(members, "response_metadata")
    return Message(role, parts, _word(metadata.get("finish_reason") or metadata.get("stop_reason")))


def _texts(content: Any) -> Iterator[str]:
    for each in content if isinstance(content, list) else [content]:
        text = each.get("text") if isinstance(each, Mapping) else each
        if isinstance(text, str) and text:
            yield text


def _object(holder: Any, key: str) -> Mapping[str, Any]:
    value = holder.get(key) if isinstance(holder, Mapping) else None
    return value if isinstance(value, Mapping) else {}


def _word(value: Any) -> str | None:
    return value if isinstance(value, str) else None


FORMAT = Format(name="langsmith", title="LangSmith runs, of wrapped SDKs and of LangChain", detect=_detect, read=_read)
