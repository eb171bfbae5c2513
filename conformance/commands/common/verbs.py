"""A verb of the command line is a module of a package: its docstring, its `Options`, and `run(options)`.

The docstring is the help text: its first line stands in the list of verbs, its last paragraph is the example. A verb is
imported when it is called; for the list, only its file is read. So that `--help` is fast, a verb that needs slow
imports is a package, and `run` lies in its module `run`. A module `common` is no verb. A package without `Options` has
verbs of its own.
"""

from __future__ import annotations

import sys
from collections import UserDict
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import Any

import click

from conformance.cassette.stdout_guard import guarded_output
from conformance.commands.common.options import field_of_words, made, parameters, settings

HELP = ("-h", "--help")
CONTEXT = {"help_option_names": list(HELP), "max_content_width": 100}
_EXAMPLE = "Example: "


class Verb(click.Command):
    """The command of a verb."""

    def __init__(self, name: str, module: ModuleType) -> None:
        self._module = module
        self._words = field_of_words(module.Options)
        self.settings = settings(module.Options)
        """The parameter of each key of the project's settings that is a default of this verb."""
        text, example = _texts(module)
        super().__init__(name, params=list(parameters(module.Options)), help=text, epilog=example)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        own, words = (args[: args.index("--")], args[args.index("--") + 1 :]) if "--" in args else (args, [])
        if self.settings and not ctx.resilient_parsing and not set(HELP) & set(own):
            ctx.default_map = {**(ctx.default_map or {}), **self._defaults()}
        rest = super().parse_args(ctx, own if self._words else args)
        if self._words:
            ctx.params[self._words] = tuple(words)
        return rest

    def invoke(self, ctx: click.Context) -> Any:
        module = self._module
        options = made(module.Options, ctx.params)
        if ctx.params.get("output"):
            from conformance.commands.common.output import refuse_what_is_read

            refuse_what_is_read(ctx.params)
        if hasattr(module, "__path__"):
            module = import_module(f"{module.__name__}.run")
        with guarded_output():
            sys.exit(module.run(options))

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_options(ctx, formatter)
        if hasattr(self._module, "more_help"):
            title, rows = self._module.more_help()
            with formatter.section(title):
                formatter.write_dl(rows)

    def _defaults(self) -> dict[str, Any]:
        """The defaults that the project's settings give.

        Raises:
            ConformanceError: the settings are not valid.
        """
        from conformance.model.settings import settings_of

        values = settings_of().values
        return {name: values[key] for key, name in self.settings.items() if key in values}


_GROUPS = {
    "Check": ("check", "demo", "show", "tools"),
    "Record and replay": ("record", "replay", "run", "new"),
    "Servers between": ("serve", "proxy", "gateway"),
    "Compare": ("diff", "history", "results"),
    "Look up": ("explain", "list", "config", "doctor"),
}
"""The verbs in the help text, by what they are for; others come after them."""


class Verbs(click.Group):
    """The verbs that lie in a package."""

    def __init__(self, *, package: str, **attributes: Any) -> None:
        super().__init__(commands=_Lying(package), **attributes)
        self._package = package

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        left = self.list_commands(ctx)
        for title, names in (*_GROUPS.items(), ("Commands", tuple(left))):
            rows = [(name, _summary(f"{self._package}.{name}")) for name in names if name in left]
            left = [name for name in left if name not in names]
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)


class _Lying(UserDict[str, Any]):
    """The commands of the verbs in a package, each made when it is asked for."""

    def __init__(self, package: str) -> None:
        super().__init__()
        self._package = package
        lying = iter_modules(import_module(package).__path__)
        self.data = {each.name: None for each in lying if each.name != "common"}

    def __getitem__(self, name: str) -> click.Command:
        if self.data[name] is None:
            self.data[name] = _command(name, import_module(f"{self._package}.{name}"))
        found: click.Command = self.data[name]
        return found


def _command(name: str, module: ModuleType) -> click.Command:
    if hasattr(module, "Options"):
        return Verb(name, module)
    text, example = _texts(module)
    return Verbs(package=module.__name__, name=name, help=text, epilog=example)


def _summary(module: str) -> str:
    """The first line of a verb's docstring, read without importing the verb."""
    spec = find_spec(module)
    source = Path(spec.origin).read_text(encoding="utf-8") if spec is not None and spec.origin else ""
    return source.partition("\n")[0].strip('"')


def _texts(module: ModuleType) -> tuple[str, str | None]:
    """The help text of a docstring, and its example."""
    text, example, rest = (module.__doc__ or "").strip().rpartition(_EXAMPLE)
    return (text.strip(), f"{example}{rest}") if example else (rest, None)
