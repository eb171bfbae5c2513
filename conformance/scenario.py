"""Scenarios: provider-neutral scripts in YAML, one file each.

The file's form is `specs/scenario.schema.json`. Every error names the file and the line, and the nearest
valid key where a key is wrong.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from conformance import templates
from conformance.errors import ConformanceError
from conformance.specs import data_dir
from conformance.transcript import ToolDefinition


@dataclass(frozen=True, slots=True)
class Return:
    """What a scripted tool gives back when its arguments fit `when`: a JSON `result`, or an `error` text."""

    when: Mapping[str, Any]
    result: Any = None
    error: str | None = None


@dataclass(frozen=True, slots=True)
class Tool:
    """`parameters` is a JSON Schema, None for a tool without arguments."""

    name: str
    description: str
    parameters: Mapping[str, Any] | None
    returns: tuple[Return, ...]

    @property
    def definition(self) -> ToolDefinition:
        return ToolDefinition(self.name, self.description, self.parameters)


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Speech:
    """One turn of the reference model: text with placeholders, and calls."""

    text: str | None
    calls: tuple[ScriptedCall, ...]


@dataclass(frozen=True, slots=True)
class ExpectedCall:
    """`arguments` is None where any will do."""

    tool: str
    arguments: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class Expect:
    """`calls` is None where the scenario says nothing about calls."""

    calls: tuple[ExpectedCall, ...] | None
    contains: tuple[str, ...]
    in_order: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Options:
    """`tool_choice` is auto, none, required or a tool's name; None where the scenario does not say."""

    max_tokens: int = 1024
    tool_choice: str | None = None
    parallel_tool_calls: bool | None = None


@dataclass(frozen=True, slots=True)
class Scenario:
    id: str
    summary: str
    user: str
    model: tuple[Speech, ...]
    exercise: tuple[str, ...]
    expect: Expect
    tools: tuple[Tool, ...] = ()
    system: str | None = None
    options: Options = Options()
    path: Path = Path()

    def tool(self, name: str | None) -> Tool | None:
        return next((tool for tool in self.tools if tool.name == name), None)


def load_scenario(path: Path) -> Scenario:
    """The scenario in a file.

    Raises:
        ConformanceError: the file cannot be read, is not YAML, or is not a scenario; with file and line.
    """
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        document = yaml.safe_load(text)
    except OSError as error:
        raise ConformanceError(f"{path}: {error.strerror}", "name a scenario file that can be read") from error
    except UnicodeDecodeError as error:
        raise ConformanceError(f"{path}: not UTF-8 text", "a scenario is a YAML file") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}:{mark.line + 1}" if mark else str(path)
        problem = getattr(error, "problem", None) or "not YAML"
        raise ConformanceError(f"{where}: not YAML: {problem}", "mend the syntax at that line") from error
    _validate(document, root, path)
    scenario = _build(document, path)
    _cross_check(scenario, root, path)
    return scenario


def scenario_files(folder: Path | None = None) -> list[Path]:
    """The scenario files of a folder, by default of those that ship."""
    return sorted((folder or data_dir("specs") / "scenarios").glob("*.yaml"))


@cache
def all_scenarios(folder: Path | None = None) -> Mapping[str, Scenario]:
    """Every scenario of a folder by its id."""
    scenarios = [load_scenario(path) for path in scenario_files(folder)]
    return {scenario.id: scenario for scenario in scenarios}


@cache
def _schema() -> Any:
    return json.loads((data_dir("specs") / "scenario.schema.json").read_text(encoding="utf-8"))


def _validate(document: Any, root: Any, path: Path) -> None:
    import jsonschema

    validator = jsonschema.Draft202012Validator(_schema())
    errors = sorted(validator.iter_errors(document), key=lambda error: _line(root, list(error.absolute_path)))
    if not errors:
        return
    error = errors[0]
    steps = list(error.absolute_path)
    message = error.message[:160]
    hint = "specs/scenario.schema.json says what a scenario may hold"
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        known = list(error.schema.get("properties", {}))
        wrong = next(key for key in error.instance if key not in known)
        steps.append(wrong)
        near = difflib.get_close_matches(str(wrong), known, n=1, cutoff=0.4)
        message = f"`{wrong}` is not a key here"
        hint = f"did you mean `{near[0]}`?" if near else f"the keys here are {', '.join(sorted(known))}"
    place = ".".join(str(step) for step in error.absolute_path)
    raise ConformanceError(f"{path}:{_line(root, steps)}: {f'{place}: ' if place else ''}{message}", hint)


def _line(node: Any, steps: Sequence[str | int]) -> int:
    """The line, from 1, of the place that the steps lead to, or of the nearest one that exists."""
    import yaml

    line = node.start_mark.line if node is not None else 0
    for step in steps:
        found = None
        if isinstance(node, yaml.MappingNode):
            found = next(((key, value) for key, value in node.value if key.value == str(step)), None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            found = (node.value[step], node.value[step])
        if found is None:
            break
        line, node = found[0].start_mark.line, found[1]
    return int(line) + 1


def _build(document: dict[str, Any], path: Path) -> Scenario:
    expect = document["expect"]
    calls = expect.get("calls")
    answer = expect.get("answer", {})
    return Scenario(
        id=document["id"],
        summary=document["summary"],
        user=document["user"],
        system=document.get("system"),
        tools=tuple(_tool(tool) for tool in document.get("tools", ())),
        options=Options(**document.get("options", {})),
        model=tuple(
            Speech(
                text=speech.get("text"),
                calls=tuple(ScriptedCall(call["tool"], call["arguments"]) for call in speech.get("calls", ())),
            )
            for speech in document["model"]
        ),
        exercise=tuple(document["exercise"]),
        expect=Expect(
            calls=None if calls is None else tuple(ExpectedCall(call["tool"], call.get("arguments")) for call in calls),
            contains=tuple(answer.get("contains", ())),
            in_order=tuple(answer.get("in_order", ())),
        ),
        path=path,
    )


def _tool(tool: dict[str, Any]) -> Tool:
    returns = tuple(Return(each.get("when", {}), each.get("result"), each.get("error")) for each in tool["returns"])
    return Tool(tool["name"], tool["description"], tool.get("parameters"), returns)


def _cross_check(scenario: Scenario, root: Any, path: Path) -> None:
    """What a schema cannot say: names that refer to each other."""
    if scenario.id != path.stem:
        raise ConformanceError(
            f"{path}:{_line(root, ['id'])}: the id is {scenario.id!r}, the file is called {path.stem!r}",
            "give both the same name",
        )
    names = [tool.name for tool in scenario.tools]
    last = scenario.model[-1]
    if last.calls or not last.text:
        raise ConformanceError(
            f"{path}:{_line(root, ['model', len(scenario.model) - 1])}: the last turn is not an answer",
            "end `model` with a turn that has text and no calls",
        )
    texts = [("model", speech.text) for speech in scenario.model if speech.text]
    texts += [("expect", text) for text in (*scenario.expect.contains, *scenario.expect.in_order)]
    used = [("model", call.tool) for speech in scenario.model for call in speech.calls]
    used += [("expect", call.tool) for call in scenario.expect.calls or ()]
    used += [(where, name) for where, text in texts for name in templates.tools_in(text)]
    for where, name in used:
        if name not in names:
            near = difflib.get_close_matches(name, names, n=1)
            raise ConformanceError(
                f"{path}:{_line(root, [where])}: {where} names the tool {name!r}, which is not declared",
                f"did you mean {near[0]!r}?" if near else "declare it under `tools`",
            )
