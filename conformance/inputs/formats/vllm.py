"""The log of vLLM's server with `--enable-log-requests`, replies included with VLLM_DEBUG_LOG_API_SERVER_RESPONSE=1.

Read as vLLM 0.4 to 0.33 print it. A request is its body (`Request ID JSON body: …`) or, where no body is printed, the
prompt that was made of it (`prompt: '…'`). A reply is the body that was sent (`response_body={…}`), or the text of a
completion (`Generated response ID: output: '…'`). They belong together by the id. What is printed of a streamed reply,
or of the output of a chat, has lost its calls: it is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, Any, Final

from conformance.inputs import build, endpoints, printed
from conformance.inputs.format import Format
from conformance.model.exchange import Body, Exchange, Members

_DETECT = re.compile(rb"(?:DEBUG|INFO|WARNING|ERROR) \d\d-\d\d \d\d:\d\d:\d\d \[?[\w./-]+\.py:\d+\] ")
_COLOR = re.compile(rb"\x1b\[[\d;]*m")
_LITERAL: Final = r"""('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_ASKED = re.compile(r"\] Request (\S+) JSON body: (\{.*)")
_PROMPT = re.compile(rf"\] (?:Received request|Request) (\S+?)(?: details)?: prompt: {_LITERAL}, ")
_OUTPUT = re.compile(
    rf"\] Generated response (\S+?)(?: \(streaming complete\))?: output: {_LITERAL}, .*?finish_reason: (\w+)"
)
_ANSWERED = re.compile(r"\] response_body=\{(\{.*)")
_ID = re.compile(r"(?:(?P<kind>chatcmpl|cmpl)-)?(?P<id>.*?)(?:(?<=\w{32})-\d+)?")
_ENDS = frozenset({"stop", "length"})
"""The reasons that end the text of a completion; others are the log's own."""


class _Call:
    """What the log has of one request; `raw` is whether it was to the endpoint of completions."""

    def __init__(self) -> None:
        self.raw = False
        self.body: Any = None
        self.reply: str | None = None
        self.prompts: list[str] = []
        self.outputs: list[tuple[str, str]] = []


def _calls(stream: IO[bytes], path: str) -> Iterator[_Call]:
    found: dict[str, _Call] = {}

    def call(name: str) -> _Call:
        named = _ID.fullmatch(name)
        assert named is not None  # noqa: S101 - each of its parts may be empty
        it = found.setdefault(named["id"], _Call())
        it.raw = it.raw or named["kind"] == "cmpl"
        return it

    for line in printed.lines(stream, path):
        if (asked := _ASKED.search(line)) is not None:
            call(asked[1]).body = printed.value_at(asked[2])
        elif (made := _PROMPT.search(line)) is not None:
            call(made[1]).prompts.append(printed.literal(made[2]))
        elif (wrote := _OUTPUT.search(line)) is not None:
            call(wrote[1]).outputs.append((printed.literal(wrote[2]), wrote[3]))
        elif (answered := _ANSWERED.search(line)) is not None and (text := printed.object_at(answered[1])) is not None:
            call(str(Body(text).json.get("id"))).reply = text
    yield from found.values()


def _exchanges(call: _Call, path: str) -> Iterator[Exchange]:
    reply = None if call.reply is None else Body(call.reply)
    if isinstance(call.body, dict) or not call.prompts:
        asked = Body(call.body) if endpoints.of_request(call.body) else None
        if asked is not None or (reply is not None and endpoints.of_response(reply)):
            yield build.exchange(asked, reply, source=path, group=path)
        return
    if not call.raw and reply is not None:
        yield build.exchange(None, reply, source=path, group=path)
    alone = call.raw and len(call.prompts) == 1
    for prompt in call.prompts:
        yield _completion(prompt, call.outputs if alone else [], reply if alone else None, path)


def _completion(prompt: str, outputs: list[tuple[str, str]], reply: Body | None, path: str) -> Exchange:
    """The prompt, with the reply or the texts that were generated, as an exchange of the completions endpoint."""
    told: tuple[str, ...] = ()
    if reply is None and outputs:
        choices = [
            {"index": number, "text": text} | ({"finish_reason": reason} if reason in _ENDS else {})
            for number, (text, reason) in enumerate(outputs)
        ]
        reply, told = Body({"object": "text_completion", "choices": choices}), ("/object", "/choices/*/text")
    return build.exchange(
        Body({"prompt": prompt}),
        reply,
        url=endpoints.COMPLETIONS,
        members=Members(request=("/prompt",), reply=told),
        source=path,
        group=path,
    )


def _read(stream: IO[bytes], path: str) -> Iterator[Exchange]:
    for call in _calls(stream, path):
        yield from _exchanges(call, path)


FORMAT = Format(
    name="vllm",
    title="the log of vLLM's server",
    detect_bytes=lambda head: _DETECT.search(_COLOR.sub(b"", head)) is not None,
    read_bytes=_read,
    lacks=frozenset({"url", "headers", "status"}),
)
