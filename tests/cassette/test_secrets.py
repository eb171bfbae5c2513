"""No secret reaches anything that is written or printed, and what is redacted keeps its shape."""

from __future__ import annotations

import base64
import gzip
import io
import json
import logging
import re
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from vcr.request import Request as VcrRequest

from conformance.cassette import format as cassette_format
from conformance.cassette.gate import Gate
from conformance.cassette.load import load_cassette, parse_cassette
from conformance.cassette.redact import Redactor, shown
from conformance.cassette.secretkinds import is_placeholder, kinds, known_secrets
from conformance.cassette.stdout_guard import LeakError, Outlet
from conformance.cassette.vcr import _machine
from conformance.commands import app
from conformance.judge.rule import all_rules
from conformance.model.data_files import load_data
from conformance.model.eventstream import frame_of, frames
from conformance.model.exchange import Body, Exchange, Headers, Request, Response
from conformance.model.finding import Finding, Severity
from conformance.report import FORMATS, open_report
from tests.cassettes import PLAYED, SHIPPED, some
from tests.planting import SECRETS, SHAPED, shape_of, spellings
from tests.sampling import every

IDS = [f"{kind}-{number}" for number, (kind, _) in enumerate(SECRETS)]
ALL = [secret for _, secret in SECRETS]
CHAT = "https://api.openai.com/v1/chat/completions"


def absent(secret: str, text: str) -> bool:
    """Whether the secret stands in the text in no way, looked for simply: the reverse of how it was planted."""
    forms = [each for name, each in spellings(secret).items() if name != "json-in-json"]
    forms += [json.dumps(secret)[1:-1], secret.replace("\n", "\\n")]
    return not any(form in text for form in forms)


def recorded(request: VcrRequest, response: dict[str, Any], redactor: Redactor) -> str:
    """The text of a cassette of one exchange, by the way that a recording takes through vcrpy's hooks."""
    machine = _machine(redactor, None)
    request = machine.before_record_request(request)
    response = machine.before_record_response(response)
    sent = request._to_dict()
    if isinstance(sent["body"], bytes):
        sent["body"] = sent["body"].decode()
    heard = {**response, "body": {"string": response["body"]["string"].decode()}}
    return cassette_format.dump(
        redactor.document({"version": 1, "interactions": [{"request": sent, "response": heard}]})
    )


def planted(secret: str) -> tuple[VcrRequest, dict[str, Any]]:
    """An exchange with the secret in every place that a provider or a client has been seen to put one."""
    call = {"id": "call_1", "type": "function", "function": {"name": "f", "arguments": json.dumps({"q": secret})}}
    body = {
        "model": "m",
        "max_tokens": 5,
        "api_key": secret,
        "tools": [{"type": "mcp", "server_url": f"https://u:{'p4' * 6}@h/", "authorization": f"Bearer {secret}"}],
        "metadata": {"nested": [{"clientSecret": secret}, {"access_token": secret, "token": 7}]},
        "messages": [
            {"role": "user", "content": f"my key is {secret}."},
            {"role": "assistant", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "call_1", "content": json.dumps({"result": [secret], "n": 1})},
            *({"role": "user", "content": text} for text in spellings(secret).values()),
        ],
        secret: "as a key",
    }
    headers = {
        "Authorization": f"Bearer {secret}",
        "x-api-key": secret,
        "X-Debug": f"sent {secret}",
        "Cookie": f"session={secret}",
        "X-Basic": "Basic " + base64.b64encode(f"user:{secret}".encode()).decode(),
        "accept": "*/*",
    }
    cut = len(secret) // 3
    pieces = [secret[:cut], secret[cut : 2 * cut], secret[2 * cut :]]
    deltas = [{"index": 0, "choices": [{"index": 0, "delta": {"content": each}}]} for each in ("a ", *pieces, " b")]
    error = {"error": {"message": f"Incorrect API key provided: {secret}", "code": "invalid_api_key", "param": None}}
    masked = {"error": {"message": f"bad key {secret[:9]}********{secret[-4:]}, see {secret[:12]}…"}}
    events = [*deltas, error, masked, {"usage": {"total_tokens": 3}}]
    stream = "".join(f"event: e\r\ndata: {json.dumps(each)}\r\n\r\n" for each in events) + "data: [DONE]\r\n\r\n"
    url = f"{CHAT}?key={spellings(secret)['percent']}&alt=sse&sig={spellings(secret)['percent']}"
    response = {
        "status": {"code": 401, "message": "no"},
        "headers": {"content-type": ["text/event-stream"], "set-cookie": [f"a={secret}; Path=/"], "x-key": [secret]},
        "body": {"string": stream.encode()},
    }
    return VcrRequest("POST", url, json.dumps(body).encode(), headers), response


