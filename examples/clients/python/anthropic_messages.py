"""anthropic: Messages, streamed."""

import anthropic
from play import DESCRIPTION, NAME, TASKS, run_tool

client = anthropic.Anthropic()
for question, parameters in TASKS:
    tools = [{"name": NAME, "description": DESCRIPTION, "input_schema": parameters}]
    messages = [{"role": "user", "content": question}]
    while True:
        with client.messages.stream(
            model="claude-sonnet-4-6", max_tokens=1024, messages=messages, tools=tools
        ) as stream:
            message = stream.get_final_message()
        calls = [block for block in message.content if block.type == "tool_use"]
        if not calls:
            print("".join(block.text for block in message.content if block.type == "text"))
            break
        content = [block.model_dump(include={"type", "text", "id", "name", "input"}) for block in message.content]
        messages.append({"role": "assistant", "content": content})
        messages.append(
            {
                "role": "user",
                "content": [
                    {"type": "tool_result", "tool_use_id": call.id, "content": run_tool(call.input)} for call in calls
                ],
            }
        )
