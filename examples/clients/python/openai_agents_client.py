"""openai-agents: the API that the argument names (responses, chat), streamed."""

import asyncio
import sys

from agents import Agent, Runner, function_tool, set_default_openai_api, set_tracing_disabled
from play import FUNCTIONS

set_tracing_disabled(True)
set_default_openai_api("chat_completions" if sys.argv[1] == "chat" else "responses")


async def main():
    for question, function in FUNCTIONS:
        agent = Agent(name="client", tools=[function_tool(function)], model="gpt-4o-mini")
        run = Runner.run_streamed(agent, question)
        async for _ in run.stream_events():
            pass
        print(run.final_output)


asyncio.run(main())
