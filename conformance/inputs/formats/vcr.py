"""Cassettes of vcrpy and its relatives, in YAML or JSON: Betamax, Ruby's VCR, go-vcr.

vcrpy 9, go-vcr 1 (`version: 1`) to 4 (`version: 2`): `interactions`, each with `request` and `response`. Ruby's VCR:
`http_interactions`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from conformance.inputs import interactions
from conformance.inputs.format import Format, Record
from conformance.model.exchange import Exchange


def _detect(value: Any) -> bool:
    return interactions.interactions_of(value) is not None


def _read(records: Iterable[Record], path: str) -> Iterator[Exchange]:
    for record in records:
        found = interactions.interactions_of(record.value)
        own = "conformance_version" in interactions.metadata_of(record.value)
        yield from interactions.exchanges_of(found or (), path, own=own)


FORMAT = Format(
    name="vcr", title="cassettes of vcrpy, go-vcr, Ruby's VCR and Betamax", detect=_detect, read=_read, fallback=True
)
