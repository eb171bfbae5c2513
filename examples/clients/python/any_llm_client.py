"""any-llm: the provider that the argument names (openai, anthropic), streamed."""

import json
import os
import sys

from any_llm import completion
from play import DESCRIPTION, NAME, TASKS, run_tool

MODELS = {
    "openai": ("openai:gpt-4o-mini", os.environ["OPENAI_BASE_URL"]),
    "anthropic": ("anthropic:claude-sonnet-4-6", os.environ["ANTHROPIC_BASE_URL"]),
}
model, base = MODELS[sys.argv[1]]
for question, parameters in TASKS:
    tools = [{"type": "function", "function": {"name": NAME, "description": DESCRIPTION, "parameters": parameters}}]
    messages = [{"role": "user", "content": question}]
    while True:
        message = completion(model=model, api_base=base, messages=messages, tools=tools).choices[0].message
        if not message.tool_calls:
            print(message.content)
            break
        messages.append(message.model_dump(exclude_none=True))
        for call in message.tool_calls:
            result = run_tool(json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
