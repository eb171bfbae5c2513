"""The providers and model families that rows of Chat apply to."""

from __future__ import annotations

from conformance.contract.profile_rows import models
from conformance.contract.situation import when

OPENAI = when("openai", "reference")
OFFICIAL = when("openai", "azure-openai", "reference")
ELSEWHERE = when(no=OFFICIAL)
MODEL_IN_PATH = when(path=r"/openai/deployments/[^/]+/|/model/.+/invoke|/agents/completions$")
"""Azure and Bedrock name the model in the path; a Mistral agent has its own."""
MISTRAL = when("mistral")
GROQ_OR_CEREBRAS = when("groq", "cerebras")
AZURE = when("azure-openai", "azure-ai")
REASONING = models("openai/reasoning")
FIXED_SAMPLING = models("openai/fixed-sampling")
NOT_REASONING = models("openai/not-reasoning")
FIRST_REASONING = models("openai/first-reasoning")
NO_SEARCH = models("openai/no-search")
NO_AUDIO = models("openai/no-audio")
LONG_RETENTION = models("openai/long-retention")
BEFORE_5_6 = models("openai/before-5-6")
FROM_5_1 = models("openai/from-5-1")
ALWAYS_REASONING = models("openai/always-reasoning")
NO_STOP = models("openai/no-stop")
