"""Gemini requests: calls and responses in the history. docs/contract/gemini.md, GEM-Q-012 to 014 and GEM-C."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from conformance.dialects.gemini.wire import at, contents, get, parts
from conformance.judge.example import drop, example, insert, put
from conformance.judge.pairing import pair
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.pointer import MISSING, join

_CONTENTS = "/0/request/body/contents"
_RESULT = f"{_CONTENTS}/2/parts/0/functionResponse"
_AT_RESULT = "0 request /contents/2/parts/0/functionResponse"
_TYPES = "google-genai 2.34 google/genai/types.py"


def _each(view: View, name: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Every `functionCall` or `functionResponse` of the history, with its pointer."""
    for content, pointer in contents(view.request):
        for part, where in parts(content, pointer):
            value = get(part, name)
            if isinstance(value, dict):
                yield value, at(part, name, where)


@rule(
    "gemini-result-wrong-type",
    scope="request",
    basis="observed",
    cites=["GEM-Q-012 vercel/ai#3589", f"GEM-Q-012 {_TYPES} FunctionResponse", f"MAP-011 {_TYPES} FunctionResponse"],
    bugs=["vercel/ai#3589", "AstrBotDevs/AstrBot#7216"],
    conforming=[
        example("gemini/answer"),
        example("gemini/snake-case"),
        example("gemini/answer", put(f"{_RESULT}/response", {})),
    ],
    violating=[
        example("gemini/answer", put(f"{_RESULT}/response", 1684713600000)),
        example("gemini/answer", put(f"{_RESULT}/response", [1, 2])),
        example("gemini/answer", drop(f"{_RESULT}/response")),
    ],
)
def result_wrong_type(view: View) -> Iterator[Hit]:
    """The `response` of a function response must be a JSON object.

    It is a protobuf Struct: a bare number, string or list is refused with a 400. Without one the model learns nothing.
    """
    for result, pointer in _each(view, "functionResponse"):
        response = get(result, "response")
        if response is MISSING or response is None:
            if get(result, "parts") is MISSING:
                text = "the function response has no `response`"
                yield Hit(pointer, text, "an object", "nothing", severity=Severity.WARNING)
        elif not isinstance(response, dict):
            yield Hit(at(result, "response", pointer), "`response` is not an object", "an object", brief(response))


@rule(
    "gemini-result-name-missing",
    scope="request",
    basis="sdk-type",
    cites=[f"GEM-Q-013 {_TYPES} FunctionResponse.name"],
    conforming=[example("gemini/answer"), example("gemini/snake-case")],
    violating=[example("gemini/answer", drop(f"{_RESULT}/name")), example("gemini/answer", put(f"{_RESULT}/name", ""))],
)
def result_name_missing(view: View) -> Iterator[Hit]:
    """A function response must have the name of its function.

    The name is required: most models give their calls no id, so only the name says which call is answered.
    """
    for result, pointer in _each(view, "functionResponse"):
        name = get(result, "name")
        if not isinstance(name, str) or not name:
            where = pointer if name is MISSING else join(pointer, "name")
            yield Hit(where, "the function response has no name", "the function's name", "none")


@rule(
    "gemini-history-args-wrong-type",
    scope="request",
    basis="sdk-type",
    cites=[f"GEM-Q-014 {_TYPES} FunctionCall"],
    conforming=[
        example("gemini/answer"),
        example("gemini/answer", put(f"{_CONTENTS}/1/parts/0/functionCall/args", {})),
    ],
    violating=[
        example(
            "gemini/answer", put(f"{_CONTENTS}/1/parts/0/functionCall/args", '{"latitude": 37.57, "longitude": 126.98}')
        )
    ],
)
def history_args_wrong_type(view: View) -> Iterator[Hit]:
    """The `args` of a call in the history must be a JSON object.

    In other dialects they are a string; if a client sends that, the server refuses the request.
    """
    for call, pointer in _each(view, "functionCall"):
        args = get(call, "args")
        if args not in (MISSING, None) and not isinstance(args, dict):
            yield Hit(at(call, "args", pointer), "`args` is not an object", "an object", brief(args))


