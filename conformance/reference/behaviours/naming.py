"""Ids, times and model names."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from conformance.model.behaviour import behaviour
from conformance.model.rendered import ALPHANUMERIC, IdFactory

_MODEL_KEYS = ("model", "modelVersion")
_IDS_OF_CALLS = (("call_", 24), ("toolu_01", 22), ("", 8))
"""How the dialects ask for the id of a call."""
_DATE = re.compile(r"-(\d{8}|\d{4}-\d\d-\d\d)$")


def _models(value: Any, rename: Callable[[str], str]) -> Any:
    """The value with each name of a model in it changed."""
    if not isinstance(value, dict):
        return value
    return {
        key: rename(each) if key in _MODEL_KEYS and isinstance(each, str) else _models(each, rename)
        for key, each in value.items()
    }


@behaviour("ids-regenerated", "ids", "noise", "has a new value in the same scheme", hosted=True)
def ids_regenerated(ids: IdFactory) -> IdFactory:
    """All ids have new values; references between them still match."""
    ids.seed = f"{ids.seed} again"
    return ids


class _OtherServerIds(IdFactory):
    """Generates call ids in the scheme of another server."""

    def id(self, prefix: str, length: int, alphabet: str = ALPHANUMERIC) -> str:
        if (prefix, length) in _IDS_OF_CALLS:
            return super().id("chatcmpl-tool-", 32, "0123456789abcdef")
        return super().id(prefix, length, alphabet)


@behaviour(
    "id-scheme-of-another-server",
    "ids",
    "review",
    "the scheme of the call id changed from",
    scenario="parallel-weather",
)
def id_scheme_of_another_server(ids: IdFactory) -> IdFactory:
    """Calls have ids in vLLM's scheme."""
    return _OtherServerIds(ids.seed, ids.now)


@behaviour("created-later", "ids", "noise", "time .*(created|created_at) differs", hosted=True)
def created_later(ids: IdFactory) -> IdFactory:
    """All timestamps are a day later."""
    ids.now += 86_400
    return ids


@behaviour("model-dated", "document", "noise", "the model's name changed only in its date", hosted=True)
def model_dated(value: Any) -> Any:
    """The model's name is that of a dated snapshot."""
    return _models(value, lambda name: f"{_DATE.sub('', name)}-2026-11-01")


@behaviour("model-other", "document", "review", "the responding model changed from .* to another-model", hosted=True)
def model_other(value: Any) -> Any:
    """The model's name differs from the requested one."""
    return _models(value, lambda _: "another-model-9")
