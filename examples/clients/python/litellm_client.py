"""litellm: the provider that the argument names (openai, anthropic, gemini), streamed."""

import json
import os
import sys

import litellm
from play import DESCRIPTION, NAME, TASKS, run_tool

litellm.telemetry = False
MODELS = {
    "openai": ("openai/gpt-4o-mini", os.environ["OPENAI_BASE_URL"]),
    "anthropic": ("anthropic/claude-sonnet-4-6", os.environ["ANTHROPIC_BASE_URL"]),
}
model, base = MODELS[sys.argv[1]]
for question, parameters in TASKS:
    tools = [{"type": "function", "function": {"name": NAME, "description": DESCRIPTION, "parameters": parameters}}]
    messages = [{"role": "user", "content": question}]
    while True:
        chunks = list(litellm.completion(model=model, api_base=base, messages=messages, tools=tools, stream=True))
        message = litellm.stream_chunk_builder(chunks, messages=messages).choices[0].message
        if not message.tool_calls:
            print(message.content)
            break
        messages.append(message.model_dump(exclude_none=True))
        for call in message.tool_calls:
            result = run_tool(json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