RECORDED = every(range(len(ALL)), 6, risk="a kind of secret that is found in texts and not in one place of a recording")


@pytest.mark.parametrize("secret", [ALL[each] for each in RECORDED], ids=[IDS[each] for each in RECORDED])
def test_a_planted_secret_reaches_no_cassette_and_the_shape_stays(secret: str) -> None:
    request, response = planted(secret)
    text = recorded(request, response, Redactor([secret]))
    assert absent(secret, text)
    cassette = parse_cassette(text, "x.yaml")
    assert Gate([secret]).cassette(cassette) == []
    (exchange,) = cassette.exchanges
    sent = json.loads(request.body)
    sent["REDACTED"] = sent.pop(secret)
    assert shape_of(exchange.request.body.json) == shape_of(sent)
    assert exchange.request.body.json["max_tokens"] == 5
    assert exchange.request.headers.get("authorization") == "Bearer REDACTED"
    assert [name for name, _ in exchange.request.headers] == list(request.headers)
    assert exchange.request.query == {"key": "REDACTED", "alt": "sse", "sig": "REDACTED"}
    before = [json.loads(line[6:]) for line in response["body"]["string"].decode().split("\r\n") if "{" in line]
    assert [shape_of(each.json) for each in exchange.response.events[:-1]] == [shape_of(each) for each in before]
    reported = "".join(each.json["choices"][0]["delta"]["content"] for each in exchange.response.events[:5])
    assert reported == "a REDACTED b"


@pytest.mark.parametrize("secret", ALL[: len(SHAPED)], ids=IDS[: len(SHAPED)])
def test_a_secret_that_nobody_told_us_of_is_found_by_its_looks(secret: str) -> None:
    ways = spellings(secret)
    for name in ("plain", "unicode-escaped", "json-in-json", "base64url", "base64-of-json", "base64-of-gzip"):
        text = json.dumps({"content": ways[name]}).replace("\\\\u", "\\u")
        redacted = Redactor().text(text)
        assert absent(secret, redacted), name
        assert shape_of(json.loads(redacted)) == {"content": "str"}
    assert absent(secret, Redactor().text(f"data: {json.dumps({'error': {'message': 'no ' + secret}})}\n\n"))
    assert absent(secret, shown(f"Error code: 401 - {{'error': {{'message': 'bad key {secret}'}}}}"))


@pytest.mark.parametrize("secret", ALL, ids=IDS)
def test_the_gate_sees_each_spelling_that_redaction_could_have_missed(secret: str) -> None:
    gate = Gate([secret])
    for name, text in spellings(secret).items():
        raw = {
            "request": {"method": "POST", "uri": CHAT, "headers": {}, "body": json.dumps({"a": [{"b": f"x {text}"}]})},
            "response": {"status": {"code": 200, "message": ""}, "headers": {}, "body": {"string": "{}"}},
        }
        dumped = cassette_format.dump({"version": 1, "interactions": [raw]})
        leaks = gate.cassette(parse_cassette(dumped, "x.yaml"))
        assert [leak.where for leak in leaks] == ["exchange 0, request /a/0/b"], name
        assert leaks[0].what.startswith(("a secret in use", "a", "an")), name
        assert absent(secret, str(leaks[0]))


