"""Python functions and tool objects (`module:name`), as an SDK declares them."""

from __future__ import annotations

import importlib
import re
import sys
from importlib.util import find_spec
from typing import Any

from conformance.errors import ConformanceError
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.inputs.definitions import definitions
from conformance.tool_definitions.inputs.document import plain
from conformance.tool_definitions.inputs.sdk import Sdk
from conformance.tool_definitions.inputs.sdks import all_sdks, sdk_named

_NAME = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*:[^\W\d]\w*(?:\.[^\W\d]\w*)*")


def is_python_name(argument: str) -> bool:
    """Whether an argument has the form `module:name`."""
    return _NAME.fullmatch(argument) is not None


def python_tools(argument: str, sdk: str | None = None) -> list[GivenTool]:
    """The tools of a Python object: a function, a tool object, a tool definition as a value, or a list of these.

    The working directory is searched for the module, as by `python -m`. `sdk` is the name of the SDK that reads a
    function; the class of a tool object decides it.

    Raises:
        ConformanceError: the module or the name does not exist, its import fails, or the SDK is missing or refuses it.
    """
    if not is_python_name(argument):
        raise ConformanceError(f"{argument} is not the name of a Python object", "write module:function")
    return tools_of_value(_value(argument), argument, sdk)


def tools_of_value(value: Any, name: str, sdk: str | None = None) -> list[GivenTool]:
    """The tools of a Python object that is at hand; `name` is what messages call it.

    Raises:
        ConformanceError: it is no tool, or the SDK is missing or refuses it.
    """
    chosen = None if sdk is None else sdk_named(sdk)
    values = list(value) if isinstance(value, (list, tuple)) else [value]
    return [tool for each in values for tool in _tools(each, name, chosen)]


def _value(argument: str) -> Any:
    module, _, name = argument.partition(":")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        value: Any = importlib.import_module(module)
    except Exception as error:
        if isinstance(error, ModuleNotFoundError) and module.startswith(error.name or "?"):
            raise ConformanceError(f"{argument}: there is no module {error.name}", "run this in its folder") from None
        raise ConformanceError(
            f"{argument}: importing {module} failed: {_line(error)}", f"check that `python -m {module}` works"
        ) from error
    for part in name.split("."):
        if not hasattr(value, part):
            raise ConformanceError(f"{argument}: {module} has no {name}", "check the name")
        value = getattr(value, part)
    return value


def _tools(value: Any, argument: str, chosen: Sdk | None) -> list[GivenTool]:
    if isinstance(value, dict):
        return definitions(plain(value, argument), argument)
    owner = next((each for each in all_sdks().values() if each.is_owner(value)), None)
    if chosen is None and owner is None and hasattr(value, "model_json_schema"):
        return definitions(plain(value.model_json_schema(), argument), argument)
    sdk = chosen or owner
    if sdk is None and callable(value):
        names = ", ".join(all_sdks())
        raise ConformanceError(f"{argument} is a function", f"pass --as with the SDK that reads it: {names}")
    if sdk is None:
        raise ConformanceError(f"{argument} is not a tool but {type(value).__name__}", "pass a function or a tool")
    return definitions(plain(_declared(sdk, value, argument), argument), argument)


def _declared(sdk: Sdk, value: Any, argument: str) -> Any:
    if not _is_installed(sdk.module):
        raise ConformanceError(f"--as {sdk.name} needs {sdk.module}, which is not installed", sdk.install)
    try:
        return sdk.declared(value)
    except Exception as error:
        raise ConformanceError(
            f"{argument}: {sdk.name} cannot make a tool of it: {_line(error)}",
            "correct its signature, or use another SDK",
        ) from error


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:
        return False


def _line(error: Exception) -> str:
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:300]}" if text else type(error).__name__
