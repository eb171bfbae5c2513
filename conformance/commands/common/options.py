"""Options as data: a frozen dataclass, each of whose fields has its place on the command line.

    @dataclass(frozen=True, kw_only=True)
    class Options:
        paths: tuple[str, ...] = argument(nargs=-1, required=True, metavar="PATH...")
        jobs: int = option("--jobs", "-j", type=click.IntRange(1), default=1, setting=True, help="Number of workers.")
        report: ReportOptions = group(ReportOptions)

`option` and `argument` take what click's own take. The command line makes the object and passes it whole; a program
makes it with the same defaults: `Options(paths=("a.jsonl",))`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, TypeVar

import click
from click.core import ParameterSource

T = TypeVar("T")
_KEY = "command line"
_DAY = 86_400


class Seconds(click.FloatRange):
    """A number of seconds, a day at most."""

    def __init__(self, *, min_open: bool = False) -> None:
        super().__init__(0, _DAY, min_open=min_open)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        seconds = super().convert(value, param, ctx)
        if seconds != seconds:  # NaN is in every range  # noqa: PLR0124
            self.fail(f"{value!r} is not a number of seconds.", param, ctx)
        return seconds


@dataclass(frozen=True, slots=True)
class _Parameter:
    """How click makes the parameter of a field, and the key of the project's settings that has its default."""

    kind: type[click.Parameter]
    names: tuple[str, ...]
    attributes: Mapping[str, Any]
    setting: str | None = None


def option(*names: str, setting: bool = False, **attributes: Any) -> Any:
    """A field that an option sets. With `setting`, its default is that of `[tool.conformance]`, by the option's name.

    Without a default, it is False for a flag, empty for an option that can be repeated, or None.
    """
    empty = () if attributes.get("multiple") else False if attributes.get("is_flag") else None
    default = MISSING if attributes.get("required") else attributes.get("default", empty)
    key = names[0].removeprefix("--") if setting else None
    return field(default=default, metadata={_KEY: _Parameter(click.Option, names, attributes, key)})


def argument(**attributes: Any) -> Any:
    """A field that an argument sets."""
    default = () if attributes.get("nargs") == -1 and not attributes.get("required") else MISSING
    return field(default=default, metadata={_KEY: _Parameter(click.Argument, (), attributes)})


def group(kind: type[T]) -> T:
    """A field that has options of its own, which several verbs share."""
    made: T = field(default_factory=kind, metadata={_KEY: kind})
    return made


def following() -> Any:
    """A field that has the words after `--`."""
    return field(default=(), metadata={_KEY: None})


def parameters(options: type[Any]) -> Iterator[click.Parameter]:
    """The parameters of the fields, in their order; those of a group stand in the place of its field."""
    for name, each in _declared(options):
        if isinstance(each, _Parameter):
            yield each.kind([*each.names, name], **each.attributes)


def settings(options: type[Any]) -> dict[str, str]:
    """The field of each key of the project's settings."""
    declared = ((name, each) for name, each in _declared(options) if isinstance(each, _Parameter))
    return {each.setting: name for name, each in declared if each.setting is not None}


def field_of_words(options: type[Any]) -> str | None:
    """The field that has the words after `--`."""
    return next((name for name, each in _declared(options) if each is None), None)


def given(name: str) -> bool:
    """Whether the command line has the option of a field; False if its value comes from elsewhere."""
    context = click.get_current_context(silent=True)
    return context is not None and context.get_parameter_source(name) is ParameterSource.COMMANDLINE


def words(options: Any) -> Iterator[str]:
    """The options as words of a command line, without arguments and those that have their defaults."""
    for each in fields(options):
        declared, value = each.metadata[_KEY], getattr(options, each.name)
        if isinstance(declared, type):
            yield from words(value)
        elif isinstance(declared, _Parameter) and declared.names and value != each.default:
            yield from _words(declared, value)


def _words(declared: _Parameter, value: Any) -> Iterator[str]:
    name, _, off = declared.names[0].partition("/")
    if isinstance(value, bool):
        yield name if value else off
        return
    for one in value if declared.attributes.get("multiple") else [value]:
        yield from (name, *map(str, one if isinstance(one, tuple) else [one]))


def made(options: type[T], values: Mapping[str, Any]) -> T:
    """The options, from the values of their parameters."""
    found = {}
    for each in fields(options):  # type: ignore[arg-type]
        declared = each.metadata[_KEY]
        found[each.name] = made(declared, values) if isinstance(declared, type) else values[each.name]
    return options(**found)


def _declared(options: type[Any]) -> Iterator[tuple[str, Any]]:
    """The fields, those of groups among them."""
    for each in fields(options):
        declared = each.metadata[_KEY]
        if isinstance(declared, type):
            yield from _declared(declared)
        else:
            yield each.name, declared