@pytest.mark.parametrize(
    ("change", "place"),
    [
        (lambda s: {"url": f"{CHAT}?key={s}"}, "exchange 0, request URL"),
        (lambda s: {"request_headers": {"X-Odd": [s]}}, "exchange 0, request header x-odd"),
        (lambda s: {"response_headers": {"Set-Cookie": [s]}}, "exchange 0, response header set-cookie"),
        (lambda s: {"answer": json.dumps({"a/b": {"c": s}})}, "exchange 0, response /a~1b/c"),
        (lambda s: {"answer": json.dumps({"args": json.dumps({"c": s})})}, "exchange 0, response /args"),
        (lambda s: {"answer": f"data: 1\n\ndata: {json.dumps({'c': s})}\n\n"}, "exchange 0, response event/1 /c"),
        (
            lambda s: {"answer": "".join(f"data: {json.dumps({'c': each})}\n\n" for each in (s[:9], s[9:]))},
            "exchange 0, response events, /c joined",
        ),
        (lambda s: {"answer": f"plain {s}"}, "exchange 0, response"),
        (lambda s: {"answer": f'{{"cut": "{s}'}, "exchange 0, response"),
        (lambda s: {"model": s}, "line 4"),
    ],
)
def test_the_gate_reports_where(change: Any, place: str) -> None:
    secret = ALL[-3]
    here = change(secret)
    interaction = {
        "request": {
            "method": "POST",
            "uri": here.get("url", CHAT),
            "headers": here.get("request_headers", {}),
            "body": "{}",
        },
        "response": {
            "status": {"code": 200, "message": "OK"},
            "headers": here.get("response_headers", {}),
            "body": {"string": here.get("answer", "{}")},
        },
    }
    document = {"version": 1, "metadata": {"model": here.get("model", "m")}, "interactions": [interaction]}
    cassette = parse_cassette(cassette_format.dump(document), "x.yaml")
    places = [leak.where for leak in Gate([secret]).cassette(cassette)]
    assert place in places
    assert len(places) <= 2


@pytest.mark.parametrize(
    ("header", "value", "kept"),
    [
        ("openai-organization", "acme-inc", "REDACTED"),
        ("OpenAI-Project", "proj_x", "REDACTED"),
        ("anthropic-organization-id", "9", "REDACTED"),
        ("x-amz-security-token", "FwoGZXIvYXdzE", "REDACTED"),
        ("x-portkey-api-key", "pk", "REDACTED"),
        ("ocp-apim-subscription-key", "k", "REDACTED"),
        ("helicone-auth", "Bearer abc", "Bearer REDACTED"),
        ("authorization", "AWS4-HMAC-SHA256 Credential=x/2026/us/bedrock, Signature=0", "AWS4-HMAC-SHA256 REDACTED"),
        ("host", "my-company.openai.azure.com", "redacted.openai.azure.com"),
        ("x-ratelimit-remaining-tokens", "199000", "199000"),
        ("anthropic-ratelimit-input-tokens-limit", "4000", "4000"),
        ("x-amzn-bedrock-input-token-count", "12", "12"),
        ("idempotency-key", "stainless-1", "stainless-1"),
        ("content-length", "12", "12"),
        ("authorization", "Bearer ${OPENAI_API_KEY}", "Bearer ${OPENAI_API_KEY}"),
    ],
)
def test_a_header_is_redacted_by_its_name(header: str, value: str, kept: str) -> None:
    assert Redactor().header(header, value) == kept


def test_a_key_in_a_header_of_a_frame_is_found_whatever_letter_its_length_is() -> None:
    key = "AKIAQ3EGRK7XZLPM2VNT"
    for length in range(len(key), 127):
        value = key.ljust(length, " ")
        frame = frame_of({":message-type": "event", ":event-type": "messageStop", "x-note": value}, b"{}")
        kept = Redactor()._binary(frame)
        assert key.encode() not in kept, length
        assert [(each.fault, each.complete) for each in frames(kept)] == [(None, True)]


