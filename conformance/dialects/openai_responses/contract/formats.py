"""The forms of an answer that a client asks for: in a request, and in an item that changes it later."""

from __future__ import annotations

from conformance.contract.nodes import Field, Foreign
from conformance.contract.notation import *
from conformance.dialects.openai_responses.contract.places import ELSEWHERE

_FORMATS = {
    "text": obj(),
    "json_object": obj(),
    "json_schema": cases(
        ("json_schema", obj(json_schema=may(Foreign("`name` and `schema` beside `type`"), refusal("OAR-Q-015")))),
        otherwise=obj(
            name=need(text(pattern="[a-zA-Z0-9_-]{1,64}")),
            description=may(text()),
            schema=need(mapping()),
            strict=may(boolean),
        ),
    ),
}
FORMAT: Field = first(may(by_known(_FORMATS), only=ELSEWHERE), may(by(_FORMATS)))
CHANGED_FORMAT: Field = first(need(by_known(_FORMATS), only=ELSEWHERE), need(by(_FORMATS)))
