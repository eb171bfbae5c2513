"""Why a row of a contract is in no document: the reason that the row itself gives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from conformance.contract.citation import Citation
from conformance.contract.nodes import Field
from conformance.contract.situation import Situation, When
from conformance.report.catalogue.contract import all_statements
from devtools.documents.ruled import Ruled

SISTER = "fields of a sister API"
CITED = "rows with a citation of their own"
SITUATION = "rows for one provider, model, version or operation"
OPEN = "parts of what is documented as any object"
VENDOR = "fields that the SDK of another provider has"
POLICY = "what counts is not negative, what names is not empty (docs/contract/policy.md)"
LEAST = ("minLength 1", "minItems 1", "minimum 0", "minimum 1")
"""The limits that the policy has where no document has any."""


def explained(rows: Sequence[Field]) -> str:
    """The reason that the rows of a field give by themselves; empty where there is none."""
    if Ruled.of(row.node for row in rows).is_foreign:
        return SISTER
    if all(row.only is not None for row in rows):
        return SITUATION
    return CITED if any(_has_own_source(each) for row in rows for each in row.citations.values()) else ""


def _has_own_source(citation: Citation) -> bool:
    """Whether a row is known from a refusal, or its statement from traffic and not from a document alone."""
    statement = all_statements().get(citation.number or "")
    kinds = {source.kind for source in statement.sources} if statement else set()
    return citation.basis == "refusal" or bool(kinds & {"observed", "refusal"})


def of_owner(rows: Iterable[Field], official: tuple[str, ...]) -> list[Field]:
    """The rows that can be asked of the owner of a format, or of a host of its models."""
    return [row for row in rows if row.only is None or not official or _can_hold(row.only, official)]


def _can_hold(only: When, official: tuple[str, ...]) -> bool:
    """Whether a predicate holds for some official provider, whatever else is known."""
    eased = When(only.providers, no=only.no)
    return any(eased.holds(Situation(provider=each)) for each in official)
