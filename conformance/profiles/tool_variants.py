"""What a provider makes of the JSON Schema of a tool: the `tools` of its profile.

A provider can take tools in several ways: in several APIs, with and without strict mode, by generation of models. Each
is a variant. Its rows state, keyword by keyword, whether the provider accepts, ignores, rewrites or refuses it, and its
limits what it refuses because it is too many, too long or too deep. What a dialect's contract or rules refuse is not
repeated here: `conformance.tool_definitions` adds both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import field
from datetime import date
from enum import StrEnum
from typing import Any, Literal

from conformance.errors import ConformanceError
from conformance.model.frozen import dataclass
from conformance.model.schema_words import nearest
from conformance.profiles.profiles import Generation, Profile, all_profiles, day_of


class Outcome(StrEnum):
    """What becomes of a keyword, from the best to the worst; `UNKNOWN` if nothing is known of it."""

    ACCEPTED = "accepted"
    IGNORED = "ignored"
    REWRITTEN = "rewritten"
    UNKNOWN = "unknown"
    REFUSED = "refused"


Basis = Literal["recorded", "reported", "source", "documented"]
"""The evidence of a row: recordings of the provider, public reports of its users, its published source code, or only
its documents."""
Measure = Literal[
    "tools",
    "name",
    "name-length",
    "description-length",
    "property-name",
    "properties",
    "depth",
    "enum-values",
    "names-size",
    "enum-size",
]
"""What a limit is about. `name` and `property-name` have a pattern; the others are counted.

