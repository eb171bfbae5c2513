"""JSON Schema of a contract.

It has only keywords with the same meaning in draft 4 and 2020-12: `enum` and not `const`, `anyOf` and `not` and not
`if`. It allows what is only undocumented or unusual.
"""

from __future__ import annotations

import re
from typing import Any

from conformance.contract.citation import SILENT, Citation, Stated, error, resolved
from conformance.contract.nodes import (
    Array,
    Cases,
    Field,
    Flag,
    Foreign,
    Later,
    Map,
    Node,
    Null,
    Number,
    Object,
    Switch,
    Text,
    Union,
)
from conformance.contract.relations import Schema
from conformance.contract.resolving import takes_null
from conformance.contract.scalars import DECIMAL, DIGITS
from conformance.model.finding import Severity


def schema_of(node: Node, stated: Stated = error) -> Schema:
    """The JSON Schema of a resolved tree."""
    compiler = _Compiler(stated)
    schema = compiler.schema(node)
    return {**schema, "$defs": compiler.defs} if compiler.defs else schema


class _Compiler:
    def __init__(self, stated: Stated) -> None:
        self.defs: dict[str, Schema] = {}
        self._stated = stated

    def schema(self, node: Node) -> Schema:
        if isinstance(node, Object):
            return self._object(node)
        if isinstance(node, Text):
            return self._text(node)
        if isinstance(node, Number):
            bounds = {
                "exclusiveMinimum" if node.open_low else "minimum": node.low,
                "exclusiveMaximum" if node.open_high else "maximum": node.high,
            }
            plain = {"type": "integer" if node.whole else "number", **_given(bounds)}
            # `check` examines the number in the string.
            digits = {"type": "string", "pattern": f"^(?:{DIGITS if node.whole else DECIMAL})$"}
            return {"anyOf": [plain, digits]} if node.quoted else plain
        if isinstance(node, Array):
            bounds = {"minItems": node.least or None, "maxItems": node.most, "uniqueItems": node.unique or None}
            one = self.schema(node.items)
            many: Schema = {"type": "array", "items": one, **_given(bounds)}
            return {"anyOf": [many, one]} if node.single else many
        if isinstance(node, Union):
            return _either([self.schema(each) for each in node.choices])
        if isinstance(node, Flag):
            return {"type": "boolean"} if node.only is None else {"enum": [node.only]}
        if isinstance(node, Foreign):
            return {}
        if isinstance(node, Null):
            return {"type": "null"}
        if isinstance(node, Map):
            return self._map(node)
        if isinstance(node, Switch):
            return self._switch(node)
        if isinstance(node, Cases):
            return self._cases(node)
        return self._later(node) if isinstance(node, Later) else {}

    def _text(self, node: Text) -> Schema:
        if node.words and node.others == "refused":
            if node.folded:
                return {"type": "string", "pattern": f"^(?:{'|'.join(map(_any_case, node.words))})$"}
            return {"type": "string", "enum": list(dict.fromkeys(node.words))}
        pattern = f"^(?:{node.pattern})$" if node.pattern else None
        least = max(node.least, 1) if node.words and "" not in node.words else node.least
        return {
            "type": "string",
            **_given({"minLength": least or None, "maxLength": node.most, "pattern": pattern}),
        }

    def _map(self, node: Map) -> Schema:
        found: Schema = {"type": "object", **_given({"maxProperties": node.most})}
        values = self.schema(node.values)
        if node.keys is not None:
            pattern = (
                node.keys.pattern or f"[\\s\\S]{{{node.keys.least},{'' if node.keys.most is None else node.keys.most}}}"
            )
            return {**found, "patternProperties": {f"^(?:{pattern})$": values}, "additionalProperties": False}
        return {**found, "additionalProperties": values} if values else found

    def _object(self, node: Object) -> Schema:
        properties: Schema = {}
        required: list[str] = []
        # JSON Schema cannot compare fields.
        asked = [each for each in node.relations if each.form != "below" and self._is_error(each.citation)]
        more: list[Schema] = [self._relation(each) for each in asked]
        for row in node.fields:
            schema = self._row(row)
            properties |= dict.fromkeys((row.name, *row.also), schema)
            if self._is_required(row, node):
                if row.also:
                    more.append({"anyOf": [{"required": [name]} for name in (row.name, *row.also)]})
                else:
                    required.append(row.name)
        found: Schema = {"type": "object", "properties": properties}
        if required:
            found["required"] = required
        if more:
            found["allOf"] = more
        if node.closed:
            found["additionalProperties"] = False
        return found

    def _is_error(self, citation: Citation) -> bool:
        """Whether it is reported as an error, and not only as unusual."""
        severity = self._stated(citation.number) if citation.severity is None else citation.severity
        return severity is Severity.ERROR

    @staticmethod
    def _relation(relation: Any) -> Schema:
        schema: Schema = relation.schema()
        return schema

    def _is_required(self, row: Field, owner: Object) -> bool:
        if row.presence != "need":
            return False
        return resolved("missing", (row.citations, owner.citations)).severity is not SILENT

    def _row(self, row: Field) -> Schema:
        schema = self.schema(row.node)
        lenient = row.null is None or (row.null is False and "null" not in row.citations)
        if not schema or takes_null(row.node) or not (row.null or (lenient and row.presence == "may")):
            return schema
        return _either([schema, {"type": "null"}])

    def _switch(self, node: Switch) -> Schema:
        choices: list[Schema] = []
        for word, each in node.cases:
            words = [word, None] if node.null and word == node.absent else [word]
            tag: Schema = {"type": "object", "properties": {node.key: {"enum": words}}}
            if word != node.absent:
                tag["required"] = [node.key]
            choices.append(_both(tag, self.schema(each)))
        if node.others != "refused":
            rest = {"type": "string", "minLength": 1, "not": {"enum": [word for word, _ in node.cases]}}
            other: Schema = {"type": "object", "required": [node.key], "properties": {node.key: rest}}
            choices.append(other if node.otherwise is None else _both(other, self.schema(node.otherwise)))
        return {"type": "object", "anyOf": choices}

    def _cases(self, node: Cases) -> Schema:
        choices: list[Schema] = []
        before: list[Schema] = []
        for condition, each in node.cases:
            there = condition.schema()
            choices.append({"allOf": [*before, there, self.schema(each)]})
            before.append({"not": there})
        choices.append({"allOf": [*before, self.schema(node.otherwise)]})
        return {"type": "object", "anyOf": choices}

    def _later(self, node: Later) -> Schema:
        if node.name not in self.defs:
            self.defs[node.name] = {}
            self.defs[node.name] = self.schema(node.node())
        return {"$ref": f"#/$defs/{re.sub('[~/]', '_', node.name)}"}


