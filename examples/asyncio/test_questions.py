"""Requests that are sent at the same time, with httpx and asyncio, recorded by `conformance.recording()`."""

import asyncio
import os

import httpx

TOOL = {
    "name": "get_weather",
    "description": "Get the current weather at the given coordinates.",
    "input_schema": {
        "type": "object",
        "properties": {"latitude": {"type": "number"}, "longitude": {"type": "number"}},
        "required": ["latitude", "longitude"],
    },
}
QUESTIONS = ("지금 서울 날씨가 어때? 기온을 알려줘.", "안녕! 오늘 기분 어때?")


async def ask(client: httpx.AsyncClient, question: str) -> dict:
    """One turn of Anthropic Messages."""
    response = await client.post(
        "/v1/messages",
        headers={"x-api-key": "no-key", "anthropic-version": "2023-06-01"},
        json={
            "model": "claude-sonnet-5",
            "max_tokens": 1024,
            "messages": [{"role": "user", "content": question}],
            "tools": [TOOL],
        },
    )
    return response.json()


async def test_each_question_gets_its_own_answer(conformance):
    base_url = os.environ.get("ANTHROPIC_BASE_URL", "http://127.0.0.1:8080")
    async with conformance.recording(), httpx.AsyncClient(base_url=base_url) as client:
        replies = await asyncio.gather(*(ask(client, question) for question in QUESTIONS))
    assert [reply["stop_reason"] for reply in replies] == ["tool_use", "end_turn"]
