"""Profiles: what is known of each provider, one file each in `specs/profiles`.

A profile holds the hosts at which a provider answers, the generations of its models, the ids of tool calls that it
takes, its quirks, and where it takes or refuses something else than the contract of a dialect says. Each of these
facts has its evidence beside it. The form of a file is `specs/profile.schema.json`; users write their own.

Version and time are what an exchange says of itself, never what the clock says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from typing import Any

from conformance.errors import ConformanceError
from conformance.model.data_files import data_dir, load_yaml
from conformance.model.finding import Severity
from conformance.model.schema_words import nearest


@dataclass(frozen=True, slots=True)
class CallIds:
    """The form of the ids of tool calls that a provider takes in one dialect."""

    pattern: re.Pattern[str]
    says: str
    severity: Severity
    evidence: str
    model: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Generation:
    """Models that behave alike. `models` is searched in a model's name, `example` is one of these names.

    `providers` are those at which it holds, since they host the models as their owner does; none for everywhere.
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
    """One provider. `quirks` and, by dialect, `deviations` are as written: `quirks` and the contracts read them.

    `model` is the one whose rules apply, whatever an exchange names; None where the exchange decides.

    `translates` are the pointers, by dialect, of parameters that a gateway rewrites for its upstream.
    """

    name: str
    about: str
    hosts: tuple[str, ...] = ()
    generations: Mapping[str, Generation] = field(default_factory=dict)
    call_ids: Mapping[str, tuple[CallIds, ...]] = field(default_factory=dict)
    quirks: tuple[Mapping[str, Any], ...] = ()
    deviations: Mapping[str, tuple[Mapping[str, Any], ...]] = field(default_factory=dict)
    upstreams: tuple[Upstream, ...] = ()
    translates: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    model: str | None = None

    def upstream_of(self, model: str | None) -> tuple[str, str] | None:
        """The provider behind this gateway that has the model, and its own name of it."""
        for each in self.upstreams:
            found = each.models.match(model or "")
            if found is not None:
                return each.profile, found[found.lastindex or 0]
        return None


_ADDED: dict[str, Profile] = {}


def all_profiles() -> Mapping[str, Profile]:
    """Every profile by its name: the shipped ones, and those that were added."""
    return {**_shipped(), **_ADDED} if _ADDED else _shipped()


def version() -> int:
    """A number that changes whenever a profile is added, for whoever keeps what follows from them."""
    return len(_ADDED)


def add(profile: Profile) -> None:
    """Makes a profile known for the rest of the process."""
    _ADDED[profile.name] = profile


@cache
def _shipped() -> Mapping[str, Profile]:
    files = sorted((data_dir("specs") / "profiles").glob("*.yaml"))
    return {file.stem: profile_of(file.stem, load_yaml(f"profiles/{file.name}")) for file in files}


@cache
def provider_of(host: str) -> str | None:
    """The provider that answers at a host; None for a host that no shipped profile names."""
    for name, profile in _shipped().items():
        if any(host == end.removeprefix(".") or host.endswith(end) for end in profile.hosts):
            return name
    return None


def profile_called(given: str) -> Profile:
    """The profile `NAME`, or `NAME/GENERATION`, which has that generation's model.

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
    return _shipped()[profile].generations[which]


def dateless(value: Any) -> Any:
    """A document with its dates as text, as a JSON Schema sees them."""
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, dict):
        return {key: dateless(each) for key, each in value.items()}
    return [dateless(each) for each in value] if isinstance(value, list) else value


def profile_of(name: str, entry: Mapping[str, Any]) -> Profile:
    """A profile from its document, which fits `specs/profile.schema.json`."""
    gateway = entry.get("gateway") or {}
    return Profile(
        name=name,
        about=entry["about"],
        hosts=tuple(entry.get("hosts") or ()),
        generations={
            each: Generation(one["models"], one["example"], one["evidence"], tuple(one.get("providers", (name,))))
            for each, one in (entry.get("generations") or {}).items()
        },
        call_ids={
            dialect: tuple(
                CallIds(
                    re.compile(one["pattern"]),
                    one["says"],
                    Severity[one["severity"].upper()],
                    one["evidence"],
                    re.compile(one.get("model") or ""),
                )
                for one in listed
            )
            for dialect, listed in (entry.get("call_ids") or {}).items()
        },
        quirks=tuple(entry.get("quirks") or ()),
        deviations={dialect: tuple(rows) for dialect, rows in (entry.get("deviations") or {}).items()},
        upstreams=tuple(
            Upstream(re.compile(each["models"]), each["profile"]) for each in gateway.get("upstreams") or ()
        ),
        translates={dialect: tuple(each) for dialect, each in (gateway.get("translates") or {}).items()},
    )
