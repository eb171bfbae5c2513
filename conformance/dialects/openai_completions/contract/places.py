"""The providers that rows of Completions apply to: OpenAI itself, and all others."""

from __future__ import annotations

from conformance.contract.profile_rows import models
from conformance.contract.situation import when

OFFICIAL = when("openai", "azure-openai")
HELD = when("openai", "azure-openai", "reference")
"""Providers to which the document's bounds apply in full; inference servers accept more."""
MODEL_IN_PATH = when(path=r"/openai/deployments/[^/]+/")
"""Azure names the model in the path."""
BASE_MODELS = models("openai/base")
"""Models that insert no text: only gpt-3.5-turbo-instruct does."""
