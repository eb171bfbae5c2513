"""openai: Responses, streamed, with the server keeping the history."""

import json

import openai
from play import DESCRIPTION, NAME, TASKS, run_tool

client = openai.OpenAI()
for question, parameters in TASKS:
    tools = [{"type": "function", "name": NAME, "description": DESCRIPTION, "parameters": parameters, "strict": True}]
    given, previous = [{"role": "user", "content": question}], openai.omit
    while True:
        with client.responses.stream(
            model="gpt-4o-mini", input=given, tools=tools, previous_response_id=previous
        ) as stream:
            response = stream.get_final_response()
        calls = [item for item in response.output if item.type == "function_call"]
        if not calls:
            print(response.output_text)
            break
        previous = response.id
        given = [
            {"type": "function_call_output", "call_id": call.call_id, "output": run_tool(json.loads(call.arguments))}
            for call in calls
        ]
