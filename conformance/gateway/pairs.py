"""The pairs of dialects to run a gateway with, and the model and the headers of each, from the command line."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from conformance.campaign.target_endpoint import header_of
from conformance.errors import ConformanceError
from conformance.model.registry import all_dialects, path_of


@dataclass(frozen=True, slots=True)
class Pair:
    """A client's dialect and an upstream's, with the name of the model that makes the gateway use that upstream."""

    client: str
    upstream: str
    model: str
    headers: Mapping[str, str]

    @property
    def name(self) -> str:
        return f"{self.client} to {self.upstream}"


def pairs_of(
    clients: Sequence[str],
    upstreams: Sequence[str],
    models: Sequence[str],
    headers: Sequence[str],
    upstream_url: str,
) -> list[Pair]:
    """Every client dialect with every upstream dialect. The model's default name is that of the upstream dialect.

    Models and headers can be those of one upstream (`UPSTREAM=...`) or of one pair (`CLIENT:UPSTREAM=...`); the most
    specific counts. In them, `{upstream_url}` stands for the address of the upstream.

    Raises:
        ConformanceError: a header is not one, or an option names a pair that is not run.
    """
    known = [(client, upstream) for client in dict.fromkeys(clients) for upstream in dict.fromkeys(upstreams)]
    chosen, lines = _scoped("--model", models, known), _scoped("--header", headers, known)
    found = []
    for client, upstream in known:
        names = [value for scope, value in chosen if _fits(scope, client, upstream)]
        fields = [header_of(value) for scope, value in lines if _fits(scope, client, upstream)]
        filled = {name: value.replace("{upstream_url}", upstream_url) for name, value in fields}
        found.append(Pair(client, upstream, names[-1] if names else upstream, filled))
    return found


def paths_of(texts: Sequence[str], clients: Sequence[str]) -> dict[str, str]:
    """What lies between the gateway's address and the own path of each client dialect.

    Raises:
        ConformanceError: a text is not of the form DIALECT=/PATH, for a dialect of the clients.
    """
    found = {}
    for text in texts:
        dialect, _, path = text.partition("=")
        if dialect not in clients or not path.startswith("/"):
            raise ConformanceError(
                f"--path {text!r} is not a path for a --client-dialect", f"write it as {clients[0]}=/v1"
            )
        found[dialect] = path.rstrip("/").removesuffix(path_of(dialect).rstrip("/"))
    return found


Scope = tuple[str | None, str | None]
"""A client dialect and an upstream dialect; None is any."""


def _scoped(option: str, texts: Sequence[str], known: Sequence[tuple[str, str]]) -> list[tuple[Scope, str]]:
    """The values with their scopes, the widest first."""
    found: list[tuple[Scope, str]] = []
    for text in texts:
        head, equals, value = text.partition("=")
        client, colon, upstream = head.rpartition(":")
        scoped = bool(equals) and upstream in all_dialects() and (not colon or client in all_dialects())
        scope: Scope = (client or None, upstream) if scoped else (None, None)
        value = value if scoped else text
        if scoped and not any(_fits(scope, *pair) for pair in known):
            raise ConformanceError(
                f"{option} {head}=: no such pair is run", "name an --upstream-dialect, or CLIENT:UPSTREAM"
            )
        if not value.strip():
            raise ConformanceError(f"{option} {text!r} has no value", f"write it as {option} UPSTREAM=VALUE")
        found.append((scope, value))
    return sorted(found, key=lambda each: sum(part is not None for part in each[0]))


def _fits(scope: Scope, client: str, upstream: str) -> bool:
    return scope[0] in (None, client) and scope[1] in (None, upstream)
