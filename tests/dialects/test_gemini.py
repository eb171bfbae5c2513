"""The gemini dialect: what its readers make of the wire, and what its renderer puts on it."""

import copy
import json
from functools import cache
from typing import Any

import pytest

from conformance.dialects.gemini import DIALECT
from conformance.dialects.gemini.partial import merge_pieces
from conformance.dialects.gemini.render import answer, failure
from conformance.dialects.gemini.schema import to_json_schema
from conformance.dialects.gemini.wire import camel, generation, signature_bytes, snake
from conformance.judge.checker import Checker
from conformance.judge.proofs.example import Example, base_names
from conformance.judge.view import View
from conformance.model.exchange import Body, Exchange, Headers, Request, Response
from conformance.model.rendered import IdFactory
from conformance.model.transcript import Ask, Choice, Reasoning, Text, ToolCall, ToolResult, Turn
from tests.sampling import sample

HOST = "https://generativelanguage.googleapis.com/v1beta/models/"
CALL = {"functionCall": {"name": "get_weather", "args": {"place": "Seoul"}}}
RESULT = {"functionResponse": {"name": "get_weather", "response": {"output": 14}}}


def request(body: Any, method: str = "generateContent", model: str = "gemini-2.5-flash") -> Request:
    headers = Headers([("content-type", "application/json"), ("x-goog-api-key", "REDACTED")])
    return Request("POST", f"{HOST}{model}:{method}", headers, Body(body))


def ask(body: Any) -> Ask:
    return DIALECT.readers.read_request(request(body), body)


