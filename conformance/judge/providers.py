"""The providers whose requirements apply to a request: its receiver, and the upstream of a gateway."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from conformance.judge.view import View
from conformance.model.finding import Severity
from conformance.profiles.profiles import all_profiles


class Provider(NamedTuple):
    """Who answers, its own name for the model, and the highest severity for a violation of its requirements."""

    provider: str
    model: str | None
    most: Severity


def behind_gateway(view: View) -> Provider | None:
    """The upstream of a gateway, by the name of the model; None if there is none or it is not known.

    A gateway may rewrite the request: violations of the upstream's requirements are warnings at most, and infos if
    the gateway got the answer. A refusal that names the place makes them errors (`refused_places`).
    """
    profile = all_profiles().get(view.provider or "")
    found = profile.upstream_of(view.model) if profile is not None else None
    return Provider(*found, Severity.INFO if view.ok else Severity.WARNING) if found is not None else None


def providers_of(view: View) -> Iterator[Provider]:
    """The provider that answered, and its upstream."""
    if view.provider is not None:
        yield Provider(view.provider, view.model, Severity.ERROR)
    behind = behind_gateway(view)
    if behind is not None:
        yield behind
