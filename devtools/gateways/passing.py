"""A gateway that passes everything on as it is. For Messages, the name of the model can be that of a fault."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from devtools.gateways.serving import Answer, ask, serve

Json = dict[str, Any]


def handle(method: str, path: str, headers: Mapping[str, str], body: bytes, upstream: str) -> Answer:
    """Passes a request on; a fault changes one thing in it, or in the answer."""
    sent = json.loads(body or b"{}")
    fault = sent.get("model")
    if fault in UP:
        UP[fault](sent)
        body = json.dumps(sent).encode()
    asked = fault in REFUSALS or (fault in OF_REASONING and "reasoning" in sent)
    if asked or (fault in OF_SEARCH and b"web_search" in body):
        status, message = (REFUSALS | OF_REASONING | OF_SEARCH)[fault]
        error = {"message": message, "type": "invalid_request_error", "param": None, "code": None}
        return status, [("content-type", "application/json")], json.dumps({"error": error}).encode()
    status, kept, content = ask(upstream, method, path.removeprefix("/own"), headers, body)
    if fault in DOWN and status == 200:
        content = json.dumps(DOWN[fault](json.loads(content))).encode()
    return status, kept, content


def _blocks(body: Json) -> Iterator[Json]:
    for message in body["messages"]:
        if isinstance(message["content"], list):
            yield from message["content"]


def _drop_error_flag(body: Json) -> None:
    for block in _blocks(body):
        block.pop("is_error", None)


def _change_signature(body: Json) -> None:
    for block in _blocks(body):
        if "signature" in block:
            block["signature"] = "b3RoZXI="


def _drop_signature(body: Json) -> None:
    for message in body["messages"]:
        if isinstance(message["content"], list):
            message["content"] = [block for block in message["content"] if block["type"] != "thinking"]


def _drop_search(body: Json) -> None:
    for name in ("tools", "web_search_options"):
        body.pop(name, None)


def _without(answer: Json, *kinds: str) -> Json:
    """The answer without its blocks, or items, of these types."""
    return {
        key: [each for each in value if each["type"] not in kinds] if key in ("content", "output") else value
        for key, value in answer.items()
    }


def _uncited(value: Any) -> Any:
    """The value with no source in it."""
    if isinstance(value, list):
        return [_uncited(each) for each in value]
    if isinstance(value, dict):
        return {key: [] if key in _CITED else _uncited(each) for key, each in value.items()}
    return value


REFUSALS = {
    "refuses": (400, "not supported"),
    "is-not-able": (500, "responses is not supported by this provider"),
}
OF_REASONING = {
    "refuses-reasoning": (400, "reasoning is unknown"),
    "fails-at-reasoning": (500, "this provider does not support reasoning"),
    "breaks-at-reasoning": (500, "Something went wrong."),
}
OF_SEARCH = {"refuses-search": (400, "web search is not supported"), "breaks-at-search": (400, "Something is wrong.")}
_CITED = ("annotations", "citations", "groundingChunks")

UP = {
    "drops-error-flag": _drop_error_flag,
    "changes-signature": _change_signature,
    "drops-signature": _drop_signature,
    "drops-search": _drop_search,
}
DOWN = {
    "drops-reasoning": lambda answer: _without(answer, "thinking"),
    "drops-searches": lambda answer: _without(answer, "server_tool_use", "web_search_call"),
    "drops-found": lambda answer: _without(answer, "web_search_tool_result"),
    "drops-sources": _uncited,
}

if __name__ == "__main__":
    serve(handle)
