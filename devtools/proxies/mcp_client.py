"""The official MCP client, on a URL or on a command: `python -m devtools.proxies.mcp_client [--long] URL|COMMAND...`.

It initialises, lists the tools, and calls two; with `--long` it then calls one that reports its progress for ten
seconds. It prints what it received, and `progress` at each report.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import AsyncExitStack
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client


async def main(words: list[str]) -> None:
    long = words[0] == "--long"
    words = words[1:] if long else words
    async with AsyncExitStack() as stack:
        if words[0].startswith("http"):
            streams: Any = await stack.enter_async_context(streamable_http_client(words[0]))
        else:
            server = StdioServerParameters(command=words[0], args=words[1:])
            streams = await stack.enter_async_context(stdio_client(server))
        session = await stack.enter_async_context(ClientSession(streams[0], streams[1]))
        await session.initialize()
        tools = [each.name for each in (await session.list_tools()).tools]
        _write(f"{len(tools)} tools")
        for name, arguments in (("echo", {"message": "기온"}), ("get-sum", {"a": 2, "b": 3})):
            result: Any = await session.call_tool(name, arguments)
            _write(f"{name}: {result.content[0].text}")
        if long:
            name = next(each for each in tools if "long" in each)
            await session.call_tool(name, {"duration": 10, "steps": 20}, progress_callback=_progress)
            _write("the long call ended")


async def _progress(progress: float, total: float | None, message: str | None) -> None:
    del progress, total, message
    _write("progress")


def _write(text: str) -> None:
    print(text, flush=True)  # noqa: T201 - a program


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
