"""strands: an Agent on the provider that the argument names (openai, anthropic), streamed."""

import os
import sys

from play import FUNCTIONS
from strands import Agent, tool

if sys.argv[1] == "openai":
    from strands.models.openai import OpenAIModel

    model = OpenAIModel(client_args={"base_url": os.environ["OPENAI_BASE_URL"]}, model_id="gpt-4o-mini")
else:
    from strands.models.anthropic import AnthropicModel

    model = AnthropicModel(model_id="claude-sonnet-4-6", max_tokens=1024)
for question, function in FUNCTIONS:
    print(Agent(model=model, tools=[tool(function)], callback_handler=None)(question))
