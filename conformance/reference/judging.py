"""The judgement on one request: whether a provider would refuse it, and why.

The request is judged by itself, as a provider sees it. Its views keep what was found, so that the session's verdict
comes from the same judgement (`noting.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.judge.checker import Checker
from conformance.judge.contracted import refused
from conformance.judge.view import View
from conformance.model.finding import Severity
from conformance.model.registry import optional_part
from conformance.model.transcript import Malformed
from conformance.reference.placing import Place
from conformance.reference.stored import Refusal


def judge(place: Place, checker: Checker) -> Refusal | None:
    """Why a provider would refuse the request.

    It is not JSON; it violates a row of the contract that is known to be refused; it breaks a rule in Python of
    severity error; or the server does not keep what it refers to. A status other than 400, as that for a missing key,
    comes before all others.
    """
    body = place.request.body.json
    if place.views and isinstance(body, Malformed):
        return 400, f"The body is not valid JSON: {body.reason}."
    by_contract = list(_by_contract(place))
    by_rules = list(_by_rules(place, checker))
    special = (each for each in by_rules if each[0] != 400)
    return next(special, None) or next(iter((*by_contract, *by_rules)), place.lacking)


def _by_contract(place: Place) -> Iterator[Refusal]:
    """What the contracts of the layers refuse, and what the provider itself refuses besides."""
    for view in place.views:
        for each in refused(view):
            yield each.refused or 400, f"{each.message} ({each.rule} at {each.pointer or 'the request'})"
        refuses = _serving(view, "refuses")
        if refuses is not None and (refusal := refuses(view.request)) is not None:
            yield refusal


def _by_rules(place: Place, checker: Checker) -> Iterator[Refusal]:
    """What rules in Python refuse, with the provider's own status and words where these are known."""
    own: dict[str, Refusal] = {}
    for view in reversed(place.views):
        own |= _serving(view, "REFUSALS") or {}
    for view in place.views:
        for finding in checker.judge_alone(view):
            if finding.severity is Severity.ERROR:
                status, words = own.get(finding.rule, (400, finding.message))
                yield status, f"{words} ({finding.rule} at {finding.pointer or 'the request'})"


def _serving(view: View, name: str) -> Any:
    """A member of the module `serving` of a view's dialect; None if there is none."""
    return getattr(optional_part(view.dialect.name, "serving"), name, None)
