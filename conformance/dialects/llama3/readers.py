"""The readers of all dialects of Llama 3, which share its grammar."""

from __future__ import annotations

from typing import Any

from conformance.dialects.llama3.claims import prompt_in, texts_of
from conformance.dialects.llama3.parse import ReplyReader, parse
from conformance.dialects.llama3.turns import read_chat, read_prompt
from conformance.dialects.text.raw import CHAT_HOST
from conformance.dialects.text.readers import text_readers
from conformance.model.exchange import Request
from conformance.model.registry import layers_of
from conformance.model.transcript import Ask


def _read_request(request: Request, body: Any) -> Ask:
    ask = layers_of("llama3-json", request)[0].readers.read_request(request, body)
    prompt = prompt_in(body)
    return read_chat(ask, *texts_of(body)) if prompt is None else read_prompt(ask, prompt)


READERS = text_readers(CHAT_HOST, _read_request, parse, ReplyReader)
