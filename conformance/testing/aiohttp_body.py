"""Serialises aiohttp's `json=` before vcrpy sees it, so that the recording has the bytes and content type as sent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any
from unittest import mock


@contextmanager
def serialised() -> Iterator[None]:
    """Inside this context, every session of aiohttp passes `json=` on as `data=`, encoded as aiohttp itself would."""
    try:
        aiohttp: Any = import_module("aiohttp")
        multidict: Any = import_module("multidict")
    except ImportError:
        yield
        return
    send = aiohttp.ClientSession._request  # noqa: SLF001 - the method that vcrpy replaces

    async def request(session: Any, method: str, url: Any, **options: Any) -> Any:
        value = options.get("json")
        if value is not None and options.get("data") is None:
            headers = multidict.CIMultiDict(options.get("headers") or {})
            headers.setdefault("Content-Type", "application/json")
            data = session.json_serialize(value).encode()
            options = {**options, "json": None, "data": data, "headers": headers}
        return await send(session, method, url, **options)

    with mock.patch.object(aiohttp.ClientSession, "_request", request):
        yield
