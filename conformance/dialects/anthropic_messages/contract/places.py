"""What rows of Messages apply to: hosts, API versions, betas and model generations."""

from __future__ import annotations

from conformance.judge.contract.situation import when

BEDROCK = when(path=r"/model/.+/invoke(-with-response-stream)?$")
VERTEX = when(path=r"/publishers/[^/]+/models/[^/]+:(streamR|r)awPredict$")
CLOUD = when(path=r"/model/.+/invoke(-with-response-stream)?$|/publishers/[^/]+/models/[^/]+:(streamR|r)awPredict$")
"""Bedrock and Vertex: the model is in the path, the version in the body."""
DIRECT = when(no=CLOUD)
OWN = when("anthropic", "reference", no=CLOUD)
"""Anthropic's own API."""

SECOND_VERSION = when(api_version=r"2026-10-(2[1-9]|3\d)|2026-1[12]-\d\d|20(2[7-9]|[3-9]\d)-\d\d-\d\d")
"""API version 2026-10-21 and later."""
INTERLEAVED = when(beta="interleaved-thinking")

FOUR_FIVE = r"claude-(opus-4-[1-6]|sonnet-4-[56]|haiku-4-5)"
"""Models that accept either temperature or top_p, not both."""
NO_SAMPLING = when("anthropic", "bedrock", "vertex", "azure-ai", model=r"claude-opus-4-[78]")
NO_BUDGET = when("anthropic", "bedrock", "vertex", "azure-ai", model=r"claude-(opus-4-[78]|sonnet-5)")
"""Models with adaptive thinking, without a budget."""
NOT_ADAPTIVE = when("anthropic", "bedrock", "vertex", "azure-ai", model=r"claude-(haiku-4-5|(opus|sonnet)-4-5|3)")
"""Models with thinking by a budget only."""
NO_EFFORT = when("anthropic", "bedrock", "vertex", "azure-ai", model=r"claude-(haiku-4-5|sonnet-4-5|opus-4-1|3)")
ONE_SAMPLER = when("anthropic", "bedrock", "vertex", "azure-ai", model=FOUR_FIVE)
EFFORT_TO_MAX = when("anthropic", "bedrock", "vertex", "azure-ai", model=r"claude-(opus|sonnet)-4-6")
"""Models that accept every effort except `xhigh`."""
