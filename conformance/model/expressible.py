"""What a dialect can express of a conversation in another one: data for the comparison of a gateway's two legs.

The module `expressible` of a dialect's folder has an attribute `EXPRESSIBLE`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace
from functools import cache
from typing import Any, NamedTuple

from conformance.model.frozen import dataclass
from conformance.model.jsontext import canonical
from conformance.model.pointer import MISSING, get
from conformance.model.registry import optional_part


class NotExpressible(NamedTuple):
    """What a dialect has no form for, and the reason."""

    dialect: str
    subject: str
    reason: str


class Setting(NamedTuple):
    """A setting of a request, and its place. `comparable` is equal for values that are the same in any dialect."""

    value: Any
    pointer: str
    comparable: str


@dataclass(frozen=True, slots=True)
class Expressible:
    """The settings of a dialect, and what it has no form for.

    Attributes:
        settings: Neutral settings (`max tokens`, `temperature`), each with the JSON pointers where a request can have
            it, the usual one first. One that is missing has no form.
        switches: The same for settings whose values differ between dialects: only whether they are set is compared.
        lacks: What it has no form for, with the reason and its evidence: `error-flag`, `reasoning`, `signature`
            (of anything), `call-signature`, `text-signature`, `parallel-flag`, `strict`, `part-order`,
            `broken-arguments` (of a call that is cut off), `large-integers` (in arguments), `server-tools` (or only
            their `server-results`, or a `server-search`), `citations`.
        usage_asked_at: Where a request for a stream asks for token counts; None if they always come.
        dialect: Its name; `expressible_in` sets it.
    """

    settings: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    switches: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lacks: Mapping[str, str] = field(default_factory=dict)
    usage_asked_at: str | None = None
    dialect: str = ""

    def lacking(self, *subjects: str) -> NotExpressible | None:
        """The first of the subjects that the dialect has no form for."""
        return next(
            (NotExpressible(self.dialect, each, self.lacks[each]) for each in subjects if each in self.lacks), None
        )

    def lacking_setting(self, name: str) -> NotExpressible | None:
        """The setting, if the dialect has no form for it."""
        return (
            None if name in self.settings else NotExpressible(self.dialect, name, f"requests have no field for {name}")
        )


@cache
def expressible_in(dialect: str) -> Expressible:
    """What a dialect can express."""
    part = optional_part(dialect, "expressible")
    return replace(Expressible() if part is None else part.EXPRESSIBLE, dialect=dialect)


def settings_in(request: Any, places: Mapping[str, tuple[str, ...]]) -> dict[str, Setting]:
    """What a request sets of `settings` or `switches`, each with the first place where it has a value."""
    found: dict[str, Setting] = {}
    for name, pointers in places.items():
        for pointer in pointers:
            value = get(request, pointer)
            if value is not MISSING and value is not None:
                # A stop sequence alone is the same as a list with it.
                comparable = canonical([value] if isinstance(value, str) else value)
                found.setdefault(name, Setting(value, pointer, comparable))
    return found
