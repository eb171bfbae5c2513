"""Tool definitions from MCP servers, downloads and Python objects; and that their secrets are not shown."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from conformance.errors import ConformanceError
from conformance.scenario.executor.mcp import serving
from conformance.scenario.load import all_scenarios
from conformance.tool_definitions.inputs import python, read_command, read_tools
from conformance.tool_definitions.inputs.private import private_command, private_url

SCENARIO = next(each for each in all_scenarios().values() if len(each.tools) > 2)
NAMES = [tool.name for tool in SCENARIO.tools]
STDIO = """
import asyncio, sys
from pathlib import Path
from mcp.server.stdio import stdio_server
from conformance.scenario.executor.mcp_server import server_of
from conformance.scenario.load import read_scenario
async def main():
    server = server_of(read_scenario(Path(sys.argv[1])))
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
asyncio.run(main())
"""


@pytest.mark.process
def test_all_pages_of_a_server_over_http_are_read() -> None:
    with serving(SCENARIO) as origin:
        tools = read_tools(f"{origin}/mcp?token=hunter22", headers={"x-api-key": "hunter33"})
    assert [tool.definition.name for tool in tools] == NAMES
    assert {(tool.form, tool.source) for tool in tools} == {("mcp", f"{origin}/mcp?…")}
    assert tools[0].definition.parameters == dict(SCENARIO.tools[0].parameters or {})


@pytest.mark.process
def test_all_pages_of_a_server_that_a_command_starts_are_read() -> None:
    tools = read_command([sys.executable, "-c", STDIO, str(SCENARIO.path)])
    assert [tool.definition.name for tool in tools] == NAMES


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["no-such-command"], "no-such-command: the MCP server did not list its tools .*No such file"),
        ([sys.executable, "-c", "import sys; sys.exit('no database hunter22')", "--password", "hunter22"],
         "--password …: .*standard error ends with: no database …"),
        ([sys.executable, "-c", "import time; time.sleep(20)"], "no tool list within 1 s.*--timeout"),
        ([], "no command after `--`"),
    ],
)  # fmt: skip
@pytest.mark.process
def test_a_command_that_is_no_server_is_an_error_with_its_last_words(
    argv: list[str], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ConformanceError, match=message) as caught:
        read_command(argv, timeout=1 if "sleep" in str(argv) else 30)
    assert "hunter22" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


@contextmanager
def site(document: str, status: int = 200) -> Iterator[tuple[str, list[str | None]]]:
    """A web server with one document, and the credentials that were sent to it."""
    seen: list[str | None] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            seen.append(self.headers["authorization"])
            self.send_response(status)
            self.end_headers()
            self.wfile.write(document.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = HTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://user:pass@127.0.0.1:{server.server_port}", seen
    finally:
        server.shutdown()
        server.server_close()


def test_a_url_is_a_document_by_its_ending_or_by_the_form() -> None:
    document = {"openapi": "3.1.0", "paths": {"/a": {"get": {}}}}
    with site(json.dumps(document)) as (origin, seen):
        (tool,) = read_tools(f"{origin}/api.json?key=hunter22")
        assert tool.source == origin.replace("user:pass@", "") + "/api.json?…"
        assert read_tools(f"{origin}/docs", form="openapi")[0].definition.name == "get_a"
    assert seen == ["Basic dXNlcjpwYXNz"] * 2


def test_a_url_that_does_not_answer_is_an_error_without_its_secrets() -> None:
    with site("", 404) as (origin, _):
        for url in (f"{origin}/api.json?key=hunter22", f"{origin}/a/Zm9vYmFyMTIzNDU2Nzg5MA/mcp?key=hunter22"):
            with pytest.raises(ConformanceError) as caught:
                read_tools(url, timeout=5)
            assert [each for each in ("hunter22", "pass@", "Zm9v") if each in str(caught.value)] == []


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://u:p@h.example/mcp?key=abcdef#abcdef", "https://h.example/mcp?…"),
        ("https://h.example/s/Zm9vYmFyMTIzNDU2Nzg5MA/mcp", "https://h.example/s/…/mcp"),
        ("https://h.example/2024-10-01-preview/openapi.json", "https://h.example/2024-10-01-preview/openapi.json"),
        ("https://[bad", "…"),
    ],
)
def test_a_url_is_shown_without_secrets(url: str, shown: str) -> None:
    assert private_url(url).name == shown


@pytest.mark.parametrize(
    ("argv", "shown"),
    [
        (["npx", "-y", "@scope/server-files", "/tmp/a b"], "npx -y @scope/server-files '/tmp/a b'"),
        (["server", "--api-key", "short"], "server --api-key …"),
        (["server", "--api-key=short", "--port=80"], "server --api-key=… --port=80"),
        (["env", "GITHUB_TOKEN=short", "server"], "env GITHUB_TOKEN=… server"),
        (["server", "-H", "Authorization: Basic abcd"], "server -H Authorization: …"),
        (["server", "postgres://me:pass@db/x"], "server postgres://db/x"),
        (["server", "Zm9vYmFyMTIzNDU2Nzg5MA"], "server …"),
    ],
)
def test_a_command_is_shown_without_secrets(argv: list[str], shown: str) -> None:
    assert private_command(argv).name == shown


MODULE = '''
import json
from langchain_core.tools import tool
from google.genai import types
from pydantic import BaseModel

def weather(city: str, days: int = 3) -> str:
    """How warm it is.

    Args:
        city: The city.
        days: How many days.
    """
    return ""

class weather_model(BaseModel):
    city: str

lang = tool(weather)
declaration = types.FunctionDeclaration(name="weather", parameters_json_schema={"type": "object"})
several = [lang, {"name": "w", "input_schema": {"type": "object"}}]
number = 3

def unreadable(city: "NoSuchType") -> str:
    """No."""
'''


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    name = f"tools_{abs(hash(tmp_path))}"
    (tmp_path / f"{name}.py").write_text(MODULE)
    monkeypatch.chdir(tmp_path)
    return name


def test_a_function_is_read_as_the_sdk_reads_it(module: str) -> None:
    (gemini,) = read_tools(f"{module}:weather", sdk="google-genai")
    assert gemini.form == "gemini"
    assert gemini.definition.parameters["properties"]["city"] == {"type": "string"}
    assert gemini.definition.parameters["required"] == ["city"]
    (langchain,) = read_tools(f"{module}:weather", sdk="langchain")
    assert langchain.form == "openai-chat"
    assert langchain.definition.parameters["properties"]["city"] == {"type": "string", "description": "The city."}


def test_a_tool_object_says_by_its_class_which_sdk_reads_it(module: str) -> None:
    assert read_tools(f"{module}:lang")[0].definition.name == "weather"
    assert read_tools(f"{module}:declaration")[0].form == "gemini"
    assert [tool.form for tool in read_tools(f"{module}:several")] == ["openai-chat", "anthropic-messages"]
    assert read_tools(f"{module}:weather_model")[0].form == "json-schema"


@pytest.mark.parametrize(
    ("name", "sdk", "message"),
    [
        ("weather", None, "is a function; pass --as with the SDK that reads it: google-genai, langchain,"),
        ("weather", "langchains", "unknown SDK 'langchains'; did you mean 'langchain'"),
        ("gone", None, "has no gone; check the name"),
        ("number", None, "is not a tool but int"),
        ("unreadable", "google-genai", "google-genai cannot make a tool of it: "),
    ],
)
def test_what_is_no_tool_is_an_error(module: str, name: str, sdk: str | None, message: str) -> None:
    with pytest.raises(ConformanceError, match=message):
        read_tools(f"{module}:{name}", sdk=sdk)


def test_a_module_that_cannot_be_imported_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "broken_tools.py").write_text("1/0")
    with pytest.raises(ConformanceError, match="importing broken_tools failed: ZeroDivisionError: division by zero"):
        read_tools("broken_tools:x")
    with pytest.raises(ConformanceError, match="there is no module no_such_module"):
        read_tools("no_such_module:x")


def test_a_missing_sdk_is_named_with_what_installs_it(module: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(python, "find_spec", lambda _: None)
    with pytest.raises(ConformanceError, match=r"--as openai-agents needs agents, .*pip install openai-agents"):
        read_tools(f"{module}:weather", sdk="openai-agents")
    with pytest.raises(ConformanceError, match=r"--as langchain needs .*tool-use-conformance\[langchain\]"):
        read_tools(f"{module}:weather", sdk="langchain")
