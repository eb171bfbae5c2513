"""Mirascope: calls of the provider's model that the argument names (openai, responses, anthropic), streamed."""

import sys

from mirascope import llm
from play import FUNCTIONS

MODELS = {
    "openai": "openai/gpt-4o-mini:completions",
    "responses": "openai/gpt-4o-mini:responses",
    "anthropic": "anthropic/claude-sonnet-4-6",
}


def ask(question):
    """The first prompt."""
    return question


for question, function in FUNCTIONS:
    response = llm.call(MODELS[sys.argv[1]], tools=[llm.tool(function)])(ask).stream(question)
    response.finish()
    while response.tool_calls:
        response = response.resume(response.execute_tools())
        response.finish()
    print(response.pretty())
