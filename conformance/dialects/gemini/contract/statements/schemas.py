"""Statements and examples of the contract's rules about the schemas of a Gemini request."""

from __future__ import annotations

from collections.abc import Mapping

from conformance.judge.contract.statement import Statement
from conformance.judge.example import drop, example, put

_CALL = "gemini/call"
_DECLARATION = "/0/request/body/tools/0/functionDeclarations/0"
_PARAMETERS = f"{_DECLARATION}/parameters"
_PLACE = f"{_PARAMETERS}/properties/place"
_AT = "0 request /tools/0/functionDeclarations/0/parameters/properties/place"
_TYPES = "google-genai 2.34 google/genai/types.py"

STATEMENTS: Mapping[str, Statement] = {
    "gemini-schema-field-unknown": Statement(
        "`parameters` must have only fields of Gemini's `Schema`; full JSON Schema belongs in `parametersJsonSchema`.",
        'The server refuses the request with a 400: unknown name, "Cannot find field". MCP tools often have such '
        "fields. Fields that only models from 2.5 on accept are a warning.",
        cites=(
            "GEM-Q-007 zed-industries/zed#44875",
            "GEM-Q-007 nanbingxyz/5ire#42",
            f"GEM-Q-007 {_TYPES} Schema",
        ),
        basis="observed",
        bugs=(
            "promptfoo/promptfoo#6902",
            "aoci-code#61",
            "DEEIX#546",
            "google_workspace_mcp#1099",
            "promptfoo/promptfoo#5960",
        ),
        violating=(
            example(_CALL, put(f"{_PARAMETERS}/properties/latitude/const", 1)),
            example(_CALL, put(f"{_PARAMETERS}/$schema", "x")),
            example("gemini/legacy-run", put(f"{_PARAMETERS}/additionalProperties", False)),
        ),
        conforming=(
            example(_CALL),
            example(_CALL, put(f"{_PARAMETERS}/additionalProperties", False)),
            example(_CALL, put(f"{_PARAMETERS}/properties/latitude/any_of", [{"type": "NUMBER"}])),
            example(
                _CALL,
                drop(_PARAMETERS),
                put(f"{_DECLARATION}/parametersJsonSchema", {"type": "object", "oneOf": [{}]}),
            ),
        ),
    ),
    "gemini-schema-type-unknown": Statement(
        "A type in `parameters` must be exactly one of STRING, NUMBER, INTEGER, BOOLEAN, ARRAY, OBJECT, NULL.",
        'It is an enum: the server refuses a list of types as in JSON Schema ("cannot start list"). Use `nullable` '
        "for null.",
        cites=(f"GEM-Q-007 {_TYPES} Type",),
        basis="observed",
        bugs=("google_workspace_mcp#1099",),
        violating=(
            example(_CALL, put(f"{_PARAMETERS}/properties/latitude/type", "float")),
            example(_CALL, put(f"{_PARAMETERS}/properties/latitude/type", ["number", "null"])),
        ),
        conforming=(
            example(_CALL, put(f"{_PARAMETERS}/type", "object")),
            example(_CALL, put(f"{_PARAMETERS}/type", 6)),
        ),
    ),
    "gemini-schema-enum-wrong-type": Statement(
        "The values of an `enum` in `parameters` must be strings.",
        "The field is a list of strings; the server refuses a request with a number in it.",
        cites=(f"GEM-Q-009 {_TYPES} Schema.enum",),
        basis="sdk-type",
        violating=(example(_CALL, put(_PLACE, {"type": "STRING", "enum": ["1", 2]}), at=f"{_AT}/enum/1"),),
        conforming=(example(_CALL, put(_PLACE, {"type": "STRING", "enum": ["C", "F"]})),),
    ),
    "gemini-schema-enum-empty": Statement(
        "The values of an `enum` in `parameters` must not be empty strings.",
        "The server refuses the request. The usual source is a form with an empty choice.",
        cites=("GEM-Q-019 gcli2api#374",),
        basis="observed",
        bugs=("gcli2api#374",),
        violating=(example(_CALL, put(_PLACE, {"type": "STRING", "enum": ["a", ""]}), at=f"{_AT}/enum/1"),),
        conforming=(example(_CALL, put(_PLACE, {"type": "STRING", "enum": ["a", " "]})),),
    ),
    "gemini-schema-field-misplaced": Statement(
        "`required` must be in type OBJECT, `enum` in STRING; beside `$ref`, only `description` and `default` may be.",
        "The Gemini API refuses the request and names the place.",
        cites=("GEM-Q-019 kibana#286302", "GEM-Q-019 azure-devops-mcp#139"),
        basis="observed",
        bugs=("kibana#286302", "azure-devops-mcp#139"),
        violating=(
            example(_CALL, put(_PLACE, {"type": "INTEGER", "enum": ["1"]}), at=f"{_AT}/enum"),
            example(
                _CALL,
                put(_PLACE, {"anyOf": [{"type": "STRING"}, {"required": ["name"]}]}),
                at=f"{_AT}/anyOf/1/required",
            ),
            example(_CALL, put(_PLACE, {"$ref": "#/$defs/Place", "nullable": True}), at=f"{_AT}/nullable"),
        ),
        conforming=(
            example(_CALL, put(_PLACE, {"type": "string", "enum": ["a"], "required": []})),
            example(_CALL, put(_PLACE, {"$ref": "#/$defs/Place", "description": "Where."})),
        ),
    ),
    "gemini-schema-format-unknown": Statement(
        "A string in `parameters` must have the format `enum` or `date-time`, or no format.",
        "The Gemini API refuses the request. Schemas from validation libraries have `uri`, `email` or `uuid` there.",
        cites=("GEM-Q-019 kibana#286302",),
        basis="observed",
        violating=(example(_CALL, put(_PLACE, {"type": "STRING", "format": "uri"}), at=f"{_AT}/format"),),
        conforming=(
            example(_CALL, put(_PLACE, {"type": "STRING", "format": "date-time"})),
            example(_CALL, put(_PLACE, {"type": "NUMBER", "format": "double"})),
        ),
    ),
}
