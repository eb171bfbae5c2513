"""Reading recordings: files, folders, standard input, and what is said about those that cannot be read."""

import gzip
import io
import json
import os
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from conformance import load_cassette
from conformance.errors import ConformanceError
from conformance.inputs import read
from conformance.judge.checker import check
from conformance.judge.proofs.example import Example
from conformance.model.exchange import Exchange
from conformance.model.finding import Severity
from conformance.model.registry import all_dialects, claimants
from devtools.places import CORPUS, TEST_DATA

DATA = TEST_DATA / "recordings"

LINE = '{"request": {"url": "http://x/"}, "response": {"status": 200}}\n'
INTERACTION: dict[str, dict[str, Any]] = {
    "request": {"method": "POST", "uri": "http://x/", "headers": {}, "body": "{}"},
    "response": {"status": {"code": 200, "message": "OK"}, "headers": {}, "body": {"string": "{}"}},
}


def exchanges(*paths: Path | str) -> list[Exchange]:
    return list(read([str(path) for path in paths]))


def refusal(path: Path | str) -> str:
    with pytest.raises(ConformanceError) as caught:
        exchanges(path)
    assert caught.value.hint
    assert "\n" not in str(caught.value)
    assert caught.value.exit_code == 2
    return str(caught.value).replace(str(path), "PATH")


def test_a_vcrpy_cassette_keeps_its_bodies_character_by_character() -> None:
    first, second = exchanges(DATA / "vcrpy.yaml")
    assert first.response.body.content == '{"id": "a",  "n": 1e2, "n": 2}\r\n'
    assert first.response.headers.get("set-cookie") == "one, two"
    assert first.request.body.json["model"] == "gpt-x"
    assert (second.request.method, second.response.status, second.response.body.content) == ("GET", 404, "")


def test_one_path_need_not_be_in_a_list() -> None:
    path = DATA / "vcrpy.yaml"
    texts = [[each.request.body.text for each in read(given)] for given in (path, str(path), [path], [path, path])]
    assert texts[0]
    assert all(each == texts[0] for each in texts)


def test_the_exchanges_of_a_cassette_are_one_run() -> None:
    path = DATA / "vcrpy.yaml"
    for exchange in exchanges(path):
        assert (exchange.group, exchange.source, exchange.complete) == (str(path), str(path), False)


def test_a_cassette_of_ours_is_complete_and_has_its_metadata() -> None:
    cassette = load_cassette(DATA / "own.yaml")
    assert cassette.own
    assert cassette.metadata["provenance"] == "reference"
    assert [exchange.complete for exchange in cassette.exchanges] == [True]
    assert cassette.exchanges[0].request.body.content == '{"model": "gpt-x", "messages": []}'
    assert cassette.exchanges[0].response.body.content == 'data: {"id": "a"}\n\ndata: [DONE]\n\n'


def test_a_cassette_of_others_has_no_metadata() -> None:
    cassette = load_cassette(str(DATA / "vcrpy.yaml"))
    assert not cassette.own
    assert cassette.metadata == {}
    assert len(cassette.exchanges) == 2


def test_a_cassette_of_ruby_vcr_is_read() -> None:
    (exchange,) = exchanges(DATA / "ruby.yml")
    assert (exchange.request.method, exchange.response.status) == ("POST", 200)
    assert exchange.request.body.json["model"] == "claude-x"
    assert exchange.response.body.content == b'{"id": "msg_1"}'


def test_a_parsed_body_stays_the_value_that_it_was_on_the_wire() -> None:
    (exchange,) = exchanges(DATA / "parsed.yaml")
    assert exchange.request.body.json == {"model": "gpt-x", "day": "2026-01-01"}
    assert exchange.response.body.json == {"choices": []}
    assert exchange.response.body.parsed_by_recorder


def test_a_cassette_with_a_list_for_each_side_is_read() -> None:
    (exchange,) = exchanges(DATA / "lists.yaml")
    assert exchange.request.body.content == exchange.response.body.content == b"{}"
    assert exchange.request.headers.get("a") == "b"


def test_the_tags_that_recorders_write_are_plain_values() -> None:
    first, buffer, iterator = exchanges(DATA / "tagged.yaml")
    assert first.request.method == "POST"
    assert first.request.body.content == '{"text": "plain"}'
    assert first.request.headers.get("content-type") == "application/json"
    assert first.request.headers.get("accept") == "one, two"
    assert buffer.request.body.content == b"{}"
    assert iterator.request.body.content == b'{"a": 1}'


