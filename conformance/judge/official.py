"""Whether the owner of a dialect (or a host of the owner's models) answered, or a compatible server."""

from __future__ import annotations

from conformance.judge.contracted import contracts_of
from conformance.judge.view import View
from conformance.model.finding import Severity


def is_official(view: View) -> bool:
    """Whether the owner of the dialect answered, or a host of the owner's models.

    A dialect's contract names them; for a dialect without a contract, any known provider counts.
    """
    contracts = contracts_of(view.dialect.name)
    request = contracts.request if contracts is not None else None
    if request is None or not request.official:
        return view.provider is not None
    return view.provider in request.official


def refused_here(view: View) -> Severity | None:
    """The severity of a request that the provider is known to refuse: a warning if an official host accepted this one.

    None, the rule's own severity, everywhere else (docs/contract/policy.md).
    """
    return Severity.WARNING if view.ok and is_official(view) else None
