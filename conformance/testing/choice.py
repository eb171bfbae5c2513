"""Which findings fail a test: the settings of the project, of a marker and of a call, put together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from conformance.errors import ConformanceError, did_you_mean
from conformance.judge.checker import Checker
from conformance.judge.chosen_profile import chosen_profile
from conformance.judge.selection import Selection, chosen, known_prefixes
from conformance.model.registry import all_dialects
from conformance.model.settings import settings_of


@dataclass(frozen=True, slots=True)
class Choice:
    """The options of a marker or a call. `dialect`, `strict` and `profile` are None where the outer settings apply."""

    dialect: str | None = None
    ignore: tuple[str, ...] = ()
    strict: bool | None = None
    profile: str | None = None

    def within(self, outer: Choice) -> Choice:
        """This choice inside an outer one: `ignore` lists are joined, other settings override if set."""
        return Choice(
            dialect=self.dialect if self.dialect is not None else outer.dialect,
            ignore=(*outer.ignore, *self.ignore),
            strict=self.strict if self.strict is not None else outer.strict,
            profile=self.profile if self.profile is not None else outer.profile,
        )

    def checker(self) -> Checker:
        """A judge for the chosen dialect and provider."""
        return Checker(self.dialect, profile=None if self.profile is None else chosen_profile(self.profile))

    def selection(self, project: Selection) -> Selection:
        """The project's selection with this choice applied."""
        return replace(
            project,
            ignore=(*project.ignore, *self.ignore),
            strict=project.strict if self.strict is None else self.strict,
        )


def choice(where: str, *, dialect: Any = None, ignore: Any = (), strict: Any = None, profile: Any = None) -> Choice:
    """A choice from values that a user wrote; `where` names their place in messages.

    Raises:
        ConformanceError: a value has the wrong type, or is not the name of a dialect, rule or profile.
    """
    if isinstance(ignore, str) or not isinstance(ignore, Sequence) or not all(isinstance(each, str) for each in ignore):
        raise ConformanceError(f"{where}: `ignore` is not a list of rule ids or prefixes", 'write ignore=["chat-"]')
    if strict is not None and not isinstance(strict, bool):
        raise ConformanceError(f"{where}: `strict` is not True or False", "write strict=True")
    if dialect is not None and dialect not in all_dialects():
        raise ConformanceError(f"{where}: unknown dialect {dialect!r}", did_you_mean(str(dialect), all_dialects()))
    if profile is not None and not isinstance(profile, str):
        raise ConformanceError(f"{where}: `profile` is not a name", 'write profile="mistral"')
    try:
        if profile is not None:
            chosen_profile(profile)
        known_prefixes(tuple(ignore))
    except ConformanceError as error:
        raise ConformanceError(f"{where}: {error.message}", error.hint) from None
    return Choice(dialect, tuple(ignore), strict, profile)


_PROJECT: list[tuple[Selection, Choice]] = []
"""The settings of the pytest session and of the test that runs, which `recording()` follows."""


def settings() -> tuple[Selection, Choice]:
    """The project's selection and the choice of the running test.

    Raises:
        ConformanceError: the configuration is not valid.
    """
    return _PROJECT[-1] if _PROJECT else of_project()


def of_project() -> tuple[Selection, Choice]:
    """The settings of the project only.

    Raises:
        ConformanceError: they are not valid.
    """
    values = settings_of().values
    dialect = values.get("dialect", "auto")
    own = None if dialect == "auto" else dialect
    return chosen(), choice("[tool.conformance]", dialect=own, profile=values.get("profile"))


def push(project: Selection, inner: Choice) -> None:
    """Makes these the settings until `pop`."""
    _PROJECT.append((project, inner))


def pop() -> None:
    """Restores the previous settings."""
    _PROJECT.pop()
