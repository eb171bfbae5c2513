"""The reader of an aiohttp response, which logs what the program reads."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from conformance.cassette.traffic import Sent

_READ = ("read", "readany", "readexactly", "readchunk", "readline", "readuntil")
_ITERATE = ("__aiter__", "iter_chunked", "iter_any", "iter_chunks")
"""They call the methods that read."""


def reader_of(inner: Any, sent: Sent) -> Any:
    """A reader that passes everything on to the inner one."""

    def reading(name: str) -> Any:
        async def read(_self: Any, *arguments: Any, **options: Any) -> Any:
            found = await getattr(inner, name)(*arguments, **options)
            note(found[0] if isinstance(found, tuple) else found)
            return found

        return read

    def read_nowait(_self: Any, *arguments: Any) -> Any:
        found = inner.read_nowait(*arguments)
        note(found)
        return found

    def note(piece: bytes) -> None:
        sent.read(piece)
        sent.ended = inner.at_eof()

    original = import_module("aiohttp").StreamReader
    methods: dict[str, Any] = {name: reading(name) for name in _READ}
    methods |= {name: getattr(original, name) for name in _ITERATE}
    methods |= {"read_nowait": read_nowait, "__getattr__": lambda _self, name: getattr(inner, name)}
    return type("ConformanceReader", (), methods)()
