"""Reads tool definitions of any origin: files, MCP servers, OpenAPI documents, Python objects, recordings."""

from __future__ import annotations

import io
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from conformance.errors import ConformanceError, did_you_mean
from conformance.inputs import opening
from conformance.inputs.formats import all_formats
from conformance.inputs.recording import NotARecordingError
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.inputs.definitions import definitions, has_definitions
from conformance.tool_definitions.inputs.document import LARGEST, parse
from conformance.tool_definitions.inputs.download import download
from conformance.tool_definitions.inputs.forms import all_forms
from conformance.tool_definitions.inputs.openapi import is_openapi, operations
from conformance.tool_definitions.inputs.private import private_url
from conformance.tool_definitions.inputs.python import is_python_name, python_tools, tools_of_value
from conformance.tool_definitions.inputs.recorded_requests import recorded_tools
from conformance.tool_definitions.inputs.server import TIMEOUT_SECONDS, tools_at, tools_of_command

__all__ = ["TIMEOUT_SECONDS", "form_names", "read_command", "read_tools", "tools_of_value"]

_OPENAPI, _RECORDING, _SERVER = "openapi", "recording", "mcp"
_DOCUMENT_ENDS = (".json", ".yaml", ".yml")
_LINES_ENDS = (".jsonl", ".ndjson", ".har", ".gz")
"""The endings of files that are recordings, and of no other input."""
_KINDS = "`conformance tools --help` lists what can be read"


def form_names() -> tuple[str, ...]:
    """The names for `--from`: those of the forms of tool definitions, `openapi`, `recording`, and its formats."""
    return (*all_forms(), _OPENAPI, _RECORDING, *all_formats())


def read_tools(
    argument: str,
    *,
    form: str | None = None,
    sdk: str | None = None,
    timeout: float = TIMEOUT_SECONDS,
    headers: Mapping[str, str] | None = None,
) -> list[GivenTool]:
    """The tool definitions of an input, in its order; hosted tools are among them, with a `kind` of their own.

    Args:
        argument: A file, a folder of recordings, `-` for standard input, `module:name` for a Python object, or the URL
            of an MCP server or a document.
        form: The name of the form (`form_names`); without one, the content decides. A URL is that of an MCP server
            unless it ends in `.json`, `.yaml` or `.yml`, or `form` names the form of a document.
        sdk: The SDK that reads a Python function: `google-genai`, `langchain`, `openai-agents`, `pydantic-ai`.
        timeout: Seconds for a server or a download.
        headers: HTTP headers for a URL.

    Raises:
        ConformanceError: the input cannot be read or contains something that is no tool definition; the message
            states what, where (as a JSON pointer within a document), and what to do.
    """
    _check_form(form)
    if argument.lower().startswith(("http://", "https://")):
        tools = _at_url(argument, form, timeout, headers)
    elif argument == "-":
        tools = _standard_input(form)
    elif sdk is not None or (is_python_name(argument) and not Path(argument).exists()):
        tools = python_tools(argument, sdk)
    else:
        tools = _in_file(argument, form)
    if not tools:
        raise ConformanceError(f"{argument}: contains no tools", "pass an input with at least one tool definition")
    return tools


def read_command(argv: Sequence[str], *, timeout: float = TIMEOUT_SECONDS) -> list[GivenTool]:
    """The tools of the MCP server that a command starts.

    Raises:
        ConformanceError: the command does not start a server that lists tools.
    """
    tools = tools_of_command(argv, timeout=timeout)
    if not tools:
        raise ConformanceError(f"{argv[0]}: the MCP server has no tools", "check its configuration")
    return tools


def _check_form(form: str | None) -> None:
    if form is not None and form not in form_names():
        raise ConformanceError(f"unknown form {form!r}", did_you_mean(form.lower(), form_names()))


def _at_url(url: str, form: str | None, timeout: float, headers: Mapping[str, str] | None) -> list[GivenTool]:
    path = url.partition("?")[0].partition("#")[0].lower()
    if form == _SERVER or (form is None and not path.endswith(_DOCUMENT_ENDS)):
        return tools_at(url, timeout=timeout, headers=headers)
    private = private_url(url, (headers or {}).values())
    data = download(url, private, timeout=timeout, headers=headers)
    return _in_document(parse(data, private.name), private.name, form)


def _standard_input(form: str | None) -> list[GivenTool]:
    stream = sys.stdin.buffer if sys.stdin else None
    if stream is None:
        raise ConformanceError("-: standard input is closed", "pipe tool definitions into it")
    data = stream.read(LARGEST + 1)
    return _in_bytes(data, "standard input", "-", form)


def _in_file(path: str, form: str | None) -> list[GivenTool]:
    place = Path(path)
    recorded = form == _RECORDING or form in all_formats()
    if recorded or place.is_dir() or path.lower().endswith(_LINES_ENDS):
        return recorded_tools(path, format=form if form in all_formats() else None)
    with opening.failures_of(path):
        if place.stat().st_size > LARGEST:
            return recorded_tools(path)
        data = place.read_bytes()
    return _in_bytes(data, path, path, form)


def _in_bytes(data: bytes, name: str, path: str, form: str | None) -> list[GivenTool]:
    """The tools of a document, or of a recording if the bytes are no document with tools."""
    recorded = form if form in all_formats() else None
    refusal = ConformanceError(f"{name}: contains no tool definitions", _KINDS)
    if form != _RECORDING and recorded is None:
        try:
            document = parse(data, name)
        except ConformanceError as error:
            if form is not None:
                raise
            refusal = error  # unless it is a recording: JSON Lines are no document
        else:
            if form is not None or is_openapi(document) or has_definitions(document):
                return _in_document(document, name, form)
    try:
        return recorded_tools(path, format=recorded, stdin=io.BytesIO(data) if path == "-" else None)
    except NotARecordingError:
        raise refusal from None


def _in_document(document: Any, name: str, form: str | None) -> list[GivenTool]:
    if form == _OPENAPI or (form is None and is_openapi(document)):
        return operations(document, name)
    return definitions(document, name, form=None if form is None else all_forms()[form])
