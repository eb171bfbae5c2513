"""Where secrets are planted: each place of an exchange, in the form in which vcrpy keeps it."""

from __future__ import annotations

import json
from typing import Any

from conformance.cassette.redact import Redactor

URL = "https://api.openai.com/v1/chat/completions"
Cassette = dict[str, Any]


def cassette(text: str) -> tuple[Cassette, int]:
    """A recording with the text at every place, and the number of places."""
    half = len(text) // 2
    pieces = [text[:half], text[half:]]
    events = "".join(f"data: {json.dumps({'choices': [{'delta': {'content': each}}]})}\n\n" for each in pieces)
    comments = f": {text[:half]}\n: {text[half:]}\n\n" if "\n" not in text else ""
    request = {
        "model": text,
        "messages": [{"role": "user", "content": f"a {text} b"}, {"role": "user", "content": pieces}],
        "metadata": {text: 1, "deep": [{"x": [text]}]},
        "tools": [{"type": "function", "function": {"name": "f", "description": text}}],
    }
    answer = {"error": {"message": f"wrong: {text}", "param": text}, "arguments": json.dumps({"a": text})}
    both = [
        _interaction(f"{URL}/{_path(text)}", request, 401, text, json.dumps(answer)),
        _interaction(f"{URL}?q={_path(text)}", request, 200, "OK", f"{comments}{events}data: {text}\n\n"),
    ]
    return {"version": 1, "interactions": both}, 16


def coded(content: bytes) -> Cassette:
    """A recording with a body that is compressed or in another encoding."""
    whole = _interaction(URL, {}, 200, "OK", "")
    whole["response"]["body"]["string"] = content
    whole["response"]["headers"]["content-encoding"] = ["deflate"]
    return {"version": 1, "interactions": [whole]}


def _path(text: str) -> str:
    return "".join(each for each in text if each.isprintable() and each not in " ?#[]")


def _interaction(url: str, ask: Any, status: int, reason: str, body: str) -> dict[str, Any]:
    headers = {"content-type": ["application/json"], "x-note": [reason]}
    return {
        "request": {"method": "POST", "uri": url, "headers": {}, "body": json.dumps(ask)},
        "response": {"status": {"code": status, "message": reason}, "headers": headers, "body": {"string": body}},
    }


def written(document: Cassette, secrets: set[str]) -> str:
    """What would be written of a recording: the text of its values, each as bytes that stand for themselves."""
    clean = Redactor(secrets).document(document)
    return "\n".join(_texts(clean))


def _texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for key, each in value.items() for text in (str(key), *_texts(each))]
    if isinstance(value, list):
        return [text for each in value for text in _texts(each)]
    return [value.decode("latin-1") if isinstance(value, bytes) else str(value)]
