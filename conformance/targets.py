"""Targets: the endpoints that are known by name, as data in `specs/targets.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from conformance.specs import load_yaml


@dataclass(frozen=True, slots=True)
class Target:
    """An endpoint to drive. `base_url` has no trailing slash; `api_key_env` is None where no key is needed.

    `hosts` are the ends of host names at which this provider answers (`.openai.azure.com`).
    """

    name: str
    base_url: str
    models: Mapping[str, str]
    api_key_env: str | None = None
    hosts: tuple[str, ...] = ()


@cache
def all_targets() -> Mapping[str, Target]:
    """Every target by its name."""
    return {
        name: Target(
            name=name,
            base_url=entry.get("base_url", ""),
            models=entry.get("models") or {},
            api_key_env=entry.get("api_key_env"),
            hosts=tuple(entry.get("hosts") or ()),
        )
        for name, entry in load_yaml("targets.yaml")["targets"].items()
    }


@cache
def provider_of(host: str) -> str | None:
    """Who answers at a host, by the targets' host names; None for a host that no target names."""
    for target in all_targets().values():
        if any(host == end.removeprefix(".") or host.endswith(end) for end in target.hosts):
            return target.name
    return None
