"""Conforming exchanges with raw prompts, the bases of every example of this dialect.

The dialects in this one's text use `exchange` too: it puts a prompt and a reply into the envelope.
"""

from __future__ import annotations

from typing import Any

_URL = "http://reference.localhost/v1/completions"
_SENT = {"accept": "application/json", "authorization": "Bearer REDACTED", "content-type": "application/json"}
_JSON = {"content-type": "application/json"}
_SSE = {"content-type": "text/event-stream; charset=utf-8"}
_HEAD = {
    "id": "cmpl-0f1e2d3c4b5a69788796a5b4c3d2e1f0",
    "object": "text_completion",
    "created": 1790000000,
    "model": "base-model",
}


def _usage(prompt: int, completion: int) -> dict[str, Any]:
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def _choice(text: str, finish: str | None) -> dict[str, Any]:
    return {"index": 0, "text": text, "logprobs": None, "finish_reason": finish}


def exchange(prompt: str, text: str, *, stream: bool = False, finish: str = "stop", **options: Any) -> dict[str, Any]:
    """One exchange record: a prompt and the text that answers it, streamed in three chunks if `stream` is set."""
    body = {"model": "base-model", "prompt": prompt, "max_tokens": 256, **options}
    if stream:
        body |= {"stream": True, "stream_options": {"include_usage": True}}
    request = {"method": "POST", "url": _URL, "headers": _SENT, "body": body}
    if not stream:
        answer = {**_HEAD, "choices": [_choice(text, finish)], "usage": _usage(31, 12)}
        return {"request": request, "response": {"status": 200, "headers": _JSON, "body": answer}}
    third = max(1, len(text) // 3)
    pieces = [text[:third], text[third : 2 * third], text[2 * third :]]
    chunks = [{**_HEAD, "choices": [_choice(piece, None)]} for piece in pieces]
    chunks[-1]["choices"] = [_choice(pieces[-1], finish)]
    chunks.append({**_HEAD, "choices": [], "usage": _usage(31, 12)})
    events = [{"data": chunk} for chunk in chunks]
    return {"request": request, "response": {"status": 200, "headers": _SSE, "events": [*events, {"data": "[DONE]"}]}}


_PROMPT = "The capital of Iceland is"
_ANSWER = exchange(_PROMPT, " Reykjavík, a town on the southwest coast.")

BASES: dict[str, list[dict[str, Any]]] = {
    "answer": [_ANSWER],
    "stream-answer": [exchange(_PROMPT, " Reykjavík, a town on the southwest coast.", stream=True)],
    "cut-off": [exchange(_PROMPT, " Reykjavík, a town on", finish="length")],
    "failure": [
        {
            **_ANSWER,
            "response": {
                "status": 404,
                "headers": _JSON,
                "body": {
                    "error": {
                        "message": "There is no such model.",
                        "type": "NotFoundError",
                        "param": "model",
                        "code": 404,
                    }
                },
            },
        }
    ],
}
