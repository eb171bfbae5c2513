"""An endpoint that a client sends its requests to, with the model, the key and the headers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from conformance.cassette.randomness import changes
from conformance.cassette.secretnames import header_holder
from conformance.drivers import TIMEOUT_SECONDS
from conformance.drivers.transport import RequestHeaders
from conformance.model.registry import contract_headers

_PUBLIC = ("accept", "accept-encoding", "accept-language", "content-type", "host", "user-agent")
"""Headers that every client sends."""
_MIXED = 3
"""How often letters, digits and cases change in a value that is no word."""


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    input: float
    output: float


@dataclass(frozen=True, slots=True)
class Endpoint:
    """The endpoint of a run. `provenance` is `live`, `local` or `reference`; `origin` has no trailing slash.

    `root` is the path below which it answers, None for the usual one of the dialect; `auth` and `headers` are as in
    `Target`, looked up; `timeout` is the longest time without data, in seconds.
    """

    target: str
    origin: str
    model: str
    api_key: str
    provenance: str
    root: str | None = None
    auth: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    price: Price | None = None
    timeout: float = TIMEOUT_SECONDS
    behaviours: tuple[str, ...] = ()
    """The behaviours of the reference server; recorded in the cassette's metadata."""
    from_environment: tuple[str, ...] = ()
    """Headers whose values come from variables; they are treated as secrets."""
    profile: str | None = None
    """The profile of who answers here; None where the host decides."""

    @property
    def private_headers(self) -> tuple[str, ...]:
        """The headers that the user set, but for those that belong to the API: their values are not recorded."""
        public = (*contract_headers(), *_PUBLIC)
        return tuple(each for each in self.headers if each in self.from_environment or each.lower() not in public)

    @property
    def secrets(self) -> tuple[str, ...]:
        """Values that no cassette and no output may contain. A private header's word is kept in other places."""
        values = ((name, self.headers[name]) for name in self.private_headers)
        known = (*self.from_environment, *(name for name in self.headers if header_holder(name) is not None))
        return (self.api_key, *(value for name, value in values if name in known or changes(value) >= _MIXED))

    @property
    def request_headers(self) -> RequestHeaders:
        return RequestHeaders(self.auth, self.api_key, self.headers)
