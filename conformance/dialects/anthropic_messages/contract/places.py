"""What rows of Messages apply to: hosts, API versions, betas and model generations."""

from __future__ import annotations

from conformance.contract.profile_rows import models
from conformance.contract.situation import when

BEDROCK = when(path=r"/model/.+/invoke(-with-response-stream)?$")
VERTEX = when(path=r"/publishers/[^/]+/models/[^/]+:(streamR|r)awPredict$")
CLOUD = when(path=r"/model/.+/invoke(-with-response-stream)?$|/publishers/[^/]+/models/[^/]+:(streamR|r)awPredict$")
"""Bedrock and Vertex: the model is in the path, the version in the body."""
OWN = when("anthropic", "reference", no=CLOUD)
"""Anthropic's own API."""

SECOND_VERSION = when(api_version=r"2026-10-(2[1-9]|3\d)|2026-1[12]-\d\d|20(2[7-9]|[3-9]\d)-\d\d-\d\d")
"""API version 2026-10-21 and later."""
INTERLEAVED = when(beta="interleaved-thinking")

NO_SAMPLING = models("anthropic/no-sampling")
NO_BUDGET = models("anthropic/no-budget")
NOT_ADAPTIVE = models("anthropic/not-adaptive")
NO_EFFORT = models("anthropic/no-effort")
ONE_SAMPLER = models("anthropic/one-sampler")
EFFORT_TO_MAX = models("anthropic/effort-to-max")
EFFORT_TO_HIGH = models("anthropic/effort-to-high")
