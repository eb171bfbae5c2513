"""A gateway that passes everything on as it is. For Messages, the name of the model can be that of a fault."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from devtools.gateways.serving import Answer, ask, serve

Json = dict[str, Any]


def handle(method: str, path: str, headers: Mapping[str, str], body: bytes, upstream: str) -> Answer:
    """Passes a request on; a fault changes one thing in it, or in the answer."""
    sent = json.loads(body)
    fault = sent.get("model")
    if fault in UP:
        UP[fault](sent)
        body = json.dumps(sent).encode()
    if fault == "refuses":
        error = {"message": "not supported", "type": "invalid_request_error", "param": None, "code": None}
        return 400, [("content-type", "application/json")], json.dumps({"error": error}).encode()
    status, kept, content = ask(upstream, method, path.removeprefix("/own"), headers, body)
    if fault == "drops-reasoning" and status == 200:
        answer = json.loads(content)
        answer["content"] = [block for block in answer["content"] if block["type"] != "thinking"]
        content = json.dumps(answer).encode()
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


UP = {
    "drops-error-flag": _drop_error_flag,
    "changes-signature": _change_signature,
    "drops-signature": _drop_signature,
}

if __name__ == "__main__":
    serve(handle)
