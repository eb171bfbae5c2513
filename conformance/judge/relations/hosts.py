"""Addresses and the domains that an option allows or blocks."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from conformance.judge.relations.rows import OfPlaces, Sided
from conformance.judge.relations.scan import scan_of
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief


@dataclass(frozen=True, slots=True)
class Hosted(OfPlaces):
    """The host of each address is one of some domains or below one; with `blocked`, of none of them.

    A domain with a path blocks only a part of its host, which is not judged; it allows that host.
    """

    READS = NEEDS = ("what", "domains")

    what: str
    domains: str
    blocked: bool = False

    def hits(self, view: View) -> Iterator[Sided]:
        scan = scan_of(view)
        given = [value.lower() for _, value, _ in scan.at(self.domains) if isinstance(value, str) and value]
        names = [each.partition("/")[0] for each in given if not self.blocked or "/" not in each]
        for root, address, pointer in scan.at(self.what) if names else ():
            host = _host(address) if isinstance(address, str) else None
            if host is not None and any(host == each or host.endswith(f".{each}") for each in names) is self.blocked:
                wanted = f"{'none' if self.blocked else 'one'} of {brief(names)}"
                wrong = "blocked" if self.blocked else "not allowed"
                yield root, Hit(pointer, f"the host {host} is {wrong}", wanted, host)


def _host(address: str) -> str | None:
    try:
        return urlsplit(address).hostname
    except ValueError:
        return None


def hosted(what: str, domains: str, *, blocked: bool = False) -> Hosted:
    """Addresses are of the domains that an option allows, or of none that it blocks."""
    return Hosted(what, domains, blocked)
