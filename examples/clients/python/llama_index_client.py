"""LlamaIndex: FunctionAgent on OpenAI, streamed."""

import asyncio
import os

from llama_index.core.agent.workflow import FunctionAgent
from llama_index.llms.openai import OpenAI
from play import FUNCTIONS

llm = OpenAI("gpt-4o-mini", api_base=os.environ["OPENAI_BASE_URL"])


async def main():
    for question, function in FUNCTIONS:
        print(await FunctionAgent(tools=[function], llm=llm).run(question))


asyncio.run(main())
