"""What the installed packages document, as JSON Schemas on the standard output; packages that are absent are left out.

Run by itself, with the interpreter of the environment in which `make documents` installed them, and with `-P`: nothing
of this repository is imported here. For each package it writes its `version`, and `pages` of text, or `definitions`,
the schemas by name, and `roots`, the name of the schema of each body, `<dialect> <subject>`. With `explained` as its
argument the schemas have what the SDKs write about their fields; reading that takes some twenty seconds.
"""

from __future__ import annotations

import gzip
import html
import importlib
import json
import re
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import files, version
from inspect import signature
from pathlib import Path
from textwrap import dedent
from typing import Any, get_type_hints

_GEMINI = {
    "contents": ("list", "Content"),
    "tools": ("list", "Tool"),
    "toolConfig": ("", "ToolConfig"),
    "systemInstruction": ("", "Content"),
    "generationConfig": ("", "GenerationConfig"),
    "safetySettings": ("list", "SafetySetting"),
}
"""The wire format has no type in google-genai: its own config lifts the fields of generationConfig to the top."""
_OF_SDK_ALONE = ("sdkHttpResponse", "automaticFunctionCallingHistory", "parsed")
_PARAMS = "completion_create_params.CompletionCreateParams"
TYPES = {
    "openai": {
        "openai-chat request": f"openai.types.chat.{_PARAMS}",
        "openai-chat reply": "openai.types.chat.ChatCompletion",
        "openai-chat chunk": "openai.types.chat.ChatCompletionChunk",
        "openai-completions request": f"openai.types.{_PARAMS}",
        "openai-completions reply": "openai.types.Completion",
        "openai-completions chunk": "openai.types.Completion",
        "openai-responses request": "openai.types.responses.response_create_params.ResponseCreateParams",
        "openai-responses reply": "openai.types.responses.Response",
        "openai-responses event": "openai.types.responses.ResponseStreamEvent",
        **dict.fromkeys(
            ("openai-chat error", "openai-completions error", "openai-responses error"),
            "openai.types.shared.ErrorObject",
        ),
    },
    "anthropic": {
        "anthropic-messages request": "anthropic.types.message_create_params.MessageCreateParams",
        "anthropic-messages reply": "anthropic.types.Message",
        "anthropic-messages event": "anthropic.types.RawMessageStreamEvent",
        "anthropic-messages error": "anthropic.types.shared.ErrorResponse",
    },
    "google-genai interactions": {
        "gemini-interactions request": "google.genai._gaos.models.createinteraction.CreateInteractionRequestBody",
        "gemini-interactions reply": "google.genai._gaos.types.interactions.Interaction",
        "gemini-interactions event": "google.genai._gaos.types.interactions.InteractionSSEEvent",
    },
    "ollama": {
        "ollama-chat request": "ollama._types.ChatRequest",
        **dict.fromkeys(("ollama-chat reply", "ollama-chat line"), "ollama.ChatResponse"),
    },
    "mistralai conversations": {
        "mistral-conversations request": "mistralai.client.models.ConversationRequest",
        "mistral-conversations reply": "mistralai.client.models.ConversationResponse",
        "mistral-conversations event": "mistralai.client.models.ConversationEventsData",
    },
    "anthropic beta": {
        "anthropic-messages request": "anthropic.types.beta.message_create_params.MessageCreateParams",
        "anthropic-messages reply": "anthropic.types.beta.BetaMessage",
        "anthropic-messages event": "anthropic.types.beta.BetaRawMessageStreamEvent",
    },
}
"""The types of each SDK, by the body that they describe."""
_COHERE = {
    "cohere-chat reply": "cohere.v2.types.V2ChatResponse",
    "cohere-chat event": "cohere.v2.types.V2ChatStreamResponse",
}
VENDORS = Path(__file__).with_name("vendors.json")
"""The providers that speak the format of another: their package, its types by body, and, where it cannot be imported,
the files of its source with them. `not_in_body` are fields that are headers, or the SDK's own."""
_MESSAGES = "google.ai.generativelanguage_v1beta.types"
_SCALARS = {
    **dict.fromkeys(("int32", "uint32", "integer", "long"), "integer"),
    **dict.fromkeys(("float", "double"), "number"),
    **dict.fromkeys(("bool", "boolean"), "boolean"),
}
"""The JSON types of the names in protocol buffers and in service models; all others are strings."""
_BOUNDS = {
    "string": ("minLength", "maxLength"),
    "integer": ("minimum", "maximum"),
    "number": ("minimum", "maximum"),
    "array": ("minItems", "maxItems"),
    "object": ("minProperties", "maxProperties"),
}
"""The words of a schema for the bounds of a service model, by JSON type."""
_BEDROCK = {
    "anthropic-messages error": "Error",
    "bedrock-converse request": "ConverseBody",
    "bedrock-converse reply": "ConverseResponse",
    "bedrock-converse event": "ConverseStreamOutput",
    "bedrock-converse error": "ConverseError",
}
_ANY_TEXT = r"[\s\S]*"
_ANY = ("google.protobuf.Struct", "google.protobuf.Value", "google.protobuf.ListValue")


