"""An exchange without its secrets, to be shown."""

from __future__ import annotations

import json
from dataclasses import replace

from conformance.cassette.redact import Redactor
from conformance.model.exchange import Body, Exchange, Headers


def redacted(exchange: Exchange, redactor: Redactor) -> Exchange:
    """The exchange with its URL, headers and bodies redacted; a body that a recorder had parsed stays parsed."""
    request, response = exchange.request, exchange.response
    return replace(
        exchange,
        request=replace(
            request,
            url=redactor.url(request.url),
            headers=_headers(request.headers, redactor),
            body=_body(request.body, redactor),
        ),
        response=replace(response, headers=_headers(response.headers, redactor), body=_body(response.body, redactor)),
    )


def _headers(headers: Headers, redactor: Redactor) -> Headers:
    return Headers((redactor.text(name), redactor.header(name, value)) for name, value in headers)


def _body(body: Body, redactor: Redactor) -> Body:
    if body.parsed_by_recorder:
        text = json.dumps(body.content)
        clean = redactor.text(text)
        return body if clean == text else Body(json.loads(clean), body.note)
    return Body(redactor.body(body.content), body.note)
