"""Profiles: what is known of each provider, in one file each in `specs/profiles`.

A profile has the hosts of a provider, the generations of its models, the ids of tool calls that it
accepts, its quirks, and where it accepts or refuses something else than the contract of a dialect. Each of these
facts has its evidence. The schema of a file is `specs/profile.schema.json`; users can write their own.

Version and time are read from the exchange, never from the clock.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field, replace
from datetime import date
from functools import cache
from itertools import count
from typing import Any

from conformance.errors import ConformanceError
from conformance.model.data_files import load_data
from conformance.model.finding import Severity
from conformance.model.frozen import dataclass
from conformance.model.schema_words import nearest


@dataclass(frozen=True, slots=True)
class CallIds:
    """The form of the ids of tool calls that a provider accepts in one dialect."""

    pattern: re.Pattern[str]
    expected: str
    severity: Severity
    evidence: str
    model: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Generation:
    """Models that behave alike. `models` is searched in a model's name, `example` is one of these names.

    `providers` are those for which it is defined, because they host the models like their owner; empty for all.
    """

    models: str
    example: str
    evidence: str
    providers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Upstream:
    """Whose models a gateway passes requests on to. The last group of `models` is the name that the upstream uses."""

    models: re.Pattern[str]
    profile: str


@dataclass(frozen=True, slots=True)
class Profile:
    """One provider. `quirks` and, by dialect, `deviations` are as in the file: `quirks` and the contracts read them.

    `hosts` and `known_by`, as in the file, are what it is recognised by (`recognition`).

    `model` is the one whose rules apply, whatever an exchange names; None if the exchange decides.

    `translates` are the pointers, by dialect, of parameters that a gateway rewrites for its upstream. `tools` is what
    it makes of tools' schemas, as in the file, by variant: `tool_variants` reads it. `not_offered` is what it does not
    have of a dialect, as in the file: `conformance.matrix.offer` reads it. `messages` is the order of messages that it
    accepts, by dialect, as in the file.
    """

    name: str
    about: str
    hosts: tuple[str, ...] = ()
    known_by: tuple[Mapping[str, Any], ...] = ()
    generations: Mapping[str, Generation] = field(default_factory=dict)
    call_ids: Mapping[str, tuple[CallIds, ...]] = field(default_factory=dict)
    messages: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    quirks: tuple[Mapping[str, Any], ...] = ()
    deviations: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    upstreams: tuple[Upstream, ...] = ()
    is_gateway: bool = False
    translates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    tools: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    not_offered: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    model: str | None = None

    def offers_not(self, dialect: str) -> tuple[Mapping[str, Any], ...]:
        """What it does not offer of a dialect, as in the file."""
        return self.not_offered.get(dialect, ())

    def upstream_of(self, model: str | None) -> tuple[str, str] | None:
        """The upstream provider of this gateway that has the model, and its own name for it."""
        for each in self.upstreams:
            found = each.models.match(model or "")
            if found is not None:
                return each.profile, found[found.lastindex or 0]
        return None


_ADDED: dict[str, tuple[int, Profile]] = {}
"""The added profiles, each with a number that no other one had."""
_NUMBERS = count(1)


def all_profiles() -> Mapping[str, Profile]:
    """Every profile by its name: the shipped ones, and those that were added."""
    return {**all_shipped(), **{name: profile for name, (_, profile) in _ADDED.items()}} if _ADDED else all_shipped()


def version() -> int:
    """A number that changes whenever a profile is added or replaced, to invalidate caches."""
    return max((number for number, _ in _ADDED.values()), default=0)


def add(profile: Profile) -> None:
    """Registers a profile for the rest of the process, in place of one with its name."""
    if profile.name not in _ADDED or _ADDED[profile.name][1] != profile:
        _ADDED[profile.name] = next(_NUMBERS), profile


@cache
def all_shipped() -> Mapping[str, Profile]:
    """Every profile of this distribution by its name."""
    return {name: profile_of(name, entry) for name, entry in load_data("profiles").items()}


def profile_called(given: str) -> Profile:
    """The profile `NAME`, or `NAME/GENERATION` with the model of that generation.

    Raises:
        ConformanceError: there is none.
    """
    name, _, generation = given.partition("/")
    profile = all_profiles().get(name)
    if profile is None:
        raise ConformanceError(
            f"unknown profile {name!r}", nearest(name, all_profiles(), "`conformance list --profiles` lists them")
        )
    if not generation:
        return profile
    if generation not in profile.generations:
        there = ", ".join(f"{name}/{each}" for each in profile.generations) or "none"
        hint = nearest(generation, profile.generations, f"the generations of {name}: {there}")
        raise ConformanceError(f"unknown generation {generation!r} of {name}", hint)
    return replace(profile, model=profile.generations[generation].example)


def generation(name: str) -> Generation:
    """A generation of a shipped profile, `openai/reasoning`."""
    profile, _, which = name.partition("/")
    return all_shipped()[profile].generations[which]


def day_of(text: str | None) -> date | None:
    """The day that a profile names; None if it names none."""
    return None if text is None else date.fromisoformat(text)


def profile_of(name: str, entry: Mapping[str, Any]) -> Profile:
    """A profile from its document, which is valid under `specs/profile.schema.json`; dates are text."""
    gateway = entry.get("gateway") or {}
    return Profile(
        name=name,
        about=entry["about"],
        hosts=tuple(entry.get("hosts") or ()),
        known_by=tuple(entry.get("known_by") or ()),
        generations={
            each: Generation(one["models"], one["example"], one["evidence"], tuple(one.get("providers", (name,))))
            for each, one in (entry.get("generations") or {}).items()
        },
        call_ids={
            dialect: tuple(
                CallIds(
                    re.compile(one["pattern"]),
                    one["expected"],
                    Severity[one["severity"].upper()],
                    one["evidence"],
                    re.compile(one.get("model") or ""),
                )
                for one in listed
            )
            for dialect, listed in (entry.get("call_ids") or {}).items()
        },
        messages={dialect: tuple(rows) for dialect, rows in (entry.get("messages") or {}).items()},
        quirks=tuple(entry.get("quirks") or ()),
        deviations={dialect: tuple(rows) for dialect, rows in (entry.get("deviations") or {}).items()},
        upstreams=tuple(
            Upstream(re.compile(each["models"]), each["profile"]) for each in gateway.get("upstreams") or ()
        ),
        is_gateway="gateway" in entry,
        translates={dialect: tuple(each) for dialect, each in (gateway.get("translates") or {}).items()},
        tools=entry.get("tools") or {},
        not_offered={dialect: tuple(rows) for dialect, rows in (entry.get("not_offered") or {}).items()},
    )
