"""YAML files that people write: read and held against their schema; every error has its file, line and column."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from conformance.errors import ConformanceError
from conformance.model.data_files import data_dir
from conformance.model.schema_words import worded
from conformance.model.yaml_problems import YamlProblem, contains_itself, meaning_problems, syntax_problem

_MOST_VALUES = 1 << 20
"""A file that people write has no more, with its aliases expanded."""


def read_document(path: Path, kind: str, *, dates: bool = False) -> tuple[Any, Any]:
    """The document in a YAML file, and the tree of its nodes, by which `place_of` finds a place.

    With `dates`, a value may be a date.

    Raises:
        ConformanceError: the file cannot be read, is not YAML, or has a value that JSON does not have; with the place.
    """
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
        root = _composed(text)
        size = 0 if root is None else unfolded(root)
        if isinstance(size, YamlProblem):
            raise _invalid(path, size)
        if size > _MOST_VALUES:
            raise ConformanceError(f"{path}: YAML aliases expand to an excessive size", "write the values out")
        wrong = next(meaning_problems(root, dates=dates), None) if root is not None else None
        if wrong is not None:
            raise _invalid(path, wrong)
        return None if root is None else yaml.SafeLoader("").construct_document(root), root
    except OSError as error:
        raise ConformanceError(f"{path}: {error.strerror}", f"pass a readable {kind} file") from error
    except UnicodeDecodeError as error:
        raise ConformanceError(f"{path}: not UTF-8 text", f"a {kind} file must be YAML in UTF-8") from error
    except yaml.YAMLError as error:
        raise _invalid(path, syntax_problem(error, text)) from error
    except RecursionError as error:
        raise ConformanceError(f"{path}: nested too deeply", "correct the brackets") from error
    except ValueError as error:  # a number or a date that YAML admits and Python does not
        raise ConformanceError(f"{path}: invalid YAML: {error}", "put the value in quotes") from error


def _composed(text: str) -> Any:
    """The tree of nodes: by the fast parser, and where that fails by the one whose errors name where they began.

    Raises:
        yaml.YAMLError: it is not YAML.
    """
    import yaml

    try:
        return yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError:
        return yaml.compose(text, Loader=yaml.SafeLoader)


def unfolded(root: Any) -> int | YamlProblem:
    """How many values a tree of nodes has with every alias expanded, or the first one that contains itself."""
    weights: dict[int, int | None] = {}
    waiting = [(root, False)]
    while waiting:
        node, done = waiting.pop()
        parts = node.value if isinstance(node.value, list) else []
        children = [each for part in parts for each in (part if isinstance(part, tuple) else (part,))]
        if done:
            weights[id(node)] = 1 + sum(weights[id(each)] or 0 for each in children)
        elif id(node) not in weights:
            weights[id(node)] = None  # until its end: who meets it before is inside it
            waiting.append((node, True))
            waiting += [(each, False) for each in children]
        elif weights[id(node)] is None:
            return contains_itself(node)
    return weights[id(root)] or 0


def _invalid(path: Path, problem: YamlProblem) -> ConformanceError:
    return ConformanceError(f"{path}:{problem.line}:{problem.column}: invalid YAML: {problem.message}", problem.hint)


def hold_against(schema: str, document: Any, root: Any, path: Path, kind: str) -> None:
    """Holds a document against a schema of `specs/`.

    Raises:
        ConformanceError: it does not fit; the first place where it does not, and the nearest valid key.
    """
    import jsonschema_rs

    if jsonschema_rs.is_valid(_schema(schema), document):
        return
    import jsonschema

    otherwise = f"see specs/{schema} for the format of a {kind}"
    found = [
        worded(error, otherwise) for error in jsonschema.Draft202012Validator(_schema(schema)).iter_errors(document)
    ]
    # A misspelt key explains the missing one, so it goes first.
    first = min(found, key=lambda each: (not each.key, place_of(root, each.steps, key=each.key)))
    place = ".".join(str(step) for step in (first.steps[:-1] if first.key else first.steps))
    line, column = place_of(root, first.steps, key=first.key)
    raise ConformanceError(f"{path}:{line}:{column}: {f'{place}: ' if place else ''}{first.message}", first.hint)


def place_of(node: Any, steps: Sequence[str | int], *, key: bool = False) -> tuple[int, int]:
    """The line and the column, from 1, of the value that the steps lead to, or of the nearest one that exists.

    With `key`, those of its key.
    """
    import yaml

    mark = node.start_mark if node is not None else None
    for number, step in enumerate(steps):
        found = None
        if isinstance(node, yaml.MappingNode):
            found = next(((name, value) for name, value in node.value if name.value == str(step)), None)
        elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
            found = (node.value[step], node.value[step])
        if found is None:
            break
        last = number == len(steps) - 1
        empty = isinstance(found[1], yaml.ScalarNode) and not found[1].value and not found[1].style
        mark, node = (found[0] if (key and last) or empty else found[1]).start_mark, found[1]
    return (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)


@cache
def _schema(name: str) -> Any:
    return json.loads((data_dir("specs") / name).read_text(encoding="utf-8"))
