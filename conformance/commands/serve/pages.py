"""What the reference server answers about itself, below `/_conformance/`: the report, the live page, the scenarios."""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import StringIO
from typing import Any

from conformance.commands.serve.outcome import Outcome
from conformance.model.document import Document, Mark, Style
from conformance.model.exchange import Request
from conformance.model.rendered import Delivery, Rendered
from conformance.reference.answering import unanswerable
from conformance.report.sessions import Record
from conformance.report.verdicts import Display
from conformance.scenario.model import Scenario, Tool

HOME = "/_conformance"
_JSON = Style(separators=(",", ": "), indent=2, after="\n")
_NO_STORE = ("cache-control", "no-store")


def page(request: Request, path: str, outcome: Outcome) -> Delivery:
    """The page at a path below `/_conformance`."""
    with outcome.sessions.lock:
        return Delivery.of(_page(request, path, outcome))


def _page(request: Request, path: str, outcome: Outcome) -> Rendered:
    sessions = outcome.sessions
    if path.startswith("/tools/"):
        if request.method != "POST":
            return unanswerable("send the arguments of the tool as the JSON body of a POST", 405)
        status, result = sessions.run_tool(request, path.removeprefix("/tools/"))
        return _json(result, status)
    if request.method != "GET":
        return unanswerable(f"{request.path} answers GET", 405)
    if path == "":
        return _live(outcome)
    if path == "/report.json":
        return _text("application/json", _report("json", outcome))
    if path == "/report.html":
        return _text("text/html; charset=utf-8", _report("html", outcome))
    if path == "/scenarios":
        return _json({"scenarios": [described(each) for each in sessions.scenarios.values()]})
    return unanswerable(f"there is no {request.path}; see {HOME}/")


def _live(outcome: Outcome) -> Rendered:
    from conformance.report.sessions_page import page as live_page

    summary = outcome.sessions.summary(outcome.selection.keeps).as_json()
    verdict = "; ".join(outcome.wrong) or "no fault so far"
    text, policy = live_page(outcome.records, summary, verdict, outcome.faults)
    return _text("text/html; charset=utf-8", text, ("content-security-policy", policy))


def _report(form: str, outcome: Outcome) -> str:
    out = StringIO()
    outcome.write(out, Display(form))
    return out.getvalue()


def described(scenario: Scenario) -> Record:
    """A scenario as a client needs to know it: its messages, its tools, what they return."""
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
