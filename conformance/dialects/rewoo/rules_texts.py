"""What must hold of the prompts and the replies of planner and solver, each text for itself."""

from __future__ import annotations

import re

from conformance.dialects.rewoo.passages import answer, plan, planned, planner, solved, solver, tasks
from conformance.dialects.text.forms import EMPTY, at_most, closed, followed, never, numbered, preceded, some
from conformance.dialects.text.rows import row

_STEP = "#E1 = Tool[input]"
_LINES = ("plan", "step")

# The planner's prompt ------------------------------------------------------------------------------------------------
row(
    "rewoo-form-incomplete",
    "RWO-Q-001",
    planner,
    some("form", "the prompt does not show the form of a step", _STEP),
    requirement="The planner's prompt must show a step: `#E1 = Tool[input]`.",
    why="Otherwise the model invents a form, which no pattern matches.",
)
row(
    "rewoo-tool-names-missing",
    "RWO-Q-002",
    planner,
    some("tool", "the prompt shows the form of a plan but names no tool", "the tools by name"),
    needs_complete=True,
    requirement="The planner's prompt must name the tools, each as `Tool[input]: what it does`.",
    why="The model knows the form but not the tools, and invents them.",
)
row(
    "rewoo-task-missing",
    "RWO-Q-003",
    tasks,
    some("task", "the prompt has no task at its end", "the task"),
    requirement="The prompts of the planner and of the solver must end with the task.",
    why="Without it, the model does not know what to plan or to answer.",
)

# The plan ------------------------------------------------------------------------------------------------------------
row(
    "rewoo-plan-missing",
    "RWO-R-001",
    planned,
    some("step", "the planner wrote no step", _STEP),
    requirement="The planner's reply must have at least one step.",
    why="Otherwise no tool runs, and the solver answers from an empty plan, or the client fails on it.",
)
row(
    "rewoo-step-malformed",
    "RWO-R-001",
    planned,
    never("broken", "a step is malformed", _STEP),
    requirement="A line that begins with `#E` must be a step: id, equals sign, tool name, and input in brackets.",
    why="Clients find steps with a pattern, and do not run a step that does not match it.",
)
row(
    "rewoo-plan-incomplete",
    "RWO-R-002",
    plan,
    followed("plan", "step", "a plan has no step", among=_LINES),
    preceded("step", "plan", "a step has no plan of its own", among=_LINES),
    requirement="Each plan must be followed by one step, and each step must have a plan before it.",
    why="The original counts the plans and looks evidence up by that number: it fails, or puts evidence under the "
    "wrong plan.",
)
row(
    "rewoo-step-id-out-of-order",
    "RWO-R-003",
    plan,
    numbered("step", "#E{}", "the steps are not numbered in order"),
    requirement="The ids of the steps must be `#E1`, `#E2` and so on.",
    why="The original gives the solver the evidence of `#E1` with the first plan, whatever the id of its step is.",
)
row(
    "rewoo-steps-too-many",
    "RWO-R-004",
    plan,
    at_most(9, "step", "the plan has {} steps"),
    requirement="A plan should have at most nine steps.",
    why="The original reads ids of one digit: it does not run the step `#E10`, and there is no evidence for it.",
)
row(
    "rewoo-input-unclosed",
    "RWO-R-005",
    plan,
    closed("step", "the input of {} is not closed on its line", "]"),
    requirement="The bracket that closes an input must be on the line of its step.",
    why="The original reads a plan line by line and drops the last character of each step: the input loses its end.",
)
row(
    "rewoo-input-ambiguous",
    "RWO-R-005",
    plan,
    never("step", "the input of {} contains a bracket", "no ]", matching=re.compile(r"\A(?!\{)[^\]]*\]")),
    requirement="An input that is not a JSON object should not contain a closing bracket.",
    why="The original reads the input up to the end of the line, LangGraph and LazyLLM up to the first bracket: the "
    "tool gets a different text.",
)
row(
    "rewoo-evidence-unexpected",
    "RWO-R-011",
    plan,
    never("evidence", "the planner wrote evidence", "plans and steps"),
    requirement="The planner must not write evidence; the client inserts it from the tools' results.",
    why="No tool has run yet, so the evidence is invented; a client that keeps the planner's text sends it to the "
    "solver like a result.",
)
row(
    "rewoo-plan-mark-repeated",
    "RWO-R-014",
    plan,
    never(
        "plan",
        "a plan begins with two labels",
        "`Plan:` once",
        matching=re.compile(r"\A[ \t]*Plan(?:[ \t]+\d+)?[ \t]*:"),
    ),
    requirement="A plan must begin with one `Plan:`.",
    why="Clients read a second one as text of the plan, and the solver gets an empty plan before it.",
)
row(
    "rewoo-plan-empty",
    "RWO-R-016",
    plan,
    never("plan", "a plan has no words", "why the step is taken", matching=EMPTY, right_before="step"),
    requirement="A plan must have words before its step.",
    why="The original gives the solver plans and evidence without the steps: the evidence is then below nothing.",
)
row(
    "rewoo-plan-text-unexpected",
    "RWO-R-015",
    plan,
    never(
        "text",
        "there is text outside of plans and steps",
        "plans and steps",
        matching=re.compile(r"\w"),
        after=("plan", "step", "broken", "evidence"),
    ),
    requirement="From its first line on, a plan must have no other text than its plans and steps.",
    why="The original drops other lines, and reads text after a bracket as part of the input; LangGraph does not run a "
    "step with such text between it and its plan.",
)

