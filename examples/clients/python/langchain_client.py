"""LangChain: create_agent with the provider that the argument names (openai, anthropic, google_genai), streamed."""

import os
import sys

from langchain.agents import create_agent
from langchain.chat_models import init_chat_model
from langchain_core.tools import tool
from play import FUNCTIONS

MODELS = {
    "openai": ("openai:gpt-4o-mini", {}),
    "anthropic": ("anthropic:claude-sonnet-4-6", {}),
    "google": ("google_genai:gemini-3-flash-preview", {"base_url": os.environ["GOOGLE_GEMINI_BASE_URL"]}),
}
name, options = MODELS[sys.argv[1]]
for question, function in FUNCTIONS:
    agent = create_agent(init_chat_model(name, **options), tools=[tool(function)])
    last = None
    for mode, event in agent.stream({"messages": [("user", question)]}, stream_mode=["messages", "values"]):
        last = event if mode == "values" else last
    print(last["messages"][-1].content)
