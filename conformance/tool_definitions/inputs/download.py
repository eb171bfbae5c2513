"""Downloads a document: over HTTP only, bounded in time and size."""

from __future__ import annotations

import base64
import http.client
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import IO, cast
from urllib.parse import unquote, urlsplit, urlunsplit

from conformance.errors import ConformanceError
from conformance.model.version import VERSION
from conformance.tool_definitions.inputs.document import LARGEST, too_large
from conformance.tool_definitions.inputs.private import Private

_ACCEPT = "application/json, application/yaml, text/yaml, */*;q=0.5"


def download(url: str, private: Private, *, timeout: float, headers: Mapping[str, str] | None = None) -> bytes:
    """The document at a URL; `private` is what may be shown of it.

    Raises:
        ConformanceError: it cannot be downloaded, or is too large.
    """
    try:
        url, credentials = _without_credentials(url)
        fields = {"accept": _ACCEPT, "user-agent": f"conformance/{VERSION}", **credentials, **(headers or {})}
        request = urllib.request.Request(url, headers=fields)  # noqa: S310 - `read_tools` admits only http and https
        with cast(IO[bytes], urllib.request.urlopen(request, timeout=timeout)) as stream:  # noqa: S310 - as above
            data = stream.read(LARGEST + 1)
    except urllib.error.HTTPError as error:
        with error:
            raise _failure(private, f"the server answered {error.code}") from None
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise _failure(private, str(getattr(error, "reason", error))) from None
    if len(data) > LARGEST:
        raise too_large(private.name)
    return data


def _without_credentials(url: str) -> tuple[str, dict[str, str]]:
    """The URL without user and password, and the header field with them."""
    parts = urlsplit(url)
    userinfo, _, host = parts.netloc.rpartition("@")
    if not userinfo:
        return url, {}
    encoded = base64.b64encode(unquote(userinfo).encode()).decode()
    return urlunsplit(parts._replace(netloc=host)), {"authorization": f"Basic {encoded}"}


def _failure(private: Private, reason: str) -> ConformanceError:
    return ConformanceError(f"{private.name}: cannot be downloaded ({private.hide(reason)})", "check the URL")
