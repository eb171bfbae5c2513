"""Requests to the API of a model that nobody observed: urllib, boto3, sockets, a library in another language.

The traffic of http.client, which most other libraries send through, is noted by host and path; any other only by the
name that it resolves, if that is a known provider's.
"""

from __future__ import annotations

import http.client
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

from conformance.cassette.traffic import Log
from conformance.model.exchange import Request
from conformance.model.registry import claim
from conformance.profiles.recognition import provider_of
from conformance.testing.http_tap import Current, Patch, patched


def observe(current: Current) -> list[Patch]:
    """Replaces the functions that every request over http.client, and every resolved name, passes."""

    def request(send: Any) -> Any:
        def putrequest(connection: Any, method: str, url: str, *arguments: Any, **options: Any) -> Any:
            if (log := current()) is not None:
                log.contacted.append((connection.host, method, urlsplit(url).path))
            return send(connection, method, url, *arguments, **options)

        return putrequest

    def name(resolve: Any) -> Any:
        def getaddrinfo(host: Any, *arguments: Any, **options: Any) -> Any:
            if (log := current()) is not None and isinstance(host, str):
                log.contacted.append((host, "", ""))
            return resolve(host, *arguments, **options)

        return getaddrinfo

    return [*patched(http.client.HTTPConnection, "putrequest", request), *patched(socket, "getaddrinfo", name)]


def unseen(log: Log) -> Iterator[str]:
    """What was sent to a model's API and is not in the log, and the responses that were not read to their end."""
    seen = {(host, path) for host, path in map(_place, (each.request["uri"] for each in log.sent))}
    hosts = {host for host, _ in seen}
    for host, method, path in dict.fromkeys(log.contacted):
        if method and (host, path) not in seen and (provider_of(host) or _is_api(f"https://{host}{path}", method)):
            hosts.add(host)
            yield f"{method} {host}{path}, over http.client (urllib, urllib3, boto3)"
    for host in dict.fromkeys(host for host, method, _ in log.contacted if not method):
        if host not in hosts and provider_of(host):
            yield f"{host}, over a library that is not observed"
    for each in log.sent:
        if each.left and _is_api(each.request["uri"], each.request["method"]):
            yield f"the rest of the response to {each.request['method']} {''.join(_place(each.request['uri']))}"


def _place(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.hostname or "", parts.path


def _is_api(url: str, method: str) -> bool:
    return claim(Request(method, _place(url)[1])) is not None