def of_types(types: dict[str, str], space: dict[str, Any] | None = None, *, nulls: bool = False) -> dict[str, Any]:
    """The schemas of an SDK's types, TypedDicts and pydantic models alike, with the docstrings of their fields.

    They are imported, or taken from a namespace. `nulls` keeps null where a field of a reply may be absent.
    """
    from pydantic import TypeAdapter

    found: dict[str, Any] = {}
    roots = {}
    for body, path in types.items():
        module, _, name = path.rpartition(".")
        found_type = getattr(importlib.import_module(module), name) if space is None else space[name]
        schema = TypeAdapter(found_type).json_schema()
        roots[body] = _put(found, body, schema, nulls=nulls)
        if name == "ErrorObject":  # the SDK takes it out of the body
            found[f"{roots[body]}_body"] = {
                "type": "object",
                "properties": {"error": {"$ref": f"#/$defs/{roots[body]}"}},
                "required": ["error"],
            }
            roots[body] += "_body"
    _without(found, {f"#/$defs/{name}" for name, each in found.items() if _stands_in(name, each)})
    return {"definitions": found, "roots": roots}


def of_vendor(entry: dict[str, Any]) -> dict[str, Any]:
    """The schemas of a provider's own types, from its package or from its source."""
    bodies = {f"openai-chat {subject}": path for subject, path in entry["types"].items()}
    if "sources" in entry:
        sys.path.append(str(Path(__file__).parent))
        from sourced import namespace_of  # type: ignore[import-not-found,unused-ignore]

        folder = Path(sys.prefix) / "sources" / f"{entry['package']}-{entry['version']}"
        if not folder.exists():
            raise ImportError(entry["package"])
        space = namespace_of(entry["package"].replace("-", "_"), folder, entry["sources"])
        made = of_types(bodies, space, nulls=True)
    else:
        made = of_types(bodies, nulls=True)
    for each in made["definitions"].values():
        for name in entry.get("not_in_body", ()):
            each.get("properties", {}).pop(name, None)
    return made


def _stands_in(name: str, schema: dict[str, Any]) -> bool:
    """Whether a type stands for what is not there, or for what a newer server may send: it is never on the wire."""
    return name.endswith((".Unset", ".NotThere")) or "is_unknown" in schema.get("properties", {})


def _without(schema: Any, references: set[str]) -> None:
    """Takes some types out of all alternatives; a place that has nothing else has anything."""
    if isinstance(schema, list):
        for each in schema:
            _without(each, references)
    elif isinstance(schema, dict):
        for key in {"anyOf", "oneOf"} & schema.keys():
            schema[key] = [each for each in schema[key] if each.get("$ref") not in references]
        if schema.get("$ref") in references:
            del schema["$ref"]
        for each in schema.values():
            _without(each, references)


