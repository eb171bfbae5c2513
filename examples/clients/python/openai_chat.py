"""openai: Chat Completions, streamed."""

import json

import openai
from play import DESCRIPTION, NAME, TASKS, run_tool

client = openai.OpenAI()
for question, parameters in TASKS:
    tools = [{"type": "function", "function": {"name": NAME, "description": DESCRIPTION, "parameters": parameters}}]
    messages = [{"role": "user", "content": question}]
    while True:
        with client.chat.completions.stream(model="gpt-4o-mini", messages=messages, tools=tools) as stream:
            message = stream.get_final_completion().choices[0].message
        if not message.tool_calls:
            print(message.content)
            break
        messages.append(
            {
                "role": "assistant",
                "content": message.content,
                "tool_calls": [
                    {
                        "id": call.id,
                        "type": "function",
                        "function": {"name": call.function.name, "arguments": call.function.arguments},
                    }
                    for call in message.tool_calls
                ],
            }
        )
        for call in message.tool_calls:
            result = run_tool(json.loads(call.function.arguments))
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})