def stream(body: Any, method: str = "streamGenerateContent?alt=sse", kind: str = "text/event-stream") -> View:
    response = Response(200, Headers([("content-type", kind)]), Body(body))
    return View(
        Exchange(request({"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}, method), response), DIALECT
    )


def chunk(*parts: Any, finish: Any = None, **more: Any) -> dict[str, Any]:
    candidate = {"content": {"parts": list(parts), "role": "model"}, **({"finishReason": finish} if finish else {})}
    return {"candidates": [{**candidate, **more}]}


def sse(*bodies: Any) -> str:
    return "".join(f"data: {json.dumps(body)}\r\n\r\n" for body in bodies)


@pytest.mark.parametrize(
    ("url", "claimed"),
    [
        (f"{HOST}gemini-2.5-flash:generateContent?key=REDACTED", True),
        (
            "http://localhost:8787/google-vertex/v1beta1/publishers/google/models/gemini-3-pro:streamGenerateContent",
            True,
        ),
        ("https://us-central1-aiplatform.googleapis.com/v1/projects/p/locations/l/endpoints/123:generateContent", True),
        (f"{HOST}gemini-2.5-flash:countTokens", False),
        (f"{HOST}gemini-embedding-001:embedContent", False),
        ("https://generativelanguage.googleapis.com/v1beta/interactions", False),
        ("https://x-aiplatform.googleapis.com/v1/publishers/anthropic/models/claude:rawPredict", False),
    ],
)
def test_it_claims_generate_content_on_any_host_and_nothing_else(url: str, claimed: bool) -> None:  # noqa: FBT001
    assert DIALECT.claims(Request("POST", url)) is claimed
    assert not DIALECT.claims(Request("GET", url))


def test_model_and_stream_come_from_the_url() -> None:
    found = DIALECT.readers.read_request(request({}, "streamGenerateContent", "gemini-3-flash%2Dpreview"), {})
    assert (found.model, found.stream) == ("gemini-3-flash-preview", True)


def test_both_spellings_read_alike_and_pointers_name_the_key_that_stands_there() -> None:
    camel_case = {
        "contents": [
            {"role": "user", "parts": [{"text": "Hi"}]},
            {"role": "model", "parts": [{**CALL, "thoughtSignature": "Eg=="}]},
            {"role": "user", "parts": [RESULT]},
        ],
        "systemInstruction": {"parts": [{"text": "Be brief."}]},
        "tools": [{"functionDeclarations": [{"name": "get_weather", "parametersJsonSchema": {"type": "object"}}]}],
        "toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": ["get_weather"]}},
    }

    def snaked(value: Any) -> Any:
        if isinstance(value, dict):
            return {snake(key): snaked(each) for key, each in value.items()}
        return [snaked(each) for each in value] if isinstance(value, list) else value

    one, other = ask(camel_case), ask(snaked(camel_case))
    assert [part.pointer for turn in other.history for part in turn.parts] == [
        snake(part.pointer) for turn in one.history for part in turn.parts
    ]
    assert other.history[2].parts[0].pointer == "/contents/1/parts/0/function_call"
    assert one.history[2].calls[0].signature == other.history[2].calls[0].signature == "Eg=="
    assert one.tool("get_weather") is not None
    assert other.tools is not None
    assert one.tools is not None
    assert one.tools[0].parameters == other.tools[0].parameters
    assert one.choice == Choice("named", ("get_weather",), "/toolConfig/functionCallingConfig", constrained=True)
    assert other.choice == Choice("named", ("get_weather",), "/tool_config/function_calling_config", constrained=True)


@pytest.mark.statement("0.3.4", "GEM-C-002")
def test_consecutive_contents_of_one_role_are_one_turn() -> None:
    body = {
        "contents": [
            {"role": "user", "parts": [{"text": "One"}]},
            {"role": "user", "parts": [{"text": "Two"}]},
            {"role": "model", "parts": [CALL]},
            {"role": "model", "parts": [CALL]},
            {"role": "function", "parts": [RESULT]},
            {"role": "user", "parts": [RESULT]},
        ]
    }
    history = ask(body).history
    assert [turn.role for turn in history] == ["user", "assistant", "tool"]
    assert [call.pointer for call in history[1].calls] == [
        "/contents/2/parts/0/functionCall",
        "/contents/3/parts/0/functionCall",
    ]
    assert len(history[2].results) == 2


@pytest.mark.parametrize(
    ("mode", "choice"),
    [
        ("ANY", "required"),
        ("any", "required"),
        (2, "required"),
        ("NONE", "none"),
        ("AUTO", "auto"),
        ("VALIDATED", "auto"),
    ],
)
def test_calling_modes(mode: Any, choice: str) -> None:
    found = ask(
        {"tools": [{"functionDeclarations": [{"name": "f"}]}], "toolConfig": {"functionCallingConfig": {"mode": mode}}}
    ).choice
    assert found is not None
    assert found.mode == choice


def test_a_call_that_no_tool_can_answer_is_not_required() -> None:
    wanted = {"toolConfig": {"functionCallingConfig": {"mode": "ANY", "allowedFunctionNames": []}}}
    assert ask(wanted | {"tools": [{"googleSearch": {}}]}).choice is None


def test_parts_of_every_kind() -> None:
    parts = [
        {"text": "I think.", "thought": True},
        {"text": "Here.", "thoughtSignature": "Eg=="},
        {"executableCode": {"language": "PYTHON", "code": "1"}},
        {"codeExecutionResult": {"outcome": "OUTCOME_OK", "output": "1"}},
        CALL,
        {"inlineData": {"mimeType": "image/png", "data": ""}},
    ]
    turn = DIALECT.readers.read_reply(chunk(*parts, finish="STOP"))[0]
    assert [type(part).__name__ for part in turn.parts] == [
        "Reasoning",
        "Text",
        "Reasoning",
        "ToolCall",
        "ToolResult",
        "ToolCall",
        "Unknown",
    ]
    assert turn.text == "Here."
    assert len(turn.calls) == 1
    assert turn.results == ()


@pytest.mark.parametrize(
    ("finish", "call", "stop"),
    [
        ("STOP", False, "end"),
        ("STOP", True, "tool-calls"),
        (1, True, "tool-calls"),
        ("MAX_TOKENS", True, "length"),
        (2, False, "length"),
        ("SAFETY", False, "filter"),
        ("MALFORMED_FUNCTION_CALL", False, "error"),
        ("LANGUAGE", False, "other"),
        ("NEW_REASON", False, "other"),
        (99, False, "other"),
    ],
)
def test_stop_reasons(finish: Any, call: bool, stop: str) -> None:  # noqa: FBT001
    body = chunk(CALL if call else {"text": "x"}, finish=finish)
    assert DIALECT.readers.read_reply(body)[0].stop == stop
    assert stream(sse(body)).replies[0].stop == stop


def test_a_blocked_prompt_is_a_filtered_turn() -> None:
    body = {"promptFeedback": {"blockReason": "SAFETY"}}
    for turns in (DIALECT.readers.read_reply(body), stream(sse(body)).replies):
        assert [(turn.stop, turn.stop_wire, turn.parts) for turn in turns] == [("filter", "SAFETY", ())]
        assert [turn.stop_pointer.endswith("/promptFeedback/blockReason") for turn in turns] == [True]


@pytest.mark.statement("GEM-S-006")
def test_a_stream_adds_up_to_the_plain_turn() -> None:
    view = stream(
        sse(
            chunk({"text": "I ", "thought": True}),
            chunk({"text": "think.", "thought": True}, index=0),
            chunk({"text": "Hel"}),
            chunk({"text": "lo"}),
            chunk(CALL),
            chunk({"text": "", "thoughtSignature": "Eg=="}, finish="STOP"),
        )
    )
    assert view.replies[0].parts == (
        Reasoning("I think.", None, "event/0/candidates/0/content/parts/0/text"),
        Text("Hello", "event/2/candidates/0/content/parts/0/text"),
        ToolCall(None, "get_weather", {"place": "Seoul"}, "event/4/candidates/0/content/parts/0/functionCall"),
        Reasoning(None, "Eg==", "event/5/candidates/0/content/parts/0/text"),
    )


def test_candidates_of_a_stream_are_told_apart_by_index() -> None:
    view = stream(sse(chunk({"text": "a"}), chunk({"text": "b"}, index=1), chunk({"text": "c"}, finish="STOP")))
    assert [turn.text for turn in view.replies] == ["ac", "b"]


ARRAY = [chunk({"text": "a"}), chunk({"text": "b"}, finish="STOP")]


@pytest.mark.parametrize(
    "body",
    [
        sse(*ARRAY),
        sse(*ARRAY).replace("\r\n", "\n"),
        ARRAY,
        json.dumps(ARRAY),
        (",\r\n".join(json.dumps(each, indent=2) + "\n" for each in ARRAY)).join("[]"),
    ],
    ids=["crlf", "lf", "recorded list", "array", "array as sent"],
)
def test_every_form_of_a_stream_reads_alike(body: Any) -> None:
    kind = "text/event-stream" if isinstance(body, str) and body.startswith("data") else "application/json"
    view = stream(body, "streamGenerateContent", kind)
    assert view.streamed
    assert view.replies[0].text == "ab"
    assert view.replies[0].stop == "end"


def test_of_a_torn_array_the_whole_elements_are_read_and_the_rest_is_kept() -> None:
    view = stream(json.dumps(ARRAY)[:-20], "streamGenerateContent", "application/json")
    assert view.events is not None
    assert [event.complete for event in view.events] == [True, False]
    assert view.replies[0].text == "a"


def test_a_bare_error_in_the_middle_of_events_is_seen() -> None:
    error = {"error": {"code": 503, "message": "Overloaded.", "status": "UNAVAILABLE"}}
    view = stream(sse(ARRAY[0]) + json.dumps(error, indent=2) + "\r\n\r\n" + sse(ARRAY[1]))
    assert view.events is not None
    assert [event.number for event in view.events] == [0, 1, 2]
    assert view.events[1].json == error
    found = Checker().feed(view.exchange)
    assert [each.pointer for each in found if each.rule == "gemini-stream-event-after-error-unexpected"] == ["event/2"]


def test_arguments_that_come_in_pieces() -> None:
    def piece(**call: Any) -> dict[str, Any]:
        return {"functionCall": call}

    view = stream(
        sse(
            chunk(piece(name="get_weather", id="a", willContinue=True)),
            chunk(
                piece(
                    partialArgs=[{"jsonPath": "$.place", "stringValue": "Se", "willContinue": True}], willContinue=True
                )
            ),
            chunk(piece(partialArgs=[{"jsonPath": "$.place", "stringValue": "oul"}], willContinue=True)),
            chunk(piece(partialArgs=[{"jsonPath": "$.days[1].n", "numberValue": 2}], willContinue=True)),
            chunk(piece()),
            chunk(CALL, finish="STOP"),
        )
    )
    calls = view.replies[0].calls
    assert [(call.id, call.arguments) for call in calls] == [
        ("a", {"place": "Seoul", "days": [None, {"n": 2}]}),
        (None, {"place": "Seoul"}),
    ]


def test_a_broken_path_of_a_piece_fills_no_memory() -> None:
    call = {"partialArgs": [{"jsonPath": "$.a[999999999]", "boolValue": True}, {"jsonPath": 7}, "x"]}
    assert merge_pieces({}, call) == {"a": []}


@pytest.mark.parametrize(
    ("schema", "plain"),
    [
        (
            {"type": "OBJECT", "properties": {"n": {"type": 3}}},
            {"type": "object", "properties": {"n": {"type": "integer"}}},
        ),
        ({"type": "STRING", "nullable": True, "enum": ["a"]}, {"type": ["string", "null"], "enum": ["a", None]}),
        ({"any_of": [{"type": "NUMBER"}], "nullable": True}, {"anyOf": [{"type": "number"}, {"type": "null"}]}),
        (
            {"type": "ARRAY", "min_items": "2", "items": {"type": "BOOLEAN"}},
            {"type": "array", "minItems": 2, "items": {"type": "boolean"}},
        ),
        ({"type": "INTEGER", "format": "enum", "enum": ["1"]}, {"type": "integer", "enum": ["1", 1.0]}),
        ({"ref": "#/defs/A", "defs": {"A": {"type": "NULL"}}}, {"$ref": "#/$defs/A", "$defs": {"A": {"type": "null"}}}),
        ({"type": "TYPE_UNSPECIFIED", "propertyOrdering": ["a"], "example": 1}, {}),
        ({"type": "strng", "const": 1}, {"type": "strng", "const": 1}),
        (7, 7),
    ],
)
def test_schemas_become_json_schema(schema: Any, plain: Any) -> None:
    assert to_json_schema(schema) == plain


def test_names_and_signatures() -> None:
    assert (snake("allowedFunctionNames"), camel("allowed_function_names")) == (
        "allowed_function_names",
        "allowedFunctionNames",
    )
    assert [generation(name) for name in ("gemini-3-pro", "models/gemini-2.5-flash", "gemini-flash-latest", None)] == [
        3,
        2.5,
        None,
        None,
    ]
    assert signature_bytes("-_8=") == signature_bytes("+/8") != signature_bytes("+/0")
    assert signature_bytes("not base64!") == b"not base64!"


def test_a_result_of_nothing_but_an_error_is_an_error() -> None:
    result = {"functionResponse": {"name": "x", "response": {"error": "down"}}}
    turn = ask({"contents": [{"role": "user", "parts": [result]}]}).history[0]
    assert turn.results == (ToolResult(None, "x", {"error": "down"}, True, "/contents/0/parts/0/functionResponse"),)


TURNS = [
    Turn("assistant", (Text("Warm: 14 °C. 서울은 따뜻합니다, and more of the same to fill a chunk."),), stop="end"),
    Turn(
        "assistant",
        (Text("I look."), ToolCall(None, "get_weather", {"latitude": 1, "longitude": 2})),
        stop="tool-calls",
    ),
    Turn(
        "assistant",
        (
            ToolCall(None, "get_weather", {"latitude": 1, "longitude": 2}),
            ToolCall(None, "get_weather", {"latitude": 3, "longitude": 4}),
        ),
        stop="tool-calls",
    ),
    Turn("assistant", (Text("Cut"),), stop="length"),
]


@pytest.mark.parametrize("turn", TURNS)
@pytest.mark.parametrize("model", ["gemini-2.0-flash", "gemini-2.5-flash", "gemini-3-flash-preview"])
@pytest.mark.parametrize(
    "method",
    [
        "generateContent",
        "streamGenerateContent?alt=sse",
        "streamGenerateContent?alt=json",
        "generateContent?$alt=json;enum-encoding=int",
    ],
)
def test_what_is_rendered_reads_back_and_has_no_finding(turn: Turn, model: str, method: str) -> None:
    body = Example("gemini/call").records()[0]["request"]["body"]
    sent = request(body, method, model)
    rendered = answer(turn, DIALECT.readers.read_request(sent, body), sent, IdFactory("test"))
    exchange = Exchange(sent, rendered.response, complete=True)
    assert Checker().feed(exchange) == []
    reply = View(exchange, DIALECT).replies[0]
    assert reply.text == turn.text
    assert [(call.name, call.arguments) for call in reply.calls] == [(call.name, call.arguments) for call in turn.calls]
    assert reply.stop == turn.stop
    assert bool(reply.calls and reply.calls[0].id) is bool(turn.calls and model.startswith("gemini-3"))


@pytest.mark.parametrize("status", [400, 401, 403, 404, 429, 500, 503, 504, 418])
@pytest.mark.parametrize("method", ["generateContent", "streamGenerateContent", "streamGenerateContent?alt=sse"])
def test_rendered_failures_have_the_right_shape(status: int, method: str) -> None:
    sent = request({"contents": [{"parts": [{"text": "Hi"}]}]}, method)
    rendered = failure(status, "API key not valid.", sent, IdFactory("test"))
    exchange = Exchange(sent, rendered.response)
    assert Checker().feed(exchange) == []
    assert "retry-after" not in Headers(rendered.headers)


JUNK: list[Any] = [None, True, -1, "x", [None], {"a": 1}]


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Any:
    yield path
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _paths(each, (*path, key))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _paths(each, (*path, number))


@cache
def spoilt() -> list[tuple[str, tuple[Any, ...], Any]]:
    """Bases, each with a place in a body and what is put there."""
    return sample(
        (
            (base, path, junk)
            for base in base_names("gemini")
            for path in _paths(Example(f"gemini/{base}").records())
            if len(path) > 2 and path[2] == "body"
            for junk in JUNK
        ),
        lambda each: (tuple("*" if isinstance(step, int) else step for step in each[1]), repr(each[2])),
        lambda each: each[0],
        risk="a rule that fails on a value because of what stands elsewhere in the exchange",
    )


@pytest.mark.parametrize("base", base_names("gemini"))
def test_any_json_anywhere_raises_nothing(base: str) -> None:
    checker = Checker()
    document = Example(f"gemini/{base}").records()
    for _, path, junk in (each for each in spoilt() if each[0] == base):
        mutant = copy.deepcopy(document)
        holder: Any = mutant
        for step in path[:-1]:
            holder = holder[step]
        holder[path[-1]] = copy.deepcopy(junk)
        for record in mutant:
            checker.feed(Exchange.of(record, complete=True, group=str(path) + repr(junk)))
    assert checker.summary.harness_errors == []
