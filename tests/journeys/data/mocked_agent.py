"""A project's test: its agent asks a model that a mock plays, and forgets to answer the call."""

import httpx

URL = "https://llm.example.com/v1/chat/completions"
CALL = {"id": "call_1", "type": "function", "function": {"name": "get_weather", "arguments": '{"city": "Rome"}'}}


def reply(_: httpx.Request) -> httpx.Response:
    message = {"role": "assistant", "content": None, "tool_calls": [CALL], "refusal": None}
    choice = {"index": 0, "message": message, "finish_reason": "tool_calls", "logprobs": None}
    usage = {"prompt_tokens": 9, "completion_tokens": 2, "total_tokens": 11}
    return httpx.Response(
        200,
        json={
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1700000000,
            "model": "gpt-4o-mini",
            "choices": [choice],
            "usage": usage,
        },
    )


def test_agent() -> None:
    parameters = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
    function = {"name": "get_weather", "description": "Get the weather.", "parameters": parameters}
    messages = [{"role": "user", "content": "How warm is it in Rome?"}]
    headers = {"authorization": "Bearer none"}
    with httpx.Client(transport=httpx.MockTransport(reply), headers=headers) as client:
        for _ in range(2):
            asked = {
                "model": "gpt-4o-mini",
                "messages": messages,
                "tools": [{"type": "function", "function": function}],
            }
            answer = client.post(URL, json=asked).json()
            messages += [answer["choices"][0]["message"], {"role": "user", "content": "Well?"}]
