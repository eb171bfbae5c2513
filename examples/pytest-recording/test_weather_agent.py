"""The application's tests, with pytest-recording. Nothing in them is about conformance."""

import pytest
from weather_agent import ask


@pytest.fixture(scope="module")
def vcr_config():
    return {"filter_headers": ["authorization"]}


@pytest.mark.vcr
def test_the_answer_has_the_temperature():
    assert "14.2" in ask("지금 서울 날씨가 어때? 기온을 알려줘.")
