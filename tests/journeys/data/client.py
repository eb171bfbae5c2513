"""A client with its own tool, which streams, keeps only the first of parallel calls, and misses a broken stream."""

from __future__ import annotations

import json
import os
import sys
import urllib.request
from typing import Any

PARAMETERS = {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]}
TOOL = {"type": "function", "function": {"name": "search", "description": "Search.", "parameters": PARAMETERS}}


def ask(messages: list[Any]) -> dict[str, Any]:
    body = {"model": f"gpt-4o-mini@{sys.argv[1]}", "messages": messages, "tools": [TOOL], "stream": True}
    request = urllib.request.Request(
        f"{os.environ['OPENAI_BASE_URL']}/chat/completions",
        json.dumps(body).encode(),
        {"content-type": "application/json", "authorization": f"Bearer {os.environ['OPENAI_API_KEY']}"},
    )
    message: dict[str, Any] = {"role": "assistant", "content": ""}
    with urllib.request.urlopen(request) as response:
        for line in response:
            data = line.decode().removeprefix("data: ").strip()
            if data in ("", "[DONE]"):
                continue
            for choice in json.loads(data)["choices"]:
                message["content"] += choice["delta"].get("content") or ""
                for part in choice["delta"].get("tool_calls") or ():
                    calls = message.setdefault("tool_calls", [])
                    if part["index"] == 0 and not calls:
                        calls.append({**part, "function": {**part["function"]}})
                    elif part["index"] == 0:
                        calls[0]["function"]["arguments"] += part["function"]["arguments"]
    return message


messages = [{"role": "user", "content": "Look it up."}]
while "tool_calls" in (reply := ask(messages)):
    del reply["tool_calls"][0]["index"]
    messages += [reply, {"role": "tool", "tool_call_id": reply["tool_calls"][0]["id"], "content": "found"}]
sys.stdout.write(reply["content"])
