"""A LangChain agent with one tool."""

import pytest

pytest.importorskip("langchain", reason="langchain is not installed")
pytest.importorskip("langchain_openai", reason="langchain-openai is not installed")

from langchain.agents import create_agent
from langchain_core.tools import tool
from langchain_openai import ChatOpenAI

QUESTION = "지금 서울 날씨가 어때? 기온을 알려줘."


@tool
def get_weather(latitude: float, longitude: float) -> dict:
    """Get the current weather at the given coordinates."""
    return {"temperature": 14.2, "unit": "°C", "humidity": 48, "sky": "맑음"}


@pytest.mark.parametrize("responses", [False, True], ids=["chat", "responses"])
def test_the_answer_has_the_temperature(origin, responses):
    model = ChatOpenAI(
        model="gpt-4o-mini", base_url=f"{origin}/v1", api_key="no-key", use_responses_api=responses, max_retries=0
    )
    result = create_agent(model, [get_weather]).invoke({"messages": [{"role": "user", "content": QUESTION}]})
    assert "14.2" in result["messages"][-1].text
