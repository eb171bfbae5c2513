"""The tools of a Llama prompt: the `Tools:` line and the functions (docs/contract/llama3.md, LLA-Q-007 and Q-008)."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.llama3.definitions import AT
from conformance.dialects.llama3.judged import offered
from conformance.dialects.llama3.tokens import BUILT_IN
from conformance.judge.example import change, example
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit, Severity
from conformance.model.jsontext import brief

_PROMPT = "/0/request/body/prompt"
_FORMAT = "meta-llama/llama-models models/llama3_1/prompt_format.md"


@rule(
    "llama-tools-line-invalid",
    severity=Severity.WARNING,
    scope="request",
    basis="documented",
    cites=[f"LLA-Q-007 {_FORMAT}"],
    conforming=[example("llama3-builtin/call"), example("llama3-json/call")],
    violating=[
        example("llama3-builtin/plain", change(_PROMPT, "Tools: brave_search", "Tools: getTime")),
        example("llama3-builtin/plain", change(_PROMPT, "Environment: ipython\n", "")),
        example("llama3-builtin/plain", change(_PROMPT, "Tools: brave_search", "Tools:")),
    ],
)
def tools_line_invalid(view: View) -> Iterator[Hit]:
    """The `Tools:` line must have only built-in tools, and be in a message with `Environment: ipython`.

    The model can call these tools only by their trained names, and only if an environment runs them.
    """
    offer = offered(view)
    if offer is None or offer.built_in is None:
        return
    unknown = [name for name in offer.built_in if name not in BUILT_IN]
    if unknown or not offer.built_in:
        found = ", ".join(unknown) or "nothing"
        yield Hit(AT, "the `Tools:` line has a name that is not a built-in tool", ", ".join(BUILT_IN), found)
    if not offer.ipython:
        yield Hit(AT, "the `Tools:` line has no environment", "Environment: ipython", "no such line")


@rule(
    "llama-function-definition-malformed",
    severity=Severity.WARNING,
    scope="request",
    basis="documented",
    cites=[f"LLA-Q-008 {_FORMAT}"],
    conforming=[example("llama3-json/call"), example("llama3-custom/call")],
    violating=[
        example(
            "llama3-json/plain",
            change(
                _PROMPT, '                "longitude"\n            ]', '                "longitude",\n            ]'
            ),
        ),
        example("llama3-custom/plain", change(_PROMPT, '"description": "Current weather at a place.", ', "")),
        example("llama3-custom/plain", change(_PROMPT, '"parameters"', '"params"')),
    ],
)
def function_definition_malformed(view: View) -> Iterator[Hit]:
    """Every function in the list must be JSON with a name, a description and parameters.

    The model invents what is missing, and a client that parses the list loses the function.
    """
    offer = offered(view)
    for text in offer.broken if offer else ():
        yield Hit(AT, "the description of a function is not valid JSON", "valid JSON", brief(text))
    for name in offer.bare if offer else ():
        wanted = "a name, a description and parameters"
        yield Hit(AT, f"the description of function {name} is incomplete", wanted, name)
