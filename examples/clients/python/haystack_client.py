"""Haystack: Agent on OpenAI Chat, streamed."""

from haystack.components.agents import Agent
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.dataclasses import ChatMessage
from haystack.tools import Tool
from play import DESCRIPTION, NAME, TASKS, run_tool

for question, parameters in TASKS:
    tool = Tool(name=NAME, description=DESCRIPTION, parameters=parameters, function=lambda **given: run_tool(given))
    generator = OpenAIChatGenerator(model="gpt-4o-mini")
    agent = Agent(chat_generator=generator, tools=[tool], streaming_callback=lambda _: None)
    print(agent.run(messages=[ChatMessage.from_user(question)])["last_message"].text)
