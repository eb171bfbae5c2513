"""The tools of a Llama prompt: the `Tools:` line and the functions (docs/contract/llama3.md, LLA-Q-007 and Q-008)."""

from __future__ import annotations

from collections.abc import Iterator

from conformance.dialects.llama3.definitions import AT
from conformance.dialects.llama3.judged import offered
from conformance.dialects.llama3.tokens import BUILT_IN
from conformance.judge.rule import rule
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.jsontext import brief

_FORMAT = "meta-llama/llama-models models/llama3_1/prompt_format.md"


@rule(
    "llama-tools-line-invalid",
    scope="request",
    cites="LLA-Q-007",
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
    scope="request",
    cites="LLA-Q-008",
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
