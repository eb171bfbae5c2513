"""The fixture `conformance_tools`: fails a test whose tools a provider does not accept."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from conformance.testing.failure import NonConformingError

if TYPE_CHECKING:
    from conformance.tool_definitions import State, ToolsResult

CheckTools = Callable[..., "ToolsResult"]
"""The value of the fixture: `check_tools`."""


def check_tools(
    tools: Any,
    *,
    profiles: str | Sequence[str] = (),
    allow: Sequence[str] = ("loss",),
    form: str | None = None,
    sdk: str | None = None,
) -> ToolsResult:
    """As `conformance.tool_definitions.check`, but fails where a profile does not accept the tools.

    `allow` are the states besides `accepted` that are fine: `loss`, `unknown`. Refused is never fine.

    Raises:
        AssertionError: a profile does not accept them; the message has the table, and what to change.
        ConformanceError: an argument is not valid, or the tools cannot be read.
    """
    from conformance.errors import ConformanceError
    from conformance.tool_definitions import State, check

    __tracebackhide__ = True
    states: dict[str, State] = {"loss": State.LOSS, "unknown": State.UNKNOWN}
    wrong = [each for each in ((allow,) if isinstance(allow, str) else allow) if each not in states]
    if wrong:
        raise ConformanceError(f"allow has {wrong[0]!r}", f"choose from {', '.join(states)}")
    fine = {State.ACCEPTED, *(states[each] for each in ((allow,) if isinstance(allow, str) else allow))}
    result = check(tools, profiles=profiles, form=form, sdk=sdk)
    failing = [each.variant.full_name for each in result.judged if each.state not in fine]
    if failing:
        raise NonConformingError(f"the tools are not accepted by {', '.join(failing)}\n\n{result}")
    return result