def _put(found: dict[str, Any], body: str, schema: dict[str, Any], *, nulls: bool = False) -> str:
    """Adds a schema and what it refers to under names of its own: the same name is another type elsewhere."""
    mark = body.replace("/", "_").replace(" ", "_")
    text = json.dumps(schema).replace('"#/$defs/', f'"#/$defs/{mark}.')
    named = json.loads(text)
    found |= {f"{mark}.{name}": each for name, each in named.pop("$defs", {}).items()}
    if not nulls:
        for each in (named, *(one for name, one in found.items() if name.startswith(f"{mark}."))):
            _filled_in(each)
            if not body.endswith(" request"):
                _without_null(each)
    found[mark] = named
    return mark


def _filled_in(schema: dict[str, Any]) -> None:
    """A constant that an SDK fills in is always there."""
    fields = schema.get("properties", {}).items()
    constants = [name for name, each in fields if "const" in each and each["const"] == each.get("default")]
    if constants:
        schema["required"] = [*schema.get("required", ()), *constants]


def _without_null(schema: dict[str, Any]) -> None:
    """In a reply, None stands for an absent field: what is not required need not be null on the wire."""
    for name, each in schema.get("properties", {}).items():
        if name not in schema.get("required", ()) and isinstance(each.get("anyOf"), list):
            each["anyOf"] = [one for one in each["anyOf"] if one.get("type") != "null"]


def of_genai() -> dict[str, Any]:
    """The types of google-genai, which are pydantic models."""
    from google.genai import types
    from pydantic import TypeAdapter

    found: dict[str, Any] = {}
    properties = {}
    for field, (many, name) in _GEMINI.items():
        _put(found, f"gemini {field}", TypeAdapter(getattr(types, name)).json_schema())
        each = {"$ref": f"#/$defs/gemini_{field}"}
        properties[field] = {"type": "array", "items": each} if many else each
    properties |= {"cachedContent": {"type": "string"}, "serviceTier": {"type": "string"}}
    properties["labels"] = {"type": "object", "additionalProperties": {"type": "string"}}
    found["gemini_request"] = {"type": "object", "properties": properties, "required": ["contents"]}
    reply = _put(found, "gemini reply", TypeAdapter(types.GenerateContentResponse).json_schema())
    for name in _OF_SDK_ALONE:
        found[reply]["properties"].pop(name, None)
    return {"definitions": found, "roots": {"gemini request": "gemini_request", "gemini reply": reply}}


def of_cohere() -> dict[str, Any]:
    """The types of Cohere's SDK. A request has none, but a method with its fields as arguments, described in a text."""
    from cohere.v2.client import V2Client
    from pydantic import TypeAdapter

    made = of_types(_COHERE)
    hints = get_type_hints(V2Client.chat)
    fields = {name: each for name, each in signature(V2Client.chat).parameters.items() if name in hints}
    del fields["request_options"]
    told = dict(re.findall(r"^        (\w+) : .*\n((?:(?: {12}.*)?\n)*)", V2Client.chat.__doc__ or "", re.MULTILINE))
    schemas = {name: TypeAdapter(hints[name]).json_schema() for name in fields}
    found = made["definitions"]
    properties = {
        name: {"$ref": f"#/$defs/{_put(found, f'cohere-chat {name}', each)}", "description": dedent(told.get(name, ""))}
        for name, each in schemas.items()
    }
    required = [name for name, each in fields.items() if each.default is each.empty]
    found["cohere-chat_request"] = {
        "type": "object",
        "properties": {**properties, "stream": {"type": "boolean"}},
        "required": required,
    }
    made["roots"]["cohere-chat request"] = "cohere-chat_request"
    _without_any(found)
    return made


