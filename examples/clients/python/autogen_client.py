"""AutoGen: AssistantAgent on the provider that the argument names (openai, anthropic), streamed."""

import asyncio
import sys

from autogen_agentchat.agents import AssistantAgent
from play import FUNCTIONS

if sys.argv[1] == "openai":
    from autogen_ext.models.openai import OpenAIChatCompletionClient

    client = OpenAIChatCompletionClient(model="gpt-4o-mini")
else:
    from autogen_ext.models.anthropic import AnthropicChatCompletionClient

    client = AnthropicChatCompletionClient(model="claude-sonnet-4-20250514")


async def main():
    for question, function in FUNCTIONS:
        agent = AssistantAgent("client", client, tools=[function], reflect_on_tool_use=True, model_client_stream=True)
        result = await agent.run(task=question)
        print(result.messages[-1].content)


asyncio.run(main())
