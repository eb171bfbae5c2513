"""The profile that a user chose: by name, or a file of their own, which is validated before it is used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from conformance.contract.contract import Contract
from conformance.contract.profile_rows import deviation_of
from conformance.errors import ConformanceError
from conformance.judge.contracted import contracts_of
from conformance.judge.relations.places import places
from conformance.judge.rule import find_rule
from conformance.model.data_files import dateless
from conformance.model.registry import all_dialects
from conformance.model.schema_words import nearest
from conformance.model.yaml_document import hold_against, place_of, read_document
from conformance.profiles import profiles
from conformance.profiles.profiles import Profile, all_profiles, profile_called
from conformance.profiles.tool_forms import form_names
from conformance.profiles.tool_variants import all_variants

Steps = list[str | int]

_DAYS = ("since", "until", "date")
_PATTERNS = ("models", "model", "message", "api_version", "pattern")


def chosen_profile(given: str) -> Profile:
    """The profile `NAME`, `NAME/GENERATION`, or that of a YAML file, which is then registered in the process.

    Raises:
        ConformanceError: the profile does not exist, or the file is not valid; with file, line and column.
    """
    if not given.endswith((".yaml", ".yml")):
        return profile_called(given)
    path = Path(given)
    document, root = read_document(path, "profile", dates=True)
    document = dateless(document)
    hold_against("profile.schema.json", document, root, path, "profile")
    for steps, message, hint in _mistakes(document):
        line, column = place_of(root, steps, key=message.startswith("unknown dialect"))
        raise ConformanceError(f"{path}:{line}:{column}: {message}", hint)
    profile = profiles.profile_of(path.stem, document)
    profiles.add(profile)
    return profile


def _mistakes(document: dict[str, Any]) -> Iterator[tuple[Steps, str, str]]:
    """Mistakes that a schema cannot detect: each with its place, a message, and what to do."""
    yield from _patterns(document, [])
    for key in ("call_ids", "deviations", "messages", "not_offered"):
        for dialect in document.get(key) or {}:
            if dialect not in all_dialects():
                hint = nearest(dialect, all_dialects(), f"choose one of {', '.join(all_dialects())}")
                yield [key, dialect], f"unknown dialect {dialect!r}", hint
    for number, quirk in enumerate(document.get("quirks") or ()):
        if find_rule(quirk["rule"]) is None:
            yield ["quirks", number, "rule"], f"unknown rule {quirk['rule']!r}", "`conformance list --rules` lists them"
    for number, each in enumerate((document.get("gateway") or {}).get("upstreams") or ()):
        if each["profile"] not in all_profiles():
            hint = nearest(each["profile"], all_profiles(), "`conformance list --profiles` lists them")
            yield ["gateway", "upstreams", number, "profile"], f"unknown profile {each['profile']!r}", hint
    yield from _of_tools(document)
    for dialect, entries in (document.get("not_offered") or {}).items():
        for number, entry in enumerate(entries):
            if (mistake := _no_place(entry.get("at", "request"))) is not None:
                yield ["not_offered", dialect, number, "at"], mistake, "write it as `request /tools/*[type=custom]`"
    for dialect, entries in (document.get("deviations") or {}).items():
        for number, entry in enumerate(entries):
            steps: Steps = ["deviations", dialect, number, "at"]
            yield from ((steps, message, hint) for message, hint in _misplaced(dialect, entry))


def _of_tools(document: dict[str, Any]) -> Iterator[tuple[Steps, str, str]]:
    """Variants that name a form, another variant or a generation that does not exist."""
    own = document.get("tools") or {}
    shipped = all_variants()
    for name, entry in own.items():
        steps: Steps = ["tools", name]
        if "form" in entry and entry["form"] not in form_names():
            hint = nearest(entry["form"], form_names(), f"choose one of {', '.join(form_names())}")
            yield [*steps, "form"], f"unknown form {entry['form']!r}", hint
        base = entry.get("extends")
        if base is not None and (base == name or (base not in own and base not in shipped)):
            hint = nearest(base, [*own, *shipped], "name another variant of this profile, or PROFILE/VARIANT")
            yield [*steps, "extends"], f"unknown variant {base!r}", hint
        wanted = entry.get("generation")
        if wanted is not None and wanted not in (document.get("generations") or {}) and not _is_generation(wanted):
            yield [*steps, "generation"], f"unknown generation {wanted!r}", "`conformance list --profiles` lists them"


def _is_generation(name: str) -> bool:
    profile, _, which = name.partition("/")
    return profile in all_profiles() and which in all_profiles()[profile].generations


def _patterns(value: Any, steps: Steps) -> Iterator[tuple[Steps, str, str]]:
    if isinstance(value, list):
        for number, each in enumerate(value):
            yield from _patterns(each, [*steps, number])
    if not isinstance(value, dict):
        return
    for key, each in value.items():
        if key in _PATTERNS and isinstance(each, str):
            try:
                re.compile(each)
            except re.error as error:
                yield [*steps, key], f"`{key}` is not a regular expression: {error}", "correct it"
        elif key in _DAYS and isinstance(each, str):
            try:
                profiles.day_of(each)
            except ValueError:
                yield [*steps, key], f"`{key}` is not a day: {each!r}", "write it as 2027-01-31"
        else:
            yield from _patterns(each, [*steps, key])


def _no_place(written: str) -> str | None:
    """Why a text is no place in a request; None if it is one."""
    try:
        found = places(written)
    except ValueError as error:
        return str(error)
    return None if all(each.root == "request" for each in found) else f"{written!r} is not in a request"


def _misplaced(dialect: str, entry: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Deviations with a body or a place that the contract of their dialect does not have."""
    contracts = contracts_of(dialect)
    every: tuple[Contract, ...] = () if contracts is None else contracts.every
    if not every:
        yield f"{dialect} has no contract of its own", "use the dialect of the endpoint that it is sent to"
        return
    subject, _, place = entry["at"].partition(" ")
    bodies = dict.fromkeys(each.subject for each in every)
    if subject not in bodies:
        yield f"{dialect} has no {subject}", f"choose one of {', '.join(bodies)}"
        return
    deviation = deviation_of("this provider", place, entry)
    for contract in every:
        if contract.subject == subject:
            try:
                deviation.put(contract.node)
            except ValueError:
                hint = f"see `conformance explain {dialect}`, or specs/wire, for the fields of a {subject}"
                yield f"the {subject} of {dialect} has no {place}", hint
                return