@pytest.mark.parametrize("scheme", ["Bearer", "Basic", "Token", "AWS4-HMAC-SHA256"])
def test_a_redacted_credential_in_a_line_is_no_leak_and_stays(scheme: str) -> None:
    line = f"authorization: {scheme} REDACTED"
    assert Gate().text(line, "line 1") == []
    assert Redactor().text(line) == line


def test_a_signature_in_a_line_is_a_leak_whatever_its_scheme() -> None:
    line = "authorization: AWS4-HMAC-SHA256 Credential=0123/20261128/us-east-1/bedrock, Signature=5d672d79c15b13162d"
    assert [leak.what for leak in Gate().text(line, "line 1")] == ["a credential header"]
    assert "0123" not in Redactor().text(line)
    assert "5d672d79c15b" not in Redactor().text(line)


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        (
            "https://us-central1-aiplatform.googleapis.com/v1/projects/acme-prod-17/locations/us/publishers/google/models/g",
            "https://us-central1-aiplatform.googleapis.com/v1/projects/REDACTED/locations/us/publishers/google/models/g",
        ),
        (
            "https://bedrock.us-east-1.amazonaws.com/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A123456789012%3Aprofile%2Fx/c",
            "https://bedrock.us-east-1.amazonaws.com/model/arn%3Aaws%3Abedrock%3Aus-east-1%3AREDACTED%3Aprofile%2Fx/c",
        ),
        (
            "https://b.s3.amazonaws.com/f?X-Amz-Algorithm=A&X-Amz-Credential=c&X-Amz-Expires=9&X-Amz-Signature=s",
            "https://b.s3.amazonaws.com/f?X-Amz-Algorithm=A&X-Amz-Credential=REDACTED&X-Amz-Expires=9&X-Amz-Signature=REDACTED-2",
        ),
        (
            "https://storage.googleapis.com/b/o?GoogleAccessId=a&Expires=1&Signature=b%2Bc",
            "https://storage.googleapis.com/b/o?GoogleAccessId=REDACTED&Expires=1&Signature=REDACTED-2",
        ),
        ("https://a.blob.core.windows.net/c?sv=2024&sp=r&sig=x%3D", "https://a.blob.core.windows.net/c?sv=2024&sp=r&sig=REDACTED"),
        ("https://acme.openai.azure.com/openai/v1/responses", "https://redacted.openai.azure.com/openai/v1/responses"),
        ("http://h/mcp?session_id=a&sessionId=b&session_id=a", "http://h/mcp?session_id=REDACTED&sessionId=REDACTED-2&session_id=REDACTED"),
        ("http://h/v1?max_tokens=5&key=", "http://h/v1?max_tokens=5&key="),
        ("http://[broken?key=abc", "http://[broken?key=REDACTED"),
    ],
)  # fmt: skip
def test_a_url_keeps_its_parameters_and_loses_what_is_secret_in_them(url: str, kept: str) -> None:
    assert Redactor().url(url) == kept


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('{"password": "hunter2"}', '{"password": "REDACTED"}'),
        ('{"a": {"Private_Key": "x", "n": 1}}', '{"a": {"Private_Key": "REDACTED", "n": 1}}'),
        ('{"password": 12345}', '{"password": 0}'),
        ('{"\\u0070assword" : "a\\u0062c", "é": "\\/"}', '{"\\u0070assword" : "REDACTED", "é": "\\/"}'),
        ('{"authorization": ["Bearer abc", "x"]}', '{"authorization": ["Bearer REDACTED", "REDACTED-2"]}'),
        ('{"session_id": "a", "b": {"sessionId": 1}}', '{"session_id": "REDACTED", "b": {"sessionId": 1}}'),
        ("Error: {'api_key': 'abc', 'n': 1}", "Error: {'api_key': 'REDACTED', 'n': 1}"),
        ('cut off: {"client_secret": "abc def…', 'cut off: {"client_secret": "REDACTED…'),
        ('{"e": "{\\"secret\\": \\"abc\\"}"}', '{"e": "{\\"secret\\": \\"REDACTED\\"}"}'),
        ("org (org-" + "a1B2c3D4e5F6g7H8i9J0)", "org (REDACTED)"),
        ("OPENAI_API_KEY=abcd1234efgh5678", "OPENAI_API_KEY=REDACTED"),
        ("postgres://app:s3cr3tpw@db/x", "postgres://app:REDACTED@db/x"),
        ("> authorization: Bearer abcdef123456", "> authorization: Bearer REDACTED"),
    ],
)  # fmt: skip
def test_a_text_is_redacted_by_the_names_in_it(text: str, kept: str) -> None:
    assert Redactor().text(text) == kept
    assert Redactor().text(kept) == kept


