"""Tools that return the scenario's results."""

from __future__ import annotations

from typing import Any

from conformance.scenario.executor import Executed, ToolOutcome
from conformance.scenario.model import Scenario


class ScriptedExecutor:
    """Looks the arguments up in the scenario's `returns`."""

    def __init__(self, scenario: Scenario) -> None:
        self.log: list[Executed] = []
        self._scenario = scenario

    def __call__(self, tool: str, arguments: Any) -> ToolOutcome:
        outcome = self._run(tool, arguments)
        self.log.append(Executed(tool, arguments, outcome))
        return outcome

    def _run(self, name: str, arguments: Any) -> ToolOutcome:
        tool = self._scenario.tool(name)
        if tool is None:
            return ToolOutcome(f"There is no tool called {name}.", is_error=True)
        if not isinstance(arguments, dict):
            return ToolOutcome("The arguments are not a JSON object.", is_error=True)
        entry = tool.answer(arguments)
        if entry is None:
            return ToolOutcome("The tool has no result for these arguments.", is_error=True)
        return ToolOutcome(entry.error, is_error=True) if entry.error else ToolOutcome(entry.result)
