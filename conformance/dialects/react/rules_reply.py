"""The model's text: one action with its input, or a final answer, and no observation."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.react.parse import ACTION, INPUT, OBSERVATION, Segment, scan
from conformance.dialects.react.parse import FINAL as FINAL_LABEL
from conformance.dialects.text.host_texts import reply_texts
from conformance.dialects.text.reading import CUT
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief
from conformance.model.transcript import Text, Turn

_AGENT = "QwenLM/Qwen-Agent qwen_agent/agents/react_chat.py"
_PARSER = "langchain-ai/langchain libs/langchain/langchain/agents/output_parsers/react_single_input.py"
_SCHEMA = "QwenLM/Qwen-Agent qwen_agent/utils/utils.py get_function_description"


def _scanned(view: View) -> Iterator[tuple[Turn, Text, list[Segment]]]:
    """The texts of a reply with their segments, up to an observation that the model wrote itself."""
    for turn, part in reply_texts(view):
        segments: list[Segment] = []
        for segment in scan(part.text):
            if segment.label == OBSERVATION:
                break
            segments.append(segment)
        yield turn, part, segments


def _count(segments: list[Segment], label: str) -> int:
    return sum(segment.label == label for segment in segments)


@rule(
    "react-action-input-missing",
    scope="reply",
    cites="REA-R-001",
)
def react_action_input_missing(view: View) -> Iterator[Hit]:
    """An action must be followed by its input, and an input must follow an action.

    Parsers look for the pair: without one of the two the action is not run, or the run ends in an error.
    """
    for turn, part, segments in _scanned(view):
        labels = [segment.label for segment in segments]
        for number, label in enumerate(labels):
            other = labels[number + 1 : number + 2] if label == ACTION else labels[max(0, number - 1) : number]
            wanted = {ACTION: INPUT, INPUT: ACTION}.get(label or "")
            at_the_end = number == len(labels) - 1 and turn.stop in CUT
            if wanted and other != [wanted] and not at_the_end:
                yield Hit(part.pointer, f"{label} without its counterpart", f"{wanted}:", brief(segments[number].body))
                break


@rule(
    "react-action-name-empty",
    scope="reply",
    cites="REA-R-001",
)
def react_action_name_empty(view: View) -> Iterator[Hit]:
    """An action must be the name of a tool, without other text.

    The client looks the whole text up among its tools, and does not find it.
    """
    for turn, part, segments in _scanned(view):
        for number, segment in enumerate(segments):
            at_the_end = number == len(segments) - 1 and turn.stop in CUT
            if segment.label == ACTION and (not segment.body or "\n" in segment.body) and not at_the_end:
                yield Hit(
                    part.pointer, "an action is not the name of a tool", "the name of a tool", brief(segment.body)
                )
                break


@rule(
    "react-actions-too-many",
    scope="reply",
    cites="REA-R-002",
)
def react_actions_too_many(view: View) -> Iterator[Hit]:
    """A turn of the model must have at most one action.

    Qwen-Agent runs only the last one, and LangChain only the first.
    """
    for _, part, segments in _scanned(view):
        count = _count(segments, ACTION)
        if count > 1:
            yield Hit(part.pointer, f"one turn has {count} actions", "one action", f"{count} actions")


@rule(
    "react-observation-unexpected",
    scope="reply",
    cites="REA-R-003",
)
def react_observation_unexpected(view: View) -> Iterator[Hit]:
    """The model must not write an observation; the client inserts it from the tool's result.

    The answer relies on a result that no tool returned. The server ignored the stop sequence, or got none.
    """
    for _, part in reply_texts(view):
        found = next((segment for segment in scan(part.text) if segment.label == OBSERVATION), None)
        if found is not None:
            yield Hit(part.pointer, "the model wrote an observation", "the turn ends before it", brief(found.body))


@rule(
    "react-final-answer-missing",
    scope="reply",
    cites="REA-R-004",
)
def react_final_answer_missing(view: View) -> Iterator[Hit]:
    """A turn without an action must have a final answer.

    LangChain's parser fails on it; others show the thoughts as the answer.
    """
    for turn, part, segments in _scanned(view):
        acts = _count(segments, ACTION) or _count(segments, INPUT)
        answered = any(segment.label == FINAL_LABEL and segment.body for segment in segments)
        if not acts and not answered and turn.stop not in CUT:
            yield Hit(
                part.pointer, "the turn has neither an action nor a final answer", f"{FINAL_LABEL}:", brief(part.text)
            )


@rule(
    "react-action-conflicting",
    scope="reply",
    cites="REA-R-005",
)
def react_action_conflicting(view: View) -> Iterator[Hit]:
    """A turn must not have both an action and a final answer.

    LangChain's parser refuses it; others run the action and drop the answer, which was a guess.
    """
    for _, part, segments in _scanned(view):
        if _count(segments, ACTION) and _count(segments, FINAL_LABEL):
            yield Hit(part.pointer, "the turn has an action and a final answer", "one of the two", "both")


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
