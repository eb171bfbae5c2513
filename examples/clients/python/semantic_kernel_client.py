"""Semantic Kernel: ChatCompletionAgent on the provider that the argument names (openai, anthropic), streamed."""

import asyncio
import sys

from play import FUNCTIONS
from semantic_kernel.agents import ChatCompletionAgent
from semantic_kernel.functions import kernel_function

if sys.argv[1] == "openai":
    from semantic_kernel.connectors.ai.open_ai import OpenAIChatCompletion

    service = OpenAIChatCompletion(ai_model_id="gpt-4o-mini")
else:
    from semantic_kernel.connectors.ai.anthropic import AnthropicChatCompletion

    service = AnthropicChatCompletion(ai_model_id="claude-sonnet-4-6")


class Plugin:
    """A plugin with one tool."""

    def __init__(self, function):
        self.get_weather = kernel_function(name=function.__name__)(function)


async def main():
    for question, function in FUNCTIONS:
        agent = ChatCompletionAgent(service=service, name="client", plugins=[Plugin(function)])
        async for part in agent.invoke_stream(messages=question):
            print(part.message.content, end="")
        print()


asyncio.run(main())
