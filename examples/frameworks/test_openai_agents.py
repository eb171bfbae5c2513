"""An agent of the OpenAI Agents SDK with one tool."""

import json

import pytest

pytest.importorskip("agents", reason="openai-agents is not installed")

from agents import Agent, OpenAIChatCompletionsModel, OpenAIResponsesModel, Runner, function_tool, set_tracing_disabled
from openai import AsyncOpenAI

QUESTION = "지금 서울 날씨가 어때? 기온을 알려줘."
set_tracing_disabled(True)


@function_tool
def get_weather(latitude: float, longitude: float) -> str:
    """Get the current weather at the given coordinates."""
    # The SDK would send a dictionary as Python prints it, which is not JSON.
    return json.dumps({"temperature": 14.2, "unit": "°C", "humidity": 48, "sky": "맑음"})


@pytest.mark.parametrize("model", [OpenAIChatCompletionsModel, OpenAIResponsesModel])
def test_the_answer_has_the_temperature(origin, model):
    client = AsyncOpenAI(base_url=f"{origin}/v1", api_key="no-key", max_retries=0)
    agent = Agent(name="weather", model=model("gpt-4o-mini", client), tools=[get_weather])
    assert "14.2" in Runner.run_sync(agent, QUESTION).final_output
