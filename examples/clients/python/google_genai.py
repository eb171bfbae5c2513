"""google-genai: generateContentStream."""

from google import genai
from google.genai import types
from play import DESCRIPTION, NAME, TASKS, run_tool

client = genai.Client()
for question, parameters in TASKS:
    tool = types.FunctionDeclaration(name=NAME, description=DESCRIPTION, parameters_json_schema=parameters)
    config = types.GenerateContentConfig(
        tools=[types.Tool(function_declarations=[tool])],
        automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True),
    )
    contents = [types.Content(role="user", parts=[types.Part(text=question)])]
    while True:
        parts = []
        for chunk in client.models.generate_content_stream(
            model="gemini-3-flash-preview", contents=contents, config=config
        ):
            for candidate in chunk.candidates or ():
                parts += (candidate.content and candidate.content.parts) or ()
        calls = [part.function_call for part in parts if part.function_call]
        if not calls:
            print("".join(part.text or "" for part in parts))
            break
        contents.append(types.Content(role="model", parts=parts))
        contents.append(
            types.Content(
                role="user",
                parts=[
                    types.Part(
                        function_response=types.FunctionResponse(
                            id=call.id, name=call.name, response={"output": run_tool(call.args)}
                        )
                    )
                    for call in calls
                ],
            )
        )