SIGNATURE = base64.b64encode(bytes(range(7, 250))).decode()


@pytest.mark.parametrize(
    "text",
    [
        '{"usage": {"prompt_tokens": 5, "token": 7}, "max_tokens": 9, "tokens": ["a"], "total_tokens": 14}',
        '{"logprobs": {"content": [{"token": "internationalization1", "logprob": -0.1, "top_logprobs": []}]}}',
        '{"id": "call_a1B2c3D4e5F6g7H8i9J0k1L2", "x": "toolu_01ABCDEFGHIJKLMNOPQRSTUV", "y": "fc_68a1b2c3d4e5f60718"}',
        '{"id": "chatcmpl-CbA1b2C3d4E5f6G7h8I9j0K1l2M3", "r": "resp_68f1e2d3c4b5a69788f1"}',
        '{"properties": {"password": {"type": "string", "description": "the key"}, "token": {"type": "string"}}}',
        '{"parameters": {"password": "string", "api_key": "<your key>", "secret": "${SECRET}", "token": "***"}}',
        f'{{"thoughtSignature": "{SIGNATURE}", "signature": "{SIGNATURE}", "encrypted_content": "gAAAA{SIGNATURE}"}}',
        f'{{"data": "{SIGNATURE}", "systemFingerprint": "fp_a1b2c3d4e5f6a7b8c9d0"}}',
        '{"messages": [{"role": "user", "content": "{\\"password\\": \\"radiance\\"}"}]}',
        '{"arguments": "{\\"password\\": \\"mellon\\", \\"session_id\\": \\"one\\"}"}',
        "model pplx-7b-online of sk-learn, risk-free-and-nothing-else-to-say, sk-toggleable-content-of-a-page",
        "projects/readme.md and /home/me/projects/thing and sess-ions",
        "the key is the thing; the token is spent; password: see below; authorization: required",
        '{"next_page_token": "abcdefghijklmnopqrstuv1", "idempotency_key": "abcdefgh1234"}',
        "00000000-0000-4000-8000-000000000000 d41d8cd98f00b204e9800998ecf8427e",
    ],
)  # fmt: skip
def test_what_is_judged_is_left_alone(text: str) -> None:
    assert Redactor().text(text) == text
    assert Redactor().body(text.encode()) == text.encode()


def test_a_session_that_is_echoed_can_be_told_from_another() -> None:
    redactor = Redactor(["the-key-in-use"])
    first, again, other = (redactor.header("Mcp-Session-Id", each) for each in ("s-1", "s-1", "s-2"))
    assert (first, again, other) == ("REDACTED", "REDACTED", "REDACTED-2")
    assert redactor.header("mcp-session-id", "REDACTED-2") == "REDACTED-2"


