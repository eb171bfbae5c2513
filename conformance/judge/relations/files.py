"""The rows in a dialect's folder `relations`: each makes a rule, when its module `rules_relations` is imported.

`make data` writes them as JSON, with what names stand for, so that a verdict reads no YAML.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from conformance.contract.situation import When, when
from conformance.errors import ConformanceError
from conformance.judge.relations import NOTATION
from conformance.judge.relations.naming import rows_in
from conformance.judge.relations.places import places
from conformance.judge.relations.reported import Reported
from conformance.judge.relations.rows import Relation, Row, add_row, scope_of
from conformance.judge.rows import add_rule
from conformance.judge.view import View
from conformance.model.data_files import read_data
from conformance.model.finding import Hit, Severity


def add_rows(module: str) -> None:
    """Makes the rows in the folder `relations` beside a module rules of the module.

    Raises:
        ConformanceError: a row is not written in the notation. The message has the folder and the id.
    """
    package = module.rpartition(".")[0]
    folder = Path(*import_module(package).__path__) / "relations"
    for name, row in read_data(folder, partial(rows_of, package)).items():
        try:
            options = {key: _OPTIONS[key](row[key]) for key in row.keys() & _OPTIONS.keys()}
            rest = {key: value for key, value in row.items() if key not in {"relations", *_OPTIONS}}
            made = Row(_relations(row, package), **options)
            if "part" in rest:  # its hits in what a request repeats are kept, so it is not asked relation by relation
                add_rule(module, name, partial(_judged, made), **rest)
            else:
                add_row(module, name, made, **rest)
        except _MISTAKES as error:
            raise _mistaken(folder, name, error) from error


def _judged(row: Row, view: View) -> Iterator[Hit]:
    return row.judge(view, row.relations)


def rows_of(package: str, folder: Path) -> dict[str, Any]:
    """The rows of a folder, with what names stand for, each with its scope and its requirement.

    Raises:
        ConformanceError: as for `add_rows`.
    """
    found = rows_in(folder)
    for name, row in found.items():
        try:
            relations = _relations(row, package)
            scopes = (getattr(each, "scope", None) for each in relations)
            row["scope"] = next(filter(None, scopes), None) or scope_of(relations)
            if "requirement" not in row:
                row["requirement"] = _text(row["cites"], package)
        except _MISTAKES as error:
            raise _mistaken(folder, name, error) from error
    return found


def _text(cites: str | Sequence[str], package: str) -> str:
    """The text of the first statement that a row cites."""
    from conformance.contract.statements import own_statements

    first = cites if isinstance(cites, str) else cites[0]
    found = own_statements(package).get(first)
    if found is None:
        raise ValueError(f"{first} is no statement of the dialect; write the sentence as `requirement`")
    return found.text


_MISTAKES = (TypeError, KeyError, ValueError, AttributeError, ImportError)


def _mistaken(folder: Path, name: str, error: Exception) -> ConformanceError:
    return ConformanceError(f"{folder}: {name}: {error}", "conformance/judge/relations/__init__.py has the notation")


def _relations(row: Mapping[str, Any], package: str) -> list[Relation]:
    return _entries(row["relations"], package)


def _when(given: Mapping[str, Any]) -> When:
    options: dict[str, Any] = {key: _when(value) if key == "no" else value for key, value in given.items()}
    providers = [options.pop("provider")] if "provider" in options else []
    return when(*providers, **options)


def _pattern(written: str) -> str:
    """The places of a pattern, as they are written.

    Raises:
        ValueError: it is none.
    """
    return " | ".join(each.written for each in places(written))


_OPTIONS: Mapping[str, Callable[[Any], Any]] = {
    "refused": bool,
    "elsewhere": lambda severity: Severity[severity.upper()],
    "only": _when,
    "doubtful": _when,
    "warning_with": _pattern,
}
"""How the options of a row are read."""
_OF_FINDINGS: Mapping[str, Callable[[Any], Any]] = {
    "severity": lambda severity: Severity[severity.upper()],
    "wrong": str,
    "wanted": str,
    "only": _when,
}
"""What any relation may state of its findings."""
_WORDS = ("wrong", "wanted")
_SAYS = {"transcript": _WORDS, "http": _WORDS, "needs": _WORDS}
"""The relations and forms with options of these names that are their own."""


def _made(value: Any, package: str) -> Any:
    """What a value stands for: a relation, a form, an identity, a function of the package, or itself."""
    if isinstance(value, list):
        return tuple(_made(each, package) for each in value)
    if not isinstance(value, dict) or not value:
        return value
    (name, first), *others = value.items()
    if name == "function":
        module, _, function = first.rpartition(".")
        return getattr(import_module(f"{package}.{module}"), function)
    given = {key: _made(each, package) for key, each in others if key != "forms"}
    if name not in NOTATION:
        return {name: _made(first, package), **given}
    positional = _made(first if isinstance(first, list) else [first], package)
    reported = {
        key: read(given.pop(key)) for key, read in _OF_FINDINGS.items() if key in given.keys() - _SAYS.get(name, ())
    }
    made = NOTATION[name](*positional, *_entries(value.get("forms", []), package), **given)
    if not reported:
        return made
    return [Reported(each, **reported) for each in made] if isinstance(made, list) else Reported(made, **reported)


def _entries(entries: Sequence[Mapping[str, Any]], package: str) -> list[Any]:
    """The relations of a row, or the forms of a relation; one entry may stand for several."""
    for each in entries:
        if (name := next(iter(each))) not in NOTATION:
            raise ValueError(f"unknown relation or form `{name}`")
    made = (_made(each, package) for each in entries)
    return [each for one in made for each in (one if isinstance(one, list) else (one,))]
