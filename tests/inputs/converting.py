"""Writes exchanges in other formats of recordings: the same conversation, without what the format has no place for."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import yaml

from conformance.model.exchange import Exchange, Headers
from conformance.model.registry import claim
from conformance.model.transcript import Ask, Malformed, Part, Reasoning, Text, ToolCall, ToolResult, Turn

Writer = Callable[[Sequence[Exchange], Path], None]
_START = 1_700_000_000
_PROVIDERS = {"openai-chat": "openai", "anthropic-messages": "anthropic", "gemini": "gcp.gemini"}


def _body(exchange: Exchange, side: str) -> str:
    body = exchange.request.body if side == "request" else exchange.response.body
    return json.dumps(body.json) if body.parsed_by_recorder or body.framed else body.text or ""


def _value(exchange: Exchange, side: str) -> Any:
    """The body as JSON; as text if it is none."""
    body = exchange.request.body if side == "request" else exchange.response.body
    return body.text if isinstance(body.json, Malformed) else body.json


def _write(path: Path, value: Any) -> None:
    path.write_text(json.dumps(value), encoding="utf-8")


def _lines(path: Path, values: Sequence[Any]) -> None:
    path.write_text("".join(f"{json.dumps(each)}\n" for each in values), encoding="utf-8")


def _pairs(headers: Headers) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in headers]


def exchange_jsonl(exchanges: Sequence[Exchange], folder: Path) -> None:
    _lines(
        folder / "exchanges.jsonl",
        [
            {
                "conversation": "one",
                "request": {
                    "method": each.request.method,
                    "url": each.request.url,
                    "headers": each.request.headers.lists(),
                    "body": _body(each, "request"),
                },
                "response": {
                    "status": each.response.status,
                    "headers": each.response.headers.lists(),
                    "body": _body(each, "response"),
                },
            }
            for each in exchanges
        ],
    )


def vcr(exchanges: Sequence[Exchange], folder: Path) -> None:
    _write(
        folder / "cassette.json",
        {
            "version": 1,
            "interactions": [
                {
                    "request": {
                        "method": each.request.method,
                        "uri": each.request.url,
                        "headers": each.request.headers.lists(),
                        "body": _body(each, "request"),
                    },
                    "response": {
                        "status": {"code": each.response.status, "message": ""},
                        "headers": each.response.headers.lists(),
                        "body": {"string": _body(each, "response")},
                    },
                }
                for each in exchanges
            ],
        },
    )


def har(exchanges: Sequence[Exchange], folder: Path) -> None:
    entries = [
        {
            "request": {
                "method": each.request.method,
                "url": each.request.url,
                "headers": _pairs(each.request.headers),
                "postData": {"text": _body(each, "request")},
            },
            "response": {
                "status": each.response.status,
                "headers": _pairs(each.response.headers),
                "content": {"text": _body(each, "response")},
            },
        }
        for each in exchanges
    ]
    _write(folder / "archive.har", {"log": {"entries": entries}})


def nock(exchanges: Sequence[Exchange], folder: Path) -> None:
    definitions = []
    for each in exchanges:
        scheme, _, rest = each.request.url.partition("://")
        host, _, path = rest.partition("/")
        definitions.append(
            {
                "scope": f"{scheme}://{host}",
                "method": each.request.method,
                "path": f"/{path}",
                "body": _body(each, "request"),
                "status": each.response.status,
                "response": _body(each, "response"),
                "rawHeaders": each.response.headers.lists(),
            }
        )
    _write(folder / "nock.json", definitions)


def reqllm(exchanges: Sequence[Exchange], folder: Path) -> None:
    for number, each in enumerate(exchanges, 1):
        streams, parsed = each.response.is_stream, isinstance(each.response.body.json, dict | list)
        packed = {"b64": base64.b64encode(_body(each, "response").encode()).decode()}
        body = None if streams else each.response.body.json if parsed else packed
        fixture = {
            "request": {
                "method": each.request.method.lower(),
                "url": each.request.url,
                "headers": each.request.headers.lists(),
                "body": {"b64": base64.b64encode(_body(each, "request").encode()).decode()},
                "canonical_json": _value(each, "request"),
            },
            "response": {"status": each.response.status, "headers": each.response.headers.lists(), "body": body},
        }
        _write(folder / f"run_{number}.json", {**fixture, "chunks": [packed]} if streams else fixture)


def google_test_server(exchanges: Sequence[Exchange], folder: Path) -> None:
    """Its streams are those of Google alone: nothing but JSON, without names."""
    interactions = []
    for each in exchanges:
        streams, url = each.response.is_event_stream, urlsplit(each.request.url)
        events = each.response.events if streams else ()
        if (streams and not events) or any(event.name or isinstance(event.json, Malformed) for event in events):
            return
        asked, answered = _value(each, "request"), _value(each, "response")
        request = {"method": each.request.method, "url": f"{url.path}?{url.query}".rstrip("?"), "protocol": url.scheme}
        interactions.append(
            {
                "request": {
                    **request,
                    "serverAddress": url.netloc,
                    "headers": _titled(each.request.headers),
                    "bodySegments": [] if each.request.body.empty else [asked],
                },
                "response": {
                    "statusCode": each.response.status,
                    "headers": _titled(each.response.headers),
                    "bodySegments": [event.json for event in events] or [answered],
                },
            }
        )
    _write(folder / "recorded.json", {"recordID": "recorded", "interactions": interactions})


def azure_test_proxy(exchanges: Sequence[Exchange], folder: Path) -> None:
    entries = [
        {
            "RequestUri": each.request.url,
            "RequestMethod": each.request.method,
            "RequestHeaders": _titled(each.request.headers),
            "RequestBody": _value(each, "request"),
            "StatusCode": each.response.status,
            "ResponseHeaders": _titled(each.response.headers),
            "ResponseBody": _body(each, "response").splitlines(keepends=True)
            if each.response.is_stream and each.response.body.text
            else _value(each, "response"),
        }
        for each in exchanges
    ]
    _write(folder / "recorded.json", {"Entries": entries, "Variables": {}})


def _titled(headers: Headers) -> dict[str, str]:
    return {name.title(): ", ".join(values) for name, values in headers.lists().items()}


def httprr(exchanges: Sequence[Exchange], folder: Path) -> None:
    pieces = [b"httprr trace v1\n"]
    for each in exchanges:
        messages = (
            (f"{each.request.method} {each.request.url} HTTP/1.1", each.request.headers, _body(each, "request")),
            (f"HTTP/2.0 {each.response.status} OK", each.response.headers, _body(each, "response")),
        )
        both = [
            "".join([f"{start}\r\n", *(f"{name}: {value}\r\n" for name, value in headers), "\r\n", body]).encode()
            for start, headers, body in messages
        ]
        pieces += [f"{len(both[0])} {len(both[1])}\n".encode(), *both]
    (folder / "trace.httprr").write_bytes(b"".join(pieces))


def httpmock(exchanges: Sequence[Exchange], folder: Path) -> None:
    documents = [
        {
            "when": {
                "path": "/" + each.request.url.partition("://")[2].partition("/")[2],
                "method": each.request.method,
                "header": _pairs(each.request.headers),
                "body": _body(each, "request"),
            },
            "then": {
                "status": each.response.status,
                "header": _pairs(each.response.headers),
                "body": _body(each, "response"),
            },
        }
        for each in exchanges
    ]
    (folder / "recorded.yaml").write_text(
        yaml.safe_dump_all(documents, sort_keys=False, allow_unicode=True), encoding="utf-8"
    )


def wiremock(exchanges: Sequence[Exchange], folder: Path) -> None:
    mappings = [
        {
            "request": {
                "method": each.request.method,
                "url": "/" + each.request.url.partition("://")[2].partition("/")[2],
                "bodyPatterns": [{"equalToJson": _body(each, "request")}],
            },
            "response": {
                "status": each.response.status,
                "headers": {name: ", ".join(values) for name, values in each.response.headers.lists().items()},
                "body": _body(each, "response"),
            },
        }
        for each in exchanges
    ]
    _write(folder / "mappings.json", {"mappings": mappings})


def mitmproxy(exchanges: Sequence[Exchange], folder: Path) -> None:
    flows = b""
    for each in exchanges:
        scheme, _, rest = each.request.url.partition("://")
        host, _, path = rest.partition("/")
        request = {
            "method": each.request.method,
            "scheme": scheme,
            "host": host.partition(":")[0],
            "port": int(host.partition(":")[2] or 443),
            "path": f"/{path}",
            "headers": [list(pair) for pair in each.request.headers],
            "content": _body(each, "request"),
        }
        response = {
            "status_code": each.response.status,
            "headers": [list(pair) for pair in each.response.headers],
            "content": _body(each, "response"),
        }
        flows += _netstring({"type": "http", "version": 21, "request": request, "response": response})
    (folder / "flows.mitm").write_bytes(flows)


def _netstring(value: Any) -> bytes:
    payload, kind = b"", b","
    if isinstance(value, dict):
        payload, kind = b"".join(_netstring(name) + _netstring(each) for name, each in value.items()), b"}"
    elif isinstance(value, list):
        payload, kind = b"".join(map(_netstring, value)), b"]"
    elif isinstance(value, int):
        payload, kind = str(value).encode(), b"#"
    else:
        payload, kind = value.encode(), b";" if value in ("type", "http") else b","
    return b"%d:%s%s" % (len(payload), payload, kind)


def bodies(exchanges: Sequence[Exchange], folder: Path) -> None:
    for number, each in enumerate(exchanges):
        ending = "sse" if each.response.is_event_stream else "json"
        (folder / f"{number:03}-request.json").write_text(_body(each, "request"), encoding="utf-8")
        (folder / f"{number:03}-response.{ending}").write_text(_body(each, "response"), encoding="utf-8")


def sse(exchanges: Sequence[Exchange], folder: Path) -> None:
    for number, each in enumerate(exchanges):
        text = _body(each, "response")
        (folder / f"{number:03}.sse").write_text(f"HTTP/1.1 {each.response.status} \r\n\r\n{text}", encoding="utf-8")


def _of_batch(exchange: Exchange) -> tuple[str, Any]:
    body = _value(exchange, "request")
    return exchange.request.path, body.get("model") if isinstance(body, dict) else None


def batch(exchanges: Sequence[Exchange], folder: Path) -> None:
    """The exchanges with the endpoint and the model of the first one: a batch has no others."""
    asked, answered = [], []
    whole = [each for each in exchanges if each.request.method == "POST" and not each.response.is_event_stream]
    for number, each in enumerate(each for each in whole if _of_batch(each) == _of_batch(whole[0])):
        path = each.request.path
        asked.append({"custom_id": str(number), "method": "POST", "url": path, "body": _value(each, "request")})
        response = {"status_code": each.response.status, "body": _value(each, "response")}
        answered.append({"custom_id": str(number), "response": response})
    _lines(folder / "input.jsonl", asked)
    _lines(folder / "output.jsonl", answered)


def litellm_bundle(exchanges: Sequence[Exchange], folder: Path) -> None:
    for number, each in enumerate(exchanges):
        response = {
            "status_code": each.response.status,
            "headers": {name: ", ".join(values) for name, values in each.response.headers.lists().items()},
            "body_b64": base64.b64encode(_body(each, "response").encode()).decode(),
        }
        request = {
            "method": each.request.method.lower(),
            "path": each.request.path,
            "headers": {},
            "body": _value(each, "request"),
        }
        _write(folder / f"{number:04}-post-chat.json", {"request": request, "response": response})


def helicone(exchanges: Sequence[Exchange], folder: Path) -> None:
    _lines(
        folder / "export.jsonl",
        [
            {
                "request_id": str(number),
                "request_session_id": "one",
                "request_path": each.request.url,
                "request_body": _value(each, "request"),
                "response_body": _value(each, "response"),
                "response_status": each.response.status,
            }
            for number, each in enumerate(exchanges)
            if not each.response.is_event_stream
        ],
    )


def litellm(exchanges: Sequence[Exchange], folder: Path) -> None:
    def settings(asked: Mapping[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in asked.items() if key not in ("messages", "input")}

    _lines(
        folder / "callback.jsonl",
        [
            {
                "id": str(number),
                "trace_id": "one",
                "call_type": "responses" if "input" in asked else "completion",
                "status": "success" if each.response.ok else "failure",
                "model": asked.get("model"),
                "messages": asked.get("messages", asked.get("input")),
                "model_parameters": settings(asked),
                "response": _value(each, "response"),
            }
            for number, each in enumerate(exchanges)
            if isinstance(asked := _value(each, "request"), dict) and not each.response.is_event_stream
        ],
    )


def langfuse(exchanges: Sequence[Exchange], folder: Path) -> None:
    _lines(
        folder / "observations.jsonl",
        [
            {
                "id": str(number),
                "traceId": "one",
                "startTime": f"2026-01-01T00:00:{number:02}Z",
                "type": "GENERATION",
                "model": asked.get("model"),
                "input": {key: asked[key] for key in ("messages", "input", "contents", "tools") if key in asked},
                "output": _only_reply(_value(each, "response")),
            }
            for number, each in enumerate(exchanges)
            if isinstance(asked := _value(each, "request"), dict) and _is_whole(each)
        ],
    )


def _is_whole(exchange: Exchange) -> bool:
    """Whether the reply is one body: tracing tools have none for a failure, and put that of a stream together."""
    return exchange.response.ok and not exchange.response.is_event_stream


def _only_reply(body: Any) -> Any:
    """The message of a chat completion, as Langfuse keeps it; other bodies whole."""
    choices = body.get("choices") if isinstance(body, dict) else None
    first = choices[0] if isinstance(choices, list) and choices else None
    return first.get("message") if isinstance(first, dict) else body


def langsmith(exchanges: Sequence[Exchange], folder: Path) -> None:
    _lines(
        folder / "runs.jsonl",
        [
            {
                "id": str(number),
                "trace_id": "one",
                "run_type": "llm",
                "inputs": _value(each, "request"),
                "outputs": _value(each, "response"),
            }
            for number, each in enumerate(exchanges)
            if _is_whole(each)
        ],
    )


def inspect(exchanges: Sequence[Exchange], folder: Path) -> None:
    events = [
        {
            "event": "model",
            "uuid": str(number),
            "call": {"request": _value(each, "request"), "response": _value(each, "response")},
        }
        for number, each in enumerate(exchanges)
        if _is_whole(each)
    ]
    samples = [{"id": "one", "epoch": 1, "events": events}]
    _write(folder / "log.json", {"version": 2, "status": "success", "eval": {}, "samples": samples})


def langchain(exchanges: Sequence[Exchange], folder: Path) -> None:
    runs = []
    for number, (dialect, ask, replies) in enumerate(_read(exchanges)):
        messages = [_langchain(turn) for turn in _single_results(ask.history)]
        runs.append(
            {
                "id": str(number),
                "trace_id": "one",
                "run_type": "llm",
                "extra": {"metadata": {"ls_provider": _PROVIDERS[dialect]}},
                "inputs": {"messages": [messages]},
                "outputs": {"generations": [[{"message": _langchain(turn)} for turn in replies]]} if replies else None,
            }
        )
    _lines(folder / "langchain.jsonl", runs)


def _langchain(turn: Turn) -> dict[str, Any]:
    text = turn.text
    if turn.results:
        [result] = turn.results
        return {"kwargs": {"type": "tool", "tool_call_id": result.call_id, "content": _said(result.content)}}
    kind = {"user": "human", "assistant": "ai"}.get(turn.role, turn.role)
    calls = [{"id": each.id, "name": each.name, "args": _arguments(each)} for each in turn.calls]
    return {"kwargs": {"type": kind, "content": text, "tool_calls": calls}}


def otel(exchanges: Sequence[Exchange], folder: Path) -> None:
    spans = [
        {
            "traceId": "one",
            "spanId": str(number),
            "startTimeUnixNano": str(_START + number),
            "attributes": {
                "gen_ai.provider.name": _PROVIDERS[dialect],
                "gen_ai.request.model": ask.model,
                "gen_ai.input.messages": [_message(turn) for turn in ask.history],
                "gen_ai.output.messages": [
                    {**_message(turn), **({"finish_reason": turn.stop_wire} if turn.stop_wire else {})}
                    for turn in replies
                ],
            },
        }
        for number, (dialect, ask, replies) in enumerate(_read(exchanges))
    ]
    _write(folder / "spans.json", {"resourceSpans": [{"scopeSpans": [{"spans": spans}]}]})


def openinference(exchanges: Sequence[Exchange], folder: Path) -> None:
    spans = [
        {
            "context": {"trace_id": "one", "span_id": str(number)},
            "attributes": {
                "openinference.span.kind": "LLM",
                "llm.system": _PROVIDERS[dialect],
                "llm.model_name": ask.model,
                "llm.input_messages": [_inferred(turn) for turn in _single_results(ask.history)],
                "llm.output_messages": [_inferred(turn) for turn in replies],
            },
        }
        for number, (dialect, ask, replies) in enumerate(_read(exchanges))
    ]
    _lines(folder / "spans.jsonl", spans)


def _inferred(turn: Turn) -> dict[str, Any]:
    if turn.results:
        [result] = turn.results
        content = _said(result.content)
        return {"message.role": "tool", "message.tool_call_id": result.call_id, "message.content": content}
    calls = [
        {
            "tool_call.id": each.id,
            "tool_call.function.name": each.name,
            "tool_call.function.arguments": None if (given := _arguments(each)) is None else _said(given),
        }
        for each in turn.calls
    ]
    return {"message.role": turn.role, "message.content": turn.text, "message.tool_calls": calls}


def dataset(exchanges: Sequence[Exchange], folder: Path) -> None:
    rows = []
    for each in exchanges:
        asked, reply = _value(each, "request"), _only_reply(_value(each, "response"))
        dialect = claim(each.request)
        if dialect is not None and dialect.name == "openai-chat" and _is_whole(each) and isinstance(reply, dict):
            tools = {"tools": asked["tools"]} if "tools" in asked else {}
            rows.append({"messages": [*asked["messages"], {"role": "assistant", **reply}], **tools})
    _lines(folder / "train.jsonl", rows)


def _read(exchanges: Sequence[Exchange]) -> Iterator[tuple[str, Ask, Sequence[Turn]]]:
    """What instrumentations read of the exchanges that they know."""
    for each in exchanges:
        dialect = claim(each.request)
        if dialect is None or dialect.name not in _PROVIDERS or not _is_whole(each):
            continue
        ask = dialect.readers.read_request(each.request, each.request.body.json)
        if any(turn.results and turn.role == "assistant" for turn in ask.history):
            continue  # no message of theirs is both
        replies = dialect.readers.replies(each.response.body.json, dialect.readers.sse_events(each))
        yield dialect.name, ask, replies


def _single_results(turns: Sequence[Turn]) -> Iterator[Turn]:
    for turn in turns:
        yield from ([Turn("tool", (each,)) for each in turn.results] if turn.results else [turn])


def _message(turn: Turn) -> dict[str, Any]:
    return {"role": turn.role, "parts": [_part(part) for part in turn.parts]}


def _part(part: Part) -> dict[str, Any]:
    if part.kind == "server" if isinstance(part, (ToolCall, ToolResult)) else False:
        return {"type": "server_tool"}
    if isinstance(part, Text):
        return {"type": "text", "content": part.text}
    if isinstance(part, ToolCall):
        return {"type": "tool_call", "id": part.id, "name": part.name, "arguments": _arguments(part)}
    if isinstance(part, ToolResult):
        return {"type": "tool_call_response", "id": part.call_id, "response": _said(part.content)}
    return {"type": "reasoning", "content": part.text} if isinstance(part, Reasoning) else {"type": "blob"}


def _arguments(call: ToolCall) -> Any:
    """The arguments; None for a call without any."""
    return call.arguments.text or None if isinstance(call.arguments, Malformed) else call.arguments


def _said(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content)


def litellm_debug(exchanges: Sequence[Exchange], folder: Path) -> None:
    """What LiteLLM prints, under a name that is read in a folder."""
    begin, text = "12:00:01 - LiteLLM:DEBUG: litellm_logging.py:1861 - ", ""
    for each in exchanges:
        text += f"{begin}\n\nPOST Request Sent from LiteLLM:\ncurl -X POST \\\n{each.request.url} \\\n"
        reply = "" if each.response.is_lines or not each.response.ok else _body(each, "response")
        text += f"-d '{_value(each, 'request')}'\n\n{begin}RAW RESPONSE:\n{reply}\n\n\n"
    (folder / "debug.json").write_text(text, encoding="utf-8", errors="surrogatepass")


def vllm(exchanges: Sequence[Exchange], folder: Path) -> None:
    """What vLLM prints, under a name that is read in a folder."""
    begin, text = "(APIServer pid=1) INFO 02-13 11:33:33 [request_logger.py:84] ", ""
    for number, each in enumerate(exchanges):
        reply = _value(each, "response")
        name = reply.get("id") if isinstance(reply, dict) else number
        if name is None:
            continue  # no dialect of vLLM
        text += f"{begin}Request {name} JSON body: {json.dumps(_value(each, 'request'))}\n"
        text += f"{begin}response_body={{{json.dumps(reply)}}}\n" if isinstance(reply, dict) else ""
    (folder / "server.json").write_text(text, encoding="utf-8", errors="surrogatepass")


_WHOLE = (
    vcr,
    har,
    nock,
    google_test_server,
    azure_test_proxy,
    httprr,
    reqllm,
    httpmock,
    wiremock,
    mitmproxy,
    bodies,
    sse,
    batch,
    litellm_bundle,
)
_ALL = (*_WHOLE, helicone, litellm, langfuse, langsmith, inspect)
WRITERS: Mapping[str, Writer] = {
    each.__name__.replace("_", "-"): each
    for each in (*_ALL, litellm_debug, vllm, langchain, otel, openinference, dataset)
}
