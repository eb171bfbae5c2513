"""Whether arguments are valid under a tool's schema.

The compiled validator is for the frequent check; `jsonschema` explains errors.
"""

from __future__ import annotations

import marshal
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import jsonschema_rs

from conformance.model.pointer import join


@lru_cache(maxsize=512)
def _compiled(schema: bytes) -> Any:
    """A validator for the schema, or None if the schema is not valid or refers outside itself."""
    try:
        return jsonschema_rs.validator_for(marshal.loads(schema), retriever=refuse)  # noqa: S302 - we dumped it
    except (ValueError, jsonschema_rs.ReferencingError):
        return None


def _validator(schema: Any) -> Any:
    """The schema's validator. Validators are cached by the schema's bytes: a run sends the same tools repeatedly."""
    try:
        return _compiled(marshal.dumps(schema, 2))  # version 2 has no references: equal values, equal bytes
    except ValueError:  # nested too deeply, or a value that is not JSON
        return None


def refuse(uri: str) -> Any:
    """Refuses to resolve a `$ref` outside the schema: judging does not use the network."""
    raise ValueError(f"remote reference {uri} is not fetched")


def fits(value: Any, schema: Any) -> bool:
    """Whether the value is valid under the schema; an invalid schema allows everything."""
    validator = _validator(schema)
    try:
        return validator is None or bool(validator.is_valid(value))
    except UnicodeEncodeError:  # half of a surrogate pair: JSON can escape it, UTF-8 cannot encode it
        return next(_explained(value, schema), None) is None


def misfits(value: Any, schema: Any) -> Iterator[tuple[str, str]]:
    """The violations of the schema, as (JSON pointer into the value, what is wrong)."""
    if not fits(value, schema):
        yield from _explained(value, schema)


def _explained(value: Any, schema: Any) -> Iterator[tuple[str, str]]:
    import jsonschema

    validator = jsonschema.validators.validator_for(schema, default=jsonschema.Draft202012Validator)(schema)
    for error in sorted(validator.iter_errors(value), key=lambda each: [str(step) for step in each.absolute_path]):
        yield join("", *error.absolute_path), error.message[:200]


def is_valid_schema(schema: Any) -> bool:
    """Whether the schema is valid under the meta-schema that it names (2020-12 by default)."""
    return _validator(schema) is not None
