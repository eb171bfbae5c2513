"""Reading scenario files. Every error names the file and the line, and the nearest valid key where a key is wrong."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

from conformance.errors import ConformanceError
from conformance.judge.renames import current
from conformance.model import jsontext
from conformance.model.data_files import data_dir
from conformance.model.transcript import Malformed
from conformance.model.yaml_document import hold_against, line_of, read_document
from conformance.scenario import templates
from conformance.scenario.model import (
    Conversation,
    Expect,
    ExpectedCall,
    Options,
    ProviderError,
    Return,
    Scenario,
    ScriptedCall,
    ScriptedTurn,
    Tool,
)


@cache
def all_scenarios(folder: Path | None = None) -> Mapping[str, Scenario]:
    """Every scenario of a folder by its id; by default those that ship.

    Raises:
        ConformanceError: a file is no scenario; with file and line.
    """
    paths = sorted((folder or data_dir("specs") / "scenarios").glob("*.yaml"))
    return {scenario.id: scenario for scenario in map(load_scenario, paths)}


def load_scenario(path: Path) -> Scenario:
    """The scenario in a file; its form is `specs/scenario.schema.json`.

    Raises:
        ConformanceError: the file cannot be read, is not YAML, or is not a scenario; with file and line.
    """
    document, root = read_document(path, "scenario")
    hold_against("scenario.schema.json", document, root, path, "scenario")
    scenario = _scenario(document, path)
    for keys, message, hint in _contradictions(scenario):
        raise ConformanceError(f"{path}:{line_of(root, keys)}: {message}", hint)
    return scenario


def _scenario(document: dict[str, Any], path: Path) -> Scenario:
    expect = document["expect"]
    calls = expect.get("calls")
    answer = expect.get("answer", {})
    return Scenario(
        id=document["id"],
        summary=document["summary"],
        system=document.get("system"),
        conversations=tuple(
            Conversation(each["user"], tuple(map(_speech, each["model"])))
            for each in document.get("conversations", [document])
        ),
        tools=tuple(map(_tool, document.get("tools", ()))),
        options=Options(**document.get("options", {})),
        executor=document.get("executor", "scripted"),
        not_applicable=document.get("not_applicable", {}),
        exercise=tuple(document["exercise"]),
        scripted=document.get("scripted"),
        expect=Expect(
            calls=None if calls is None else tuple(ExpectedCall(c["tool"], c.get("arguments")) for c in calls),
            contains=tuple(answer.get("contains", ())),
            in_order=tuple(answer.get("in_order", ())),
            findings=tuple(map(current, expect.get("findings", ()))),
            tolerates=tuple(map(current, expect.get("tolerates", ()))),
        ),
        path=path,
    )


def _tool(tool: dict[str, Any]) -> Tool:
    returns = tuple(Return(each.get("when", {}), each.get("result"), each.get("error")) for each in tool["returns"])
    return Tool(tool["name"], tool["description"], tool.get("parameters"), returns)


def _speech(speech: dict[str, Any]) -> ScriptedTurn:
    error = speech.get("error")
    return ScriptedTurn(
        text=speech.get("text"),
        calls=tuple(map(_call, speech.get("calls", ()))),
        reasoning=speech.get("reasoning"),
        cut_off=speech.get("cut_off", False),
        error=ProviderError(error["status"], error["message"]) if error else None,
    )


def _call(call: dict[str, Any]) -> ScriptedCall:
    text = call.get("arguments_json")
    return ScriptedCall(call["tool"], call["arguments"] if text is None else jsontext.parse(text), text)


def _contradictions(scenario: Scenario) -> Iterator[tuple[list[str | int], str, str]]:
    """What a schema cannot say, as (keys of the place, message, hint): names that refer to each other."""
    if scenario.id != scenario.path.stem:
        message = f"id {scenario.id!r} does not match the file name {scenario.path.stem!r}"
        yield ["id"], message, "rename the file or change the id"
    for conversation in scenario.conversations:
        last = conversation.model[-1]
        if last.error is None and not last.cut_off and (last.calls or not last.text):
            yield ["model"], "the last turn is not an answer", "end `model` with a turn that has `text` and no `calls`"
        for call in (call for speech in conversation.model for call in speech.calls):
            if isinstance(call.arguments, Malformed) or not isinstance(call.arguments, dict):
                yield (
                    ["model"],
                    f"arguments_json of {call.tool!r} is not a JSON object",
                    "write a JSON object in single quotes",
                )
    names = [tool.name for tool in scenario.tools]
    for where, name in _named_tools(scenario):
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            hint = f"did you mean {near[0]!r}?" if near else "declare it under `tools`"
            yield [where], f"{where}: undeclared tool {name!r}", hint


def _named_tools(scenario: Scenario) -> Iterator[tuple[str, str]]:
    """Every name of a tool in the script. A scenario that exercises an unknown tool may call one."""
    speeches = [speech for conversation in scenario.conversations for speech in conversation.model]
    for speech in speeches:
        yield from (("model", name) for name in templates.tools_in(speech.text or ""))
        if "unknown-tool" not in scenario.exercise:
            yield from (("model", call.tool) for call in speech.calls)
    if "unknown-tool" not in scenario.exercise:
        yield from (("expect", call.tool) for call in scenario.expect.calls or ())
    for text in (*scenario.expect.contains, *scenario.expect.in_order):
        yield from (("expect", name) for name in templates.tools_in(text))
