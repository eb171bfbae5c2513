"""Names of the calls in a reply: they can be sent back, and declared."""

from __future__ import annotations

import re
from collections.abc import Iterator

from conformance.judge.example import example, put
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief
from conformance.model.transcript import calls_of

_NAME = "/0/response/body/choices/0/message/tool_calls/0/function/name"
_LEGAL = re.compile(r"[A-Za-z0-9_.:/-]+")
"""The characters that some dialect allows in a name; which of them, its request's rules say."""


@rule(
    "tool-call-name-invalid",
    severity=Severity.ERROR,
    scope="reply",
    basis="documented",
    dialects=("openai-chat", "openai-responses", "anthropic-messages", "gemini"),
    cites=[
        "OAC-Q-004 openai 2.54 types/shared_params/function_definition.py",
        "ANT-Q-005 home-assistant/core#147760",
        "OAR-Q-002 openai/openai-openapi openapi.json#/components/schemas/FunctionToolParam",
        "GEM-Q-005 google-genai 2.34 google/genai/types.py FunctionDeclaration",
    ],
    bugs=[
        "odysseus#4522",
        "mlxcel#654",
        "movieclaw#224",
        "jundot/omlx#2143",
        "ml-explore/mlx-lm#1867",
        "Rapid-MLX#579",
    ],
    conforming=[
        example("openai-chat/call"),
        example("openai-chat/call", put(_NAME, "weather.get")),
        example("gemini/call"),
        example("anthropic-messages/call"),
        example("openai-responses/call"),
    ],
    violating=[
        example(
            "openai-chat/call",
            put(_NAME, "get_weather<|channel|>commentary"),
            at="0 response /choices/0/message/tool_calls/0",
        ),
        example(
            "openai-chat/stream-call",
            put("/0/response/events/1/data/choices/0/delta/tool_calls/0/function/name", "get_weather\n"),
            at="0 response event/1/choices/0/delta/tool_calls/0",
        ),
        example(
            "openai-responses/call", put("/0/response/body/output/0/name", 'get_weather("'), at="0 response /output/0"
        ),
        example(
            "anthropic-messages/call",
            put("/0/response/body/content/1/name", "get weather"),
            at="0 response /content/1",
        ),
    ],
)
def tool_call_name_invalid(view: View) -> Iterator[Hit]:
    """The name of a call in a reply is made of characters that a tool's name may have.

    What else stands there is the model's own markup, or half of its arguments: no tool has such a name, and the
    provider refuses the history that repeats it.
    """
    declared = {tool.name for tool in view.ask.tools or ()}
    for call in calls_of(view.replies):
        if call.name and call.name not in declared and not _LEGAL.fullmatch(call.name):
            yield Hit(
                call.pointer, "no tool can be called that", "letters, digits, underscores, hyphens", brief(call.name)
            )
