"""Mistakes in scenarios: each is reported with file, line, column, what is wrong and what to write."""

from __future__ import annotations

from pathlib import Path

import pytest

from conformance.errors import ConformanceError
from conformance.matrix.cells import Filter, all_cells
from conformance.model.schema_words import nearest
from conformance.scenario.load import all_scenarios, load_scenario, scenarios_in
from tests.program import conformance

GOOD = """\
id: greet
summary: A greeting.
user: Hello
tools:
  - name: now
    description: The time.
    parameters:
      type: object
      properties:
        zone: {type: string}
        offset: {type: integer}
      required: [zone]
    returns:
      - when: {zone: UTC}
        result: {hour: 7, places: [a, b]}
model:
  - calls:
      - tool: now
        arguments: {zone: UTC}
  - text: It is {now.hour}.
exercise: [tool-call]
expect:
  calls:
    - tool: now
      arguments: {zone: UTC}
  answer:
    contains: ["{now.hour}"]
"""
ARGUMENTS = "arguments: {zone: UTC}\n  - text"
CALLS = "  calls:\n    - tool: now\n      arguments: {zone: UTC}\n"

YAML_MISTAKES = {
    "a quote is never closed": (
        "summary: A greeting.",
        "summary: 'A greeting.",
        "2:10: invalid YAML: the quote that begins here is not closed; close it at the end of the text",
    ),
    "a quote is closed by the next one": (
        "summary: A greeting.",
        'summary: "A greeting.',
        "2:10: invalid YAML: the quote that begins here is not closed before line 27; close it at the end of the text",
    ),
    "an apostrophe in single quotes": (
        "summary: A greeting.",
        "summary: 'It's a greeting.'",
        (
            "2:10: invalid YAML: there is text after the closing quote of the text that begins here; "
            "write '' for a quote inside the text"
        ),
    ),
    "a colon in a text": (
        "summary: A greeting.",
        "summary: Note: a greeting.",
        "2:14: invalid YAML: a text contains `: `; put the text in quotes",
    ),
    "no space after a colon": (
        "summary: A greeting.",
        "summary:A greeting.",
        "2:1: invalid YAML: neither a key nor an item; write `key: value`, with a space after the colon",
    ),
    "a tab": (
        "    description: The time.",
        "\tdescription: The time.",
        "6:1: invalid YAML: a tab in the indentation; indent with spaces",
    ),
    "too few spaces": (
        "    description: The time.",
        "   description: The time.",
        "6:4: invalid YAML: this line does not fit the indentation of the lines above; indent it as the lines",
    ),
    "too many spaces": (
        "    description: The time.",
        "      description: The time.",
        (
            "6:7: invalid YAML: a key in the middle of the value above it; indent it as the keys beside it, "
            "and write a space after each key's colon"
        ),
    ),
    "a text that begins with a brace": (
        "text: It is {now.hour}.",
        "text: {now.hour} it is.",
        "20:11: invalid YAML: text cannot begin with `{`; put the text in quotes",
    ),
    "a text that is a brace": (
        "text: It is {now.hour}.",
        "text: {now.hour}",
        "20:11: model.1.text: `text` is a mapping, not a text; put text that begins with `{`",
    ),
    "a text that begins with @": (
        "summary: A greeting.",
        "summary: @greeting",
        "2:10: invalid YAML: text cannot begin with `@`; put the text in quotes",
    ),
    "a text that begins with a star": (
        "summary: A greeting.",
        "summary: *greeting*",
        "2:10: invalid YAML: text cannot begin with `*` or `&`; put the text in quotes",
    ),
    "a text that begins with an exclamation mark": (
        "summary: A greeting.",
        "summary: !greet",
        "2:10: invalid YAML: text cannot begin with `!`; put the text in quotes",
    ),
    "a bracket is not closed": (
        "required: [zone]",
        "required: [zone",
        (
            "12:17: invalid YAML: the `[` that begins here is not closed; close it with `]`; "
            "text that begins with `[` must be in quotes"
        ),
    ),
    "a brace is not closed": (
        "zone: {type: string}",
        "zone: {type: string",
        (
            "10:15: invalid YAML: the `{` that begins here is not closed; close it with `}`; "
            "text that begins with `{` must be in quotes"
        ),
    ),
    "a backslash in double quotes": (
        "user: Hello",
        'user: "C:\\dir"',
        "3:11: invalid YAML: a backslash that does not begin an escape; write `\\\\`, or use single quotes",
    ),
    "a key twice": (
        "user: Hello",
        "user: Hello\nuser: Hi",
        "4:1: invalid YAML: the key `user` is here twice, first in line 3; keep one of them",
    ),
    "a second document": (
        "expect:",
        "---\nexpect:",
        "22:1: invalid YAML: a second document begins here; keep one document in a file; remove `---`",
    ),
    "no as a country": (
        "{hour: 7,",
        "{hour: NO,",
        '15:24: invalid YAML: YAML reads NO as false; write "NO" for the text, or false',
    ),
    "a time": (
        "{hour: 7,",
        "{hour: 12:30,",
        '15:24: invalid YAML: YAML reads 12:30 as a number of base 60; write "12:30"',
    ),
    "a date": (
        "{hour: 7,",
        "{hour: 2027-01-31,",
        '15:24: invalid YAML: 2027-01-31 is a date, which JSON does not have; write "2027-01-31"',
    ),
    "a zip code": (
        "{hour: 7,",
        "{hour: 04524,",
        '15:24: invalid YAML: YAML reads 04524 as the number 2388; write "04524" for the text, or 2388',
    ),
    "not a number": ("{hour: 7,", "{hour: .nan,", "15:24: invalid YAML: .nan is not a JSON number; write a number, or"),
}

