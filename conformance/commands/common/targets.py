"""Resolves the options of `record` and `run` to targets, their endpoints and their cells."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from conformance.campaign.target_endpoint import dialects_of, endpoint_of, header_of
from conformance.campaign.targets import Target, known_targets, target_called
from conformance.commands.common.groups import CampaignOptions
from conformance.drivers import all_drivers
from conformance.errors import ConformanceError
from conformance.judge.chosen_profile import chosen_profile
from conformance.matrix.cells import Cell, Filter, all_cells, why_foreign, why_skipped
from conformance.matrix.endpoint import Endpoint
from conformance.model.registry import all_dialects
from conformance.profiles.recognition import provider_of
from conformance.reference.behaviours import chosen
from conformance.reference.server import ReferenceServer
from conformance.scenario.load import all_scenarios

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]*")


@dataclass(frozen=True, slots=True)
class PlannedTarget:
    """One target, the endpoint of each of its dialects, and its cells; `skipped` has the reasons for the rest."""

    name: str
    endpoints: Mapping[str, Endpoint]
    cells: Sequence[Cell]
    skipped: Mapping[str, str]
    server: ReferenceServer | None = None

    @property
    def identity(self) -> Mapping[str, Any]:
        """The settings that must be the same when an interrupted run is resumed."""
        where = {dialect: None if self.server else each.origin for dialect, each in self.endpoints.items()}
        return {dialect: [where[dialect], each.root, each.model] for dialect, each in self.endpoints.items()}


def planned_targets(
    stack: ExitStack,
    names: Sequence[str],
    wanted: Filter,
    options: CampaignOptions,
    *,
    behaviours: Sequence[str] = (),
    profile: str | None = None,
) -> list[PlannedTarget]:
    """The named targets, checked before anything is sent. Starts the reference server while it is needed.

    `behaviours` are the ways in which the reference server is to misbehave; `profile` is the one of every target.

    Raises:
        ConformanceError: an option is wrong, a variable is not set, or no cell remains.
    """
    all_cells(wanted)  # an unknown name is reported before anything else
    models = _models(options.model)
    found: list[PlannedTarget] = []
    for each in _renamed(_named(names, wanted, options), options.name):
        server = None
        dialects = dialects_of(each, wanted.dialects, models.get("") or next(iter(models.values()), None))
        if each.provenance == "reference":
            server = stack.enter_context(ReferenceServer(all_scenarios(wanted.folders), behaviours=chosen(behaviours)))
            each = replace(each, base_url=server.origin)  # noqa: PLW2901 - the same target, at its place of today
        endpoints = {
            dialect: endpoint_of(
                each,
                dialect,
                model=models.get(dialect) or models.get(""),
                api_key_env=options.api_key_env,
                timeout=options.timeout,
                behaviours=tuple(sorted(behaviours)) if server is not None else (),
                profile=profile,
            )
            for dialect in dialects
        }
        found.append(_planned(each, endpoints, wanted, server))
    if behaviours and not any(target.server for target in found):
        raise ConformanceError("--behaviour works only with the reference server", "remove --behaviour or --target")
    return found


def _planned(
    target: Target, endpoints: Mapping[str, Endpoint], wanted: Filter, server: ReferenceServer | None
) -> PlannedTarget:
    cells = all_cells(replace(wanted, dialects=tuple(endpoints)), target.name)
    providers = {dialect: _provider(each) for dialect, each in endpoints.items()}
    reasons = ((cell.id, _why_skipped(cell, target, providers[cell.dialect], wanted)) for cell in cells)
    skipped = {name: reason for name, reason in reasons if reason is not None}
    if len(skipped) == len(cells):
        [(usual, _)] = Counter(skipped.values()).most_common(1)
        raise ConformanceError(
            f"no cell can run on target {target.name}: {usual.rstrip('.')}",
            "`conformance list` shows the matrix",
        )
    return PlannedTarget(target.name, endpoints, cells, skipped, server)


def _provider(endpoint: Endpoint) -> str | None:
    """The name of the profile of who answers; None if that is not known."""
    if endpoint.profile is not None:
        return chosen_profile(endpoint.profile).name
    return provider_of(urlsplit(endpoint.origin).hostname or "")


def _why_skipped(cell: Cell, target: Target, provider: str | None, wanted: Filter) -> str | None:
    if target.provenance != "reference" and (reason := why_foreign(cell, provider, wanted)) is not None:
        return reason
    if cell.scenario.scripted and target.provenance != "reference" and not wanted.scenarios:
        return f"{cell.scenario.scripted} Select it with --scenario to try it."
    return why_skipped(cell)


def _named(names: Sequence[str], wanted: Filter, options: CampaignOptions) -> list[Target]:
    base_url = options.base_url
    known = known_targets(options.targets)
    headers = dict(map(header_of, options.header))
    chosen = [target_called(name, _with_reference(known)) for name in dict.fromkeys(names)]
    if base_url is not None and len(chosen) > 1:
        raise ConformanceError(
            "--base-url works with one target only", "pass one --target, or define several with --targets FILE"
        )
    if base_url is not None and chosen:
        own = None if chosen[0].provenance == "reference" else chosen[0].provenance
        chosen = [replace(chosen[0], base_url=base_url.rstrip("/"), provenance=own)]
    elif base_url is not None:
        if not wanted.dialects:
            there = ", ".join(dict.fromkeys(driver.dialect for driver in all_drivers()))
            raise ConformanceError("--base-url needs --dialect", f"add --dialect with one of {there}")
        chosen = [Target(host_name(base_url), base_url.rstrip("/"), dict.fromkeys(wanted.dialects, ""))]
    if not chosen:
        there = ", ".join(sorted(each.name for each in known.values() if each.base_url))
        raise ConformanceError("no endpoint to test", f"pass --base-url, or --target with one of {there}")
    return [replace(each, headers={**each.headers, **headers}) for each in chosen]


def _with_reference(known: Mapping[str, Target]) -> Mapping[str, Target]:
    """The targets. The reference server is started when its turn comes, and gets its base URL then."""
    reference = known["reference"]
    return {**known, "reference": replace(reference, base_url="http://reference.localhost")}


def _renamed(targets: list[Target], name: str | None) -> list[Target]:
    if name is None:
        return targets
    if len(targets) > 1:
        raise ConformanceError("--name works with one target only", "name several in a file, and pass --targets FILE")
    return [replace(targets[0], name=checked_name(name))]


def checked_name(name: str | None) -> str:
    """The name of `--name`, empty if there is none.

    Raises:
        ConformanceError: it cannot be part of a file name.
    """
    if name is not None and (not _NAME.fullmatch(name) or "--" in name or name == "reference"):
        raise ConformanceError(
            f"--name {name!r} cannot be part of a file name",
            "use lower-case letters, digits and single . _ - (`reference` is the name of the suite's own server)",
        )
    return name or ""


def host_name(url: str) -> str:
    """The name for a target without one: `host-port`, safe for a file name; the host alone if the URL has no port."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:  # the endpoint reports it
        return "target"
    name = (host or "target").replace(":", "-")
    return name if port is None else f"{name}-{port}"


def _models(given: Sequence[str]) -> dict[str, str]:
    """The models by dialect, from `DIALECT=NAME`; the empty name has the model for all others."""
    models: dict[str, str] = {}
    for text in given:
        dialect, equals, name = text.partition("=")
        if equals and dialect in all_dialects():
            models[dialect] = name
        else:
            models[""] = text
    return models
