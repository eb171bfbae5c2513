"""Faults drawn from MCP's published schemas into messages made from them, to see how many the contract catches.

`python -m tests.contract_faults_mcp FOLDER` reads `<revision>.json`, the `schema.json` of each revision, from a folder.
For each method it makes the request, the notification or the result with all its documented fields, and puts one fault
after the other into it. The faults know nothing of the contract: the schema is their only source.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from conformance.dialects.mcp.contract import REPLY, REQUEST
from conformance.dialects.mcp.contract.places import REVISIONS
from conformance.dialects.mcp.contract.results import RESULTS
from conformance.judge.contract import Contract, Situation
from conformance.model.finding import Severity
from tests.contract_faults import Document, Schema

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
_TEXTS = {"uri": "file:///a", "byte": "eA==", "uri-template": "file:///{a}"}
"""Values that the formats of the schemas stand for."""


class Revision(Document):
    """The definitions of one `schema.json`."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        found = document.get("$defs") or document["definitions"]
        # Any JSON contains itself without end.
        self.definitions = {**found, "JSONValue": {}, "JSONObject": {"type": "object"}, "JSONArray": {"type": "array"}}
        super().__init__({"components": {"schemas": self.definitions}})

    def choices(self, schema: Schema) -> list[Schema]:
        """As of an OpenAPI document; also of a list of types."""
        found = super().choices(schema)
        several = [each for each in found if isinstance(each.get("type"), list)]
        single = [each for each in found if each not in several]
        return [*single, *({**each, "type": name} for each in several for name in each["type"])]

    def full(self, schema: Schema, turn: int, depth: int = 0) -> Any:
        """A value with all documented fields; `turn` says which alternative stands where there are several."""
        choices = [each for each in self.choices(schema) if each.get("type") != "null"]
        chosen = choices[turn % len(choices)] if choices else {}
        if "enum" in chosen:
            return chosen["enum"][0]
        if "properties" in chosen:
            required = chosen.get("required", ())
            names = chosen["properties"] if depth < 7 else required
            found = {name: self.full(chosen["properties"][name], turn, depth + 1) for name in names}
            # Which types of results there are, only the text of the document says.
            return {**found, "resultType": "complete"} if "resultType" in found else found
        if isinstance(chosen.get("additionalProperties"), dict):
            return {"key": self.full(chosen["additionalProperties"], turn, depth + 1)}
        if chosen.get("type") == "array":
            return [self.full(chosen["items"], turn, depth + 1)]
        if chosen.get("type") == "string":
            return _TEXTS.get(chosen.get("format", ""), "2025-11-25")
        return {"integer": 1, "number": 1, "boolean": True, "object": {}}.get(chosen.get("type", ""), "any")

    def messages(self) -> Iterator[tuple[Contract, str, str | None, Schema]]:
        """Each documented message: its contract, its name, the method that it answers, its schema."""
        # The questions of 2026-07-28 stand in results, and are no messages there.
        names = [name for name in self.definitions if name.endswith(("Request", "Notification"))]
        for name in names:
            schema = self.plain(self.definitions[name])
            method = schema.get("properties", {}).get("method", {})
            if ("const" in method or "enum" in method) and "jsonrpc" in self.envelope(schema):
                whole = {**schema, "properties": {**self.envelope(schema), **schema["properties"]}}
                for contract, union in ((REQUEST, "Client"), (REPLY, "Server")):
                    if any(self.sends(f"{union}{kind}", name) for kind in ("Request", "Notification")):
                        yield contract, name, None, whole
        for method, name in _RESULTS.items():
            if name in self.definitions and method in RESULTS:
                yield REPLY, name, method, self.response(name)
        if "ClientResult" in self.definitions:
            for method, name in _ANSWERS.items():
                if name in self.definitions:
                    yield REQUEST, name, method, self.response(name)

    def sends(self, union: str, name: str) -> bool:
        """Whether a union of messages has that one."""
        found = self.definitions.get(union, {})
        members = [each.get("$ref", "") for each in found.get("anyOf", [found])]
        return any(each.endswith(f"/{name}") for each in members)

    def _branch(self, schema: Schema, value: Any) -> Schema | None:
        """The alternative that the value is meant as; a question of the server is told apart by its mode."""
        mode = value.get("mode", "form") if isinstance(value, dict) else None
        of_mode = [each for each in self.choices(schema) if self._mode(each) == mode]
        return super()._branch({"anyOf": of_mode} if len(of_mode) == 1 else schema, value)

    def _mode(self, schema: Schema) -> str | None:
        mode = schema.get("properties", {}).get("mode")
        return None if mode is None else (self.plain(mode).get("enum") or [None])[0]

    @staticmethod
    def envelope(schema: Schema) -> dict[str, Any]:
        """The fields of JSON-RPC, which the older schemas leave out of the single messages."""
        fields: dict[str, Any] = {"jsonrpc": {"const": "2.0", "type": "string"}}
        notice = str(schema["properties"]["method"]).find("notifications/") >= 0
        return fields if notice else {**fields, "id": {"type": ["string", "integer"]}}

    @staticmethod
    def response(name: str) -> Schema:
        """A response with the result of that name."""
        return {
            "type": "object",
            "required": ["jsonrpc", "id", "result"],
            "properties": {
                "jsonrpc": {"const": "2.0", "type": "string"},
                "id": {"type": ["string", "integer"]},
                "result": {"$ref": f"#/$defs/{name}"},
            },
        }


