"""Faults drawn from a published document into recorded bodies, to see how many a contract catches.

`python -m tests.contract_faults openai-chat DOCUMENT` reads the OpenAPI document of OpenAI from a file and goes through
recorded bodies about which the contract has nothing to say. It puts faults that the document's schema forbids into one
documented field after the other, and prints the share that the contract catches, by side and kind, and what survives.
The faults know nothing of the contract: the document is their only source. For Gemini that is the discovery document of
Vertex AI (`aiplatform.v1beta1.json` in the wheel of google-api-python-client).
"""

from __future__ import annotations

import argparse
import copy
import importlib
import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from conformance.inputs import read
from conformance.judge.contract import Contract, Situation
from conformance.judge.view import View
from conformance.model.finding import Severity
from conformance.model.pointer import join, split
from conformance.model.registry import all_dialects, claimants
from tests.contract_silence import FILES, bodies, recordings

Schema = Mapping[str, Any]
_VERTEX = "GoogleCloudAiplatformV1beta1"
SUBJECTS: Mapping[str, Mapping[str, str]] = {
    "openai-chat": {
        "request": "CreateChatCompletionRequest",
        "reply": "CreateChatCompletionResponse",
        "chunk": "CreateChatCompletionStreamResponse",
        "error": "ErrorResponse",
    },
    "openai-completions": {
        "request": "CreateCompletionRequest",
        "reply": "CreateCompletionResponse",
        "chunk": "CreateCompletionResponse",
        "error": "ErrorResponse",
    },
    "openai-responses": {
        "request": "CreateResponse",
        "reply": "Response",
        "event": "ResponseStreamEvent",
        "error": "ErrorResponse",
    },
    "anthropic-messages": {
        "request": "BetaCreateMessageParams",
        "reply": "BetaMessage",
        "event": "BetaMessageStreamEvent",
        "error": "ErrorResponse",
    },
    "gemini": {"request": f"{_VERTEX}GenerateContentRequest", "reply": f"{_VERTEX}GenerateContentResponse"},
}
SISTER = {
    "openai-responses": "CreateChatCompletionRequest",
    "openai-chat": "CreateResponse",
    "openai-completions": "CreateChatCompletionRequest",
    "anthropic-messages": "CompletionRequest",
    "gemini": f"{_VERTEX}PredictRequest",
}
"""The request of a sister API, whose fields are put in."""
_ABSENT = object()
_DEEPEST = 3
_WRONG: tuple[tuple[str, Any], ...] = (
    ("string", "seven"),
    ("integer", 7),
    ("boolean", True),
    ("array", [[]]),
    ("object", {"planted": [1]}),
)


@dataclass(frozen=True)
class Fault:
    """One fault: its kind, the place, and the body with it.

    `twin` is the body with the same field put in as the document has it, where the fault lies within a new field.
    """

    kind: str
    pointer: str
    body: Any
    twin: Any = None