FORM_MISTAKES = {
    "a misspelt key": (
        "    description: The time.",
        "    descripton: The time.",
        "6:5: tools.0: unknown key `descripton`; did you mean `description`?",
    ),
    "a missing key": ("summary: A greeting.\n", "", "1:1: the key `summary` is missing; add `summary:`"),
    "an empty value": ("user: Hello", "user:", "3:1: user: `user` is empty; write a text"),
    "a number as a text": ("user: Hello", "user: 5", '3:7: user: 5 is not a text; write "5"'),
    "no user": ("user: Hello\n", "", "1:1: `user` and `model` or `conversations` is required; add `user:`"),
    "a list without dashes": (
        "tools:\n  - name",
        "tools:\n    name",
        "5:5: tools: `tools` is not a list; begin each item with `- `",
    ),
    "a word for a list": (
        "exercise: [tool-call]",
        "exercise: tool-call",
        "21:11: exercise: `exercise` is not a list; write `[tool-call]`",
    ),
    "a misspelt exercise": (
        "exercise: [tool-call]",
        "exercise: [tool-cal]",
        '21:12: exercise.0: "tool-cal" is not valid here; did you mean `tool-call`?',
    ),
    "a result and an error": (
        "result: {hour: 7, places: [a, b]}",
        "result: 7\n        error: broken",
        "16:9: tools.0.returns.0: `result` and `error` exclude each other; keep one of them",
    ),
    "an id with a capital": ("id: greet", "id: Greet", '1:5: id: "Greet" is not valid here; begin with a lower-case'),
    "another id than the file": (
        "id: greet",
        "id: hello",
        "1:5: id: 'hello' does not match the file name 'greet'; rename the file or change the id",
    ),
}

