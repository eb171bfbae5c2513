"""The readers of prompted."""

from __future__ import annotations

from conformance.dialects.prompted.claims import HOST
from conformance.dialects.prompted.parse import Reader, parse
from conformance.dialects.prompted.request import read_request
from conformance.dialects.text.readers import text_readers

READERS = text_readers(HOST, read_request, parse, Reader)