def test_an_archive_is_read() -> None:
    first, second = exchanges(DATA / "archive.har")
    assert first.request.body.json == {"model": "gpt-x"}
    assert first.request.headers.get("content-type") == "application/json"
    assert first.response.body.content == b'{"a": 1}'
    assert first.group == second.group
    assert second.response.body.note == "the HAR file was saved without content"


def test_exchange_jsonl_names_file_and_line() -> None:
    path = DATA / "traffic.jsonl"
    first, second = exchanges(path)
    assert (first.id, first.conversation, first.source) == ("x1", "c", f"{path}:1")
    assert (second.id, second.conversation, second.source) == (None, None, f"{path}:3")
    assert first.response.body.content == "data: {}\n\n"
    assert first.response.headers.get("a") == "b, c"


@pytest.mark.parametrize("name", ["vcrpy.yaml", "archive.har", "traffic.jsonl", "own.yaml"])
def test_a_zipped_file_reads_as_the_plain_one_whatever_its_name(name: str, tmp_path: Path) -> None:
    plain = exchanges(DATA / name)
    for zipped in (tmp_path / f"{name}.gz", tmp_path / "noname"):
        zipped.write_bytes(gzip.compress((DATA / name).read_bytes()))
        found = exchanges(zipped)
        assert [each.request.body.content for each in found] == [each.request.body.content for each in plain]
        assert [each.response.body.content for each in found] == [each.response.body.content for each in plain]


