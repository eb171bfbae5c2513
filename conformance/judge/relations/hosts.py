"""Addresses and the domains that an option allows or blocks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

from conformance.judge.relations.places import Place, all_places
from conformance.judge.relations.rows import Sided
from conformance.judge.relations.scan import scan_of
from conformance.judge.view import View
from conformance.model.finding import Hit
from conformance.model.frozen import dataclass
from conformance.model.jsontext import brief


@dataclass(frozen=True, slots=True)
class Hosted:
    """The host of each address is one of some domains or below one; with `blocked`, of none of them.

    A domain with a path blocks only a part of its host, which is not judged; it allows that host.
    """

    what: str
    domains: str
    blocked: bool = False

    @property
    def places(self) -> Sequence[Place]:
        return all_places(self.what, self.domains)

    @property
    def begins(self) -> Sequence[str]:
        return (self.what, self.domains)

    def words(self) -> str:
        return f"The host of `{self.what}` must {'not ' if self.blocked else ''}be of a domain at `{self.domains}`."

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