# The solver's prompt -------------------------------------------------------------------------------------------------
row(
    "rewoo-evidence-missing",
    "RWO-Q-004",
    solver,
    followed("plan", "evidence", "a plan has no evidence below it", unless="step"),
    requirement="If the solver gets plans without their steps, each plan must have evidence below it.",
    why="Otherwise the solver knows what was planned but not the result, and invents it.",
)
row(
    "rewoo-evidence-empty",
    "RWO-Q-004",
    solver,
    never("evidence", "a piece of evidence is empty", "the tool's result", matching=EMPTY),
    requirement='Evidence must not be empty; the original writes "No evidence found" if a step has no result.',
    why="The solver cannot tell a tool that returned nothing from a lost result.",
)
row(
    "rewoo-evidence-mark-repeated",
    "RWO-Q-005",
    solver,
    never(
        "evidence",
        "evidence begins with two labels",
        "`Evidence:` once",
        matching=re.compile(r"\AEvidence(?:[ \t]*\(?#E\d+\)?)?[ \t]*:"),
    ),
    requirement="Evidence must begin with one `Evidence:`.",
    why="If client and tool both write it, the solver reads empty evidence, or the label as part of the result.",
)
row(
    "rewoo-evidence-out-of-order",
    "RWO-Q-006",
    solver,
    never("unnamed", "evidence is above its step", "below it", right_after="plan", right_before="step"),
    requirement="Evidence that names no step must be below its step, not between a plan and its step.",
    why="The solver reads it as the result of another step, or of no step.",
)

# The answer ----------------------------------------------------------------------------------------------------------
row(
    "rewoo-answer-missing",
    "RWO-R-012",
    answer,
    some("answer", "the solver wrote no answer", "an answer for the user"),
    requirement="The solver's reply must have an answer.",
    why="The run ends with this reply, so the user gets no answer.",
)
row(
    "rewoo-answer-step-unexpected",
    "RWO-R-012",
    solved,
    never("step", "the solver wrote a step", "an answer for the user"),
    requirement="The solver's reply must not have a step.",
    why="The run ends with this reply: the tool does not run, and the user sees the markup.",
)
row(
    "rewoo-answer-reference-leaked",
    "RWO-R-013",
    solved,
    never(
        ("text", "plan", "broken", "evidence"),
        "the answer names evidence by its id",
        "the content of the evidence",
        matching=re.compile(r"#E\d+"),
    ),
    requirement="The answer should not name evidence by its id.",
    why="The user does not know the ids, which planner, client and solver use.",
)
