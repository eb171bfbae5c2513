"""Agno: Agent on the provider that the argument names (openai, responses, anthropic), streamed."""

import os
import sys

from agno.agent import Agent
from agno.run.agent import RunEvent
from play import FUNCTIONS

if sys.argv[1] == "anthropic":
    from agno.models.anthropic import Claude

    model = Claude(id="claude-sonnet-4-6")
elif sys.argv[1] == "openai":
    from agno.models.openai import OpenAIChat

    model = OpenAIChat(id="gpt-4o-mini", base_url=os.environ["OPENAI_BASE_URL"])
else:
    from agno.models.openai import OpenAIResponses

    model = OpenAIResponses(id="gpt-4o-mini", base_url=os.environ["OPENAI_BASE_URL"])
for question, function in FUNCTIONS:
    agent = Agent(model=model, tools=[function], telemetry=False)
    for event in agent.run(question, stream=True):
        if event.event == RunEvent.run_error.value:
            raise RuntimeError(event.content)
        print(event.content or "", end="")
    print()
