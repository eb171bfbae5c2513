"""The readers of qwen3."""

from __future__ import annotations

from conformance.dialects.qwen3.parse import Reader, parse
from conformance.dialects.qwen3.request import read_request
from conformance.dialects.text.raw import CHAT_HOST
from conformance.dialects.text.readers import text_readers

READERS = text_readers(CHAT_HOST, read_request, parse, Reader)
