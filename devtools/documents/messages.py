"""The messages of one revision of MCP, as its `schema.json` has them: requests, notifications, and results."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from conformance.contract import Contract
from conformance.dialects.mcp.contract import REPLY, REQUEST
from conformance.dialects.mcp.contract.places import REVISIONS
from conformance.dialects.mcp.contract.results import RESULTS
from devtools.documents.schemas import Document, Schema, Spec

__all__ = ["REVISIONS", "Message", "Revision"]
_RESULTS = {
    "initialize": "InitializeResult",
    "server/discover": "DiscoverResult",
    "tools/list": "ListToolsResult",
    "tools/call": "CallToolResult",
    "prompts/list": "ListPromptsResult",
    "prompts/get": "GetPromptResult",
    "resources/list": "ListResourcesResult",
    "resources/templates/list": "ListResourceTemplatesResult",
    "resources/read": "ReadResourceResult",
    "completion/complete": "CompleteResult",
    "subscriptions/listen": "SubscriptionsListenResult",
    "tasks/get": "GetTaskResult",
    "tasks/cancel": "CancelTaskResult",
    "tasks/list": "ListTasksResult",
}
_ANSWERS = {
    "sampling/createMessage": "CreateMessageResult",
    "elicitation/create": "ElicitResult",
    "roots/list": "ListRootsResult",
}
_JSONRPC: Schema = {"const": "2.0", "type": "string"}
_ID: Schema = {"type": ["string", "integer"]}


@dataclass(frozen=True, slots=True)
class Message:
    """One documented message: its contract, its name, the method that it answers, and its schema."""

    contract: Contract
    name: str
    answers: str | None
    spec: Spec


class Revision(Document):
    """The definitions of one `schema.json`."""

    def __init__(self, name: str, content: Mapping[str, Any]) -> None:
        found = content.get("$defs") or content["definitions"]
        # Any JSON contains itself without end.
        super().__init__(
            name, {**found, "JSONValue": {}, "JSONObject": {"type": "object"}, "JSONArray": {"type": "array"}}
        )

    def messages(self) -> Iterator[Message]:
        """Each documented message."""
        # The questions of 2026-07-28 stand in results, and are no messages there.
        for name in (each for each in self.definitions if each.endswith(("Request", "Notification"))):
            schema = self.plain(self.definitions[name])
            method = schema.get("properties", {}).get("method", {})
            if "const" in method or "enum" in method:
                whole = {
                    **schema,
                    "properties": {**_envelope(schema), **schema["properties"]},
                    "required": [*schema.get("required", ()), *_envelope(schema)],
                }
                for contract, union in ((REQUEST, "Client"), (REPLY, "Server")):
                    if any(self._sends(f"{union}{kind}", name) for kind in ("Request", "Notification")):
                        yield Message(contract, name, None, Spec(self, whole))
        results = ((REPLY, method, name) for method, name in _RESULTS.items() if method in RESULTS)
        answers = ((REQUEST, method, name) for method, name in _ANSWERS.items() if "ClientResult" in self.definitions)
        for contract, method, name in (*results, *answers):
            if name in self.definitions:
                yield Message(contract, name, method, Spec(self, _response(name)))

    def _sends(self, union: str, name: str) -> bool:
        """Whether a union of messages has that one."""
        found = self.definitions.get(union, {})
        members = [each.get("$ref", "") for each in found.get("anyOf", [found])]
        return any(each.endswith(f"/{name}") for each in members)


def _envelope(schema: Schema) -> dict[str, Schema]:
    """The fields of JSON-RPC, which the older schemas leave out of the single messages."""
    notice = "notifications/" in str(schema["properties"]["method"])
    return {"jsonrpc": _JSONRPC} if notice else {"jsonrpc": _JSONRPC, "id": _ID}


def _response(name: str) -> Schema:
    """A response with the result of that name."""
    return {
        "type": "object",
        "required": ["jsonrpc", "id", "result"],
        "properties": {"jsonrpc": _JSONRPC, "id": _ID, "result": {"$ref": f"#/$defs/{name}"}},
    }
