"""Request drift: the SDK's requests compared with those in the cassette."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from conformance.model import jsontext
from conformance.model.exchange import Headers, Request
from conformance.model.finding import Hit, Severity
from conformance.model.pointer import join
from conformance.model.registry import contract_headers
from conformance.model.transcript import Malformed

_NEGOTIATION = ("content-type", "accept")
_CREDENTIALS = ("authorization", "x-api-key", "api-key", "x-goog-api-key")


def drift(live: Request, recorded: Request) -> Iterator[Hit]:
    """Each place where the live request differs from the recorded one.

    Only headers that are part of a contract are compared, and credentials only by their presence. A body with equal
    JSON but other bytes (key order, spacing) is an info.
    """
    if (live.method, live.path) != (recorded.method, recorded.path):
        yield Hit(
            None,
            "the request goes to a different URL than recorded",
            f"{recorded.method} {recorded.path}",
            f"{live.method} {live.path}",
        )
    yield from _query(live, recorded)
    yield from _headers(live.headers, recorded.headers)
    yield from _body(live, recorded)


def _query(live: Request, recorded: Request) -> Iterator[Hit]:
    one, other = live.query, recorded.query
    for name in sorted(one.keys() | other.keys()):
        if one.get(name) != other.get(name) and "key" not in name:
            yield Hit(None, f"query parameter {name} differs from the recording", other.get(name), one.get(name))


def _headers(live: Headers, recorded: Headers) -> Iterator[Hit]:
    for name in (*_NEGOTIATION, *contract_headers()):
        if live.get(name) != recorded.get(name):
            yield Hit(None, f"header {name} differs from the recording", recorded.get(name), live.get(name))
    for name in _CREDENTIALS:
        if (name in live) != (name in recorded):
            now, then = ("sent" if name in each else "not sent" for each in (live, recorded))
            yield Hit(None, f"credential {name} was {then} when recorded, now it is {now}", then, now)


def _body(live: Request, recorded: Request) -> Iterator[Hit]:
    if live.body.text == recorded.body.text:
        return
    one, other = recorded.body.json, live.body.json
    if isinstance(one, Malformed) or isinstance(other, Malformed):
        yield Hit("", "the body differs from the recording, and one of them is not JSON")
        return
    differences = list(_differences(one, other))
    yield from differences
    if not differences:
        yield Hit(
            "", "the body is the same JSON as recorded, but differs in key order or spacing", severity=Severity.INFO
        )


def _differences(recorded: Any, live: Any) -> Iterator[Hit]:
    """The differing places of two JSON values, by deepdiff; empty if deepdiff finds only equal numbers."""
    from deepdiff import DeepDiff

    tree = DeepDiff(recorded, live, view="tree", verbose_level=2)
    for kind in sorted(tree):
        for change in tree[kind]:
            pointer = join("", *change.path(output_format="list"))
            if kind.endswith("_added"):
                yield Hit(pointer, "sent now, but not in the recording", "absent", jsontext.brief(change.t2))
            elif kind.endswith("_removed"):
                yield Hit(pointer, "in the recording, but not sent now", jsontext.brief(change.t1), "absent")
            elif not jsontext.same(change.t1, change.t2):
                yield Hit(pointer, "differs from the recording", *jsontext.brief_pair(change.t1, change.t2))
