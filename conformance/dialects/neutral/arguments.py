"""Arguments of tool calls: a JSON object that is valid under the schema of the tool."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.judge.recorded import NotRecordedError
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model import jsontext
from conformance.model.finding import Hit, NotExercised, Severity
from conformance.model.transcript import Malformed, ToolCall, Turn
from conformance.profiles.tool_schema import Allowance, NotExercisedError, misfits


def _severity(view: View, turn: Turn, call: ToolCall, *, pieces: bool = True) -> Severity:
    """The severity of broken arguments.

    Arguments in the form of text may be the model's own mistake, unless the tool is strict; a stream of
    fragments that do not fit together is the server's fault. A reply that was cut off may end anywhere.
    Without `pieces`, what is wrong cannot come from how fragments were joined.
    """
    if turn.stop in ("length", "filter"):
        return Severity.WARNING
    tool = None if "request" in view.exchange.lacks else view.ask.tool(call.name, call.namespace)
    strict = tool is not None and tool.strict
    joined = pieces and view.streamed and view.dialect.host is None
    return Severity.ERROR if joined or strict or call.wire is None else Severity.WARNING


def _judged(view: View) -> Iterator[tuple[Turn, ToolCall]]:
    """The calls of the reply whose arguments are JSON."""
    for turn in view.replies:
        for call in turn.calls:
            if call.kind == "function":
                yield turn, call


def _of_server(view: View) -> Iterator[tuple[Turn, ToolCall]]:
    """The calls of server tools, whose arguments are text only in streams."""
    for turn in view.replies:
        for part in turn.parts:
            if isinstance(part, ToolCall) and part.kind == "server":
                yield turn, part


@rule(
    "arguments-malformed",
    scope="reply",
    cites="ANY-121",
    about="call-parts",
)
def arguments_malformed(view: View) -> Iterator[Hit]:
    """The arguments of every call in a reply must be valid JSON.

    A client cannot run the call; a client that repairs the text by guessing runs something the model did not ask for.
    It cannot send a server tool's call back either.
    """
    for turn, call in (*_judged(view), *_of_server(view)):
        if isinstance(call.arguments, Malformed) and call.wire is not None:
            yield Hit(
                call.pointer,
                f"arguments of {call.title} are not valid JSON: {call.arguments.reason}",
                "a JSON object",
                jsontext.brief(call.wire),
                severity=Severity.INFO if _is_cut(view, turn, call) else _severity(view, turn, call),
            )


def _is_cut(view: View, turn: Turn, call: ToolCall) -> bool:
    """Whether a call may be incomplete: the model was stopped, or the stream breaks off in it, or reports an error."""
    broken_off = view.streamed and turn.stop in (None, "error") and call is turn.parts[-1]
    return broken_off or turn.stop in ("length", "filter")


@rule(
    "arguments-wrong-type",
    scope="reply",
    cites="ANY-122",
    about="calls",
)
def arguments_wrong_type(view: View) -> Iterator[Hit]:
    """The arguments of every call in a reply must be a JSON object.

    Tools take named arguments. A string here is often an object that was encoded as JSON twice.
    """
    for turn, call in _judged(view):
        if not isinstance(call.arguments, (dict, Malformed)):
            yield Hit(
                call.pointer,
                f"arguments of {call.title} are not a JSON object",
                "an object",
                jsontext.brief(call.arguments),
                severity=_severity(view, turn, call, pieces=False),
            )


@rule(
    "arguments-schema-mismatch",
    scope="reply",
    cites="ANY-123",
    about="calls",
)
def arguments_schema_mismatch(view: View) -> Iterator[Hit]:
    """The arguments of every call must be valid under the schema that the request declares for the tool.

    For a strict tool the server guarantees it. Otherwise the model made a mistake, or a parser changed a value.
    """
    allowance = Allowance()
    for turn, call in _judged(view):
        tool = view.ask.tool(call.name, call.namespace)
        if tool is None or not isinstance(tool.parameters, dict) or not isinstance(call.arguments, dict):
            continue
        try:
            found = next(misfits(call.arguments, tool.parameters, allowance), None)
        except NotExercisedError as reason:
            yield NotExercised(call.pointer, str(reason))
            continue
        if found is not None:
            where, what = found
            yield Hit(
                call.pointer,
                f"arguments of {call.name} are invalid under its schema at {where or 'the root'}: {what}",
                "arguments that are valid under the declared schema",
                jsontext.brief(call.arguments),
                severity=Severity.ERROR
                if (tool.strict or _is_constrained(view)) and turn.stop not in ("length", "filter")
                else None,
            )


def _is_constrained(view: View) -> bool:
    """Whether the tool choice keeps arguments to the schemas; a log may not contain it."""
    try:
        choice = view.ask.choice
    except NotRecordedError:
        return False
    return choice is not None and choice.constrained


@rule(
    "argument-key-duplicate",
    scope="reply",
    cites="ANY-124",
    about="calls",
)
def argument_key_duplicate(view: View) -> Iterator[Hit]:
    """No object in the arguments may have a duplicate key.

    Parsers keep the first value, the last value or none, so two clients run two different calls.
    """
    for _, call in _judged(view):
        keys = jsontext.duplicate_keys(call.wire) if call.wire else []
        if keys:
            yield Hit(call.pointer, f"arguments of {call.title} have a duplicate key", "each key once", ", ".join(keys))