def _without_any(schema: Any) -> None:
    """Takes away the type for any other word, which the SDK adds to each list of words."""
    for each in schema.values() if isinstance(schema, dict) else schema if isinstance(schema, list) else ():
        _without_any(each)
    if isinstance(schema, dict) and any("enum" in each for each in schema.get("anyOf", ())):
        schema["anyOf"] = [each for each in schema["anyOf"] if each]


def of_protocol_buffers() -> dict[str, Any]:
    """The messages of the Gemini API, as JSON for protocol buffers writes them."""
    types = importlib.import_module(_MESSAGES)
    found: dict[str, Any] = {}
    names = {"gemini request": "GenerateContentRequest", "gemini reply": "GenerateContentResponse"}
    for name in names.values():
        _describe(getattr(types, name).pb().DESCRIPTOR, found)
    return {"definitions": found, "roots": names}


def _name(message: Any) -> str:
    """A message by its name; of one within another both: there are two called Candidate."""
    return str(message.full_name).removeprefix(f"{message.file.package}.")


def _describe(message: Any, found: dict[str, Any]) -> None:
    name = _name(message)
    if name in found:
        return
    found[name] = {"type": "object", "properties": {}, "required": []}
    for field in message.fields:
        if _is_required(field):
            found[name]["required"].append(field.json_name)
        one = _one(field, found)
        is_map = field.message_type is not None and field.message_type.GetOptions().map_entry
        found[name]["properties"][field.json_name] = (
            {"type": "array", "items": one} if field.is_repeated and not is_map else one
        )


def _one(field: Any, found: dict[str, Any]) -> dict[str, Any]:
    if field.enum_type is not None:
        listed = [each.name for each in field.enum_type.values]
        return {"anyOf": [{"type": "string", "enum": listed}, {"type": "integer"}]}
    message = field.message_type
    if message is None:
        names = ("double", "float", "int64", "uint64", "int32", "fixed64", "fixed32", "bool", "string")
        name = dict(enumerate(names, 1)).get(field.type, "string")
        whole = {"anyOf": [{"type": "integer"}, {"type": "string"}]}
        return whole if name in ("int64", "uint64") else {"type": _SCALARS.get(name, "string")}
    if message.GetOptions().map_entry:
        return {"type": "object", "additionalProperties": _one(message.fields_by_name["value"], found)}
    if message.full_name in _ANY:
        return {"type": "object"} if message.name == "Struct" else {}
    if message.full_name.startswith("google.protobuf."):
        return {"type": "string"}  # a time or a duration
    _describe(message, found)
    return {"$ref": f"#/$defs/{_name(message)}"}


def _is_required(field: Any) -> bool:
    from google.api import field_behavior_pb2

    return field_behavior_pb2.REQUIRED in field.GetOptions().Extensions[field_behavior_pb2.field_behavior]


def of_discovery() -> dict[str, Any]:
    """The discovery document of Vertex AI, as it stands; `discovery` makes schemas of it."""
    import googleapiclient

    folder = Path(googleapiclient.__file__).parent / "discovery_cache" / "documents"
    return {"discovery": json.loads((folder / "aiplatform.v1beta1.json").read_text(encoding="utf-8"))}


def of_bedrock() -> dict[str, Any]:
    """The service model of Bedrock's runtime: Converse's bodies, and the errors, which hosted Messages have, too."""
    import botocore

    file = Path(botocore.__file__).parent / "data" / "bedrock-runtime"
    service = next(file.glob("*/service-2.json.gz"))
    model = json.loads(gzip.decompress(service.read_bytes()))
    found = {name: _of_shape(each) for name, each in model["shapes"].items()}
    raised = [found[each["shape"]] for each in model["operations"]["Converse"]["errors"]]
    fields = {name: field for each in raised for name, field in each["properties"].items()}
    found["ConverseBody"] = {
        "anyOf": [_refer({"shape": name}) for name in ("ConverseRequest", "ConverseStreamRequest")]
    }
    found["Error"] = {"type": "object", "properties": {"message": {"type": "string"}}}
    found["ConverseError"] = {"type": "object", "properties": fields, "required": ["message"]}
    return {"definitions": found, "roots": _BEDROCK}


