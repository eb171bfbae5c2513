"""YAML files that people write: read, held against their schema, and every error told with file and line."""

from __future__ import annotations

import difflib
import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from conformance.errors import ConformanceError
from conformance.model.data_files import data_dir


def read_document(path: Path, kind: str) -> tuple[Any, Any]:
    """The document in a YAML file, and the tree of its nodes, by which `line_of` finds a place.

    Raises:
        ConformanceError: the file cannot be read, or is not YAML; with file and line.
    """
    import yaml

    try:
        text = path.read_text(encoding="utf-8")
        return yaml.safe_load(text), yaml.compose(text, Loader=yaml.SafeLoader)
    except OSError as error:
        raise ConformanceError(f"{path}: {error.strerror}", f"pass a readable {kind} file") from error
    except UnicodeDecodeError as error:
        raise ConformanceError(f"{path}: not UTF-8 text", f"a {kind} file must be YAML in UTF-8") from error
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f"{path}:{mark.line + 1}" if mark else str(path)
        problem = getattr(error, "problem", None) or "not YAML"
        raise ConformanceError(f"{where}: invalid YAML: {problem}", "correct the syntax at this line") from error


def hold_against(schema: str, document: Any, root: Any, path: Path, kind: str) -> None:
    """Holds a document against a schema of `specs/`.

    Raises:
        ConformanceError: it does not fit; the first place where it does not, and the nearest valid key.
    """
    import jsonschema

    validator = jsonschema.Draft202012Validator(_schema(schema))
    errors = sorted(validator.iter_errors(document), key=lambda error: line_of(root, list(error.absolute_path)))
    if not errors:
        return
    error = errors[0]
    steps = list(error.absolute_path)
    message = error.message[:160]
    hint = f"see specs/{schema} for the format of a {kind}"
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        known = list(error.schema.get("properties", {}))
        wrong = next(key for key in error.instance if key not in known)
        steps.append(wrong)
        near = difflib.get_close_matches(str(wrong), known, n=1, cutoff=0.4)
        message = f"unknown key `{wrong}`"
        hint = f"did you mean `{near[0]}`?" if near else f"valid keys here are {', '.join(sorted(known))}"
    elif error.validator == "oneOf":
        ways = [" and ".join(f"`{key}`" for key in way["required"]) for way in error.schema["oneOf"]]
        message = f"{' or '.join(ways)} is required"
    place = ".".join(str(step) for step in error.absolute_path)
    raise ConformanceError(f"{path}:{line_of(root, steps)}: {f'{place}: ' if place else ''}{message}", hint)


def line_of(node: Any, steps: Sequence[str | int]) -> int:
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


@cache
def _schema(name: str) -> Any:
    return json.loads((data_dir("specs") / name).read_text(encoding="utf-8"))
