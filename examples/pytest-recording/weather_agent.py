"""An agent with one tool, written with the OpenAI SDK: the application under test."""

from __future__ import annotations

import json
import os
from typing import Any

from openai import OpenAI

TOOLS: list[Any] = [
    {
        "type": "function",
        "function": {
            "name": "get_weather",
            "description": "Get the current weather at the given coordinates.",
            "parameters": {
                "type": "object",
                "properties": {"latitude": {"type": "number"}, "longitude": {"type": "number"}},
                "required": ["latitude", "longitude"],
                "additionalProperties": False,
            },
        },
    }
]


def get_weather(latitude: float, longitude: float) -> dict[str, Any]:
    """The tool: a real one would ask a weather service."""
    if abs(latitude) > 90 or abs(longitude) > 180:
        return {"error": "There is no such place."}
    return {"temperature": 14.2, "unit": "°C", "humidity": 48, "sky": "맑음"}


def client() -> OpenAI:
    """The OpenAI client; `conformance serve --port 8080` stands in for the provider when the tests are recorded."""
    return OpenAI(
        base_url=os.environ.get("OPENAI_BASE_URL", "http://127.0.0.1:8080/v1"),
        api_key=os.environ.get("OPENAI_API_KEY", "no-key"),
        max_retries=0,
    )


def ask(question: str) -> str:
    """The model's answer; tools are run as long as the model calls them."""
    messages: list[Any] = [{"role": "user", "content": question}]
    while True:
        reply = client().chat.completions.create(model="gpt-4o-mini", messages=messages, tools=TOOLS)
        message = reply.choices[0].message
        messages.append(message.model_dump(exclude_none=True))
        if not message.tool_calls:
            return message.content or ""
        for call in message.tool_calls:
            result = get_weather(**json.loads(call.function.arguments))
            messages.append(
                {"role": "tool", "tool_call_id": call.id, "content": json.dumps(result, ensure_ascii=False)}
            )
