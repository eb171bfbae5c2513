"""What a user can give a verb that has nothing in it to judge, or less than it seems to have.

Each is written into an empty folder; `path` is what the verb is given of it.
"""

from __future__ import annotations

import gzip
import io
import json
import os
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_CHAT = "https://api.openai.com/v1/chat/completions"
Made = Callable[[], bytes]


@dataclass(frozen=True, slots=True)
class Given:
    """Files by their names; `fifo` is a pipe beside them. With `partly`, something in them can be judged."""

    name: str
    files: Mapping[str, bytes]
    path: str = ""
    partly: bool = False
    fifo: str = ""

    def write(self, folder: Path) -> Path:
        """Writes the files, and returns what the verb is given."""
        folder.mkdir(parents=True)
        for name, content in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if self.fifo:
            os.mkfifo(folder / self.fifo)
        return folder / self.path


def exchange(**changed: Any) -> dict[str, Any]:
    """An exchange that breaks no rule."""
    message: dict[str, Any] = {"role": "assistant", "content": "hello", "refusal": None, "annotations": []}
    choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": "stop"}
    answer = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": "gpt-5",
        "choices": [choice],
        "usage": {"prompt_tokens": 3, "completion_tokens": 2, "total_tokens": 5},
    }
    kind = {"content-type": "application/json"}
    ask = {"model": "gpt-5", "messages": [{"role": "user", "content": "hi"}]}
    request = {"method": "POST", "url": _CHAT, "headers": kind, "body": ask} | changed
    return {"request": request, "response": {"status": 200, "headers": kind, "body": answer}}


def _lines(*exchanges: Any) -> bytes:
    return b"".join(json.dumps(each).encode() + b"\n" for each in exchanges)


def _packed(content: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("a.jsonl", content)
    return out.getvalue()


GOOD = _lines(exchange())
_UNKNOWN = exchange(url="https://example.test/other", body={"a": 1})
_CUT = b"interactions:\n"
_NONE = b"interactions: []\nversion: 1\n"
_BROKEN = b"interactions:\n- request:\n    bo"
_HAR = json.dumps({"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": []}}).encode()
_NAMED: Mapping[str, Mapping[str, bytes]] = {
    "exchanges of no known dialect": {"a.jsonl": _lines(_UNKNOWN, _UNKNOWN)},
    "an empty file of lines": {"a.jsonl": b""},
    "an empty cassette": {"a.yaml": b""},
    "a file of blank lines": {"a.jsonl": b"\n\n\n"},
    "a cassette cut before its first exchange": {"a.yaml": _CUT},
    "a cassette without exchanges": {"a.yaml": _NONE},
    "a cassette cut in its first exchange": {"a.yaml": _BROKEN},
    "a zipped cassette without exchanges": {"a.yaml.gz": gzip.compress(_NONE)},
    "a gzip that is cut": {"a.jsonl.gz": gzip.compress(GOOD * 99)[:60]},
    "an archive of HTTP without entries": {"a.har": _HAR},
    "JSON of something else": {"a.json": b'{"a": [1, 2]}'},
    "a list of nothing": {"a.json": b"[]"},
    "lines of something else": {"a.jsonl": b'{"a": 1}\n{"b": 2}\n'},
    "YAML of something else": {"a.yaml": b"a: 1\n"},
    "a ZIP archive": {"a.zip": _packed(GOOD)},
    "a file of Zstandard": {"a.jsonl.zst": b"\x28\xb5\x2f\xfd\x24\x00\x01\x00\x00"},
    "a log of text": {"a.log": b"2026-11-01 POST /v1/chat/completions 200\n"},
    "binary data": {"a": bytes(range(256))},
}
"""What a verb can be given by name, or as the only file of a folder."""
_BESIDE: Mapping[str, Mapping[str, bytes]] = {
    **{name: files for name, files in _NAMED.items() if name != "exchanges of no known dialect"},
    "a recording without an ending": {"recording": GOOD},
    "a log with exchanges": {"a.log": GOOD},
}


def named() -> list[Given]:
    """Each by its name."""
    return [Given(name, files, next(iter(files))) for name, files in _NAMED.items()]


def alone() -> list[Given]:
    """Folders that have nothing else."""
    return [
        Given("a folder with nothing", {".keep": b""}),
        Given("a folder of pages and code", {"README.md": b"#", "a.py": b"1"}),
        *(Given(f"a folder with {name}", files) for name, files in _NAMED.items()),
    ]


def beside() -> list[Given]:
    """Folders with a recording that can be judged, and with something that cannot."""
    return [
        *(
            Given(f"beside a recording: {name}", {**files, "good.jsonl": GOOD}, partly=True)
            for name, files in _BESIDE.items()
        ),
        Given("beside a recording: a pipe", {"good.jsonl": GOOD}, partly=True, fifo="pipe.jsonl"),
        Given("beside an exchange: one of no dialect", {"a.jsonl": _lines(exchange(), _UNKNOWN)}, "a.jsonl", True),
    ]


def good() -> Given:
    """A recording that can be judged, for options that leave nothing of it."""
    return Given("a recording", {"a.jsonl": GOOD}, "a.jsonl")
