"""rewoo: a plan with all its tool calls at once, then an answer from the evidence, in the text of a plain chat.

The layout is that of the original prompts (billxbf/ReWOO): the planner writes `Plan:` lines, each with one step
`#E1 = Tool[input]`; the client runs the steps and replaces `#E1` in later inputs with the result of its step; the
solver gets plan and evidence, and answers. Inputs are JSON objects, as in LazyLLM.
"""

from __future__ import annotations

from conformance.dialects.rewoo.claims import CLOSING, HOST, announced
from conformance.dialects.text.dialect import text_dialect
from conformance.dialects.text.raw import RAW_HOST

DIALECT = text_dialect(
    name="rewoo",
    prefix="RWO",
    package=__name__,
    host=HOST,
    other_hosts=(RAW_HOST,),
    announced=announced,
    lacks={
        "tool-choice": "Tools described in text cannot be forced or forbidden.",
        "no-tool-call": "The planner answers with a plan, not with text for the user.",
        "tool-error": "The plan is written before any tool runs, so it cannot react to an error.",
    },
    reference_model="gpt-4o-mini",
    plans_ahead=True,
    line_marks=r"Plan:|#E\d+ =|Evidence:|Evidence #E\d+:",
    line_end=CLOSING,
)
