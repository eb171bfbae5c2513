"""Where a row applies: providers, models, API versions, days and paths, as data."""

from __future__ import annotations

import re
from dataclasses import field, replace
from datetime import date

from conformance.model.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Situation:
    """What is known of an exchange. None means unknown: no row that depends on it applies.

    `day` is when it was answered (UTC); `api_version` is that of the request. `complete`: nothing was dropped
    in recording. `ok`: the answer was a success (2xx); it affects severities only, and no row depends on it. `betas`
    are the names of the betas that the request enables, separated by spaces. `operation` is what a message is an
    answer to, if the body of the answer does not contain it: the method of a JSON-RPC request. `unknown` are the
    facts (`model`, `path`, `beta`, `api_version`) that the source lacks: conditions on them are all false or, if they
    are `assumed`, all true.
    """

    provider: str | None = None
    model: str | None = None
    path: str = ""
    api_version: str | None = None
    day: date | None = None
    complete: bool = True
    ok: bool = field(default=False, compare=False)
    betas: str = ""
    operation: str | None = None
    unknown: frozenset[str] = frozenset()
    assumed: bool = False

    @property
    def possible(self) -> tuple[Situation, ...]:
        """The situation with the conditions on unknown facts false, and with them true."""
        return (self, replace(self, assumed=True)) if self.unknown else (self,)


ANYWHERE = Situation()


@dataclass(frozen=True, slots=True)
class When:
    """A condition: all that is given must match. `model`, `api_version`, `path` and `beta` are regular expressions.

    `model`, `path` and `beta` are searched, `api_version` must match as a whole; `since` and `until` are days, both
    included. `operation` is a single one.
    """

    providers: tuple[str, ...] = ()
    model: str = ""
    path: str = ""
    api_version: str = ""
    since: date | None = None
    until: date | None = None
    complete: bool | None = None
    no: tuple[When, ...] = field(default=())
    beta: str = ""
    operation: str = ""

    def asks_for_day(self, provider: str | None) -> bool:
        """Whether it depends on the day of an answer of this provider."""
        if self.since is not None or self.until is not None:
            return not self.providers or provider in self.providers
        return any(each.asks_for_day(provider) for each in self.no)

    def holds(self, situation: Situation) -> bool:
        """Whether the row applies to this exchange."""
        day = situation.day
        return (
            (not self.providers or situation.provider in self.providers)
            and (not self.model or self._found("model", re.search(self.model, situation.model or ""), situation))
            and (not self.path or self._found("path", re.search(self.path, situation.path), situation))
            and (not self.beta or self._found("beta", re.search(self.beta, situation.betas), situation))
            and (not self.api_version or self._found("api_version", self._version(situation), situation))
            and (not self.operation or self.operation == situation.operation)
            and (self.since is None or (day is not None and day >= self.since))
            and (self.until is None or (day is not None and day <= self.until))
            and (self.complete is None or situation.complete is self.complete)
            and not any(each.holds(situation) for each in self.no)
        )

    def certain(self, situation: Situation) -> bool:
        """Whether the row applies whatever the unknown facts are."""
        return all(self.holds(each) for each in situation.possible)

    def _version(self, situation: Situation) -> object:
        return re.fullmatch(self.api_version, situation.api_version or "")

    @staticmethod
    def _found(name: str, match: object, situation: Situation) -> bool:
        return situation.assumed if name in situation.unknown else match is not None


def when(
    *providers: str,
    model: str = "",
    path: str = "",
    api_version: str = "",
    since: str = "",
    until: str = "",
    complete: bool | None = None,
    no: When | tuple[When, ...] = (),
    beta: str = "",
    operation: str = "",
) -> When:
    """`when("mistral", until="2024-12-31")`; `no` excludes what it matches; days are written as in ISO 8601."""
    return When(
        providers,
        model,
        path,
        api_version,
        date.fromisoformat(since) if since else None,
        date.fromisoformat(until) if until else None,
        complete,
        (no,) if isinstance(no, When) else no,
        beta,
        operation,
    )
