"""The client of the official OpenAI SDK, as all of its drivers use it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conformance.drivers import DriverInput

if TYPE_CHECKING:
    from openai import OpenAI


def openai_client(inputs: DriverInput) -> OpenAI:
    """A client that sends each request once."""
    from openai import OpenAI

    return OpenAI(
        base_url=inputs.base_url("/v1"),
        api_key=inputs.api_key,
        http_client=inputs.http_client,
        max_retries=0,
        timeout=inputs.timeout,
    )
