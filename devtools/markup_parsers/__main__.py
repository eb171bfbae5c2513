"""Runs the parsers of vLLM, SGLang and llama.cpp, where they are installed, and ours over 200 texts; prints a table.

`docs/findings/markup.md` has the commands that install them, and this table.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from conformance.dialects.text.markup import Call, Markup
from conformance.dialects.text.markup.grammar import grammar
from devtools.markup_parsers.rendering import TEMPLATES, misread
from devtools.markup_parsers.texts import BROKEN, KINDS, MARKUPS, Sample, samples

_HERE = Path(__file__).parent
RIGHT, NOT_RUN = "", "not run"


def ours(all_samples: Iterable[Sample]) -> Iterator[list[Any]]:
    """The calls that our reader finds."""
    for sample in all_samples:
        reader = Markup(sample.markup, tools=sample.tools)
        events = [*reader.feed(sample.text), *reader.finish()]
        yield [[each.name, each.arguments] for each in events if isinstance(each, Call)]


def theirs(command: Sequence[str], given: Iterable[dict[str, Any]]) -> list[Any]:
    """What a program finds in each text: calls, a message if it fails, or None if it has no parser for the markup."""
    lines = "".join(f"{json.dumps(each)}\n" for each in given)
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def for_python(sample: Sample) -> dict[str, Any]:
    """What a parser in Python is given. Both programs take thoughts off before, with another parser."""
    of = grammar(sample.markup)
    text = sample.text
    if of.thought and text.startswith(of.thought[0]):
        text = text.partition(of.thought[1])[2]
    marks = [*of.turn, *of.onward, *(mark for step in of.call for mark in (*step.marks, *step.either))]
    return {"markup": sample.markup, "text": text, "tools": _tools(sample), "marks": marks}


def for_llama(sample: Sample, folder: str) -> dict[str, Any]:
    """What llama.cpp is given, as its server has it: no end of the turn, and thoughts that the prompt has opened."""
    template = f"{folder}/{TEMPLATES[sample.markup]}.jinja"
    thinks = sample.kind == "a call in thoughts"
    text = sample.text
    if sample.kind == "end of the turn" and sample.markup != "gpt-oss":
        text = text.removesuffix(grammar(sample.markup).ends[0])
    if sample.markup == "minimax":
        text = text.removeprefix("<think>") if thinks else f"Hm.</think>{text}"
    if sample.markup == "deepseek" and thinks:
        text = text.removeprefix("<think>")
    return {"template": template, "text": text, "tools": _tools(sample), "thinking": thinks, "partial": False}


def _tools(sample: Sample) -> list[Any]:
    return [
        {"type": "function", "function": {"name": name, "description": name, "parameters": schema}}
        for name, schema in sample.tools.items()
    ]


def verdict(sample: Sample, result: Any) -> str:
    """In what a result differs from the calls of the sample: nothing, or in a few words."""
    if result is None:
        return NOT_RUN
    if isinstance(result, str):
        return "fails: " + " ".join(result.split())[:60]
    found = [(name, _value(arguments)) for name, arguments in result]
    wanted = [(name, dict(arguments)) for name, arguments in sample.calls]
    if _text(found) == _text(wanted):
        return RIGHT
    if len(found) != len(wanted):
        return f"{len(found)} calls, not {len(wanted)}"
    one, other = next(pair for pair in zip(found, wanted, strict=True) if _text(pair[0]) != _text(pair[1]))
    (name, arguments), (right, expected) = one, other
    if name != right:
        return f"the name is `{name}`"
    if not isinstance(arguments, dict):
        return f"the arguments are `{arguments}`"
    key = next(key for key in {**expected, **arguments} if _text(arguments.get(key)) != _text(expected.get(key)))
    return f"`{key}` is `{json.dumps(arguments.get(key), ensure_ascii=False)}`"


def _value(arguments: Any) -> Any:
    try:
        return json.loads(arguments) if isinstance(arguments, str) else arguments
    except ValueError:
        return arguments


def _text(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def table(results: Mapping[str, Sequence[str]], all_samples: Sequence[Sample], *, broken: bool) -> Iterator[str]:
    """How many texts of each markup are read as they were written; only the broken ones, or only the others."""
    yield f"| markup | {' | '.join(results)} |"
    yield f"| --- |{' ---: |' * len(results)}"
    for markup in (*MARKUPS, "all"):
        cells = []
        for verdicts in results.values():
            pairs = zip(verdicts, all_samples, strict=True)
            counted = Counter(
                each
                for each, sample in pairs
                if markup in (sample.markup, "all") and (sample.kind in BROKEN) is broken and each != NOT_RUN
            )
            cells.append(f"{counted[RIGHT]} of {counted.total()}" if counted else NOT_RUN)
        yield f"| {markup} | {' | '.join(cells)} |"


def differences(results: Mapping[str, Sequence[str]], all_samples: Sequence[Sample]) -> Iterator[str]:
    """Each text that a program does not read as it was written; those of one kind on one line."""
    yield "| program | kind of text | markup | what it reads |"
    yield "| --- | --- | --- | --- |"
    for program, verdicts in results.items():
        wrong: dict[tuple[str, str], list[str]] = {}
        for sample, each in zip(all_samples, verdicts, strict=True):
            if each not in (RIGHT, NOT_RUN):
                wrong.setdefault((sample.kind, each), []).append(sample.markup)
        for (kind, what), markups in sorted(wrong.items(), key=lambda row: [*KINDS].index(row[0][0])):
            yield f"| {program} | {kind} | {', '.join(markups)} | {what} |"


def main() -> None:
    """Prints the tables."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--python", help="Python with the packages that the parsers of vLLM and SGLang import")
    options.add_argument("--site", help="folder with the unpacked wheels")
    options.add_argument("--llama", help="the program made of llama_cpp.cpp")
    options.add_argument("--templates", help="the folder models/templates of llama.cpp")
    given = options.parse_args()
    all_samples = list(samples())
    results = {"ours": list(ours(all_samples))}
    if given.python:
        for program in ("vllm", "sglang"):
            command = [given.python, str(_HERE / "in_python.py"), program, given.site]
            results[program] = theirs(command, map(for_python, all_samples))
    if given.templates:
        whole = [each for each in samples(TEMPLATES) if each.calls]
        unread = [f"{each.markup}, {each.kind}: {text}" for each, text in misread(whole, Path(given.templates))]
        print(f"ours reads {len(whole) - len(unread)} of {len(whole)} turns that the templates write\n")  # noqa: T201
        print("\n".join(unread))  # noqa: T201 - its output
    if given.llama:
        results["llama.cpp"] = theirs([given.llama], (for_llama(each, given.templates) for each in all_samples))
    judged = {
        program: [verdict(sample, each) for sample, each in zip(all_samples, found, strict=True)]
        for program, found in results.items()
    }
    tables = (*(table(judged, all_samples, broken=each) for each in (False, True)), differences(judged, all_samples))
    print("\n\n".join("\n".join(each) for each in tables))  # noqa: T201 - its output


if __name__ == "__main__":
    main()
