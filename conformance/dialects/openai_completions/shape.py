"""The fields of completion objects and the JSON types that the contract gives them.

A field that is not in its table is not judged: servers add fields without notice.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from conformance.model.finding import Hit
from conformance.model.jsontext import brief, kind
from conformance.model.pointer import join

Shape = Mapping[str, str]
"""For each field its types; `!` behind them says that it must be there, `+` that a string is not empty."""

COMPLETION: Shape = {
    "id": "string!+",
    "object": "string!",
    "created": "integer!",
    "model": "string!+",
    "choices": "array!",
    "usage": "object null",
    "system_fingerprint": "string null",
}
CHOICE: Shape = {"index": "integer!", "text": "string!", "finish_reason": "string!", "logprobs": "object null"}
CHUNK_CHOICE: Shape = {**CHOICE, "finish_reason": "string null!"}
USAGE: Shape = {"prompt_tokens": "integer!", "completion_tokens": "integer!", "total_tokens": "integer!"}
ERROR: Shape = {"message": "string!", "type": "string!", "param": "string null", "code": "string integer null"}
REQUEST: Shape = {
    "model": "string!+",
    "prompt": "string array!",
    "max_tokens": "integer null",
    "stop": "string array null",
    "stream": "boolean null",
    "stream_options": "object null",
    "temperature": "number null",
    "top_p": "number null",
    "n": "integer null",
    "echo": "boolean null",
    "suffix": "string null",
    "skip_special_tokens": "boolean null",
    "add_special_tokens": "boolean null",
    "include_stop_str_in_output": "boolean null",
}


@dataclass(frozen=True, slots=True)
class Misfit:
    """Where an object breaks its table: a field that must be there is `missing`, or one has another type."""

    missing: bool
    hit: Hit


def misfits(value: Any, shape: Shape, pointer: str) -> Iterator[Misfit]:
    """Where the value, an object, breaks the table."""
    if not isinstance(value, dict):
        yield Misfit(False, Hit(pointer or None, f"{pointer or 'the body'} is not an object", "an object", kind(value)))
        return
    for name, rest in shape.items():
        kinds = rest.rstrip("!+").split()
        wanted = " or ".join(kinds)
        if name not in value:
            if "!" in rest:
                hit = Hit(pointer or None, f"`{name}` is missing", f"`{name}` ({wanted})", "no such field")
                yield Misfit(True, hit)
            continue
        got = value[name]
        if not _is_one_of(got, kinds) or (rest.endswith("+") and got == ""):
            filled = " that is not empty" if rest.endswith("+") else ""
            message = f"`{name}` is {'empty' if got == '' else f'of type {kind(got)}'}"
            yield Misfit(False, Hit(join(pointer, name), message, f"{wanted}{filled}", brief(got)))


def _is_one_of(value: Any, kinds: list[str]) -> bool:
    return kind(value) in kinds or ("integer" in kinds and isinstance(value, int) and not isinstance(value, bool))