def _of_shape(shape: dict[str, Any]) -> dict[str, Any]:
    """A shape of a service model of Amazon's as a schema. What the path and the headers have is not in the body."""
    kind = shape["type"]
    found: dict[str, Any] = {}
    if shape.get("document"):
        return found
    if kind == "structure":
        members = {name: each for name, each in shape["members"].items() if "location" not in each}
        required = [name for name in shape.get("required", ()) if name in members]
        properties = {
            name: {**_refer(each), "description": _plain_text(each.get("documentation", ""))}
            for name, each in members.items()
        }
        found = {"type": "object", "properties": properties, "required": required}
    elif kind == "list":
        found = {"type": "array", "items": _refer(shape["member"])}
    elif kind == "map":
        found = {"type": "object", "additionalProperties": _refer(shape["value"])}
    else:
        found = {"type": _SCALARS.get(kind, "string")}
        found |= {key: shape[key] for key in ("enum", "pattern") if shape.get(key, _ANY_TEXT) != _ANY_TEXT}
    bounds = zip(("min", "max"), _BOUNDS.get(found["type"], ()), strict=False)
    found |= {key: shape[word] for word, key in bounds if word in shape and kind != "blob"}
    return {**found, "description": _plain_text(shape.get("documentation", ""))}


def _refer(member: dict[str, Any]) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{member['shape']}"}


def _plain_text(marked_up: str) -> str:
    """A description without its tags; each paragraph and item is a line of its own."""
    return html.unescape(re.sub(r"<[^>]+>", "", re.sub(r"</(p|li)>", "\n", marked_up))).strip()


def of_llama() -> dict[str, Any]:
    """Meta's pages about its prompt formats; the package itself is not imported, and what it needs may be absent."""
    pages = (each for each in files("llama-models") or () if str(each).startswith("llama_models/"))
    return {"pages": {str(each): each.read_text() for each in pages if each.name.endswith("prompt_format.md")}}


def explain() -> None:
    """Lets pydantic read what stands below a field. SDKs leave this off, and only here it can be set for them.

    It reads it in a class itself. Requests of several SDKs inherit all their fields.
    """
    from pydantic._internal import _config, _docs_extraction, _generate_schema
    from typing_extensions import get_original_bases, is_typeddict

    _config.config_defaults["use_attribute_docstrings"] = True

    def inherited(cls: type[Any], **options: Any) -> dict[str, str]:
        bases = filter(is_typeddict, get_original_bases(cls)) if is_typeddict(cls) else ()
        found = {name: text for each in bases for name, text in inherited(each, **options).items()}
        return found | _docs_extraction.extract_docstrings_from_cls(cls, **options)

    vars(_generate_schema)["extract_docstrings_from_cls"] = inherited


def documents(only: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """What each installed package documents, by its name; `only` one of the owners of formats, and all vendors."""
    makers: dict[str, Callable[[], dict[str, Any]]] = {
        **{name: partial(of_types, types) for name, types in TYPES.items()},
        "cohere": of_cohere,
        "google-genai": of_genai,
        "google-ai-generativelanguage": of_protocol_buffers,
        "google-api-python-client": of_discovery,
        "botocore": of_bedrock,
        "llama-models": of_llama,
    }
    for name, make in makers.items():
        if only and name != only:
            continue
        try:
            yield name, {"version": version(name.partition(" ")[0]), **make()}
        except ImportError:
            continue
    for profile, entry in json.loads(VENDORS.read_bytes()).items():
        try:
            there = entry["version"] if "sources" in entry else version(entry["package"])
            yield entry["package"], {"version": there, "vendor": profile, **of_vendor(entry)}
        except ImportError:
            continue


if __name__ == "__main__":
    if "explained" in sys.argv:
        explain()
    json.dump(dict(documents(only="openai" if "vendors" in sys.argv else "")), sys.stdout)
