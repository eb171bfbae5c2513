"""smolagents: ToolCallingAgent, which forces a tool in every turn and answers by a tool of its own."""

import os

from play import FUNCTIONS
from smolagents import OpenAIServerModel, ToolCallingAgent, tool

model = OpenAIServerModel("gpt-4o-mini", api_base=os.environ["OPENAI_BASE_URL"], api_key=os.environ["OPENAI_API_KEY"])
for question, function in FUNCTIONS:
    agent = ToolCallingAgent(tools=[tool(function)], model=model, max_steps=4, verbosity_level=0)
    print(agent.run(question))
