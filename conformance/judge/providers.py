"""Who answers at a host, by the host names of `specs/targets.yaml`."""

from __future__ import annotations

from functools import cache

from conformance.model.data_files import load_yaml


@cache
def provider_of(host: str) -> str | None:
    """The provider that answers at a host; None for a host that no target names."""
    for name, ends in _hosts().items():
        if any(host == end.removeprefix(".") or host.endswith(end) for end in ends):
            return name
    return None


@cache
def _hosts() -> dict[str, tuple[str, ...]]:
    """The ends of the host names of each target."""
    targets = load_yaml("targets.yaml")["targets"]
    return {name: tuple((entry or {}).get("hosts") or ()) for name, entry in targets.items()}