def test_what_was_reported_late_is_removed_from_what_came_early() -> None:
    opaque = ALL[-9]
    redactor = Redactor()
    early, response = VcrRequest("GET", f"http://h/{opaque}", f"see {opaque}", {}), {"access_token": opaque, "n": [1]}
    answer = {"status": {"code": 200, "message": ""}, "headers": {}, "body": {"string": json.dumps(response).encode()}}
    text = recorded(early, answer, redactor)
    assert absent(opaque, text)
    assert "http://h/REDACTED" in text
    assert "see REDACTED" in text


def test_bytes_are_searched_too_and_keep_their_length() -> None:
    secret = ALL[0]
    frame = b"\x00\x00\xff\xfe" + secret.encode() + b"\x80\x81"
    assert len(Redactor([secret]).body(frame) or b"") == len(frame)
    assert secret.encode() not in (Redactor().body(frame) or b"")
    packed = gzip.compress(json.dumps({"api_key": "abc", "b": secret}).encode())
    assert gzip.decompress(Redactor().body(packed) or b"") == b'{"api_key": "REDACTED", "b": "REDACTED-2"}'  # type: ignore[arg-type]
    assert Redactor().body(b"\x1f\x8bbroken") == b"\x1f\x8bbroken"


def foreign(secret: str) -> dict[str, Any]:
    """A recording of somebody's that has faults, each of which quotes the secret."""
    messages = [
        {"role": "user", "content": "hi"},
        {"role": "tool", "tool_call_id": secret, "content": secret},
        {"role": secret, "content": {"password": secret}},
    ]
    call = {"id": secret, "type": "function", "function": {"name": secret, "arguments": f'{{"a": "{secret}'}}
    choice = {
        "index": 0,
        "message": {"role": "assistant", "content": None, "tool_calls": [call]},
        "finish_reason": secret,
    }
    return {
        "id": secret,
        "conversation": f"run {secret}",
        "request": {
            "method": "POST",
            "url": f"{CHAT}?key={spellings(secret)['percent']}",
            "headers": {"authorization": f"Bearer {secret}"},
            "body": {"model": "m", "messages": messages, "tools": [{"type": secret}], "tool_choice": secret},
        },
        "response": {"status": 200, "headers": {}, "body": {"object": secret, "choices": [choice], "model": secret}},
    }