`tools`: the tools of a request. `properties`, `enum-values`: those of one schema in all. `depth`: the levels of objects
in each other, the root being the first. `names-size`: the characters of all names of properties and definitions, and of
all values of `enum` and `const`, of one schema. `enum-size`: those of the values of
one `enum` of more than 250.
"""
ALL = "*"
"""Every keyword of JSON Schema that no row before names."""
OTHERS = "x-*"
"""Every name that is no keyword of JSON Schema, and that no row before names."""

_ON_REQUEST = re.compile(r"-strict$|\d{4}-\d\d-\d\d")
"""In the name of a variant: strict mode, or a version of the API."""


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """What all rows have: the evidence, its basis, and the days between which it holds.

    `day` is the date of the evidence. `since` and `until` include their day; None if it is not limited there.
    `reason` is the provider's refusal, in our words, and `fix` what to change.
    """

    outcome: Outcome
    basis: Basis
    evidence: str
    day: date | None = None
    since: date | None = None
    until: date | None = None
    reason: str | None = None
    fix: str | None = None

    def holds(self, day: date | None) -> bool:
        """Whether it holds on a day; if that is unknown, only what has no limits in time does."""
        if day is None:
            return self.since is None and self.until is None
        return (self.since is None or day >= self.since) and (self.until is None or day <= self.until)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class KeywordRow(Fact):
    """What becomes of some keywords, under conditions: all that are given must be met.

    Attributes:
        keywords: Their names, or `*` or `x-*`.
        at: Only in the root of the schema, or only below it.
        under: Only below one of these keywords, however deep.
        value: A JSON Schema under which the keyword's value is valid.
        values: The same for single keywords, by their names.
        beside: A JSON Schema under which the subschema with the keyword is valid.
        recursive: For `$ref`: whether the target contains the reference.
        becomes: What the provider makes of a keyword that it rewrites.
    """

    keywords: tuple[str, ...]
    at: Literal["root", "below"] | None = None
    under: frozenset[str] = frozenset()
    value: Any = None
    values: Mapping[str, Any] = field(default_factory=dict)
    beside: Any = None
    recursive: bool | None = None
    becomes: str | None = None


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Limit(Fact):
    """A limit: the largest number, or for names the pattern of a whole name.

    `at` limits `property-name` to the properties of the root.
    """

    measure: Measure
    at: Literal["root"] | None = None
    most: int = 0
    pattern: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """One way in which a provider takes tools.

    Attributes:
        profile: The name of the provider's profile.
        name: Its name in the profile; `full_name` has both.
        about: The way in a few words.
        form: The dialect in whose form tools are sent, or the name of a form that has no dialect yet.
        schema_at: The pointer, within a tool definition of that form, to the tool's schema.
        output_at: The pointer, within a request, to the schema of an output for which the same holds, if `strict` is
            true of it, too; None if nothing is known of outputs.
        enforced: Whether the model can only write arguments that are valid under the schema; None if that is unknown.
            Where it is not enforced, the schema only guides the model.
        strict: Whether its tools are marked as strict; None if the form has no such mark.
        model: The name of a model for which it holds; None if it holds for all.
        models: The regular expression that is searched in the names of these models.
        api_version: The version of the API for which it holds; None for all.
        rows, limits: In order; the first row that applies to a keyword decides.
    """

    profile: str
    name: str
    about: str
    form: str
    schema_at: str
    output_at: str | None = None
    enforced: bool | None = None
    strict: bool | None = None
    model: str | None = None
    models: str | None = None
    api_version: str | None = None
    rows: tuple[KeywordRow, ...] = ()
    limits: tuple[Limit, ...] = ()

    @property
    def full_name(self) -> str:
        """`openai/chat-strict`."""
        return f"{self.profile}/{self.name}"

    @property
    def usual(self) -> bool:
        """Whether tools go this way unless a client asks for strict mode, or for an earlier version of the API."""
        return _ON_REQUEST.search(self.name) is None

    def is_about(self, model: str | None, api_version: str | None) -> bool:
        """Whether it holds for a model and a version of the API; None is unknown."""
        return (self.models is None or (model is not None and re.search(self.models, model) is not None)) and (
            self.api_version is None or api_version in (None, self.api_version)
        )


def variants_of(profile: Profile) -> tuple[Variant, ...]:
    """The variants of a profile, in the order of its file; none if it states nothing about tools."""
    known = _KNOWN.get(profile.name)
    if known is None or known[0] is not profile.tools:
        known = _KNOWN[profile.name] = profile.tools, tuple(_variant(profile.name, name) for name in profile.tools)
    return known[1]


_KNOWN: dict[str, tuple[Mapping[str, Any], tuple[Variant, ...]]] = {}
"""The variants that were read already, with the entries that they were read from."""


def all_variants() -> Mapping[str, Variant]:
    """Every variant of every profile, by its full name."""
    return {each.full_name: each for profile in all_profiles().values() for each in variants_of(profile)}


def variants_called(given: str) -> tuple[Variant, ...]:
    """The variants `PROFILE` (all of the profile) or `PROFILE/VARIANT`.

    Raises:
        ConformanceError: there is no such profile or variant.
    """
    name, _, which = given.partition("/")
    profile = all_profiles().get(name)
    known = [each for each in all_profiles().values() if each.tools]
    if profile is None or not profile.tools:
        choices = ", ".join(each.name for each in known)
        fault = f"unknown profile {name!r}" if profile is None else f"the profile {name} has nothing about tools"
        raise ConformanceError(fault, nearest(name, [each.name for each in known], f"choose one of {choices}"))
    found = tuple(each for each in variants_of(profile) if not which or each.name == which)
    if not found:
        choices = ", ".join(f"{name}/{each}" for each in profile.tools)
        raise ConformanceError(
            f"{name} has no variant {which!r}", nearest(which, profile.tools, f"choose one of {choices}")
        )
    return found


def _variant(profile: str, name: str) -> Variant:
    """A variant with what it takes over from another.

    Raises:
        ConformanceError: it takes over from one that does not exist, or from itself.
    """
    whole: dict[str, Any] = {}
    rows: list[KeywordRow] = []
    limits: dict[str, Limit] = {}
    for owner, entry in chain_of(profile, name):
        if "generation" in entry and "generation" not in whole:
            whole["generation"] = _generation(owner, str(entry["generation"]))
        whole = {**entry, **whole}
        rows += [_row(each) for each in entry.get("keywords", ())]
        for each in entry.get("limits", ()):
            limits.setdefault(each["limit"], _limit(each))
    generation: Generation | None = whole.get("generation")
    return Variant(
        profile=profile,
        name=name,
        about=whole["about"],
        form=whole["form"],
        schema_at=whole["schema"],
        output_at=whole.get("output"),
        enforced=whole.get("enforced"),
        strict=whole.get("strict"),
        model=generation.example if generation is not None else whole.get("model"),
        models=generation.models if generation is not None else None,
        api_version=None if whole.get("api_version") is None else str(whole["api_version"]),
        rows=tuple(rows),
        limits=tuple(limits.values()),
    )


def _generation(profile: str, name: str) -> Generation:
    """A generation of the profile, or `PROFILE/GENERATION`."""
    owner, _, which = name.rpartition("/")
    return all_profiles()[owner or profile].generations[which]


def chain_of(profile: str, name: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The entry of a variant, then those that it extends, from the nearest; each with its profile."""
    seen = set()
    while True:
        entries = all_profiles()[profile].tools if profile in all_profiles() else {}
        if name not in entries or (profile, name) in seen:
            fault = "extends itself" if (profile, name) in seen else "does not exist"
            raise ConformanceError(f"the tool variant {profile}/{name} {fault}", "correct `extends`")
        seen.add((profile, name))
        entry = entries[name]
        yield profile, entry
        if "extends" not in entry:
            return
        given = str(entry["extends"])
        profile, name = tuple(given.split("/", 1)) if "/" in given else (profile, given)


def _fact(entry: Mapping[str, Any]) -> dict[str, Any]:
    words = {key: entry.get(key) for key in ("basis", "evidence", "reason", "fix")}
    days = {name: day_of(entry.get(key)) for name, key in (("day", "date"), ("since", "since"), ("until", "until"))}
    return {**words, **days, "outcome": Outcome(entry.get("outcome", "refused"))}


def _row(entry: Mapping[str, Any]) -> KeywordRow:
    more = {key: entry[key] for key in ("at", "value", "values", "beside", "recursive", "becomes") if key in entry}
    under = frozenset(entry.get("under", ()))
    return KeywordRow(keywords=tuple(entry["keywords"]), under=under, **_fact(entry), **more)


def _limit(entry: Mapping[str, Any]) -> Limit:
    pattern = re.compile(entry["pattern"], re.ASCII) if "pattern" in entry else None
    return Limit(measure=entry["limit"], at=entry.get("at"), most=entry.get("most", 0), pattern=pattern, **_fact(entry))
