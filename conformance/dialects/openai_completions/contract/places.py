"""Of whom rows of Completions are asked: OpenAI itself, and everybody else."""

from __future__ import annotations

from conformance.judge.contract.profile_rows import models
from conformance.judge.contract.situation import when

OFFICIAL = when("openai", "azure-openai")
HELD = when("openai", "azure-openai", "reference")
"""Of whom the bounds of the document are asked in full: inference servers take more."""
MODEL_IN_PATH = when(path=r"/openai/deployments/[^/]+/")
"""Azure names the model in the path."""
BASE_MODELS = models("openai/base")
"""Models that insert no text: only gpt-3.5-turbo-instruct does."""
