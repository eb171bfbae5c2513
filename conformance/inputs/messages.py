"""Bodies built from messages, for sources that contain the messages but not the bodies as sent.

They contain only the conversation: messages, calls, results, tools and the stop reason. Other members of a
body are not invented, and no rule judges them (`members` in `Exchange.lacks`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import field, replace
from typing import Any, Final

from conformance.inputs import build, endpoints
from conformance.inputs.native import NO_REFERENCES, object_of
from conformance.model.exchange import Body, Exchange, Members
from conformance.model.frozen import dataclass

_CALL = ("id", "type", "function/name")
_BLOCK = ("type", "text", "id", "name", "tool_use_id", "content")
_PART = ("text", "functionCall/id", "functionCall/name", "functionResponse")
CONTAINED: Final = Members(
    request=(
        *(f"/messages/*/{name}" for name in ("role", "tool_call_id")),
        *(f"/messages/*/tool_calls/*/{name}" for name in _CALL),
        *(f"/messages/*/content/*/{name}" for name in _BLOCK),
        *("/contents/*/role", *(f"/contents/*/parts/*/{name}" for name in _PART)),
    ),
    reply=(
        *(f"/choices/*/{name}" for name in ("index", "message/role", "message/content")),
        *(f"/choices/*/message/tool_calls/*/{name}" for name in _CALL),
        *("/type", "/role", *(f"/content/*/{name}" for name in _BLOCK)),
        *("/candidates/*/content/role", *(f"/candidates/*/content/parts/*/{name}" for name in _PART)),
    ),
    neutral=NO_REFERENCES,
)
"""What the messages of tracing tools contain: texts, calls and results, without settings, signatures and citations."""
_ROLES = frozenset({"system", "developer", "user", "assistant", "model", "tool"})
_NO_ROLE = "a message has an unknown role"
_NO_IDS = "the source does not contain the ids of the tool calls"
_STOPS = {
    endpoints.CHAT: {"tool_call": "tool_calls", "tool_use": "tool_calls", "end_turn": "stop", "max_tokens": "length"},
    endpoints.MESSAGES: {"tool_call": "tool_use", "tool_calls": "tool_use", "stop": "end_turn", "length": "max_tokens"},
}


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call. `arguments` is a JSON value, or text as the model wrote it; None if the source has none."""

    id: str | None
    name: str
    arguments: Any


@dataclass(frozen=True, slots=True)
class Result:
    """The result of a tool call; `name` is that of the tool, if the source has it."""

    id: str | None
    content: Any
    name: str | None = None


@dataclass(frozen=True, slots=True)
class Message:
    """A message of any provider. `role` is `system`, `user`, `assistant` or `tool`; text is a part like any other."""

    role: str
    parts: Sequence[str | Call | Result] = ()
    stop: str | None = None

    @property
    def text(self) -> str:
        return "\n".join(part for part in self.parts if isinstance(part, str))

    @property
    def calls(self) -> list[Call]:
        return [part for part in self.parts if isinstance(part, Call)]

    @property
    def results(self) -> list[Result]:
        return [part for part in self.parts if isinstance(part, Result)]


@dataclass(frozen=True, slots=True)
class Conversation:
    """The conversation of one exchange. `history` and `replies` are None if the source does not have that side."""

    history: Sequence[Message] | None
    replies: Sequence[Message] | None
    model: str | None = None
    tools: Sequence[Any] | None = None
    path: str = endpoints.CHAT
    origin: Mapping[str, Any] = field(default_factory=dict)
    """`source`, `group`, `id`: as in `build.exchange`."""

    def exchange(self) -> Exchange:
        """The exchange, in the format of its endpoint."""
        request = None if self.history is None else _body(self.history, self._request)
        response = None if self.replies is None else _body(self.replies, self._response)
        return build.exchange(
            request,
            response,
            url=endpoints.generate(self.model) if self.path == endpoints.generate(None) else self.path,
            status=None if response is None else 200,
            members=CONTAINED,
            **self.origin,
        )

    def _request(self, history: Sequence[Message]) -> dict[str, Any]:
        body: dict[str, Any] = {"model": self.model} if self.model else {}
        if self.path == endpoints.MESSAGES:
            system = [message.text for message in history if message.role == "system"]
            body |= {"system": "\n".join(system)} if system else {}
            turns = _turns(history)
            body["messages"] = [{"role": _side(each, "user"), **_blocks_of(each)} for each in turns]
        elif self.path == endpoints.CHAT:
            functions = _functions(self.tools or ())
            body["messages"] = [row for message in history for row in _rows(message, functions)]
            body |= {"n": len(self.replies)} if self.replies and len(self.replies) > 1 else {}
        else:
            turns = _turns(history)
            names = {call.id: call.name for message in turns for call in message.calls}
            body["contents"] = [_content(each, names) for each in turns]
        if self.tools is not None:
            body["tools"] = list(_tools(self.tools, self.path))
        return body

    def _response(self, replies: Sequence[Message]) -> dict[str, Any]:
        if self.path == endpoints.MESSAGES:
            body: dict[str, Any] = {"type": "message", "role": "assistant"}
            return body | _blocks_of(replies[0]) | _stop("stop_reason", replies[0], self.path)
        if self.path == endpoints.CHAT:
            functions = _functions(self.tools or ())
            return {
                "choices": [
                    {
                        "index": number,
                        "message": next(_rows(each, functions)),
                        **_stop("finish_reason", each, self.path),
                    }
                    for number, each in enumerate(replies)
                ]
            }
        return {"candidates": [{"content": _content(each, {})} for each in replies]}


