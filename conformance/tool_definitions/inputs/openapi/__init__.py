"""The operations of an OpenAPI 3 document as tools."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from conformance.errors import ConformanceError
from conformance.model.pointer import join
from conformance.model.transcript import ToolDefinition
from conformance.tool_definitions.given import GivenTool
from conformance.tool_definitions.inputs.openapi.arguments import arguments
from conformance.tool_definitions.inputs.openapi.references import References
from conformance.tool_definitions.inputs.openapi.schema import Schemas

_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
_FORM = "openapi"


def is_openapi(document: Any) -> bool:
    """Whether a document is an OpenAPI document of any version."""
    return isinstance(document, dict) and bool(document.keys() & {"openapi", "swagger"}) and "paths" in document


def operations(document: Any, source: str) -> list[GivenTool]:
    """Each operation as a tool: its parameters and the properties of its JSON body are the arguments.

    The name is the `operationId`, or the method and the path. Schemas become JSON Schema 2020-12, with those that are
    referred to in `$defs`.

    Raises:
        ConformanceError: the document has another version, or refers to what it does not have.
    """
    version = _version(document, source)
    references = References(document, source)
    schemas = Schemas(references, nullable=version.startswith("3.0"))
    found = []
    for operation, shared, method, path, at in _operations(document, references):
        definition = ToolDefinition(
            name=_name(operation, method, path),
            description=_description(operation),
            parameters=arguments(operation, shared, at, references, schemas),
            pointer=at,
        )
        found.append(GivenTool(definition, _FORM, source, operation))
    if not found:
        raise ConformanceError(f"{source}: the OpenAPI document has no operations", "pass one with `paths`")
    return found


def _version(document: Any, source: str) -> str:
    if not is_openapi(document):
        raise ConformanceError(f"{source}: is not an OpenAPI document", "it must have `openapi` and `paths`")
    version = str(document.get("openapi", document.get("swagger")))
    if not version.startswith("3."):
        raise ConformanceError(f"{source}: is OpenAPI (Swagger) {version}", "convert it to OpenAPI 3 first")
    return version


def _operations(document: dict[str, Any], references: References) -> Iterator[tuple[Any, Any, str, str, str]]:
    """Each operation, with the parameters of its path, its method, its path and its place."""
    paths = document.get("paths")
    for path, given in (paths if isinstance(paths, dict) else {}).items():
        item, at = references.resolved(given, join("/paths", path))
        if not isinstance(item, dict):
            continue
        shared = [(each, join(at, "parameters", number)) for number, each in enumerate(item.get("parameters") or ())]
        for method in _METHODS:
            if isinstance(item.get(method), dict):
                yield item[method], shared, method, path, join(at, method)


def _name(operation: dict[str, Any], method: str, path: str) -> str:
    own = operation.get("operationId")
    if isinstance(own, str) and own:
        return own
    return "_".join([method, *re.findall(r"[A-Za-z0-9]+", path)])


def _description(operation: dict[str, Any]) -> str | None:
    texts = [operation.get(key) for key in ("summary", "description")]
    given = dict.fromkeys(each.strip() for each in texts if isinstance(each, str) and each.strip())
    return "\n\n".join(given) or None
