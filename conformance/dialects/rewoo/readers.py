"""The readers of rewoo."""

from __future__ import annotations

from conformance.dialects.rewoo.claims import HOST
from conformance.dialects.rewoo.parse import Reader, parse
from conformance.dialects.rewoo.request import read_request
from conformance.dialects.text.readers import text_readers

READERS = text_readers(HOST, read_request, parse, Reader)
