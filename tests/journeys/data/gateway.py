"""A gateway that passes everything on to its upstream, except stop sequences."""

import http.client
import json
import os
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import urlsplit


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        body.pop("stop", None)
        upstream = http.client.HTTPConnection(urlsplit(os.environ["CONFORMANCE_UPSTREAM"]).netloc, timeout=30)
        kept = {"authorization": self.headers["authorization"], "content-type": "application/json"}
        upstream.request("POST", f"/v1{self.path}", json.dumps(body), kept)
        response = upstream.getresponse()
        content = response.read()
        self.send_response(response.status)
        self.send_header("content-type", response.getheader("content-type", ""))
        self.send_header("content-length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        pass


ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