MEANING_MISTAKES = {
    "an unknown type": (
        "zone: {type: string}",
        "zone: {type: strng}",
        "10:22: tools.0.parameters.properties.zone.type: JSON Schema has no type `strng`; did you mean `string`?",
    ),
    "a misspelt keyword": (
        "zone: {type: string}",
        "zone: {typ: string}",
        "10:16: tools.0.parameters.properties.zone: JSON Schema has no keyword `typ`; did you mean `type`?",
    ),
    "a schema that is none": (
        "required: [zone]",
        "required: zone",
        "12:17: tools.0.parameters.required: not a valid JSON Schema: `required` is not a list; write `[zone]`",
    ),
    "a required property that is no text": (
        "required: [zone]",
        "required: [{zone: 1}]",
        "12:18: tools.0.parameters.required.0: the required property `{'zone': 1}` is not in `properties`",
    ),
    "a required property that does not exist": (
        "required: [zone]",
        "required: [zon]",
        "12:18: tools.0.parameters.required.0: the required property `zon` is not in `properties`; did you mean",
    ),
    "parameters without a type": (
        "      type: object\n",
        "",
        "8:7: tools.0.parameters: `parameters` has no type; add `type: object`",
    ),
    "a reference to nothing": (
        "zone: {type: string}",
        "zone: {$ref: '#/$defs/zone'}",
        "10:22: tools.0.parameters.properties.zone.$ref: `#/$defs/zone` does not exist; define it under `$defs`",
    ),
    "a tool twice": (
        "model:",
        "  - {name: now, description: Again., returns: [{result: 1}]}\nmodel:",
        "16:12: tools.1.name: a tool called `now` is already declared; choose another name",
    ),
    "a condition on no parameter": (
        "when: {zone: UTC}",
        "when: {zon: UTC}",
        "14:16: tools.0.returns.0.when: `now` has no parameter `zon`; did you mean `zone`?",
    ),
    "a condition that no argument can meet": (
        "when: {zone: UTC}",
        "when: {zone: {one_of: [UTC, 5]}}",
        '14:37: tools.0.returns.0.when.zone.one_of.1: 5 is not a text; write "5"',
    ),
    "a result that is never reached": (
        "      - when: {zone: UTC}\n        result",
        "      - result: 1\n      - result",
        "15:9: tools.0.returns.1: the entry before this one has no `when` and always matches; put it last",
    ),
    "a result that does not fit the output schema": (
        "    returns:",
        "    output_schema: {type: object, properties: {hour: {type: string}}}\n    returns:",
        '16:24: tools.0.returns.0.result.hour: 7 is not a text; write "7"',
    ),
    "a result that looks like an envelope": (
        "{hour: 7, places: [a, b]}",
        "{output: 7}",
        "15:18: tools.0.returns.0.result: a result whose only key is `output` looks like an envelope around a result",
    ),
    "an undeclared tool": (
        "      - tool: now",
        "      - tool: noww",
        "18:15: model.0.calls.0.tool: undeclared tool `noww`; did you mean `now`?",
    ),
    "a misspelt argument": (
        ARGUMENTS,
        ARGUMENTS.replace("zone", "zon"),
        "19:21: model.0.calls.0.arguments: `now` has no parameter `zon`; did you mean `zone`?",
    ),
    "a missing argument": (
        ARGUMENTS,
        ARGUMENTS.replace("zone: UTC", "offset: 1"),
        "19:20: model.0.calls.0.arguments: `now`: the key `zone` is missing; add `zone:`",
    ),
    "an argument of another type": (
        ARGUMENTS,
        ARGUMENTS.replace("UTC", "5"),
        '19:27: model.0.calls.0.arguments.zone: `now`: 5 is not a text; write "5"',
    ),
    "arguments without a result": (
        ARGUMENTS,
        ARGUMENTS.replace("UTC", "CET"),
        "19:20: model.0.calls.0.arguments: `now` returns nothing for these arguments; add an entry to `returns`",
    ),
    "arguments that are no JSON": (
        ARGUMENTS,
        "arguments_json: '{zone}'\n  - text",
        "19:25: model.0.calls.0.arguments_json: arguments_json of `now` is not a JSON object; write a JSON object in",
    ),
    "a placeholder of a misspelt field": (
        "It is {now.hour}.",
        "It is {now.hours}.",
        "20:17: model.1.text: `{now.hours}`: the result of `now` has no `hours`; did you mean `hour`?",
    ),
    "a placeholder of an undeclared tool": (
        "It is {now.hour}.",
        "It is {noww.hour}.",
        "20:17: model.1.text: `{noww.hour}` names the undeclared tool `noww`; did you mean `now`?",
    ),
    "a placeholder of a result too many": (
        "It is {now.hour}.",
        "It is {now[1].hour}.",
        "20:17: model.1.text: `{now[1].hour}` needs result 1 of `now`, which is called 1 times; the last one is `[0]`",
    ),
    "a placeholder of an element too many": (
        "It is {now.hour}.",
        "It is {now.places.5}.",
        "20:17: model.1.text: `{now.places.5}`: the result of `now` has no `5`; it has `0`, `1`",
    ),
    "a placeholder with blanks": (
        "It is {now.hour}.",
        "It is { now.hour }.",
        "20:17: model.1.text: `{ now.hour }` is not a placeholder; write `{now.key}`, without blanks",
    ),
    "a placeholder of a result that is not there yet": (
        "  - calls:\n",
        "  - text: It will be {now.hour}.\n    calls:\n",
        "17:22: model.0.text: `{now.hour}` needs a result of `now`, which is not called before; add the call to an",
    ),
    "no answer": (
        "  - text: It is {now.hour}.\n",
        "",
        "17:5: model.0: the last turn is not an answer; end `model` with a turn that has `text` and no `calls`",
    ),
    "a turn after the answer": (
        "model:",
        "model:\n  - text: Wait.",
        "17:5: model.0: this turn calls no tool, so the conversation ends here; add `calls:`, or join it with",
    ),
    "an exercise that the script does not do": (
        "exercise: [tool-call]",
        "exercise: [parallel-tool-calls]",
        "21:12: exercise.0: `model` does not do `parallel-tool-calls`; remove it, or add it to the script; the script",
    ),
    "an expected call that is not made": (
        "  answer:",
        "    - tool: now\n  answer:",
        "26:7: expect.calls.1: `model` makes 1 calls, but this is call 2; remove it",
    ),
    "a call that is not expected": (
        CALLS,
        "  calls: []\n",
        "18:15: model.0.calls.0.tool: `expect.calls` does not have this call of `now`; add it there",
    ),
    "a fact that the answer does not contain": (
        'contains: ["{now.hour}"]',
        'contains: ["8"]',
        '27:16: expect.answer.contains.0: the last turn of `model` does not contain "8"; the answer is "It is 7."',
    ),
    "an unknown tool choice": (
        "exercise:",
        "options: {tool_choice: nwo}\nexercise:",
        "21:24: options.tool_choice: `nwo` is not a tool of this scenario; did you mean `now`?",
    ),
    "an unknown rule": (
        "expect:\n",
        "expect:\n  tolerates: [tool-call-unanswerd]\n",
        "23:15: expect.tolerates.0: there is no rule `tool-call-unanswerd`; did you mean `tool-call-unanswered`?",
    ),
}
MISTAKES = {**YAML_MISTAKES, **FORM_MISTAKES, **MEANING_MISTAKES}


