"""google-genai: a function as the declaration that `Models.generate_content` sends for it."""

from __future__ import annotations

from inspect import signature
from typing import Any

from conformance.drivers.extras import install_hint
from conformance.tool_definitions.inputs.sdk import Sdk


def _declared(value: Any) -> Any:
    from google.genai import types

    if isinstance(value, (types.FunctionDeclaration, types.Tool)):
        declared: Any = value
    else:
        read = types.FunctionDeclaration.from_callable_with_api_option
        # Newer versions send a JSON Schema, older ones know only their own schema language.
        options: Any = {"use_json_schema": True} if "use_json_schema" in signature(read).parameters else {}
        declared = read(callable=value, api_option="GEMINI_API", **options)
    return declared.model_dump(mode="json", by_alias=True, exclude_none=True)


SDK = Sdk(
    name="google-genai",
    module="google.genai",
    install=install_hint("google-genai"),
    owns=("google",),
    declared=_declared,
)
