"""The client's text: the form, the tools, a stop sequence, and an observation for each action."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.react.claims import BEGIN, prompts
from conformance.dialects.react.parse import FINAL, OBSERVATION, STOP, THOUGHT, scan
from conformance.dialects.react.request import described_in, names_in
from conformance.dialects.text.host_texts import history_texts
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief

_AGENT = "QwenLM/Qwen-Agent qwen_agent/agents/react_chat.py"


@rule(
    "react-form-incomplete",
    scope="request",
    cites="REA-Q-001",
)
def react_form_incomplete(view: View) -> Iterator[Hit]:
    """The prompt must announce all labels: Thought, Action, Action Input, Observation and Final Answer.

    The model invents labels for those that are missing, and the parser does not recognise them.
    """
    for text, pointer in prompts(view.request):
        labels = {segment.label for segment in scan(text)}
        missing = [label for label in (THOUGHT, OBSERVATION, FINAL) if label not in labels]
        if missing:
            yield Hit(pointer, "the form does not announce every label", ", ".join(missing), "other labels only")


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
                f"{sorted(described)}",
                f"{sorted(names)}",
            )


@rule(
    "react-tool-names-missing",
    scope="request",
    needs_complete=True,
    cites="REA-Q-003",
)
def react_tool_names_missing(view: View) -> Iterator[Hit]:
    """The prompt must name the tools that an action can use.

    The model knows the form but not the tools, and invents them.
    """
    for _, pointer in prompts(view.request):
        if view.ask.tools is None:
            yield Hit(pointer, "the prompt shows the form of an action but names no tool", "the tools by name", "none")


@rule(
    "react-prompt-end-wrong",
    scope="request",
    cites="REA-C-001",
)
def react_prompt_end_wrong(view: View) -> Iterator[Hit]:
    """A prompt with steps must end with an observation, and at most an open thought after it.

    The model has to continue from the tool's result; otherwise it continues from its own text, or stops.
    """
    parts = list(history_texts(view, "user"))
    if not parts or f"\n{BEGIN}" not in parts[-1].text:
        return
    segments = [each for each in scan(parts[-1].text.partition(f"\n{BEGIN}")[2]) if each.label is not None]
    while segments and segments[-1].label == THOUGHT and not segments[-1].body:
        segments.pop()
    if segments and segments[-1].label != OBSERVATION:
        yield Hit(parts[-1].pointer, "the steps do not end with an observation", STOP, f"{segments[-1].label}:")


@rule(
    "react-history-action-incomplete",
    scope="request",
    cites="REA-C-002",
)
def react_history_action_incomplete(view: View) -> Iterator[Hit]:
    """Every action in the steps so far must have its input.

    The model imitates its earlier steps, and leaves the input out again.
    """
    for turn in view.ask.history:
        for call in turn.calls:
            if call.wire is None:
                yield Hit(call.pointer, f"the action {brief(call.name)} has no input", "Action Input:", "none")
                break
