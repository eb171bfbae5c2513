"""The programs that are put behind the proxy: how each is started, and what is asked of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from devtools.places import ROOT
from tests.talking import WEATHER

CHAT = "/v1/chat/completions"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT), "OPENAI_API_KEY": "sk-proxied", "ANTHROPIC_API_KEY": "sk-proxied"}
_TOOL = {
    "type": "function",
    "function": {
        "name": "get_weather",
        "description": "The weather.",
        "parameters": {"type": "object", "properties": {"latitude": {"type": "number"}}},
    },
}
STREAMED = {
    "model": "gpt-4o-mini",
    "stream": True,
    "messages": [{"role": "user", "content": WEATHER}],
    "tools": [_TOOL],
}
"""A request whose answer takes long enough to be interrupted."""


@dataclass(frozen=True)
class Program:
    """A server over HTTP. `started` starts it on a port; `dialects` are those in which it is driven.

    `before` is started once, behind it. An MCP server is `path` `/mcp`, and has no dialects.
    """

    name: str
    started: Callable[[int], Sequence[str]]
    dialects: Sequence[str] = ()
    before: Callable[[int], Sequence[str]] | None = None
    path: str = CHAT
    variables: Callable[[int], dict[str, str]] = lambda _: {}

    def start(self, port: int) -> subprocess.Popen[bytes]:
        environment = {**ENVIRONMENT, **self.variables(port)}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        return subprocess.Popen(self.started(port), env=environment, start_new_session=True, **quiet)  # type: ignore[call-overload,no-any-return]


def conformance(*words: str) -> list[str]:
    return [sys.executable, "-m", "conformance", *words]


def programs(folder: Path, behind: int) -> list[Program]:
    """Those that are installed in a folder; `behind` is a port for what is behind a gateway."""
    modules = folder / "node_modules"
    made = [
        Program("conformance serve", _slow_serve, ("openai-chat", "anthropic-messages", "gemini", "openai-responses"))
    ]
    litellm = folder / "bin" / "litellm"
    if litellm.exists():
        config = _written("litellm.yaml", _litellm(behind))
        made.append(
            Program(
                "LiteLLM",
                lambda port: [str(litellm), "--config", config, "--host", "127.0.0.1", "--port", str(port)],
                ("openai-chat",),
                before=_slow_serve,
                variables=lambda _: {"LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY": "true"},
            )
        )
    mock = modules / ".bin" / "llmock"
    if mock.exists():
        fixtures = subprocess.run(
            [sys.executable, "-m", "devtools.peers.aimock_fixtures"],
            capture_output=True,
            check=True,
            text=True,
            env=ENVIRONMENT,
        )
        fixed = _written("fixtures.json", fixtures.stdout)
        words = [str(mock), "-f", fixed, "-l", "150", "-c", "5"]
        made.append(Program("aimock", lambda port: [*words, "-p", str(port)], ("openai-chat", "anthropic-messages")))
    everything = everything_in(folder)
    if everything is not None:
        made.append(
            Program(
                "MCP everything",
                lambda _: ["node", str(everything), "streamableHttp"],
                path="/mcp",
                variables=lambda port: {"PORT": str(port)},
            )
        )
    return made


def everything_in(folder: Path) -> Path | None:
    """The MCP server with an example of everything, if it is installed."""
    path = folder / "node_modules" / "@modelcontextprotocol" / "server-everything" / "dist" / "index.js"
    return path if path.exists() else None


def _slow_serve(port: int) -> list[str]:
    return conformance("serve", "--port", str(port), "--behaviour", "chunks-slow", "--quiet")


def _litellm(behind: int) -> str:
    parameters = {"model": "openai/gpt-4o-mini", "api_base": f"http://127.0.0.1:{behind}/v1", "api_key": "sk-behind"}
    return json.dumps({"model_list": [{"model_name": "gpt-4o-mini", "litellm_params": parameters}]})


def _written(name: str, text: str) -> str:
    path = Path(tempfile.mkdtemp(prefix="conformance-proxies-")) / name
    path.write_text(text, encoding="utf-8")
    return str(path)