def written(folder: Path, text: str, name: str = "greet.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_the_scenario_without_a_mistake_loads(tmp_path: Path) -> None:
    assert load_scenario(written(tmp_path, GOOD)).id == "greet"


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_reported_with_its_place_and_the_remedy(name: str, tmp_path: Path) -> None:
    old, new, message = MISTAKES[name]
    assert old in GOOD
    path = written(tmp_path, GOOD.replace(old, new, 1))
    with pytest.raises(ConformanceError) as caught:
        load_scenario(path)
    assert str(caught.value).startswith(f"{path}:{message}")
    assert caught.value.hint
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", ":1:1: the file is empty"),
        ("- a", ":1:1: the file is a list"),
        ("[[", ":1:3: invalid YAML: the file ends in the middle of a value"),
        ("{" * 5000, ": nested too deeply"),
        ("a: \x01", ":1:4: invalid YAML: a character that YAML does not allow"),
        ("&a [*a]", ":1:1: invalid YAML: this value contains itself"),
        ("? [a]: b", ":1:3: invalid YAML: a key that is not a string"),
        ("a: !!python/object/apply:os.getcwd []", ":1:4: invalid YAML: text cannot begin with `!`"),
    ],
)
def test_what_is_no_scenario_at_all_is_one_line(text: str, message: str, tmp_path: Path) -> None:
    path = written(tmp_path, text)
    with pytest.raises(ConformanceError) as caught:
        load_scenario(path)
    assert str(caught.value).startswith(f"{path}{message}")