class Document:
    """The component schemas of an OpenAPI document, or the schemas of a discovery document."""

    def __init__(self, document: Mapping[str, Any]) -> None:
        if "components" in document:
            self._components: Mapping[str, Any] = document["components"]["schemas"]
        else:
            self._components = {name: _discovered(each) for name, each in document["schemas"].items()}

    def schema(self, name: str) -> Schema:
        """A component, without its references and with its `allOf` merged."""
        return self.plain(self._components[name])

    def plain(self, schema: Schema) -> Schema:
        """The schema with what it refers to put in, one level deep."""
        if "$ref" in schema:
            rest = {key: value for key, value in schema.items() if key != "$ref"}
            return {**self.plain(self._components[schema["$ref"].rpartition("/")[2]]), **rest}
        if "allOf" in schema:
            merged: dict[str, Any] = {key: value for key, value in schema.items() if key != "allOf"}
            for part in map(self.plain, schema["allOf"]):
                properties = {**merged.get("properties", {}), **part.get("properties", {})}
                required = [*merged.get("required", []), *part.get("required", [])]
                merged = {**part, **merged, "properties": properties, "required": required}
            return merged
        return {**schema, "enum": [schema["const"]]} if "const" in schema else schema

    def choices(self, schema: Schema) -> list[Schema]:
        """The alternatives of a schema, unions of unions laid out flat."""
        schema = self.plain(schema)
        inner = [*schema.get("anyOf", ()), *schema.get("oneOf", ())]
        found = [choice for each in inner for choice in self.choices(each)] if inner else [schema]
        return [*found, {"type": "null"}] if schema.get("nullable") else found

    def faults(self, schema: Schema, body: Any, foreign: frozenset[str] = frozenset()) -> Iterator[Fault]:
        """Every fault of the body, one at a time."""
        for kind, pointer, value, sample in self._places(schema, body, ""):
            twin = None if sample is _ABSENT else _planted(body, pointer, sample)
            yield Fault(kind, pointer, _planted(body, pointer, value), twin)
        for name in sorted(foreign - set(self.plain(schema).get("properties", ()))):
            yield Fault("foreign", join("", name), {**body, name: "planted"})

    def _places(self, schema: Schema, value: Any, at: str, new: int = 0) -> Iterator[tuple[str, str, Any, Any]]:
        """Every fault; `new` counts how deep within samples, of which some contain themselves."""
        branch = self._branch(schema, value)
        if branch is None:
            return
        if isinstance(value, dict):
            for name, each in branch.get("properties", {}).items():
                where = join(at, name)
                required = name in branch.get("required", ())
                if name in value and required:
                    yield "absent", where, _ABSENT, _ABSENT
                yield from ((kind, where, fault, _ABSENT) for kind, fault in self._wrong(each, required=required))
                if name in value:
                    yield from self._places(each, value[name], where, new)
                elif new < _DEEPEST and isinstance(sample := self.sample(each), (dict, list)):
                    for kind, pointer, fault, _ in self._places(each, sample, "", new + 1):
                        yield f"{kind.split()[0]} within", where, _planted(sample, pointer, fault), sample
        elif isinstance(value, list) and "items" in branch:
            for number, each in enumerate(value[:4]):
                yield from self._places(branch["items"], each, join(at, number), new)

    def sample(self, schema: Schema) -> Any:
        """The least value that the schema allows, an object or an array where it allows one."""
        choices = self.choices(schema)
        chosen = next((each for each in choices if each.get("properties") or each.get("items")), choices[0])
        if "enum" in chosen:
            return chosen["enum"][0]
        if chosen.get("properties"):
            required = chosen.get("required", ())
            return {name: self.sample(each) for name, each in chosen["properties"].items() if name in required}
        if chosen.get("type") == "array":
            return [self.sample(chosen["items"])]
        return {"string": "seven", "integer": 7, "number": 7, "boolean": True, "object": {}}.get(chosen.get("type", ""))

    def made(self, schema: Schema, base: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
        """Bodies with one documented field each, by its name: each alternative of it, with all that it may have."""
        alternatives = self.choices(schema)
        if len(alternatives) > 1:  # events: each is a body by itself
            for each in alternatives:
                yield from (("", _with_response(body, base)) for body in self._fulls(each))
            return
        for name, each in alternatives[0].get("properties", {}).items():
            for choice in self.choices(each):
                many = choice.get("type") == "array"
                for item in self.choices(choice["items"]) if many else (choice,):
                    yield from ((f"/{name}", {**base, name: [full] if many else full}) for full in self._fulls(item))

    def _fulls(self, schema: Schema) -> list[Any]:
        found = {json.dumps(full): full for turn in range(32) if (full := self._full(schema, turn, 0)) is not None}
        return [full for full in found.values() if isinstance(full, (dict, list))]

    def _full(self, schema: Schema, turn: int, depth: int) -> Any:
        """A value with all documented fields; `turn` says which alternative stands where there are several."""
        choices = [each for each in self.choices(schema) if each.get("type") != "null"]
        chosen = choices[turn % len(choices)] if choices else {}
        if depth > 6 or "enum" in chosen:
            return self.sample(chosen)
        if "properties" in chosen:
            inner = {name: self._full(each, turn, depth + 1) for name, each in chosen["properties"].items()}
            return {name: each for name, each in inner.items() if each is not None}
        if chosen.get("type") == "array":
            return [self._full(chosen["items"], turn, depth + 1)]
        return self.sample(chosen)

    def paths(self, schema: Schema, at: str = "", within: tuple[str, ...] = ()) -> Iterator[str]:
        """The places of all documented fields, with `*` for items and values, once of what contains itself."""
        name = schema.get("$ref", "")
        if name in within:
            return
        within = (*within, name) if name else within
        for each in self.choices(schema):
            for field, inner in each.get("properties", {}).items():
                yield f"{at}/{field}"
                yield from self.paths(inner, f"{at}/{field}", within)
            values = each.get("additionalProperties")
            for inner in filter(None, (each.get("items"), values if isinstance(values, dict) else None)):
                yield from self.paths(inner, f"{at}/*", within)

    def _branch(self, schema: Schema, value: Any) -> Schema | None:
        """The alternative that the value is meant as."""
        for each in self.choices(schema):
            if isinstance(value, dict) and each.get("properties"):
                tags = {
                    key: self.plain(sub).get("enum")
                    for key, sub in each["properties"].items()
                    if key in ("type", "role")
                }
                if all(words is None or value.get(key) in words for key, words in tags.items()):
                    return each
            if isinstance(value, list) and each.get("type") == "array":
                return each
        return None

    def _wrong(self, schema: Schema, *, required: bool) -> Iterator[tuple[str, Any]]:
        choices = self.choices(schema)
        types = {each.get("type", "object" if "properties" in each else "") for each in choices}
        if "" in types:
            return
        fitting = types | ({"integer"} if "number" in types else set())
        yield from (("type", value) for name, value in _WRONG if name not in fitting)
        if required and "null" not in types:
            yield "null", None
        strings = [each for each in choices if each.get("type") == "string"]
        if strings and all("enum" in each for each in strings):
            yield "enum", "planted_value"
        for each in choices:
            yield from _beyond(each)


def _with_response(body: Any, base: Mapping[str, Any]) -> Any:
    """The event; where it has a response, that is the recorded one."""
    return {**body, "response": base["response"]} if "response" in body else body


_BOUNDS = re.compile(r"range[^.]*?([\[(])(-?\d+(?:\.\d+)?),\s*\+?(-?\d+(?:\.\d+)?)[\])]")
_STRINGS = {"google-duration": r"^-?\d+(\.\d+)?s$", "google-datetime": r"^\d{4}-\d\d-\d\dT"}


def _discovered(schema: Schema) -> Schema:
    """A schema of a discovery document as OpenAPI has it: what is required, and ranges, stand in the descriptions.

    A member of an enumeration may be its number, and a 64-bit integer a string, in JSON for protocol buffers.
    """
    found = {key: value for key, value in schema.items() if key in ("type", "$ref")}
    if found.get("type") == "any":
        return {}
    if "properties" in schema:
        found["properties"] = {name: _discovered(each) for name, each in schema["properties"].items()}
        needed = (name for name, each in schema["properties"].items() if _says(each, "Required."))
        found["required"] = list(needed)
    for key in ("items", "additionalProperties"):
        if key in schema:
            found[key] = _discovered(schema[key])
    if "enum" in schema:
        return {"anyOf": [{"type": "string", "enum": schema["enum"]}, {"type": "integer"}]}
    if schema.get("format") == "int64":
        return {"anyOf": [{"type": "integer"}, {"type": "string"}]}
    if schema.get("format") in _STRINGS:
        found["pattern"] = _STRINGS[schema["format"]]
    bounds = _BOUNDS.search(schema.get("description", "")) if found.get("type") in ("number", "integer") else None
    if bounds is not None:
        found |= {"minimum": float(bounds[2]), "maximum": float(bounds[3])}
    return found


def _says(schema: Schema, word: str) -> bool:
    return str(schema.get("description", "")).startswith(word)


def _beyond(schema: Schema) -> Iterator[tuple[str, Any]]:
    if "minimum" in schema:
        yield "range", schema["minimum"] - 1 if schema["minimum"] > -(2**62) else -(2**70)
    if "exclusiveMinimum" in schema:
        yield "range", schema["exclusiveMinimum"]
    if schema.get("minLength"):
        yield "length", "x" * (schema["minLength"] - 1)
    if "pattern" in schema:
        yield "pattern", "not: so"
    if "maximum" in schema:
        yield "range", schema["maximum"] + 1 if schema["maximum"] < 2**62 else 2**70
    if "maxLength" in schema:
        yield "length", "x" * (schema["maxLength"] + 1)
    if schema.get("minItems"):
        yield "count", []
    if "maxItems" in schema and schema.get("items", {}).get("type") == "string":
        yield "count", ["x"] * (schema["maxItems"] + 1)


def _planted(body: Any, pointer: str, value: Any) -> Any:
    planted = copy.deepcopy(body)
    *path, last = split(pointer)
    holder = planted
    for token in path:
        holder = holder[int(token)] if isinstance(holder, list) else holder[token]
    if value is _ABSENT:
        del holder[last]
    else:
        holder[last] = value
    return planted


@dataclass
class Caught:
    """How many faults there were, and what of them was caught."""

    planted: Counter[tuple[str, str]]
    caught: Counter[tuple[str, str]]
    errors: Counter[tuple[str, str]]
    survivors: Counter[str]


def measure(dialect: str, document: Document, bodies_of_each: int) -> Caught:
    """Plants every fault into some recorded bodies of each kind, and asks the contracts."""
    contracts = importlib.import_module(f"conformance.dialects.{dialect.replace('-', '_')}.contract")
    sister = frozenset(document.schema(SISTER[dialect])["properties"])
    taken: dict[str, list[Any]] = {}
    for name in FILES[dialect]:
        for exchange in read([str(recordings(name))]):
            if all_dialects()[dialect] not in claimants(exchange.request):
                continue
            view = View(exchange, all_dialects()[dialect])
            for contract, value, situation in bodies(view, contracts):
                if not any(contract.violations(value, situation)):
                    taken.setdefault(contract.subject, []).append((contract, value, situation))
    found = Caught(Counter(), Counter(), Counter(), Counter())
    draw = random.Random(0)
    for subject, all_bodies in taken.items():
        if subject not in SUBJECTS[dialect]:
            continue
        schema = document.schema(SUBJECTS[dialect][subject])
        for contract, value, situation in draw.sample(all_bodies, min(bodies_of_each, len(all_bodies))):
            for fault in document.faults(schema, value, sister if subject == "request" else frozenset()):
                twins = set() if fault.twin is None else set(contract.violations(fault.twin, situation))
                if any(each.kind == "unknown" and each.pointer == fault.pointer for each in twins):
                    continue  # the field is refused as a whole there, whatever is in it
                told = [each for each in contract.violations(fault.body, situation) if each not in twins]
                key = subject, fault.kind
                found.planted[key] += 1
                found.caught[key] += bool(told)
                found.errors[key] += any(each.severity >= Severity.ERROR for each in told)
                if not told:
                    place = re.sub(r"/\d+(?=/|$)", "/*", fault.pointer)
                    found.survivors[f"{subject} {fault.kind} {place} {situation.provider or ''}"] += 1
    return found


def measure_made(dialect: str, document: Document) -> Caught:
    """The same with bodies made from the document alone, in the situation of the dialect's owner, of whom most is said.

    What the contract says of the body without the fault does not count, nor does what it says of another place.
    """
    contracts = importlib.import_module(f"conformance.dialects.{dialect.replace('-', '_')}.contract")
    found = Caught(Counter(), Counter(), Counter(), Counter())
    for contract in (each for each in vars(contracts).values() if isinstance(each, Contract)):
        schema = document.schema(SUBJECTS[dialect][contract.subject])
        base = _recorded(dialect, contract)
        situation = Situation(provider="openai")
        for name, body in document.made(schema, base):
            before = set(contract.violations(body, situation))
            for fault in document.faults(schema, body):
                if not fault.pointer.startswith(name) or "within" in fault.kind:
                    continue
                told = [each for each in contract.violations(fault.body, situation) if each not in before]
                told = [each for each in told if _near(each.pointer, fault.pointer)]
                key = contract.subject, fault.kind
                found.planted[key] += 1
                found.caught[key] += bool(told)
                found.errors[key] += any(each.severity >= Severity.ERROR for each in told)
                if not told:
                    kind = _kind_at(body, fault.pointer)
                    place = re.sub(r"/\d+(?=/|$)", "/*", fault.pointer)
                    found.survivors[f"{contract.subject} {fault.kind} {place} of {kind}"] += 1
    return found


def _near(told: str, planted: str) -> bool:
    return told.startswith(planted) or planted.startswith(told)


def _kind_at(body: Any, pointer: str) -> str:
    """The type of the innermost object around a place that has one."""
    kind = ""
    for token in split(pointer):
        kind = body.get("type", kind) if isinstance(body, dict) and isinstance(body.get("type"), str) else kind
        body = body[int(token)] if isinstance(body, list) else body.get(token) if isinstance(body, dict) else None
    return kind


def _recorded(dialect: str, contract: Contract) -> Mapping[str, Any]:
    """The first recorded body of which the contract has nothing to say."""
    contracts = importlib.import_module(f"conformance.dialects.{dialect.replace('-', '_')}.contract")
    for name in FILES[dialect]:
        for exchange in read([str(recordings(name))]):
            view = View(exchange, all_dialects()[dialect])
            for other, value, _ in bodies(view, contracts):
                if other is contract and isinstance(value, dict) and not any(contract.violations(value)):
                    return value
    return {}


def floor(dialect: str, document: Document) -> Iterator[str]:
    """What is documented and not in the contract, and what is in the contract and not documented."""
    module = importlib.import_module(f"conformance.dialects.{dialect.replace('-', '_')}.contract")
    for contract in (each for each in vars(module).values() if isinstance(each, Contract)):
        if contract.subject not in SUBJECTS[dialect]:
            continue
        documented = set(document.paths(document.schema(SUBJECTS[dialect][contract.subject])))
        listed = {each.path for each in contract.entries() if not each.path.endswith("*")}
        yield from (
            f"{contract.subject} documented, not in the contract: {each}" for each in sorted(documented - listed)
        )
        yield from (
            f"{contract.subject} in the contract, not documented: {each}" for each in sorted(listed - documented)
        )


def main() -> None:
    """Prints the table, and what survived."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("dialect")
    parser.add_argument("document", type=Path)
    parser.add_argument("--bodies", type=int, default=60)
    parser.add_argument("--made", action="store_true", help="plant the faults into bodies made from the document")
    parser.add_argument("--survivors", type=int, default=60, help="how many places to print")
    given = parser.parse_args()
    document = Document(json.loads(given.document.read_text()))
    sys.stdout.writelines(f"{line}\n" for line in floor(given.dialect, document))
    found = measure_made(given.dialect, document) if given.made else measure(given.dialect, document, given.bodies)
    for key, planted in sorted(found.planted.items()):
        caught, errors = found.caught[key], found.errors[key]
        sys.stdout.write(f"{' '.join(key):20} {caught}/{planted} caught ({caught / planted:.1%}), {errors} as errors\n")
    total, all_caught, errors = (sum(each.values()) for each in (found.planted, found.caught, found.errors))
    sys.stdout.write(f"all {all_caught}/{total} caught ({all_caught / total:.2%}), {errors / total:.2%} as errors\n")
    for place, count in found.survivors.most_common(given.survivors):
        sys.stdout.write(f"  survives {count} {place}\n")


if __name__ == "__main__":
    main()
