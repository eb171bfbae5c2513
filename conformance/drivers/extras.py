"""The extras of this package: what to install for a missing client, recorder or server."""

from __future__ import annotations

from collections.abc import Mapping

EXTRAS: Mapping[str, str] = {
    "openai": "openai",
    "anthropic": "anthropic",
    "boto3": "bedrock",
    "cohere": "cohere",
    "google": "google",
    "google-genai": "google",
    "langchain-openai": "langchain",
    "langchain-anthropic": "langchain",
    "langchain-google-genai": "langchain",
    "langchain_core": "langchain",
    "mistralai": "mistral",
    "ollama": "ollama",
    "mcp": "mcp",
    "mcp_types": "mcp",
    "httpx2": "http",
    "vcr": "record",
    "h11": "serve",
    "starlette": "serve",
    "uvicorn": "serve",
    "websockets": "serve",
}
"""The extra that installs each distribution or module."""

_DISTRIBUTIONS = {"google": "google-genai", "langchain_core": "langchain-core", "vcr": "vcrpy"}
"""The distributions of modules that have another name."""
_NO_CLIENT = ("mcp", "http", "record", "serve")
CLIENTS = tuple(name for name, extra in EXTRAS.items() if extra not in _NO_CLIENT and name not in _DISTRIBUTIONS)
"""The distributions of the clients that have a driver."""


def needs(user: str, module: str) -> tuple[str, str]:
    """That something needs a module which is not installed, and the command that installs it."""
    return f"{user} needs {_DISTRIBUTIONS.get(module, module)}, which is not installed", install_hint(module)


def install_hint(name: str) -> str:
    """The command that installs what is missing."""
    return f"pip install 'tool-use-conformance[{EXTRAS[name]}]'"