def test_a_mistake_in_the_second_conversation_is_reported_there(tmp_path: Path) -> None:
    head, rest = GOOD.split("user: Hello\n")
    tools, tail = rest.split("model:\n")
    script, end = tail.split("exercise:")
    inner = "".join(f"    {line}\n" for line in script.splitlines())
    text = (
        f"{head}{tools}conversations:\n  - user: Hello\n    model:\n{inner}"
        f"  - user: And now?\n    model:\n      - text: It is {{now.hour}}.\nexercise:{end}"
    )
    path = written(tmp_path, text)
    with pytest.raises(ConformanceError, match=r"conversations\.1\.model\.0\.text: `\{now\.hour\}` needs a result"):
        load_scenario(path)


def test_an_axis_that_does_not_exist_is_reported(tmp_path: Path) -> None:
    written(tmp_path, GOOD.replace("exercise:", "not_applicable: {gemin: Not here.}\nexercise:"))
    with pytest.raises(ConformanceError) as caught:
        all_cells(Filter(folders=(str(tmp_path),)))
    message = ":21:18: not_applicable: there is no dialect or driver `gemin`; did you mean `gemini`?"
    assert str(caught.value) == f"{tmp_path / 'greet.yaml'}{message}"


def test_scenarios_that_cannot_be_told_apart_are_refused(tmp_path: Path) -> None:
    shipped = all_scenarios()["small-talk"]
    written(tmp_path, GOOD.replace("user: Hello", f"user: {shipped.conversations[0].user}"))
    with pytest.raises(ConformanceError) as caught:
        all_scenarios([tmp_path])
    assert str(caught.value).startswith(f"{tmp_path / 'greet.yaml'}:3:7: scenario 'small-talk' begins with the same")
    (tmp_path / "greet.yaml").unlink()
    written(tmp_path, GOOD.replace("id: greet", "id: small-talk"), "small-talk.yaml")
    with pytest.raises(ConformanceError, match="a scenario 'small-talk' is already in the package; rename the file"):
        all_scenarios([tmp_path])


def test_a_folder_that_cannot_be_one_is_reported(tmp_path: Path) -> None:
    for folder, message in (
        (tmp_path / "no", "folder does not exist; pass a folder of scenarios"),
        (tmp_path, "contains no scenario (*.yaml); write one with `conformance new scenario NAME`"),
        (tmp_path / "greet.yaml", "not a folder; pass the folder that the file is in"),
    ):
        if folder.suffix:
            written(tmp_path, GOOD)
        with pytest.raises(ConformanceError) as caught:
            scenarios_in(folder)
        assert str(caught.value) == f"{folder}: {message}"


def test_every_shipped_scenario_passes_the_checks_that_the_package_skips_when_it_runs() -> None:
    for scenario in all_scenarios().values():
        assert load_scenario(scenario.path) == scenario


def test_the_command_line_reports_a_mistake_in_one_line(tmp_path: Path) -> None:
    path = written(tmp_path, GOOD.replace("summary: A greeting.", 'summary: "A greeting.'))
    done = conformance("list", "--scenarios", str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"conformance: {path}:2:10: invalid YAML: the quote that begins here is not closed")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("word", "known", "hint"),
    [
        ("nonsense", ("openrouter", "openai", "mistral"), "see the list"),
        ("opanai", ("openrouter", "openai"), "did you mean `openai`?"),
        ("temp", ("temperature", "sky"), "did you mean `temperature`?"),
        ("nwo", ("now",), "did you mean `now`?"),
        ("te", ("temperature",), "see the list"),
    ],
)
def test_only_a_misspelling_or_a_beginning_is_taken_for_another_word(
    word: str, known: tuple[str, ...], hint: str
) -> None:
    assert nearest(word, known, "see the list") == hint
