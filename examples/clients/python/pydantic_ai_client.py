"""pydantic-ai: the model that the argument names (openai-chat, openai-responses, anthropic, google), streamed."""

import asyncio
import sys

from play import FUNCTIONS
from pydantic_ai import Agent

MODELS = {
    "openai-chat": "openai-chat:gpt-4o-mini",
    "openai-responses": "openai-responses:gpt-4o-mini",
    "anthropic": "anthropic:claude-sonnet-4-6",
    "google": "google:gemini-3-flash-preview",
}


async def read(_, events):
    """Reads the stream; with this, `run` streams. `run_stream` would take text before a call for the answer."""
    async for _event in events:
        pass


async def main(model):
    for question, function in FUNCTIONS:
        agent = Agent(MODELS[model], tools=[function])
        print((await agent.run(question, event_stream_handler=read)).output)


asyncio.run(main(sys.argv[1]))
