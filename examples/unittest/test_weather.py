"""A `unittest.TestCase` around the Anthropic SDK. It runs under pytest and under `python -m unittest`."""

import os
import unittest
from pathlib import Path

from anthropic import Anthropic

import conformance

CASSETTES = Path(__file__).parent / "cassettes"
TOOL = {
    "name": "get_weather",
    "description": "Get the current weather at the given coordinates.",
    "input_schema": {
        "type": "object",
        "properties": {"latitude": {"type": "number"}, "longitude": {"type": "number"}},
        "required": ["latitude", "longitude"],
    },
}


class WeatherTest(unittest.TestCase):
    def setUp(self):
        self.client = Anthropic(
            base_url=os.environ.get("ANTHROPIC_BASE_URL", "http://127.0.0.1:8080"), api_key="no-key", max_retries=0
        )

    def ask(self, messages):
        return self.client.messages.create(model="claude-sonnet-5", max_tokens=1024, messages=messages, tools=[TOOL])

    def test_the_result_of_the_tool_is_in_the_answer(self):
        messages = [{"role": "user", "content": "지금 서울 날씨가 어때? 기온을 알려줘."}]
        with conformance.recording(CASSETTES / "weather.yaml"):
            reply = self.ask(messages)
            call = next(block for block in reply.content if block.type == "tool_use")
            result = '{"temperature": 14.2, "unit": "°C", "humidity": 48, "sky": "맑음"}'
            messages += [
                {"role": "assistant", "content": [block.model_dump(exclude_none=True) for block in reply.content]},
                {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call.id, "content": result}]},
            ]
            answer = self.ask(messages)
        self.assertIn("14.2", answer.content[0].text)


if __name__ == "__main__":
    unittest.main()