@rule(
    "gemini-result-id-missing",
    scope="request",
    basis="sdk-type",
    cites=[f"GEM-C-004 {_TYPES} FunctionCall.id"],
    bugs=["router-for-me/CLIProxyAPI#5199"],
    conforming=[example("gemini/answer"), example("gemini/legacy-run")],
    violating=[
        example("gemini/answer", drop(f"{_RESULT}/id")),
        example("gemini/answer", put(f"{_RESULT}/id", ""), at=_AT_RESULT),
    ],
)
def result_id_missing(view: View) -> Iterator[Hit]:
    """A call with an id must be answered by a function response with that id.

    With two calls of one function, only the id tells the responses apart.
    """
    for turn, following in pairwise(view.history):
        for call, result in pair(turn.calls, following.results).pairs:
            if call.id and not result.call_id:
                yield Hit(
                    result.pointer, f"the call of {call.name} has an id, but its response has none", call.id, "no id"
                )


@rule(
    "gemini-history-call-misplaced",
    scope="request",
    basis="observed",
    cites=["GEM-C-005 google-gemini/gemini-cli#11814"],
    bugs=["google-gemini/gemini-cli#11814"],
    conforming=[example("gemini/answer"), example("gemini/snake-case")],
    violating=[example("gemini/answer", drop(f"{_CONTENTS}/0"), at="0 request /contents/0/parts/0/functionCall")],
)
def history_call_misplaced(view: View) -> Iterator[Hit]:
    """A turn with calls must follow a user's turn or function responses, and must not start the history.

    When a client truncates a history just before a call, every later request gets a 400.
    """
    said = [turn for turn in view.history if turn.role != "system"]
    if said and said[0].calls:
        yield Hit(
            said[0].calls[0].pointer, "the history starts with a call", "a user's turn before it", "nothing before it"
        )


@rule(
    "gemini-last-role-wrong",
    severity=Severity.WARNING,
    scope="request",
    basis="observed",
    cites=["GEM-C-009 crewAIInc/crewAI#6973"],
    violating=[
        example("gemini/answer", drop(f"{_CONTENTS}/2"), at="0 request /contents/1"),
        example("gemini/call", insert(f"{_CONTENTS}/1", {"role": "model", "parts": [{"text": "It is"}]})),
    ],
)
def last_role_wrong(view: View) -> Iterator[Hit]:
    """The last content must be the user's or have function responses; it must not be the model's.

    There is nothing to answer: some models refuse the request, others continue their last turn.
    """
    last = None
    for content, pointer in contents(view.request):
        last = (content, pointer)
    if last is not None and last[0].get("role") == "model":
        yield Hit(last[1], "the history ends with the model's turn", "a user's turn", "model")


@rule(
    "gemini-result-role-wrong",
    severity=Severity.WARNING,
    scope="request",
    basis="observed",
    cites=["GEM-C-010 recorded traffic 117/117"],
    violating=[
        example("gemini/answer", put(f"{_CONTENTS}/2/role", "function")),
        example("gemini/answer", put(f"{_CONTENTS}/2/role", "model")),
    ],
)
def result_role_wrong(view: View) -> Iterator[Hit]:
    """Function responses must have the role `user`, and calls the role `model`.

    `function` is an old value that is no longer documented; any other role puts the part on the wrong side.
    """
    for content, pointer in contents(view.request):
        role = content.get("role", MISSING)
        for part, where in parts(content, pointer):
            if get(part, "functionResponse") is not MISSING and role not in (MISSING, "user"):
                severity = Severity.INFO if role == "function" else Severity.ERROR
                yield Hit(
                    join(pointer, "role"), "function responses must have the role user", "user", brief(role), severity
                )
                break
            if get(part, "functionCall") is not MISSING and role not in (MISSING, "model"):
                yield Hit(
                    at(part, "functionCall", where),
                    "a call must have the role model",
                    "model",
                    brief(role),
                    Severity.ERROR,
                )
                break
