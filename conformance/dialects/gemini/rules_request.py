"""Gemini requests: the body, its contents and their parts. docs/contract/gemini.md, GEM-Q."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.gemini.content import DATA_FIELDS
from conformance.dialects.gemini.fields import DECLARATION, FOREIGN_TOOL_FIELDS, REQUEST, TOOL, mistakes, strangers
from conformance.dialects.gemini.wire import contents, declarations, each, get, parts, snake
from conformance.judge.example import drop, example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import MISSING, join

_CONTENTS = "/0/request/body/contents"
_TYPES = "google-genai 2.34 google/genai/types.py"
_ROLES = ("user", "model", "function")
_ALSO_DATA = frozenset({"audioTranscription"})
"""Newer fields that may be all that a part holds."""


@rule(
    "gemini-contents-missing",
    scope="request",
    basis="sdk-type",
    cites=["GEM-Q-001 google-genai 2.34 google/genai/models.py"],
    conforming=[example("gemini/call"), example("gemini/snake-case")],
    violating=[
        example("gemini/call", drop(_CONTENTS)),
        example("gemini/call", put(_CONTENTS, [])),
        example("gemini/call", put(_CONTENTS, "How warm is it?")),
    ],
)
def contents_missing(view: View) -> Iterator[Hit]:
    """The body must have `contents` that are not empty.

    The model answers the contents; without them the server refuses the request with a 400.
    """
    value = get(view.request, "contents")
    if value is MISSING or not value:
        yield Hit(
            None if value is MISSING else "/contents", "the request has no contents", "at least one content", "none"
        )
    elif not isinstance(value, (list, dict)):
        yield Hit("/contents", "`contents` is not an array", "an array", brief(value))


@rule(
    "gemini-role-unknown",
    scope="request",
    basis="documented",
    cites=[f"GEM-Q-002 {_TYPES} Content", "GEM-Q-003 google-genai 2.34 google/genai/models.py systemInstruction"],
    conforming=[
        example("gemini/answer"),
        example("gemini/call", put("/0/request/body/systemInstruction", {"parts": [{"text": "Be brief."}]})),
        example("gemini/call", drop(f"{_CONTENTS}/0/role")),
    ],
    violating=[
        example("gemini/answer", put(f"{_CONTENTS}/1/role", "assistant")),
        example("gemini/call", put(f"{_CONTENTS}/0/role", "system")),
        example("gemini/call", put(f"{_CONTENTS}/0/role", 1)),
        example("gemini/answer", drop(f"{_CONTENTS}/1/role")),
    ],
)
def role_unknown(view: View) -> Iterator[Hit]:
    """Every content must have the role `user` or `model` (or the old `function`); a single one may omit it.

    The server refuses any other role with a 400. System text has a field of its own, `systemInstruction`.
    """
    found = list(contents(view.request))
    for content, pointer in found:
        role = content.get("role", MISSING)
        if role is MISSING or role is None or role == "":
            if len(found) > 1:
                yield Hit(pointer, "the content has no role", "user or model", "no role")
        elif role not in _ROLES:
            wanted = "systemInstruction" if role in ("system", "developer") else "user or model"
            yield Hit(join(pointer, "role"), f"unknown role {brief(role)}", wanted, brief(role))


@rule(
    "gemini-parts-missing",
    scope="request",
    basis="sdk-type",
    cites=[f"GEM-Q-002 {_TYPES} Content"],
    conforming=[example("gemini/call")],
    violating=[
        example("gemini/call", drop(f"{_CONTENTS}/0/parts")),
        example("gemini/answer", put(f"{_CONTENTS}/2/parts", [])),
        example("gemini/call", put(f"{_CONTENTS}/0", {"role": "user", "content": "Hi"})),
    ],
)
def parts_missing(view: View) -> Iterator[Hit]:
    """Every content must have at least one part.

    The server refuses an empty content with a 400; a client that filters parts must also drop the empty content.
    """
    for content, pointer in contents(view.request):
        value = get(content, "parts")
        if value is MISSING:
            yield Hit(pointer, "the content has no parts", "at least one part", "no `parts`")
        elif not value:
            yield Hit(join(pointer, "parts"), "the content has no parts", "at least one part", brief(value))


@rule(
    "gemini-part-ambiguous",
    scope="request",
    basis="sdk-type",
    cites=[f"GEM-Q-015 {_TYPES} Part"],
    conforming=[example("gemini/answer"), example("gemini/snake-case")],
    violating=[
        example("gemini/answer", put(f"{_CONTENTS}/1/parts/0/text", "I look."), at="0 request /contents/1/parts/0"),
        example("gemini/answer", put(f"{_CONTENTS}/1/parts/1", {})),
    ],
)
def part_ambiguous(view: View) -> Iterator[Hit]:
    """Every part must be exactly one of text, call, response, file or code.

    The fields are one protobuf `oneof`: with none or two of them set the server refuses the request.
    """
    for content, pointer in contents(view.request):
        for part, where in parts(content, pointer):
            things = [name for name in DATA_FIELDS if get(part, name) not in (MISSING, None)]
            if len(things) > 1 or (not things and not any(get(part, name) is not MISSING for name in _ALSO_DATA)):
                yield Hit(
                    where, f"the part has {len(things)} kinds of content", "exactly one", ", ".join(things) or "nothing"
                )


@rule(
    "gemini-request-field-wrong-type",
    scope="request",
    basis="sdk-type",
    cites=[f"GEM-Q-002 {_TYPES} Part", f"GEM-Q-010 {_TYPES} ToolConfig", f"GEM-C-004 {_TYPES} FunctionCall"],
    conforming=[example("gemini/answer"), example("gemini/snake-case"), example("gemini/forced-call")],
    violating=[
        example("gemini/call", put(f"{_CONTENTS}/0/parts/0/text", 7)),
        example(
            "gemini/answer",
            put(f"{_CONTENTS}/1/parts/0/functionCall/id", 1),
            drop(f"{_CONTENTS}/2/parts/0/functionResponse/id"),
            at="0 request /contents/1/parts/0/functionCall/id",
        ),
        example("gemini/answer", put(f"{_CONTENTS}/1/parts/0/thoughtSignature", ["x"])),
        example("gemini/call", put("/0/request/body/tools/0/functionDeclarations/0/description", 1)),
        example(
            "gemini/forced-call",
            put("/0/request/body/toolConfig/functionCallingConfig/allowedFunctionNames", "get_weather"),
        ),
    ],
)
def request_field_wrong_type(view: View) -> Iterator[Hit]:
    """Every field of a request must have the JSON type that the API defines for it.

    Google's parser is strict: one wrong type and the whole request is refused before a model sees it.
    """
    judged = [(view.request, REQUEST, "")]
    judged += [(declaration, DECLARATION, pointer) for declaration, pointer in declarations(view.request)]
    for value, spec, pointer in judged:
        for where, wanted, found in mistakes(value, spec, pointer, nulls=True):
            # `contents` and roles have rules of their own.
            if where != "/contents" and not where.endswith("/role"):
                yield Hit(where or None, f"the value is not {wanted}", wanted, brief(found))


@rule(
    "gemini-request-field-unknown",
    severity=Severity.WARNING,
    scope="request",
    basis="observed",
    cites=["GEM-Q-004 zed-industries/zed#44875", f"GEM-Q-015 {_TYPES} Part"],
    conforming=[
        example("gemini/answer"),
        example("gemini/snake-case"),
        example("gemini/call", put("/0/request/body/model", "m")),
    ],
    violating=[
        example("gemini/call", put("/0/request/body/stream", True)),
        example("gemini/call", put(f"{_CONTENTS}/0/content", "Hi")),
        example("gemini/answer", put(f"{_CONTENTS}/2/parts/0/functionResponse/is_error", True)),
        example("gemini/call", put("/0/request/body/tools/0/functions", [])),
        example("gemini/call", put("/0/request/body/tools/0/functionDeclarations/0/strict", True)),
    ],
)
def request_field_unknown(view: View) -> Iterator[Hit]:
    """A request must have only fields that the API defines.

    Google's parser refuses an unknown name with a 400: "Cannot find field". Other dialects' fields get in this way.
    """
    for where, name in strangers(view.request, REQUEST, ""):
        yield Hit(where, f"unknown field {name}", "a field of the message", name)
    for tool, pointer in each(view.request, "tools", ""):
        for where, name in strangers(tool, TOOL, pointer):
            if name not in FOREIGN_TOOL_FIELDS and name != "type":
                yield Hit(where, f"unknown tool {name}", "a field of Tool", name)
    for declaration, pointer in declarations(view.request):
        for where, name in strangers(declaration, DECLARATION, pointer):
            yield Hit(where, f"unknown field {name} in a function declaration", "a field of FunctionDeclaration", name)


@rule(
    "gemini-alt-missing",
    severity=Severity.INFO,
    scope="request",
    basis="observed",
    needs_complete=True,
    cites=["GEM-Q-017 google-genai 2.34 google/genai/models.py"],
    conforming=[example("gemini/stream-call"), example("gemini/array-call")],
    violating=[
        example(
            "gemini/array-call",
            put(
                "/0/request/url",
                "https://generativelanguage.googleapis.com/v1beta/models/gemini-3-flash:streamGenerateContent",
            ),
        )
    ],
)
def alt_missing(view: View) -> Iterator[Hit]:
    """The URL of a streaming request must have `alt=sse`, or `alt=json` for an array.

    Without it the response is a JSON array, which a client that expects events cannot read.
    """
    query = view.exchange.request.query
    if view.ask.stream and "alt" not in query and "$alt" not in query:
        yield Hit(None, "the URL has no `alt=sse`, so the response is a JSON array", "alt=sse")


@rule(
    "gemini-field-spellings-conflicting",
    severity=Severity.WARNING,
    scope="request",
    basis="documented",
    cites=["GEM-Q-001 protobuf.dev/programming-guides/json"],
    conforming=[example("gemini/snake-case")],
    violating=[
        example(
            "gemini/call",
            put("/0/request/body/tool_config", {}),
            put("/0/request/body/toolConfig", {}),
            at="0 request /tool_config",
        )
    ],
)
def field_spellings_conflicting(view: View) -> Iterator[Hit]:
    """A field of the body must not occur in both spellings, camelCase and snake_case.

    They are the same field to the server: one of the values is lost, or the request is refused.
    """
    body = view.request if isinstance(view.request, dict) else {}
    for name in REQUEST:
        other = snake(name)
        if other != name and name in body and other in body:
            yield Hit(f"/{other}", f"the same field as {name}", f"{name} alone", f"{name} and {other}")
