"""What the reference server answers about itself, below `/_conformance/`: the report, the live page, the scenarios."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from io import StringIO
from typing import Any

from conformance.model.behaviour import Behaviour
from conformance.model.document import Document, Mark, Style
from conformance.model.exchange import Request
from conformance.model.rendered import Delivery, Rendered
from conformance.reference.answering import unanswerable
from conformance.reference.sessions import Sessions
from conformance.report import open_report
from conformance.report.json_report import JsonReport
from conformance.report.sessions import Keeps, Record
from conformance.scenario.model import Scenario, Tool

HOME = "/_conformance"
_PATH = re.compile(r"^(?:/s/[\w.-]+)?/_conformance(?P<rest>/.*)?$")
_JSON = Style(separators=(",", ": "), indent=2, after="\n")
_NO_STORE = ("cache-control", "no-store")


class Pages:
    """Answers requests below `/_conformance/`; everything else goes to the sessions.

    `told` gives the records of the sessions and the verdict in one sentence.
    """

    def __init__(
        self,
        sessions: Sessions,
        respond: Callable[[Request, str, Sequence[Behaviour]], Delivery],
        keeps: Keeps,
        told: Callable[[], tuple[list[Record], str]],
    ) -> None:
        self.faults: list[str] = []
        self.tells: Callable[[str], bool] = bool
        self._sessions = sessions
        self._respond = respond
        self._keeps = keeps
        self._told = told

    def respond(self, request: Request, connection: str, behaviours: Sequence[Behaviour]) -> Delivery:
        """Answers any request."""
        path = _PATH.match(request.path)
        if path is None:
            return self._respond(request, connection, behaviours)
        with self._sessions.lock:
            return Delivery.of(self._own(request, (path["rest"] or "/").rstrip("/")))

    def _own(self, request: Request, path: str) -> Rendered:
        if path.startswith("/tools/"):
            if request.method != "POST":
                return unanswerable("send the arguments of the tool as the JSON body of a POST", 405)
            return _json(*reversed(self._sessions.run_tool(request, path.removeprefix("/tools/"))))
        if request.method != "GET":
            return unanswerable(f"{request.path} answers GET", 405)
        if path == "":
            return self._page()
        if path == "/report.json":
            return _text("application/json", self.report("json"))
        if path == "/report.html":
            return _text("text/html; charset=utf-8", self.report("html"))
        if path == "/scenarios":
            return _json({"scenarios": [described(each) for each in self._sessions.scenarios.values()]})
        return unanswerable(f"there is no {request.path}; see {HOME}/")

    def _page(self) -> Rendered:
        from conformance.report.sessions_page import page

        sessions, verdict = self._told()
        text, policy = page(sessions, self._sessions.summary(self._keeps).as_json(), verdict, self.faults)
        return _text("text/html; charset=utf-8", text, ("content-security-policy", policy))

    def report(self, form: str, more: Mapping[str, Any] | None = None) -> str:
        """The report of everything so far in a format; `more` are further members of the JSON report."""
        out = StringIO()
        sessions, _ = self._told()
        told = {"sessions": sessions, **(more or {})}
        write(out, form, self._sessions, self._keeps, told, faults=self.faults, tells=self.tells)
        return out.getvalue()


def write(
    out: Any,
    form: str,
    sessions: Sessions,
    keeps: Keeps,
    more: Mapping[str, Any],
    *,
    faults: Sequence[str] = (),
    tells: Callable[[str], bool] = bool,
    **display: Any,
) -> None:
    """Writes the findings of all sessions as a report. `tells` is whether it has every finding of a rule."""
    report = open_report(form, out, **display)
    if isinstance(report.inner, JsonReport):
        report.inner.more = more
    summary = sessions.summary(keeps)
    summary.tells = tells
    summary.harness_errors += faults
    for session in sessions.all:
        report.judged(f"session {session.name}")
        for finding in filter(keeps, session.all_findings):
            report.finding(finding)
    report.close(summary)


def described(scenario: Scenario) -> Record:
    """A scenario as a client needs to know it: what to say, which tools to declare, what they return."""
    return {
        "id": scenario.id,
        "summary": scenario.summary,
        "system": scenario.system,
        "user": [each.user for each in scenario.conversations],
        "turns": [len(each.model) for each in scenario.conversations],
        "options": {
            "max_tokens": scenario.options.max_tokens,
            "tool_choice": scenario.options.tool_choice,
            "parallel_tool_calls": scenario.options.parallel_tool_calls,
            "reasoning": scenario.options.reasoning,
        },
        "tools": [_tool(each) for each in scenario.tools],
    }


def _tool(tool: Tool) -> Record:
    return {
        "name": tool.name,
        "description": tool.description,
        "parameters": tool.parameters,
        "returns": [
            {"when": each.when, **({"error": each.error} if each.error is not None else {"result": each.result})}
            for each in tool.returns
        ],
        "result_shape": shape([each.result for each in tool.returns if each.error is None]),
        "run": f"{HOME}/tools/{tool.name}",
    }


def shape(values: Sequence[Any]) -> Any:
    """What kind of value each member of the results has: `{"temperature": "number", "sky": "string"}`."""
    value = next((each for each in values if each is not None), None)
    if isinstance(value, dict):
        return {key: shape([each]) for key, each in value.items()}
    if isinstance(value, list):
        return [shape(value)] if value else []
    if isinstance(value, bool):
        return "boolean"
    return {int: "number", float: "number", str: "string", type(None): "null"}[type(value)]


def shape_text(shaped: Any) -> str:
    """The same as one short text."""
    return json.dumps(shaped, ensure_ascii=False).replace('"', "")


def _json(value: Any, status: int = 200) -> Rendered:
    return Rendered(status, (("content-type", "application/json"), _NO_STORE), (Document(value, _JSON),))


def _text(kind: str, text: str, *headers: tuple[str, str]) -> Rendered:
    return Rendered(200, (("content-type", kind), _NO_STORE, *headers), (Mark(text),))
