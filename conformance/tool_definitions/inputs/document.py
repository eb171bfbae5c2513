"""Reads a document of any origin: JSON or YAML, bounded in size and depth, as plain values with text keys."""

from __future__ import annotations

import codecs
import json
from typing import Any

from conformance.errors import ConformanceError
from conformance.inputs import yamltext

LARGEST = 64 << 20
"""The most bytes of a document; the largest public OpenAPI documents have some 12 MiB."""
_DEEPEST = 200


def parse(data: bytes, name: str) -> Any:
    """The value of a document: JSON if it begins like JSON, else YAML.

    Raises:
        ConformanceError: it is neither, is nested too deeply, or is too large; the text names the place.
    """
    if len(data) > LARGEST:
        raise too_large(name)
    text = data.removeprefix(codecs.BOM_UTF8)
    if not text.strip():
        raise ConformanceError(f"{name}: is empty", "pass a file with tool definitions")
    if text.lstrip()[:1] in (b"{", b"["):
        try:
            return plain(json.loads(text), name)
        except RecursionError:
            raise _too_deep(name) from None
        except ValueError as error:
            if not name.lower().endswith((".yaml", ".yml")):
                line = f":{error.lineno}" if isinstance(error, json.JSONDecodeError) else ""
                raise ConformanceError(f"{name}{line}: invalid JSON ({error})", "correct the file") from None
    try:
        return plain(yamltext.parse(data, name, core_booleans=True), name)
    except ConformanceError as error:
        raise ConformanceError(error.message, "correct the file") from None


def plain(value: Any, name: str, depth: int = 0) -> Any:
    """The value as JSON has it: keys that YAML reads as numbers (`200:`) are text again.

    Raises:
        ConformanceError: it is nested too deeply.
    """
    if depth > _DEEPEST:
        raise _too_deep(name)
    if isinstance(value, dict):
        return {_key(key): plain(each, name, depth + 1) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(each, name, depth + 1) for each in value]
    return value if value is None or isinstance(value, (str, int, float)) else str(value)


def _key(key: Any) -> str:
    return key if isinstance(key, str) else json.dumps(key, default=str)


def too_large(name: str) -> ConformanceError:
    """The error for a document that is too large."""
    return ConformanceError(f"{name}: is larger than {LARGEST >> 20} MiB", "pass a file with fewer tools")


def _too_deep(name: str) -> ConformanceError:
    return ConformanceError(
        f"{name}: nested more than {_DEEPEST} levels deep", "check that the file has tool definitions"
    )
