"""A pydantic-ai agent with one tool."""

import pytest

pytest.importorskip("pydantic_ai", reason="pydantic-ai is not installed")

from pydantic_ai import Agent
from pydantic_ai.models.anthropic import AnthropicModel
from pydantic_ai.models.openai import OpenAIChatModel, OpenAIResponsesModel
from pydantic_ai.providers.anthropic import AnthropicProvider
from pydantic_ai.providers.openai import OpenAIProvider

QUESTION = "지금 서울 날씨가 어때? 기온을 알려줘."


def models(origin):
    openai = OpenAIProvider(base_url=f"{origin}/v1", api_key="no-key")
    anthropic = AnthropicProvider(base_url=origin, api_key="no-key")
    return {
        "chat": OpenAIChatModel("gpt-4o-mini", provider=openai),
        "responses": OpenAIResponsesModel("gpt-4o-mini", provider=openai),
        "anthropic": AnthropicModel("claude-sonnet-4-6", provider=anthropic),
    }


@pytest.mark.parametrize("api", ["chat", "responses", "anthropic"])
def test_the_answer_has_the_temperature(origin, api):
    agent = Agent(models(origin)[api])

    @agent.tool_plain
    def get_weather(latitude: float, longitude: float) -> dict:
        """Get the current weather at the given coordinates."""
        return {"temperature": 14.2, "unit": "°C", "humidity": 48, "sky": "맑음"}

    assert "14.2" in agent.run_sync(QUESTION).output