@pytest.mark.parametrize("name", ["cassette.json", "cassette.yaml", "cassette.har", "cassette"])
@pytest.mark.parametrize("indent", [None, 2])
def test_the_content_tells_the_format_and_not_the_name(name: str, indent: int | None, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(json.dumps({"version": 1, "interactions": [INTERACTION]}, indent=indent))
    assert [exchange.request.url for exchange in exchanges(path)] == ["http://x/"]


@pytest.mark.parametrize("document", [INTERACTION, [INTERACTION]])
def test_interactions_without_a_frame_around_them_are_read(document: object, tmp_path: Path) -> None:
    path = tmp_path / "cassette.json"
    path.write_text(json.dumps(document))
    assert [exchange.response.status for exchange in exchanges(path)] == [200]


@pytest.mark.parametrize(
    "status", [{"code": 200, "message": "OK"}, 200, "200", "200 OK"], ids=["object", "number", "digits", "line"]
)
def test_a_status_is_read_in_each_of_its_forms(status: object, tmp_path: Path) -> None:
    path = tmp_path / "cassette.json"
    response = {**INTERACTION["response"], "status": status}
    path.write_text(json.dumps({"interactions": [{**INTERACTION, "response": response}]}))
    assert [exchange.response.status for exchange in exchanges(path)] == [200]


def test_a_stream_in_pieces_beside_its_response_is_read(tmp_path: Path) -> None:
    """The recordings of Instructor for PHP."""
    path = tmp_path / "recording.json"
    request, response = {"url": "http://x/", "body": "{}"}, {"statusCode": 200, "headers": {"a": ["b"]}, "body": None}
    pieces = ['data: {"a', '": 1}\n', "\n"]
    path.write_text(json.dumps({"request": request, "response": response, "chunks": pieces}))
    (read,) = exchanges(path)
    assert (read.request.method, read.response.status, read.response.body.text) == ("POST", 200, "".join(pieces))


@pytest.mark.parametrize("headers", [[{"name": "A", "value": "b"}], [["A", "b"]], {"A": "b"}, {"A": ["b"]}])
def test_headers_are_read_in_each_of_their_forms(headers: object, tmp_path: Path) -> None:
    path = tmp_path / "cassette.json"
    response = {**INTERACTION["response"], "headers": headers}
    path.write_text(json.dumps({"interactions": [{**INTERACTION, "response": response}]}))
    assert [exchange.response.headers.get("a") for exchange in exchanges(path)] == ["b"]


def test_a_byte_order_mark_is_passed_over(tmp_path: Path) -> None:
    for name in ("vcrpy.yaml", "archive.har", "traffic.jsonl"):
        path = tmp_path / name
        path.write_bytes(b"\xef\xbb\xbf" + (DATA / name).read_bytes())
        assert len(exchanges(path)) == 2


def test_a_folder_is_read_in_order_and_what_is_no_recording_is_passed_over(tmp_path: Path) -> None:
    (tmp_path / "b").mkdir()
    (tmp_path / ".git").mkdir()
    for name in ("z.yaml", "a.yaml.gz", "b/m.yml", ".git/hidden.yaml"):
        data = json.dumps({"interactions": [INTERACTION]}).encode()
        (tmp_path / name).write_bytes(gzip.compress(data) if name.endswith(".gz") else data)
    (tmp_path / "README.md").write_text("interactions: none\n")
    (tmp_path / "tool.py").write_text("request = response = 1\n")
    (tmp_path / "manifest.jsonl").write_text('{"file": "a.yaml.gz"}\n')
    (tmp_path / "package.json").write_text('{"name": "x"}')
    (tmp_path / "compose.yaml").write_text("services: {web: {image: x}}\n")
    (tmp_path / "chart.yaml").write_text("{{ if .Values }}\nname: [x\n{{ end }}\n")
    found = [Path(exchange.source).relative_to(tmp_path).as_posix() for exchange in exchanges(tmp_path)]
    assert found == ["a.yaml.gz", "z.yaml", "b/m.yml"]


@pytest.mark.parametrize("as_text", [lambda row: json.dumps([row, row]), lambda row: f"{json.dumps(row)}\n" * 2])
def test_both_sides_of_an_exchange_may_be_in_one_object(tmp_path: Path, as_text: Callable[[Any], str]) -> None:
    row = {
        "request_url": "https://api.example.com/v1/chat/completions",
        "request_headers": {"x-a": "1"},
        "request_body": {"model": "m"},
        "response_status": 429,
        "response_body": {"error": {}},
    }
    (tmp_path / "flat").write_text(as_text(row))
    for found in exchanges(tmp_path / "flat"):
        assert (found.request.method, found.request.host) == ("POST", "api.example.com")
        assert (found.request.headers.get("x-a"), found.request.body.json) == ("1", {"model": "m"})
        assert (found.response.status, found.response.body.json) == (429, {"error": {}})


def test_an_interaction_of_another_layout_is_refused_with_a_way_out(tmp_path: Path) -> None:
    (tmp_path / "mcp.json").write_text('{"interactions": [{"request": {"jsonrpc": "2.0"}, "response": {}}]}')
    with pytest.raises(ConformanceError, match=r"request\.uri is missing; .*convert it to exchange JSONL"):
        exchanges(tmp_path / "mcp.json")


def test_a_broken_recording_in_a_folder_is_not_passed_over(tmp_path: Path) -> None:
    text = (DATA / "vcrpy.yaml").read_text()
    (tmp_path / "cut.yaml").write_text(text[: text.index("uri:")])
    with pytest.raises(
        ConformanceError, match=r"cut\.yaml: interaction 0: response is missing; the file may be truncated"
    ):
        exchanges(tmp_path)


def test_files_and_folders_mix_and_a_file_named_twice_is_judged_once(tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text(LINE)
    found = exchanges(tmp_path / "one.jsonl", tmp_path, DATA / "ruby.yml", tmp_path / "one.jsonl")
    assert [exchange.source for exchange in found] == [f"{tmp_path / 'one.jsonl'}:1", str(DATA / "ruby.yml")]


@pytest.mark.parametrize("stdin", [io.StringIO(LINE), io.BytesIO(LINE.encode())], ids=["text", "bytes"])
def test_standard_input_is_exchange_jsonl(stdin: io.IOBase) -> None:
    assert [exchange.source for exchange in read(["-"], stdin=stdin)] == ["-:1"]  # type: ignore[arg-type]


def test_standard_input_may_be_zipped() -> None:
    stdin = io.BufferedReader(io.BytesIO(gzip.compress(LINE.encode())))
    assert [exchange.source for exchange in read(["-"], stdin=stdin)] == ["-:1"]


def test_empty_standard_input_is_refused() -> None:
    with pytest.raises(ConformanceError, match="standard input: contains no exchanges"):
        list(read(["-"], stdin=io.BytesIO()))


@pytest.mark.process
def test_a_pipe_is_read_like_a_file(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = "import sys, shutil; shutil.copyfileobj(open(sys.argv[1], 'rb'), open(sys.argv[2], 'wb'))"
    with subprocess.Popen([sys.executable, "-c", writer, str(DATA / "vcrpy.yaml"), str(pipe)]):
        assert len(exchanges(pipe)) == 2


def test_a_missing_path_is_refused_before_anything_is_read() -> None:
    with pytest.raises(ConformanceError, match="no such file or folder; check the path"):
        read([str(DATA / "vcrpy.yaml"), "nowhere.yaml"])


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("a.yaml", "", "PATH: the file is empty"),
        ("a.jsonl", "\n \n", "PATH: the file is empty"),
        ("a.yaml", "interactions:\n- request: {body: 'cut", "PATH:2: invalid or truncated YAML"),
        ("a.yaml", "interactions:\n- request: {uri: http://x/}\n", "PATH: interaction 0: response is missing"),
        ("a.yaml", "interactions: [3]\n", "PATH: interaction 0: not an object"),
        ("a.yaml", "requests: [{uri: http://x/}]\nresponses: []\n", "PATH: interaction 0: response is missing"),
        (
            "a.yaml",
            "interactions:\n- {request: {uri: http://x/}, response: {}}\n",
            "PATH: interaction 0: response.status is missing",
        ),
        ("a.yaml", "interactions: []\n", "PATH: contains no exchanges"),
        ("a.yaml", "interactions: 3\n", "PATH: not a recording in a known format"),
        ("a.yaml", "name: nothing\n", "PATH: not a recording in a known format"),
        ("a.txt", "Just some prose, and nothing else.\n", "PATH: not a recording in a known format"),
        ("a.yaml", "a: 1\n---\nb: 2\n", "PATH: not a recording in a known format"),
        (
            "a.yaml",
            "a: !!python/object/apply:os.system [ls]\n",
            "PATH:1: tag !!python/object/apply:os.system is not allowed",
        ),
        ("a.yaml", "a: !!python/name:os.system\n", "PATH:1: tag !!python/name:os.system is not allowed"),
        ("a.yaml", "a: !mine 1\n", "PATH:1: tag !mine is not allowed"),
        ("a.yaml", "a: !!int x\n", "PATH: cannot be read as YAML"),
        ("a.yaml", "? [1]\n: 2\n? {a: b}\n: 3\n", "PATH:1: invalid or truncated YAML (found unhashable key)"),
        ("a.json", '{"interactions": [', "PATH:1: invalid or truncated JSON"),
        ("a.json", '{"a": ' * 100000, "PATH: JSON that is nested too deeply"),
        ("a.har", '{"log": {"entries": [{}]}}', "PATH: log entry 0: request.url or response.status is missing"),
        ("a.jsonl", f"{LINE}{{\n", "PATH:2: not JSON"),
        ("a.jsonl", f"{LINE}[1]\n", "PATH:2: not an exchange"),
        ("a.jsonl", f"{LINE}{{}}\n", "PATH:2: not an exchange"),
        ("a.jsonl", f'{LINE}{{"a": NaN}}\n', "PATH:2: not JSON (NaN is not JSON)"),
        ("a.jsonl", f"{LINE}{'[' * 100000}\n", "PATH:2: JSON that is nested too deeply"),
        ("a.jsonl", "\nno json\n", "PATH:2: not JSON"),
        ("a.jsonl", '\n{"file": "x"}\n', "PATH:2: not an exchange"),
        ("a.jsonl", '{"request": 1, "response": 2}\n', "PATH:1: not an exchange"),
        (
            "a.jsonl",
            '{"request": {"url": "x"}, "response": {"status": "200"}}\n',
            "PATH:1: not an exchange: `response.",
        ),
    ],
)
def test_what_cannot_be_read_is_refused_in_one_clear_line(
    name: str, content: str, expected: str, tmp_path: Path
) -> None:
    path = tmp_path / name
    path.write_text(content)
    assert refusal(path).startswith(expected)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"\x00\x01\x02junk", "PATH: binary data"),
        (b"\x89PNG\r\n\x1a\n\xff\xfe", "PATH: invalid or truncated YAML"),
        (LINE.encode() + b"\xff\xfe{}\n", "PATH:2: not UTF-8 text"),
        (gzip.compress(LINE.encode() * 500, mtime=0)[:-20], "PATH: invalid or truncated gzip data"),
        (b"\x1f\x8bjunkjunkjunkjunk", "PATH: invalid or truncated gzip data"),
    ],
)
def test_bytes_that_cannot_be_read_are_refused_in_one_clear_line(content: bytes, expected: str, tmp_path: Path) -> None:
    path = tmp_path / "input"
    path.write_bytes(content)
    assert refusal(path).startswith(expected)


