"""Gemini requests: tools, their declarations and the calling mode. docs/contract/gemini.md, GEM-Q."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from conformance.dialects.gemini.fields import FOREIGN_TOOL_FIELDS
from conformance.dialects.gemini.request import MODES, mode_of
from conformance.dialects.gemini.wire import at, declarations, each, get
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import MISSING, join

_TOOL = "/0/request/body/tools/0"
_DECLARATION = f"{_TOOL}/functionDeclarations/0"
_AT = "0 request /tools/0/functionDeclarations/0"
_CONFIG = "/0/request/body/toolConfig/functionCallingConfig"
_AT_CONFIG = "0 request /toolConfig/functionCallingConfig"
_TYPES = "google-genai 2.34 google/genai/types.py"
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,127}")
_MOST = 512


@rule(
    "gemini-tool-malformed",
    scope="request",
    basis="sdk-type",
    cites=[f"GEM-Q-004 {_TYPES} Tool"],
    bugs=["mozilla-ai/any-llm#1309"],
    conforming=[
        example("gemini/call"),
        example("gemini/call", put(_TOOL, {"google_search": {}})),
        example("gemini/snake-case"),
    ],
    violating=[
        example("gemini/answer", put(_TOOL, {"type": "function", "function": {"name": "get_weather"}})),
        example("gemini/answer", put(f"{_TOOL}/functionDeclarations", "x")),
        example("gemini/answer", put(_TOOL, "get_weather")),
        example("gemini/answer", put("/0/request/body/tools", "get_weather")),
        example("gemini/answer", put(_DECLARATION, "get_weather")),
        example("gemini/answer", put(_TOOL, {})),
    ],
)
def tool_malformed(view: View) -> Iterator[Hit]:
    """A tool must be an object with `functionDeclarations`, an array of declarations, or a built-in tool.

    The server refuses another dialect's tool, and a converter may drop it, so that the model has no tools.
    """
    tools = get(view.request, "tools")
    if tools is not MISSING and tools is not None and not isinstance(tools, (list, dict)):
        yield Hit("/tools", "`tools` is not an array", "an array", brief(tools))
    for tool, pointer in each(view.request, "tools", ""):
        foreign = [name for name in FOREIGN_TOOL_FIELDS if isinstance(tool, dict) and name in tool]
        if not isinstance(tool, dict) or not tool or foreign:
            yield Hit(pointer, "not a tool of this dialect", "an object with functionDeclarations", brief(tool))
            continue
        value, where = get(tool, "functionDeclarations"), at(tool, "functionDeclarations", pointer)
        if value is not MISSING and not isinstance(value, (list, dict)):
            yield Hit(where, "the declarations are not an array", "an array", brief(value))
        for declaration, place in each(tool, "functionDeclarations", pointer):
            if not isinstance(declaration, dict):
                yield Hit(place, "the declaration is not an object", "an object", brief(declaration))


@rule(
    "gemini-tool-name-invalid",
    scope="request",
    basis="documented",
    cites=[
        f"GEM-Q-005 {_TYPES} FunctionDeclaration",
        "GEM-Q-005 kaitranntt/ccs#25",
        f"MAP-001 {_TYPES} FunctionDeclaration",
    ],
    conforming=[example("gemini/call"), example("gemini/answer", put(f"{_DECLARATION}/name", "files.read:v1-a"))],
    violating=[
        example("gemini/answer", put(f"{_DECLARATION}/name", "1st tool")),
        example("gemini/answer", put(f"{_DECLARATION}/name", "n" * 65)),
        example("gemini/answer", put(f"{_DECLARATION}/name", "")),
        example("gemini/answer", drop(f"{_DECLARATION}/name")),
    ],
)
def tool_name_invalid(view: View) -> Iterator[Hit]:
    """A declaration's name must start with a letter or `_`, followed by letters, digits, `_ . : -`, at most 64 in all.

    The server refuses the request. Between 65 and 128 characters it depends on the server's version.
    """
    for declaration, pointer in declarations(view.request):
        name = declaration.get("name", MISSING)
        where = pointer if name is MISSING else join(pointer, "name")
        if not isinstance(name, str) or not _NAME.fullmatch(name):
            shown = "no name" if name is MISSING else brief(name)
            yield Hit(where, "invalid function name", "a letter or _, then letters, digits, _ . : -", shown)
        elif len(name) > 64:
            text = f"the name has {len(name)} characters"
            yield Hit(where, text, "at most 64 characters", name, severity=Severity.WARNING)


@rule(
    "gemini-parameter-schemas-conflicting",
    scope="request",
    basis="sdk-type",
    cites=[f"GEM-Q-006 {_TYPES} FunctionDeclaration"],
    conforming=[example("gemini/call"), example("gemini/snake-case")],
    violating=[example("gemini/call", put(f"{_DECLARATION}/parameters_json_schema", {"type": "object"}), at=_AT)],
)
def parameter_schemas_conflicting(view: View) -> Iterator[Hit]:
    """A declaration must not have both `parameters` and `parametersJsonSchema`.

    They exclude each other; the server refuses the request.
    """
    for declaration, pointer in declarations(view.request):
        if not {MISSING, None} & {_hashable(get(declaration, name)) for name in ("parameters", "parametersJsonSchema")}:
            yield Hit(pointer, "the declaration has both parameters and parametersJsonSchema", "one of the two", "both")


def _hashable(value: Any) -> Any:
    return value if value is MISSING or value is None else True


@rule(
    "gemini-calling-mode-unknown",
    scope="request",
    basis="sdk-type",
    cites=[f"GEM-Q-010 {_TYPES} FunctionCallingConfigMode", "LCB-Q-003 requests of langchain-google-genai 4.4.2"],
    conforming=[
        example("gemini/forced-call"),
        example("gemini/forced-call", put(f"{_CONFIG}/mode", "any")),
        example("gemini/forced-call", put(f"{_CONFIG}/mode", 2)),
    ],
    violating=[
        example("gemini/forced-call", put(f"{_CONFIG}/mode", "required")),
        example("gemini/forced-call", put(f"{_CONFIG}/mode", 9)),
    ],
)
def calling_mode_unknown(view: View) -> Iterator[Hit]:
    """The calling mode must be AUTO, ANY, NONE or VALIDATED.

    The server refuses values of other dialects (`required`, `tool`).
    """
    tool_config = get(view.request, "toolConfig")
    config = get(tool_config, "functionCallingConfig")
    mode = get(config, "mode")
    if mode not in (MISSING, None) and mode_of(config) not in MODES:
        base = at(tool_config, "functionCallingConfig", at(view.request, "toolConfig", ""))
        yield Hit(at(config, "mode", base), f"unknown mode {brief(mode)}", "AUTO, ANY, NONE or VALIDATED", brief(mode))


@rule(
    "gemini-allowed-names-misplaced",
    scope="request",
    basis="sdk-type",
    cites=[f"GEM-Q-011 {_TYPES} FunctionCallingConfig"],
    conforming=[example("gemini/forced-call"), example("gemini/forced-call", put(f"{_CONFIG}/mode", "VALIDATED"))],
    violating=[
        example("gemini/forced-call", put(f"{_CONFIG}/mode", "AUTO"), at=f"{_AT_CONFIG}/allowedFunctionNames"),
        example("gemini/forced-call", drop(f"{_CONFIG}/mode"), at=f"{_AT_CONFIG}/allowedFunctionNames"),
        example(
            "gemini/forced-call",
            put(f"{_CONFIG}/allowedFunctionNames", ["get_weather", "get_time"]),
            at=f"{_AT_CONFIG}/allowedFunctionNames/1",
        ),
    ],
)
def allowed_names_misplaced(view: View) -> Iterator[Hit]:
    """`allowedFunctionNames` must contain declared names, and needs the mode ANY or VALIDATED.

    With another mode or an undeclared name, the server refuses the request.
    """
    tool_config = get(view.request, "toolConfig")
    config = get(tool_config, "functionCallingConfig")
    names = get(config, "allowedFunctionNames")
    if not isinstance(names, list) or not names:
        return
    base = at(tool_config, "functionCallingConfig", at(view.request, "toolConfig", ""))
    where = at(config, "allowedFunctionNames", base)
    if mode_of(config) not in ("ANY", "VALIDATED"):
        yield Hit(where, "allowedFunctionNames is not used in this mode", "the mode ANY", brief(get(config, "mode")))
    declared = [declaration.get("name") for declaration, _ in declarations(view.request)]
    if view.ask.tools is None and not view.complete:
        return
    for number, name in enumerate(names):
        if isinstance(name, str) and name not in declared:
            yield Hit(join(where, number), f"{name} is not declared", f"one of {declared}", name)


@rule(
    "gemini-declarations-too-many",
    severity=Severity.WARNING,
    scope="request",
    basis="sdk-type",
    cites=[f"GEM-Q-016 {_TYPES} Tool"],
    conforming=[example("gemini/call")],
    violating=[
        example(
            "gemini/answer",
            put(f"{_TOOL}/functionDeclarations", [{"name": f"tool_{number}"} for number in range(513)]),
            at="0 request /tools",
        )
    ],
)
def declarations_too_many(view: View) -> Iterator[Hit]:
    """A request must declare at most 512 functions.

    That is the server's limit; the model chooses badly with far fewer.
    """
    count = sum(1 for _ in declarations(view.request))
    if count > _MOST:
        yield Hit(at(view.request, "tools", ""), f"{count} functions are declared", "at most 512", str(count))