def _turns(history: Sequence[Message]) -> list[Message]:
    """The messages beside the system's, with all results of a turn in one: sources have one message for each."""
    turns: list[Message] = []
    for message in history:
        if turns and message.role == turns[-1].role == "tool":
            turns[-1] = replace(turns[-1], parts=[*turns[-1].parts, *message.parts])
        elif message.role != "system":
            turns.append(message)
    return turns


def path_of(provider: Any) -> str:
    """The endpoint whose format the messages of a provider have, by the provider's name in tracing tools."""
    name = provider.lower() if isinstance(provider, str) else ""
    if "anthropic" in name:
        return endpoints.MESSAGES
    return endpoints.generate(None) if name.startswith(("gcp", "google", "vertex")) else endpoints.CHAT


def _body(messages: Sequence[Message], made: Any) -> Body:
    parts = (part for message in messages for part in message.parts)
    if any(not isinstance(part, str) and part.id is None for part in parts):
        return Body(None, note=_NO_IDS)
    if any(message.role not in _ROLES for message in messages):
        return Body(None, note=_NO_ROLE)
    return Body(made(messages))


def _side(message: Message, other: str) -> str:
    return "assistant" if message.role == "assistant" else other


def _stop(name: str, message: Message, path: str) -> dict[str, str]:
    if message.stop is None:
        return {}
    return {name: _STOPS[path].get(message.stop, message.stop)}


def _rows(message: Message, functions: AbstractSet[str]) -> Iterator[dict[str, Any]]:
    """The messages of Chat Completions for a message: each result is a message of its own."""
    for result in message.results:
        yield {"role": "tool", "tool_call_id": result.id, "content": _text(result.content)}
    if message.results and not message.text and not message.calls:
        return
    row: dict[str, Any] = {"role": message.role if message.role != "tool" else "user"}
    if message.parts:
        row["content"] = message.text
    if message.calls:
        row["content"] = message.text or None
        row["tool_calls"] = [_call(call, functions) for call in message.calls]
    yield row


def _call(call: Call, functions: AbstractSet[str]) -> dict[str, Any]:
    """A call of Chat Completions. Sources do not contain its kind: text that is no object is a custom tool's input.

    It is not if a function of its name is declared, whose arguments it then is.
    """
    text = call.arguments if isinstance(call.arguments, str) else "{"
    if text and not text.lstrip().startswith("{") and call.name not in functions:
        return {"id": call.id, "type": "custom", "custom": {**_named(call), "input": text}}
    return {"id": call.id, "type": "function", "function": {**_named(call), **_given("arguments", call, _text)}}


def _functions(tools: Sequence[Any]) -> set[str]:
    """The names of the declared functions."""
    declared = (each for each in _tools(tools, endpoints.CHAT) if isinstance(each, Mapping))
    names = (object_of(each, "function").get("name") for each in declared if each.get("type") == "function")
    return {each for each in names if isinstance(each, str)}


def _named(call: Call) -> dict[str, Any]:
    """The name, where the source has one."""
    return {"name": call.name} if call.name else {}


def _given(name: str, call: Call, form: Callable[[Any], Any]) -> dict[str, Any]:
    """The arguments of a call, if the source has them."""
    return {} if call.arguments is None else {name: form(call.arguments)}


def _blocks_of(message: Message) -> dict[str, Any]:
    """The content of an Anthropic message, if the source has any: that the wire had none is not known."""
    return {"content": list(_blocks(message))} if message.parts else {}


def _blocks(message: Message) -> Iterator[dict[str, Any]]:
    """The content of an Anthropic message."""
    for part in message.parts:
        if isinstance(part, str):
            yield {"type": "text", "text": part}
        elif isinstance(part, Call):
            yield {"type": "tool_use", "id": part.id, **_named(part), **_given("input", part, _value)}
        else:
            yield {"type": "tool_result", "tool_use_id": part.id, "content": _text(part.content)}


def _content(message: Message, names: Mapping[str | None, str]) -> dict[str, Any]:
    """A message of Google's generateContent, where a result also has the name of its call."""
    parts: list[dict[str, Any]] = []
    for part in message.parts:
        if isinstance(part, str):
            parts.append({"text": part})
        elif isinstance(part, Call):
            parts.append({"functionCall": {"id": part.id, **_named(part), **_given("args", part, _value)}})
        else:
            value = _value(part.content)
            output = value if isinstance(value, dict) else {"output": value}
            name = part.name or names.get(part.id)
            answer = {"id": part.id, "response": output}
            parts.append({"functionResponse": {**answer, "name": name} if name else answer})
    side = {"role": "model" if message.role == "assistant" else "user"}
    return {**side, "parts": parts} if parts else side


def _tools(tools: Sequence[Any], path: str) -> Iterator[Any]:
    """The tool definitions, in the format of the endpoint; one of an unknown form unchanged."""
    declared = []
    for tool in tools:
        inner = tool.get("function") if isinstance(tool, Mapping) else None
        definition = inner if isinstance(inner, Mapping) else tool
        if not isinstance(definition, Mapping) or not isinstance(definition.get("name"), str):
            yield tool
            continue
        schema = next((definition[key] for key in ("parameters", "input_schema") if key in definition), None)
        plain = {key: definition[key] for key in ("name", "description", "strict") if definition.get(key) is not None}
        if path == endpoints.MESSAGES:
            yield plain | ({} if schema is None else {"input_schema": schema})
        elif path == endpoints.CHAT:
            yield {"type": "function", "function": plain | ({} if schema is None else {"parameters": schema})}
        else:
            plain.pop("strict", None)
            declared.append(plain | ({} if schema is None else {"parametersJsonSchema": schema}))
    if declared:
        yield {"functionDeclarations": declared}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _value(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value
