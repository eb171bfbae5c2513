"""The stop sequence, the tools of the form, and the type of an input."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.react.claims import prompts
from conformance.dialects.react.parse import OBSERVATION, STOP
from conformance.dialects.react.request import described_in, names_in
from conformance.dialects.text.reading import CUT
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief


@rule(
    "react-stop-word-missing",
    scope="request",
    needs_complete=True,
    cites="REA-Q-002",
)
def react_stop_word_missing(view: View) -> Iterator[Hit]:
    """The request must have a stop sequence for `Observation:`.

    Without it, the model continues and invents the tool's result.
    """
    stop = view.request.get("stop") if isinstance(view.request, dict) else None
    words = [stop] if isinstance(stop, str) else stop if isinstance(stop, list) else []
    if not any(isinstance(word, str) and word.strip().startswith(OBSERVATION) for word in words):
        pointer = None if stop is None else "/stop"
        yield Hit(pointer, "no stop sequence matches the observation's label", STOP, brief(stop))


@rule(
    "react-tool-undeclared",
    scope="request",
    cites="REA-Q-003",
)
def react_tool_undeclared(view: View) -> Iterator[Hit]:
    """The tools that the form names must be those that the prompt describes.

    The model guesses the arguments of a tool without a description.
    """
    for text, pointer in prompts(view.request):
        described, names = set(described_in(text)), set(names_in(text))
        if described and names and described != names:
            yield Hit(
                pointer,
                "the form names other tools than the prompt describes",
                brief(sorted(described)),
                brief(sorted(names)),
            )


@rule(
    "react-input-wrong-type",
    scope="reply",
    cites="REA-R-006",
)
def react_input_wrong_type(view: View) -> Iterator[Hit]:
    """The input of an action must be one JSON object if the prompt gives the tool's schema.

    Otherwise the tool is called with a string instead of its arguments.
    """
    for turn in view.replies:
        for number, call in enumerate(turn.calls):
            tool = view.ask.tool(call.name)
            at_the_end = number == len(turn.calls) - 1 and turn.stop in CUT
            if tool is None or not isinstance(tool.parameters, dict) or call.wire is None or at_the_end:
                continue
            if not isinstance(call.arguments, dict):
                yield Hit(
                    call.pointer, f"the input of {call.name} is not a JSON object", "a JSON object", brief(call.wire)
                )
                break
