"""react: Thought, Action, Action Input, Observation and Final Answer as lines of a plain chat.

The layout is Qwen-Agent's (`qwen_agent/agents/react_chat.py`), that of the original prompts with a JSON object as
the input; LangChain's parser reads it too. The client sets the stop sequence `Observation:`.
"""

from __future__ import annotations

from conformance.dialects.react.claims import HOST, announced
from conformance.dialects.text.dialect import text_dialect
from conformance.dialects.text.raw import RAW_HOST

DIALECT = text_dialect(
    name="react",
    prefix="REA",
    package=__name__,
    host=HOST,
    other_hosts=(RAW_HOST,),
    announced=announced,
    lacks={
        "tool-choice": "Tools described in text cannot be forced or forbidden.",
        "parallel-tool-calls": "A ReAct turn has one action.",
    },
    reference_model="gpt-4o-mini",
    line_marks="(?:Question|Thought|Action Input|Action|Observation|Final Answer):",
)