def test_a_folder_without_a_recording_is_refused(tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("nothing here")
    assert refusal(tmp_path).startswith("PATH: the folder contains no recordings")


def test_a_cassette_is_wanted_where_exchange_jsonl_or_a_folder_is_given() -> None:
    with pytest.raises(ConformanceError, match="exchange JSONL, not a cassette"):
        load_cassette(DATA / "traffic.jsonl")
    with pytest.raises(ConformanceError, match="is a folder, not a file"):
        load_cassette(DATA)
    with pytest.raises(ConformanceError, match="no such file"):
        load_cassette(DATA / "nothing.yaml")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_a_file_without_permission_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.yaml"
    path.write_text("interactions: []")
    path.chmod(0)
    assert "cannot be read" in refusal(path)


def test_a_failing_disk_is_refused_in_one_clear_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", fail)
    assert refusal(DATA / "vcrpy.yaml").startswith("PATH: cannot be read (Permission denied); check its permissions")


def test_exchange_jsonl_is_read_in_the_memory_of_one_line(tmp_path: Path) -> None:
    body = json.dumps({"request": {"url": "http://x/", "body": "y" * 10_000}, "response": {"status": 200}}) + "\n"
    peaks = []
    for lines in (100, 1000):
        path = tmp_path / f"{lines}.jsonl.gz"
        path.write_bytes(gzip.compress(body.encode() * lines))
        tracemalloc.start()
        assert sum(1 for _ in read([str(path)])) == lines
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] * 1.5