@pytest.fixture
def in_use(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    def use(secret: str) -> None:
        monkeypatch.setenv("SOME_API_KEY", secret)

    return use


FEW = every(range(0, len(ALL), 3), 7, risk="a kind of secret that one report shows and no other output")
SHOWN = [*FEW, len(ALL) - 1]


@pytest.mark.parametrize("secret", [ALL[each] for each in SHOWN], ids=[IDS[each] for each in SHOWN])
def test_no_report_and_no_screen_shows_a_secret(secret: str, tmp_path: Path, in_use: Any) -> None:
    in_use(secret)
    (tmp_path / "log.jsonl").write_text(json.dumps(foreign(secret)) + "\n", encoding="utf-8")
    for format_ in FORMATS:
        output = tmp_path / f"report.{format_}"
        arguments = ["check", str(tmp_path / "log.jsonl"), "--format", format_, "--verbose"]
        to_file = CliRunner().invoke(app, [*arguments, "--output", str(output)])
        to_screen = CliRunner().invoke(app, arguments)
        assert to_file.exit_code == to_screen.exit_code == 1, to_screen.output
        for text in (output.read_text(encoding="utf-8"), to_screen.output, to_file.output):
            assert absent(secret, text), format_
        assert "REDACTED" in output.read_text(encoding="utf-8")
    interaction = foreign(secret)
    interaction["request"].update(uri=interaction["request"]["url"], body=json.dumps(interaction["request"]["body"]))
    interaction["response"].update(
        status={"code": 200, "message": "OK"}, body={"string": json.dumps(interaction["response"]["body"])}
    )
    cassette = tmp_path / "theirs.yaml"
    document = {"interactions": [interaction], "metadata": {"model": secret}, "version": 1}
    cassette.write_text(yaml.safe_dump(document), encoding="utf-8")
    for options in ([], ["--wire"], ["--events"], ["--events", "--wire"]):
        shown_ = CliRunner().invoke(app, ["show", str(cassette), *options])
        assert shown_.exit_code == 0, shown_.output
        assert absent(secret, shown_.output)
    listed = CliRunner().invoke(app, ["list", "--cassettes", str(tmp_path), "--max-age", "1d"])
    assert listed.exit_code == 1
    assert absent(secret, listed.output)


@pytest.mark.parametrize("secret", ALL[::7], ids=IDS[::7])
def test_an_error_shows_no_secret(secret: str, in_use: Any) -> None:
    in_use(secret)

    def broken(*_arguments: Any, **_named: Any) -> int:
        raise RuntimeError(f"no {secret}")

    for arguments in (["check", f"no/such/{secret}"], ["explain", secret], ["replay", "--scenario", secret]):
        reported = CliRunner().invoke(app, arguments)
        assert reported.exit_code == 2, reported.output
        assert absent(secret, reported.output)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("conformance.commands.explain.run.run", broken)
        reported = CliRunner().invoke(app, ["explain", "x"])
    assert reported.exit_code == 3
    assert "internal error: RuntimeError: " in reported.output
    assert absent(secret, reported.output)


@pytest.mark.parametrize("secret", ALL[::7], ids=IDS[::7])
def test_a_traceback_shows_no_secret(secret: str, in_use: Any) -> None:
    in_use(secret)
    reported = CliRunner().invoke(app, ["--traceback", "check", f"no/such/{secret}"])
    assert "Traceback (most recent call last):" in reported.output
    assert absent(secret, reported.output)


def test_a_line_with_a_secret_is_refused_on_the_way_out(in_use: Any) -> None:
    secret = ALL[-1]
    in_use(secret)
    for text in spellings(secret).values():
        under = io.StringIO()
        out = Outlet(under, "the report")
        out.write("one\ntw")
        with pytest.raises(LeakError, match=r"the report, line 2: output would contain a secret in use") as refused:
            out.write(f"o {text}\nthree\n")
        assert under.getvalue() == "one\n"
        assert absent(secret, str(refused.value))
        err = Outlet(under, "errors", refuses=False)
        err.write(f"a\n{text}\nb")
        err.flush()
        assert re.fullmatch(r"one\na\n\(line withheld: it would contain a secret.*\)\nb", under.getvalue())
        assert refused.value.exit_code == 3


def test_a_finding_that_redaction_would_leave_a_secret_in_is_withheld(
    in_use: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from conformance.judge.summary import Summary

    secret = ALL[0]
    in_use(secret)
    monkeypatch.setattr(Redactor, "text", lambda _, text: text)
    out = io.StringIO()
    report = open_report("json", out)
    report.finding(Finding("made-up-rule", Severity.ERROR, f"found {secret}", source="a.jsonl:3"))
    report.finding(Finding("made-up-rule", Severity.ERROR, "found nothing", source="a.jsonl:4"))
    summary = Summary()
    report.close(summary)
    assert [each["source"] for each in json.loads(out.getvalue())["findings"]] == ["a.jsonl:4"]
    (reported,) = summary.harness_errors
    assert reported.startswith("a finding of made-up-rule (a.jsonl:3) is withheld: its message: a secret in use")
    assert secret not in reported


def test_the_loggers_of_the_sdks_are_left_as_they_are() -> None:
    before = {
        name: logging.getLogger(name).level for name in ("openai", "anthropic", "httpx", "httpx2", "google_genai")
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("OPENAI_API_KEY", "x")
        CliRunner().invoke(app, ["list"])
    assert {name: logging.getLogger(name).level for name in before} == before
    source = "\n".join(
        path.read_text(encoding="utf-8") for path in Path(str(sys.modules["conformance"].__path__[0])).rglob("*.py")
    )
    assert "OPENAI_LOG" not in source
    assert "ANTHROPIC_LOG" not in source


@pytest.mark.parametrize("cell", some(PLAYED[::9]), ids=lambda cell: cell.id)
def test_a_shipped_cassette_has_nothing_to_redact_and_passes_the_gate(cell: Any) -> None:
    text = (SHIPPED / cell.relative_path).read_text(encoding="utf-8")
    document = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    assert Redactor(["a-key-that-is-in-use-1"]).document(document) == document
    assert Gate(["a-key-that-is-in-use-1"]).cassette(parse_cassette(text, cell.relative_path)) == []


def test_the_gate_reads_the_lines_of_a_stream_that_belong_to_no_event() -> None:
    key = "AKIA" + "Q3EGRK7XZLPM2VNT"
    headers = Headers([("content-type", "text/event-stream")])
    response = Response(200, headers, Body(f'data: {{"a": 1}}\n\nerror: bad key {key}\n\n'))
    leaks = Gate().exchange(Exchange(Request("POST", "http://host/v1/chat/completions"), response), "exchange 0")
    assert [leak.where for leak in leaks] == ["exchange 0, response, a line of no event"]


def test_the_rules_and_their_examples_can_be_printed() -> None:
    gate = Gate()
    from conformance.commands.explain.run import explain

    for rule in every(all_rules().values(), 5, risk="an example that looks like a secret, of a rule that is new"):
        assert gate.text(explain(rule), rule.id) == []


BODIES = {"Incorrect API key provided: ": r"[\w-]+\*+\w+", "Publisher Model `projects/": r"fake-project"}
"""All that is redacted in the bodies of the corpus: what stands before it, and what it looks like."""


@pytest.mark.parametrize("name", ["anthropic-messages", "gemini-generate", "openai-responses", "mcp", "mistral"])
def test_real_recordings_lose_their_secrets_and_nothing_else(corpus: Path, name: str) -> None:
    with gzip.open(corpus / f"{name}.jsonl.gz", "rt", encoding="utf-8") as file:
        lines = list(islice(file, 0, None, 10))
    for line in lines:
        exchange = Exchange.of(json.loads(line))
        for body in (exchange.request.body, exchange.response.body):
            text = body.text if body.text is not None else json.dumps(body.content, ensure_ascii=False)
            redacted = Redactor().text(text)
            for before, looks in BODIES.items():
                text = re.sub(f"(?<={re.escape(before)}){looks}", "REDACTED", text)
            assert redacted == text


def test_the_table_of_kinds_is_sound() -> None:
    table = load_data("secrets.yaml")
    names = [entry["kind"] for entry in table["kinds"]]
    assert len(names) == len(set(names)) >= 40
    assert all(
        entry["evidence"] and entry["hints"] and entry["description"].split()[0] in ("a", "an", "the")
        for entry in table["kinds"]
    )
    assert all(is_placeholder(kind.stand_in) for kind in kinds())


def test_what_the_environment_holds_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {
        "A_API_KEY": "abcdefgh12345678",
        "B_TOKEN": "abcdefgh12345679",
        "SHORT_TOKEN": "abc1",
        "FILE_TOKEN": "/run/secrets/abcdefgh1",
        "WORDS_SECRET": "nothing-but-words-here",
        "OTHER": "abcdefgh12345670",
    }.items():
        monkeypatch.setenv(name, value)
    assert {"abcdefgh12345678", "abcdefgh12345679"} <= known_secrets()
    assert not {"abc1", "/run/secrets/abcdefgh1", "nothing-but-words-here", "abcdefgh12345670"} & known_secrets()


def test_a_loaded_cassette_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(recorded(*planted(ALL[0]), Redactor([ALL[0]])), encoding="utf-8")
    assert load_cassette(tmp_path / "a.yaml").exchanges[0].request.headers.get("authorization") == "Bearer REDACTED"
