"""Reading scenario files.

Everything that can be known before a run is checked here. Every error names the file, the line and the column, and the
nearest valid word where a word is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from conformance.errors import ConformanceError
from conformance.model import jsontext
from conformance.model.data_files import data_dir
from conformance.model.schema_words import nearest
from conformance.model.transcript import Search, Source
from conformance.model.yaml_document import hold_against, place_of, read_document
from conformance.scenario.model import (
    Conversation,
    Expect,
    ExpectedCall,
    Native,
    Options,
    ProviderError,
    Return,
    Scenario,
    ScriptedCall,
    ScriptedTurn,
    Tool,
)
from conformance.scenario.problem import Problem
from conformance.scenario.script_checks import script_problems
from conformance.scenario.tool_checks import tool_problems

SUFFIXES = (".yaml", ".yml")


def all_scenarios(folders: Sequence[str | Path] = ()) -> Mapping[str, Scenario]:
    """The scenarios that ship, and those in the folders, by id.

    Raises:
        ConformanceError: a file is not a valid scenario (with its place); a folder has none; two scenarios have one
            id, or begin with the same message, by which the reference server identifies them.
    """
    found = dict(_shipped())
    for folder in folders:
        for scenario in scenarios_in(Path(folder)):
            _refuse_twin(scenario, found)
            found[scenario.id] = scenario
    return found


@cache
def _shipped() -> Mapping[str, Scenario]:
    paths = sorted((data_dir("specs") / "scenarios").glob("*.yaml"))
    return {scenario.id: scenario for scenario in map(read_scenario, paths)}


def scenarios_in(folder: Path) -> list[Scenario]:
    """The scenarios in a folder, by their file names.

    Raises:
        ConformanceError: there is no such folder, it has no scenario, or a file in it is not a valid one.
    """
    if not folder.is_dir():
        hint = "pass the folder that the file is in" if folder.is_file() else "pass a folder of scenarios"
        raise ConformanceError(f"{folder}: {'not a folder' if folder.exists() else 'folder does not exist'}", hint)
    paths = sorted(path for path in folder.iterdir() if path.suffix in SUFFIXES and path.is_file())
    if not paths:
        hint = "write one with `conformance new scenario NAME`"
        raise ConformanceError(f"{folder}: contains no scenario (*.yaml)", hint)
    return [load_scenario(path) for path in paths]


def _refuse_twin(scenario: Scenario, found: Mapping[str, Scenario]) -> None:
    twin = found.get(scenario.id)
    if twin is not None:
        where = twin.path if twin.id not in _shipped() else "the package"
        raise ConformanceError(
            f"{scenario.path}: a scenario {scenario.id!r} is already in {where}", "rename the file and change the id"
        )
    first = {conversation.user.strip(): each for each in found.values() for conversation in each.conversations}
    for number, conversation in enumerate(scenario.conversations):
        twin = first.get(conversation.user.strip())
        if twin is not None:
            steps: list[str | int] = ["conversations", number, "user"] if scenario.several else ["user"]
            raise ConformanceError(
                f"{place_in(scenario.path, steps, key=False)}: scenario {twin.id!r} begins with the same message",
                "change a word: the reference server knows a scenario by its first message",
            )


def read_scenario(path: Path) -> Scenario:
    """The scenario in a file that was checked before: by a test, as those that ship; or by the parent process.

    Raises:
        ConformanceError: the file cannot be read, is not YAML, or does not have the form of a scenario.
    """
    return _read(path)[0]


def _read(path: Path) -> tuple[Scenario, Any]:
    """The scenario, and the tree of its nodes."""
    document, root = read_document(path, "scenario")
    hold_against("scenario.schema.json", document, root, path, "scenario")
    return _scenario(document, path), root


def load_scenario(path: Path) -> Scenario:
    """The scenario in a file; its form is `specs/scenario.schema.json`.

    Raises:
        ConformanceError: the file cannot be read, is not YAML, or is not a scenario; with file, line and column.
    """
    scenario, root = _read(path)
    problems = [*_own_name(scenario), *tool_problems(scenario)]
    problems = problems or [*script_problems(scenario), *rule_problems(scenario)]
    if problems:
        raise problem_error(path, root, problems)
    return scenario


def place_in(path: Path, steps: Sequence[str | int], *, key: bool = True) -> str:
    """`FILE:LINE:COLUMN` of a place in a scenario."""
    _, root = read_document(path, "scenario")
    line, column = place_of(root, steps, key=key)
    return f"{path}:{line}:{column}"


def problem_error(path: Path, root: Any, problems: Sequence[Problem]) -> ConformanceError:
    """The first problem of the file as an error with its place."""
    placed = [(word_place(path, root, each), each) for each in problems]
    (line, column), first = min(placed, key=lambda each: each[0])
    return ConformanceError(f"{path}:{line}:{column}: {_dotted(first)}{first.message}", first.hint)


def word_place(path: Path, root: Any, problem: Problem) -> tuple[int, int]:
    """The line and the column of a problem, or of the word in a text that it is about."""
    line, column = place_of(root, problem.steps, key=problem.key)
    if problem.word is not None:
        for number, text in enumerate(path.read_text(encoding="utf-8").splitlines()[line - 1 :], line):
            found = text.find(problem.word, column - 1 if number == line else 0)
            if found >= 0:
                return number, found + 1
    return line, column


def _dotted(problem: Problem) -> str:
    steps = problem.steps[:-1] if problem.key else problem.steps
    return f"{'.'.join(map(str, steps))}: " if steps else ""


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
        native=_native(document["native"]) if "native" in document else None,
        expect=Expect(
            calls=None if calls is None else tuple(ExpectedCall(c["tool"], c.get("arguments")) for c in calls),
            contains=tuple(answer.get("contains", ())),
            in_order=tuple(answer.get("in_order", ())),
            findings=tuple(expect.get("findings", ())),
            tolerates=tuple(expect.get("tolerates", ())),
        ),
        path=path,
        several="conversations" in document,
    )


def _native(native: dict[str, Any]) -> Native:
    return Native(native["dialect"], native.get("request", {}), native.get("answers", {}))


def _tool(tool: dict[str, Any]) -> Tool:
    returns = tuple(Return(each.get("when", {}), each.get("result"), each.get("error")) for each in tool["returns"])
    return Tool(tool["name"], tool["description"], tool.get("parameters"), returns, tool.get("output_schema"))


def _speech(speech: dict[str, Any]) -> ScriptedTurn:
    error, search = speech.get("error"), speech.get("search")
    return ScriptedTurn(
        text=speech.get("text"),
        calls=tuple(map(_call, speech.get("calls", ()))),
        reasoning=speech.get("reasoning"),
        cut_off=speech.get("cut_off", False),
        filtered=speech.get("filtered", False),
        error=ProviderError(error["status"], error["message"]) if error else None,
        search=Search(search["query"], tuple(Source(**each) for each in search["sources"])) if search else None,
        native=tuple(speech.get("native", ())),
    )


def _call(call: dict[str, Any]) -> ScriptedCall:
    text = call.get("arguments_json")
    return ScriptedCall(call["tool"], call["arguments"] if text is None else jsontext.parse(text), text)


def _own_name(scenario: Scenario) -> Iterator[Problem]:
    if scenario.id != scenario.path.stem:
        message = f"{scenario.id!r} does not match the file name {scenario.path.stem!r}"
        yield Problem(("id",), message, "rename the file or change the id")


def rule_problems(scenario: Scenario) -> Iterator[Problem]:
    """Unknown rules in `expect`, and unknown dialects in `not_applicable`."""
    for key, named in (("findings", scenario.expect.findings), ("tolerates", scenario.expect.tolerates)):
        if not named:
            continue
        from conformance.judge.rule import all_rules
        from conformance.judge.run_rules import run_rules

        known = [*all_rules(), *run_rules()]
        for number, name in enumerate(named):
            if name not in known:
                hint = nearest(name, known, "`conformance list --rules` lists all rules")
                yield Problem(("expect", key, number), f"there is no rule `{name}`", hint)
