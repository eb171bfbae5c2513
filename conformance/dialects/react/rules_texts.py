"""What must hold of the labels: those of the form, of the steps so far, and of the model's reply."""

from __future__ import annotations

import re

from conformance.dialects.react.claims import BEGIN
from conformance.dialects.react.parse import ACTION, FINAL, INPUT, OBSERVATION, STOP, THOUGHT
from conformance.dialects.react.passages import TEXT, TOOL, form, history, last_steps, reply, steps
from conformance.dialects.react.prompt import QUESTION
from conformance.dialects.text.forms import (
    at_most,
    begins_with,
    closed,
    each_of,
    ends_with,
    followed,
    follows,
    never,
    not_both,
    preceded,
    some,
)
from conformance.dialects.text.rows import row

_STEP = (THOUGHT, ACTION, FINAL)
_ORDER = {
    QUESTION: _STEP,
    TEXT: _STEP,
    THOUGHT: (ACTION, FINAL),
    ACTION: (INPUT,),
    INPUT: (OBSERVATION,),
    OBSERVATION: _STEP,
    FINAL: (),
}
"""The labels that may follow each label; none may follow the final answer."""

# The prompt ----------------------------------------------------------------------------------------------------------
row(
    "react-form-incomplete",
    "REA-Q-001",
    form,
    each_of(THOUGHT, OBSERVATION, FINAL, message="the form does not announce every label"),
    requirement="The prompt must announce all labels: Thought, Action, Action Input, Observation and Final Answer.",
    why="The model invents labels for those that are missing, and the parser does not recognise them.",
)
row(
    "react-tool-names-missing",
    "REA-Q-003",
    form,
    some(TOOL, "the prompt shows the form of an action but names no tool", "the tools by name"),
    needs_complete=True,
    requirement="The prompt must name the tools that an action can use.",
    why="The model knows the form but not the tools, and invents them.",
)
row(
    "react-question-missing",
    "REA-Q-001",
    steps,
    begins_with(QUESTION, f"there is no question after `{BEGIN}`", QUESTION),
    requirement="The steps must begin with the question.",
    why="The form announces it; without it, the model does not know its task.",
)
row(
    "react-history-out-of-order",
    "REA-C-002",
    steps,
    follows(_ORDER, "the steps are not in the order of the form", "Thought, Action, Action Input, Observation"),
    requirement="The steps in a prompt must be in the order of the form.",
    why="The model imitates them: it leaves the input out, or writes two thoughts and no action.",
)
row(
    "react-history-action-incomplete",
    "REA-C-002",
    history,
    closed("action", "the action {} has no input", f"{INPUT}:"),
    requirement="Every action in the steps so far must have its input.",
    why="The model imitates its earlier steps, and leaves the input out again.",
)
row(
    "react-prompt-end-wrong",
    "REA-C-001",
    last_steps,
    ends_with((OBSERVATION, QUESTION, TEXT), "the steps do not end with an observation", STOP),
    requirement="A prompt with steps must end with an observation, and at most an open thought after it.",
    why="The model has to continue from the tool's result; otherwise it continues from its own text, or stops.",
)

# The reply -----------------------------------------------------------------------------------------------------------
row(
    "react-action-input-missing",
    "REA-R-001",
    reply,
    followed(ACTION, INPUT, "an action has no input"),
    preceded(INPUT, ACTION, "an input has no action"),
    requirement="An action must be followed by its input, and an input must follow an action.",
    why="Parsers look for the pair: without one of the two the action is not run, or the run ends in an error.",
)
row(
    "react-action-name-empty",
    "REA-R-001",
    reply,
    never(ACTION, "an action is not the name of a tool", "the name of a tool", matching=re.compile(r"\A\Z|\n")),
    requirement="An action must be the name of a tool, without other text.",
    why="The client looks the whole text up among its tools, and does not find it.",
)
row(
    "react-reply-out-of-order",
    "REA-R-001",
    reply,
    never(
        THOUGHT,
        "a second thought, or one after the action",
        "an action or an answer",
        after=(THOUGHT, ACTION, INPUT, FINAL),
    ),
    requirement="A turn of the model must have one thought, and then an action with its input or the final answer.",
    why="Clients may read a second thought as the answer.",
)
row(
    "react-actions-too-many",
    "REA-R-002",
    reply,
    at_most(1, ACTION, "one turn has {} actions"),
    requirement="A turn of the model must have at most one action.",
    why="Qwen-Agent runs only the last one, and LangChain only the first.",
)
row(
    "react-observation-unexpected",
    "REA-R-003",
    reply,
    never(OBSERVATION, "the model wrote an observation", "the turn ends before it"),
    requirement="The model must not write an observation; the client inserts it from the tool's result.",
    why="The answer relies on a result that no tool returned. The server ignored the stop sequence, or got none.",
)
row(
    "react-final-answer-missing",
    "REA-R-004",
    reply,
    some((ACTION, INPUT), "the turn has neither an action nor a final answer", f"{FINAL}:", filled=FINAL),
    requirement="A turn without an action must have a final answer.",
    why="LangChain's parser fails on it; others show the thoughts as the answer.",
)
row(
    "react-action-conflicting",
    "REA-R-005",
    reply,
    not_both(ACTION, FINAL, "the turn has an action and a final answer", "one of the two"),
    requirement="A turn must not have both an action and a final answer.",
    why="LangChain's parser refuses it; others run the action and drop the answer, which was a guess.",
)