ELSEWHERE = {
    r".* /method": "another method is another message",
    r".*Result /id": "rule mcp-response-id-mismatch compares it with the request's",
    r".* /(result|params)/tools/\d+/(in|out)putSchema/.*": "rule mcp-tool-schema-invalid judges what is in a schema",
}
"""Places that the contract leaves to others, with the reason."""


def elsewhere(name: str, pointer: str) -> bool:
    """Whether a fault is not the contract's to find."""
    return any(re.fullmatch(pattern, f"{name} {pointer}") for pattern in ELSEWHERE)


def measure(revision: str, document: Revision) -> tuple[Counter[str], Counter[str], Counter[str], Counter[str]]:
    """How many faults were planted and caught by side, how many as errors, what survives, and what of a sound one."""
    planted, caught, errors, survivors = (Counter[str]() for _ in range(4))
    for contract, name, method, schema in document.messages():
        situation = Situation(api_version=revision, operation=method)
        bodies = {json.dumps(body): body for turn in range(8) if (body := document.full(schema, turn))}
        seen: set[tuple[str, str, str]] = set()
        for body in bodies.values():
            sound = list(contract.violations(body, situation))
            for each in sound:
                survivors[f"accused: {revision} {name} {each.pointer} {each.message}"] += 1
            for fault in document.faults(schema, body):
                key = fault.kind, fault.pointer, json.dumps(fault.body)
                if "within" in fault.kind or key in seen or elsewhere(name, fault.pointer):
                    continue
                seen.add(key)
                told = [each for each in contract.violations(fault.body, situation) if each not in sound]
                planted[contract.subject] += 1
                caught[contract.subject] += bool(told)
                errors[contract.subject] += any(each.severity >= Severity.ERROR for each in told)
                if not told:
                    place = re.sub(r"/\d+(?=/|$)", "/*", fault.pointer)
                    survivors[f"{revision} {name} {fault.kind} {place}"] += 1
    return planted, caught, errors, survivors


def main() -> None:
    """Prints the table, and what survived."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    for revision in REVISIONS:
        document = Revision(json.loads((given.folder / f"{revision}.json").read_text(encoding="utf-8")))
        planted, caught, errors, survivors = measure(revision, document)
        for side, count in planted.items():
            share = f"{caught[side] / count:.1%}), {errors[side]} as errors"
            sys.stdout.write(f"{revision} {side} {caught[side]}/{count} caught ({share}\n")
        sys.stdout.writelines(f"  {place} {count}\n" for place, count in survivors.most_common())


if __name__ == "__main__":
    main()
