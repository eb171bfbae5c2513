"""A gateway that passes everything on as it is."""

from __future__ import annotations

from tests.gateways.serving import ask, serve

if __name__ == "__main__":
    serve(lambda method, path, headers, body, upstream: ask(upstream, method, path, headers, body))
