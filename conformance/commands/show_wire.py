"""`conformance show --wire`: the bodies of an exchange, with JSON indented."""

from __future__ import annotations

import json
from collections.abc import Iterator

from conformance.model.exchange import Exchange, is_broken


def wire_lines(exchange: Exchange) -> Iterator[str]:
    """The request and the response as sent on the wire."""
    yield ""
    for mark, body in ((">", exchange.request.body), ("<", exchange.response.body)):
        text = body.text
        if text is None:
            text = json.dumps(body.json, ensure_ascii=False, indent=2) if body.content is not None else ""
        elif text[:1] in ("{", "["):
            text = json.dumps(body.json, ensure_ascii=False, indent=2) if not is_broken(body.json) else text
        yield from (f"   {mark} {line}" for line in text.splitlines())
