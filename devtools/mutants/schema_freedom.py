"""Faults that a wire schema allows: a missing member that it does not require, a value of another type.

Any value is allowed for a member that no schema names, and any other word in an open list (its `minLength` shows that
it is one): unknown fields, words and types are never an error (statement 0.3.1). A mutant that
is caught still counts as caught.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import jsonschema_rs

from conformance.contract import Contract, Situation
from conformance.contract.contract import Resolved
from conformance.judge.contracted import contracts_of
from conformance.judge.situations import situation_of
from conformance.model.pointer import get
from devtools.mutants.operator import Fault
from devtools.mutants.operators.members import other_case
from devtools.mutants.subject import Subject
from devtools.mutants.tree import Node, Token, edited
from devtools.wire import schemas

_ABSENCE = ("drop-key", "rename-key", "case-key")
_NAMES = ("name", "server_name", "model")
"""Members that have `minLength` but are not words of a list."""
_OTHER_VALUE = ("null", "retype", "encode", "decode")


class Schema:
    """A wire schema, queried about places of a document that is valid under it."""

    def __init__(self, root: dict[str, Any]) -> None:
        self._root = root
        self._admits: dict[int, Any] = {}

    def declares(self, document: Any, tokens: tuple[Token, ...]) -> list[Any]:
        """The schemas of a place of the document."""
        here = list(self._applied(self._root, document))
        for token in tokens:
            document = document[token]
            here = [
                deeper
                for each in here
                for below in self._below(each, token)
                for deeper in self._applied(below, document)
            ]
        return here

    def admits_document(self, document: Any) -> bool:
        """Whether a whole document is valid."""
        return self.admits(self._root, document)

    def admits(self, schema: Any, value: Any) -> bool:
        """Whether a value is valid under a part of the schema."""
        validator = self._admits.get(id(schema))
        if validator is None:
            whole = {**schema, "$defs": self._root.get("$defs", {})} if isinstance(schema, dict) else schema
            validator = self._admits[id(schema)] = jsonschema_rs.validator_for(whole)
        return bool(validator.is_valid(value))

    def _below(self, schema: Any, token: Token) -> Iterator[Any]:
        if not isinstance(schema, dict):
            return
        if isinstance(token, int):
            if "items" in schema:
                yield schema["items"]
        elif token in schema.get("properties", {}):
            yield schema["properties"][token]
        elif isinstance(schema.get("additionalProperties"), dict):
            yield schema["additionalProperties"]

    def _applied(self, schema: Any, value: Any) -> Iterator[Any]:
        """The schema, and those of its combined schemas that apply to the value."""
        if not isinstance(schema, dict):
            return
        yield schema
        if "$ref" in schema:
            yield from self._applied(get(self._root, schema["$ref"].removeprefix("#")), value)
        for each in schema.get("allOf", ()):
            yield from self._applied(each, value)
        for each in (*schema.get("anyOf", ()), *schema.get("oneOf", ())):
            if self.admits(each, value):
                yield from self._applied(each, value)
        if "if" in schema:
            branch = schema.get("then" if self.admits(schema["if"], value) else "else")
            yield from self._applied(branch, value)


@cache
def schema_of(dialect: str, message: str) -> Schema | None:
    """The published schema of one kind of message in a dialect; None if it has none."""
    root = schemas.schema_of(dialect, message)
    return None if root is None else Schema(root)


_MOST_MADE = 8
_MADE: dict[int, tuple[Resolved, Schema]] = {}
"""The schemas that were made last, each with its contract, by whose identity they are found: each takes megabytes."""


def _resolved(contract: Contract, situation: Situation) -> Schema:
    resolved = contract.resolved(situation)
    if id(resolved) not in _MADE:
        if len(_MADE) == _MOST_MADE:
            del _MADE[next(iter(_MADE))]
        _MADE[id(resolved)] = resolved, Schema(contract.schema(situation))
    return _MADE[id(resolved)][1]


def forget() -> None:
    """Drops the schemas that were made: each has a validator for each of its parts."""
    _MADE.clear()
    schema_of.cache_clear()


def is_free(subject: Subject, operator: str, fault: Fault) -> bool:
    """Whether the requirements for this exchange allow the change, so that it is not a fault."""
    node = fault.node
    if node is None:
        return False
    schema = _asked_of(subject, node)
    return schema is not None and _allows(schema, operator, node, fault)


def _asked_of(subject: Subject, node: Node) -> Schema | None:
    """The schema of a message for one exchange: for its provider, model, version and day."""
    failed = node.tree.side == "response" and not subject.exchange.response.ok
    message = {"request": "request", "stream": "event"}.get(node.tree.side, "error" if failed else "response")
    contracts = contracts_of(subject.envelope)
    if contracts is not None and contracts.asked is not None:
        side = "request" if node.tree.side == "request" else "response"
        asked = ((each.contract, each.situation, each.side, each.pointer) for each in contracts.asked(subject.view))
        found = ((each, there) for each, there, of, at in asked if (of, at) == (side, node.tree.place))
        return next((_resolved(each, there) for each, there in found), None)
    if contracts is None:
        return schema_of(subject.envelope, message)
    kinds = {"request": contracts.request, "response": contracts.reply, "event": contracts.chunk}
    contract = kinds.get(message, contracts.error)
    situation = situation_of(subject.view)
    return None if contract is None else _resolved(contract, situation)


def _allows(schema: Schema, operator: str, node: Node, fault: Fault) -> bool:
    declared = schema.declares(node.tree.document, node.tokens)
    if not declared:
        return True
    if operator == "case-key" and _knows_both(schema, node):
        return True
    if operator in _ABSENCE:
        return schema.admits_document(
            edited(node.tree.document, node.tokens[:-1], lambda each: _without(each, node.key))
        )
    if operator == "alter" and isinstance(fault.value, str):
        altered = edited(node.tree.document, node.tokens, lambda _: fault.value)
        words = any(isinstance(each, dict) and each.keys() & {"enum", "minLength"} for each in declared)
        return words and node.key not in _NAMES and schema.admits_document(altered)
    return operator in _OTHER_VALUE and all(schema.admits(each, fault.value) for each in declared[:1])


def _knows_both(schema: Schema, node: Node) -> bool:
    """Whether the schema also has the field in the other case, as JSON of protocol buffers may write it."""
    other = other_case(str(node.key))
    renamed = edited(
        node.tree.document,
        node.tokens[:-1],
        lambda each: {other if name == node.key else name: value for name, value in each.items()},
    )
    return bool(schema.declares(renamed, (*node.tokens[:-1], other))) and schema.admits_document(renamed)


def _without(holder: Any, key: Token) -> Any:
    return {name: each for name, each in holder.items() if name != key}