def _any_case(word: str) -> str:
    return "".join(f"[{each.upper()}{each.lower()}]" if each.isalpha() else re.escape(each) for each in word)


def _either(choices: list[Schema]) -> Schema:
    """A schema for any of the schemas; a scalar or null becomes one schema with two types."""
    *others, last = choices
    if len(others) == 1 and last == {"type": "null"}:
        [schema] = others
        if set(schema) <= _SCALAR and isinstance(schema.get("type"), str):
            return {**schema, "type": [schema["type"], "null"]}
        if "anyOf" in schema and len(schema) == 1:
            return {"anyOf": [*schema["anyOf"], last]}
    return {"anyOf": choices}


_SCALAR = {"type", "minimum", "maximum", "minLength", "maxLength", "pattern"}
"""The parts of a schema that do not restrict null, or allow it."""


def _both(tag: Schema, schema: Schema) -> Schema:
    """An object's schema with the tag added, so that a validator checks the tag first."""
    plain = set(schema) <= {"type", "properties", "required", "allOf", "additionalProperties"}
    if not plain or tag["properties"].keys() & schema.get("properties", {}).keys():
        return {"allOf": [tag, schema]}
    return {
        **schema,
        "type": "object",
        "properties": {**tag["properties"], **schema.get("properties", {})},
        **_given({"required": [*tag.get("required", []), *schema.get("required", [])] or None}),
    }


def _given(words: dict[str, Any]) -> Schema:
    return {name: value for name, value in words.items() if value is not None}
