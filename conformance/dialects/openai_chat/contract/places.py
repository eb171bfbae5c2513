"""The providers and model families that rows of Chat apply to."""

from __future__ import annotations

from conformance.judge.contract.situation import when

OPENAI = when("openai", "reference")
OFFICIAL = when("openai", "azure-openai", "reference")
ELSEWHERE = when(no=OFFICIAL)
MODEL_IN_PATH = when(path=r"/openai/deployments/[^/]+/|/model/.+/invoke|/agents/completions$")
"""Azure and Bedrock name the model in the path; a Mistral agent has its own."""
MISTRAL = when("mistral")
AZURE = when("azure-openai", "azure-ai")
DEEPSEEK = when("deepseek")
REASONING = when("openai", "azure-openai", model=r"^(o[134](-|$)|gpt-5(\.\d+)?(-mini|-nano|-pro|-codex)?(-20|$))")
"""Reasoning models, by OpenAI's names, without the `chat` models of GPT-5."""
FIXED_SAMPLING = when("openai", "azure-openai", model=r"^(o[134](-|$)|gpt-5(-mini|-nano|-pro|-codex)?(-20|$))")
"""Models that always reason. From GPT-5.1 on, effort `none` turns it off and allows sampling parameters."""
NOT_REASONING = when("openai", model=r"^(gpt-3\.5|gpt-4|chatgpt-4o)")
FIRST_REASONING = when("openai", model=r"^o1-(mini|preview)")
NO_SEARCH = when("openai", model=r"^(gpt-3\.5|gpt-4o?|gpt-4o-mini|gpt-4\.1(-mini|-nano)?)(-20[\d-]+)?$")
"""Chat models without web search."""
DEAF = when("openai", model=r"^(gpt-3\.5|gpt-4|gpt-5|o\d)", no=when(model="audio"))
"""Models without audio input."""
NO_STOP = when("openai", model=r"^(o3|o4-mini)(-20|$)")
