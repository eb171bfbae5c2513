"""The extras of this package: what to install for a missing client, recorder or server."""

from __future__ import annotations

from collections.abc import Mapping

EXTRAS: Mapping[str, str] = {
    "openai": "openai",
    "anthropic": "anthropic",
    "google": "google",
    "google-genai": "google",
    "langchain-openai": "langchain",
    "langchain-anthropic": "langchain",
    "langchain-google-genai": "langchain",
    "langchain_core": "langchain",
    "mcp": "mcp",
    "mcp_types": "mcp",
    "httpx2": "http",
    "vcr": "record",
    "h11": "serve",
    "starlette": "serve",
    "uvicorn": "serve",
}
"""The extra that installs each distribution or module."""


def install_hint(name: str) -> str:
    """The command that installs what is missing."""
    return f"pip install 'tool-use-conformance[{EXTRAS[name]}]'"
