"""What the gateways of the tests share: an HTTP server on loopback, and requests to the upstream."""

from __future__ import annotations

import http.client
import os
import sys
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit

Answer = tuple[int, list[tuple[str, str]], bytes]
Handle = Callable[[str, str, Mapping[str, str], bytes, str], Answer]
"""Answers method, path, headers and body; the last argument is the address of the upstream."""

_NOT_PASSED = ("connection", "content-length", "host", "transfer-encoding", "date", "keep-alive")


def ask(upstream: str, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Answer:
    """Sends a request to the upstream; the answer is read whole."""
    connection = http.client.HTTPConnection(urlsplit(upstream).netloc, timeout=30)
    try:
        connection.request(method, path, body, {k: v for k, v in headers.items() if k.lower() not in _NOT_PASSED})
        response = connection.getresponse()
        kept = [(name, value) for name, value in response.getheaders() if name.lower() not in _NOT_PASSED]
        return response.status, kept, response.read()
    finally:
        connection.close()


def serve(handle: Handle) -> None:
    """Serves at the port of the first argument, with the upstream of the environment, until it is ended."""
    upstream = os.environ["CONFORMANCE_UPSTREAM"]

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            status, headers, content = handle(self.command, self.path, dict(self.headers.items()), body, upstream)
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST  # noqa: N815 - named as `http.server` calls it

        def log_message(self, *_: object) -> None:
            pass

    class Server(ThreadingHTTPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """A gateway that breaks off an answer raises for it."""

    Server(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
