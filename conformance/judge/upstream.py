"""Who asks something of a request: the provider that gets it, and the one to which a gateway passes it on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from conformance.judge.profiles import all_profiles
from conformance.judge.view import View
from conformance.model.finding import Severity


class Asking(NamedTuple):
    """A provider, its own name of the model, and the highest severity of what it asks for."""

    provider: str
    model: str | None
    most: Severity


def upstream(view: View) -> Asking | None:
    """The provider behind a gateway, by the name of the model; None where there is none or it is not known.

    A gateway may rewrite the request: what its upstream asks for is a warning at most, and only worth knowing where
    the gateway got the answer.
    """
    profile = all_profiles().get(view.provider or "")
    found = profile.upstream_of(view.model) if profile is not None else None
    return Asking(*found, Severity.INFO if view.ok else Severity.WARNING) if found is not None else None


def asking(view: View) -> Iterator[Asking]:
    """The provider that answered, and the one behind it."""
    if view.provider is not None:
        yield Asking(view.provider, view.model, Severity.ERROR)
    behind = upstream(view)
    if behind is not None:
        yield behind
