"""Whether a body fits the JSON Schemas of the wire, `specs/wire/<dialect>/<kind>.schema.json`.

`kind` is `request`, `response`, `event` (the data of one event of a stream) or `error`. The judge does not use these
files, but the contracts that they are generated from.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema
import jsonschema_rs

from conformance.profiles.tool_schema import refuse
from devtools.wire.schemas import schema_of


@cache
def _compiled(dialect: str, kind: str) -> Any:
    schema = schema_of(dialect, kind)
    return None if schema is None else jsonschema_rs.Draft202012Validator(schema, retriever=refuse)


def fits(dialect: str, kind: str, value: Any) -> bool:
    """Whether the value is valid under the dialect's schema; without a schema every value is."""
    validator = _compiled(dialect, kind)
    try:
        return validator is None or bool(validator.is_valid(value))
    except UnicodeEncodeError:  # half of a surrogate pair: JSON can escape it, UTF-8 cannot encode it
        return bool(jsonschema.Draft202012Validator(schema_of(dialect, kind)).is_valid(value))
