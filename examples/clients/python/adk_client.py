"""Google ADK: LlmAgent on Gemini, streamed."""

import asyncio

from google.adk.agents import LlmAgent
from google.adk.agents.run_config import RunConfig, StreamingMode
from google.adk.runners import InMemoryRunner
from google.genai import types
from play import FUNCTIONS


async def main():
    for question, function in FUNCTIONS:
        agent = LlmAgent(name="client", model="gemini-3-flash-preview", tools=[function])
        runner = InMemoryRunner(agent=agent, app_name="client")
        session = await runner.session_service.create_session(app_name="client", user_id="user")
        message = types.Content(role="user", parts=[types.Part(text=question)])
        events = runner.run_async(
            user_id="user",
            session_id=session.id,
            new_message=message,
            run_config=RunConfig(streaming_mode=StreamingMode.SSE),
        )
        async for event in events:
            if event.error_code:
                raise RuntimeError(event.error_message or event.error_code)
            if event.is_final_response() and event.content:
                print("".join(part.text or "" for part in event.content.parts or ()))


asyncio.run(main())