@pytest.mark.process
def test_reading_imports_no_sdk_and_yaml_only_when_there_is_some() -> None:
    code = (
        "import sys; from conformance.inputs import read; list(read(sys.argv[1:]));"
        "print(*sorted({'yaml', 'vcr', 'openai', 'anthropic', 'jinja2'} & set(sys.modules)))"
    )
    command = [sys.executable, "-c", code, str(DATA / "traffic.jsonl"), str(DATA / "archive.har")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ""


@pytest.mark.usefixtures("corpus")
def test_every_real_cassette_is_read_whole() -> None:
    manifest = [json.loads(line) for line in (CORPUS / "vcr_raw" / "manifest.jsonl").read_text().splitlines()]
    for entry in manifest:
        found = exchanges(CORPUS / "vcr_raw" / entry["file"])
        assert len(found) == entry["interactions"]
        assert all(exchange.response.body.note is None for exchange in found)
    assert len(exchanges(CORPUS / "vcr_raw")) == sum(entry["interactions"] for entry in manifest)


@pytest.mark.usefixtures("corpus")
def test_every_real_exchange_is_read() -> None:
    assert sum(1 for _ in read([str(path) for path in sorted(CORPUS.glob("*.jsonl.gz"))])) == 5891


def test_a_bare_response_that_repeats_the_tools_of_its_request_is_no_request(tmp_path: Path) -> None:
    path = tmp_path / "reply-1.json"
    tools = [{"type": "function", "name": "look", "parameters": {}}]
    path.write_text(json.dumps({"id": "resp_1", "object": "response", "model": "m", "tools": tools, "output": []}))
    [exchange] = read([str(path)])
    assert "request" in exchange.lacks
    assert exchange.response.body.json["id"] == "resp_1"


def replies() -> dict[str, Exchange]:
    """Replies of every dialect with an endpoint of its own, by the names of their examples."""
    shown: dict[str, Exchange] = {}
    for dialect in all_dialects().values():
        for base in ("answer", "stream-answer", "stream-call") if dialect.bodies is not None else ():
            with suppress(ConformanceError):  # not every dialect has each
                shown[f"{dialect.name}/{base}"] = Example(f"{dialect.name}/{base}").exchanges()[0]
    return shown


REPLIES = replies()


@pytest.mark.parametrize("name", [name for name, each in REPLIES.items() if not each.response.body.framed])
def test_what_curl_printed_of_a_reply_is_read_in_its_dialect(name: str, tmp_path: Path) -> None:
    body = REPLIES[name].response.body
    path = tmp_path / "printed.json"
    path.write_text(body.text if body.text is not None else json.dumps(body.json))
    [exchange] = read([str(path)])
    assert [each.name for each in claimants(exchange.request)] == [name.partition("/")[0]]
    assert "request" in exchange.lacks
    assert [each for each in check([exchange]) if each.severity >= Severity.WARNING] == []


def test_replies_of_every_dialect_of_its_own_are_read() -> None:
    shown = {name.partition("/")[0] for name in REPLIES}
    assert shown == {name for name, each in all_dialects().items() if each.bodies is not None}
