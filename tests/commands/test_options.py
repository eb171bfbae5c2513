"""A verb's options are one object: made by the command line, or by a program, with the same defaults and types."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import FrozenInstanceError, dataclass, fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, get_args, get_type_hints

import click
import pytest

from conformance.commands import app
from conformance.commands.common import options as declared
from conformance.commands.common.options import argument, following, group, option, words
from conformance.commands.common.verbs import Verb


def verbs(of: click.Group = app, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """The names of each verb: `("check",)`, `("new", "project")`."""
    for name, command in of.commands.items():
        if isinstance(command, click.Group):
            yield from verbs(command, (*before, name))
        elif isinstance(command, Verb):
            yield (*before, name)


VERBS = list(verbs())


def command_of(names: tuple[str, ...]) -> Verb:
    command: Any = app
    for name in names:
        command = command.commands[name]
    assert isinstance(command, Verb)
    return command


def options_of(names: tuple[str, ...], arguments: list[str]) -> Any:
    """The options that the command line makes."""
    module = import_module(".".join(("conformance.commands", *names)))
    context = command_of(names).make_context(names[-1], arguments)
    return declared.made(module.Options, context.params)


def sample(parameter: click.Parameter) -> list[str]:
    """Arguments that give the parameter a value other than its default."""
    name = [parameter.opts[0]] if isinstance(parameter, click.Option) else []
    if isinstance(parameter, click.Option) and parameter.is_flag:
        return name
    kind = parameter.type
    if isinstance(kind, click.Choice):
        value = str(next(each for each in kind.choices if each != parameter.default))
    else:
        value = {"integer range": "7", "float range": "0.75"}.get(kind.name, "x")
    return [*name, *[value] * max(parameter.nargs, 1)]


def required(names: tuple[str, ...]) -> list[str]:
    return [word for each in command_of(names).params if each.required for word in sample(each)]


def all_given(names: tuple[str, ...]) -> list[str]:
    """Arguments for every parameter; the positional ones come last."""
    return [word for each in sorted(command_of(names).params, key=_positional) for word in sample(each)]


def _positional(parameter: click.Parameter) -> bool:
    return isinstance(parameter, click.Argument)


def misfits(options: Any, hints: dict[str, Any]) -> Iterator[str]:
    """The fields whose values are not of the annotated type."""
    for each in fields(options):
        value, hint = getattr(options, each.name), hints[each.name]
        if is_dataclass(value):
            yield from misfits(value, get_type_hints(type(value)))
        elif not any(_fits(value, kind) for kind in get_args(hint) or (hint,)) and not _fits(value, hint):
            yield f"{each.name}: {value!r} is no {hint}"


def _fits(value: Any, kind: Any) -> bool:
    parts = get_args(kind)
    if parts:
        return isinstance(value, tuple) and all(isinstance(one, parts[0]) for one in value)
    return kind is not ... and type(value) is kind


@pytest.fixture(autouse=True)
def without_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("CONFORMANCE_AS_OF", raising=False)


@pytest.mark.parametrize("names", VERBS, ids=" ".join)
def test_values_have_the_annotated_types(names: tuple[str, ...]) -> None:
    for arguments in (required(names), all_given(names)):
        made = options_of(names, arguments)
        assert list(misfits(made, get_type_hints(type(made)))) == []


@pytest.mark.parametrize("names", VERBS, ids=" ".join)
def test_a_program_gets_the_defaults_of_the_command_line(names: tuple[str, ...]) -> None:
    made = options_of(names, required(names))
    needed = {each.name for each in command_of(names).params if each.required}
    assert type(made)(**{name: getattr(made, name) for name in needed}) == made


@pytest.mark.parametrize("names", VERBS, ids=" ".join)
def test_options_are_frozen_and_each_has_a_help_text(names: tuple[str, ...]) -> None:
    command = command_of(names)
    made = options_of(names, required(names))
    for each in fields(made)[:1]:
        with pytest.raises(FrozenInstanceError):
            setattr(made, each.name, None)
    assert [each.name for each in command.params if isinstance(each, click.Option) and not _explained(each)] == []
    assert command.epilog
    assert command.epilog.startswith(f"Example: conformance {' '.join(names)}")


def _explained(each: click.Option) -> bool:
    return bool(each.help) or isinstance(each.type, click.Choice)


@pytest.mark.parametrize("names", VERBS, ids=" ".join)
def test_words_are_the_command_line_that_makes_the_same_options(names: tuple[str, ...]) -> None:
    made = options_of(names, all_given(names))
    positional = [each.name for each in command_of(names).params if isinstance(each, click.Argument)]
    given = [word for name in positional for word in _tuple(getattr(made, str(name)))]
    assert options_of(names, [*words(made), *given]) == made


def _tuple(value: Any) -> tuple[str, ...]:
    return value if isinstance(value, tuple) else (value,)


@dataclass(frozen=True, kw_only=True)
class Inner:
    level: int = option("--level", type=int, default=1, setting=True)


@dataclass(frozen=True, kw_only=True)
class Outer:
    paths: tuple[str, ...] = argument(nargs=-1)
    inner: Inner = group(Inner)
    stream: bool | None = option("--stream/--no-stream", default=None)
    command: tuple[str, ...] = following()


def test_fields_are_parameters_in_their_order_those_of_a_group_in_its_place() -> None:
    assert [each.name for each in declared.parameters(Outer)] == ["paths", "level", "stream"]
    assert declared.settings(Outer) == {"level": "level"}
    assert declared.field_of_words(Outer) == "command"
    assert Outer() == Outer(paths=(), inner=Inner(level=1), stream=None, command=())
    assert list(words(Outer(stream=False, inner=Inner(level=3)))) == ["--level", "3", "--no-stream"]
    assert list(words(Outer(stream=True))) == ["--stream"]
