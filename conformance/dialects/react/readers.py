"""The readers of react."""

from __future__ import annotations

from conformance.dialects.react.claims import HOST
from conformance.dialects.react.parse import Reader, parse
from conformance.dialects.react.request import read_request
from conformance.dialects.text.readers import text_readers

READERS = text_readers(HOST, read_request, parse, Reader)
