"""Recordings whose sanitizer replaced the URL, or headers that the API defines: what it replaced is not known."""

from __future__ import annotations

import re
from dataclasses import replace

from conformance.inputs import endpoints
from conformance.model.exchange import Exchange, Headers, Lack
from conformance.model.registry import contract_headers

_REPLACED = re.compile(r"\W*(?:redacted|filtered|scrubbed|removed|sanitized)\W*|\*{3,}", re.IGNORECASE)


def without_replaced(exchange: Exchange) -> Exchange:
    """The exchange without what a sanitizer replaced. A URL is derived from the bodies, if these show one.

    Keys and other secrets are not meant: every sanitizer replaces them, and that they were sent is known.
    """
    request, lacks = exchange.request, set[Lack]()
    if _REPLACED.fullmatch(request.url):
        url = endpoints.shown_by(exchange)
        if url is not None:
            request = replace(request, url=url)
            lacks.add("url")
    names = {
        name for name in ("content-type", *contract_headers()) if _REPLACED.fullmatch(request.headers.get(name) or "")
    }
    if names:
        request = replace(
            request, headers=Headers((name, value) for name, value in request.headers if name.lower() not in names)
        )
        lacks.add("headers")
    return replace(exchange, request=request, lacks=exchange.lacks | lacks) if lacks else exchange
