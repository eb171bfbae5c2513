"""An endpoint: where a client is driven to, with the model, the key and the headers of its requests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from conformance.cassette.secretkinds import header_holder
from conformance.drivers import TIMEOUT_SECONDS
from conformance.drivers.transport import RequestHeaders


@dataclass(frozen=True, slots=True)
class Price:
    """US dollars per million tokens."""

    input: float
    output: float


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where to drive a client to. `provenance` is `live`, `local` or `reference`; `origin` has no trailing slash.

    `root` is the path below which it answers, None for the usual one of the dialect; `auth` and `headers` are as in
    `Target`, looked up; `timeout` is the seconds in which nothing comes.
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
    """What the reference server was told to answer otherwise than usual: a recording says so."""
    from_environment: tuple[str, ...] = ()
    """Headers whose values came out of variables: they are taken for secrets."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no cassette and no line of output may hold."""
        told = (each for each in self.headers if each in self.from_environment or header_holder(each) is not None)
        return (self.api_key, *(self.headers[name] for name in told))

    @property
    def request_headers(self) -> RequestHeaders:
        return RequestHeaders(self.auth, self.api_key, self.headers)
