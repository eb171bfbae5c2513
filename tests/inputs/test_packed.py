"""Zstandard, Parquet and URLs as inputs; and what is said where a package for them is missing."""

from __future__ import annotations

import importlib
import json
from pathlib import Path
from typing import Any

import pytest

from conformance.errors import ConformanceError
from conformance.inputs import extra, read
from conformance.judge.checker import check
from devtools.places import ROOT

LINES = [
    {
        "id": str(number),
        "conversation": "c",
        "request": {
            "method": "POST",
            "url": "https://api.openai.com/v1/chat/completions",
            "headers": {"user-agent": "OpenAI/Python 2.1.0", "x-twice": ["1", "2"]},
            "body": json.dumps({"model": "gpt-5", "messages": [{"role": "user", "content": "1e2"}], "n": None}),
        },
        "response": {"status": 200, "headers": {"date": "x"}, "body": '{"id": 1, "id": 2}'},
    }
    for number in range(3)
]


def found(path: Any) -> list[tuple[str | None, str, str | None]]:
    return [(each.id, each.rule, each.pointer) for each in check(read(path))]


def text() -> bytes:
    return "\n".join(map(json.dumps, LINES)).encode()


@pytest.fixture
def expected(tmp_path: Path) -> list[tuple[str | None, str, str | None]]:
    path = tmp_path / "plain.jsonl"
    path.write_bytes(text())
    known = found(path)
    assert len(known) > 2
    return known


def test_zstandard_is_read_as_what_it_contains(tmp_path: Path, expected: object) -> None:
    zstd = pytest.importorskip("backports.zstd", reason="backports.zstd is not installed")
    (tmp_path / "in").mkdir()
    path = tmp_path / "in" / "traffic.jsonl.zst"
    path.write_bytes(zstd.compress(text()))
    assert found(path) == found(tmp_path / "in") == expected
    path.write_bytes(zstd.compress(text())[:-9])
    with pytest.raises(ConformanceError, match="invalid or truncated Zstandard data"):
        found(path)


def flat(number: int) -> dict[str, Any]:
    line: dict[str, Any] = LINES[number]
    return {
        "id": line["id"],
        "conversation": "c",
        "request_method": "POST",
        "request_url": line["request"]["url"],
        "request_headers": [("user-agent", "OpenAI/Python 2.1.0"), ("x-twice", "1"), ("x-twice", "2")],
        "request_body": line["request"]["body"],
        "response.status": 200.0,
        "response_headers": json.dumps({"date": "x"}),
        "response.body": line["response"]["body"].encode(),
    }


def test_parquet_is_read_in_each_of_its_forms(tmp_path: Path, expected: object) -> None:
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    parquet = importlib.import_module("pyarrow.parquet")
    headers = pa.map_(pa.string(), pa.string())
    flat_rows = pa.Table.from_pylist([flat(number) for number in range(3)])
    column = flat_rows.schema.get_field_index("request_headers")
    pairs = pa.array([row["request_headers"] for row in map(flat, range(3))], headers)
    tables = {
        "nested": pa.Table.from_pylist(LINES),
        "text": pa.table({"exchange": list(map(json.dumps, LINES))}),
        "sides": pa.Table.from_pylist(
            [
                {**each, "request": json.dumps(each["request"]), "response": json.dumps(each["response"])}
                for each in LINES
            ]
        ),
        "flat": flat_rows.set_column(column, "request_headers", pairs),
    }
    for name, table in tables.items():
        path = tmp_path / f"{name}.parquet"
        parquet.write_table(table, path)
        assert found(path) == expected, name
        assert [each.source for each in read(path)] == [f"{path}:{number}" for number in (1, 2, 3)]
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(ConformanceError, match="invalid or truncated Parquet"):
        found(path)


def test_a_first_row_without_its_exchange_is_named(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    path = tmp_path / "rows.parquet"
    importlib.import_module("pyarrow.parquet").write_table(pa.table({"exchange": [None, json.dumps(LINES[0])]}), path)
    with pytest.raises(ConformanceError, match=r"rows\.parquet:1: the column `exchange` is null"):
        found(path)


def test_rows_of_a_known_log_are_read_as_that_log(tmp_path: Path) -> None:
    pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    rows = [
        {
            "call_type": "acompletion",
            "spend": 0.1,
            "request_id": "r1",
            "model": "gpt-5",
            "messages": json.dumps([{"role": "user", "content": "Hi"}]),
            "response": json.dumps({"id": "x", "choices": [{"message": {"role": "assistant", "content": "Hello"}}]}),
        }
    ]
    importlib.import_module("pyarrow.parquet").write_table(pa.Table.from_pylist(rows), tmp_path / "spend.parquet")
    (exchange,) = read(tmp_path / "spend.parquet")
    assert (exchange.id, exchange.request.body.json["model"]) == ("r1", "gpt-5")


def test_a_url_is_read_as_a_file_and_as_a_folder(tmp_path: Path, expected: object) -> None:
    fsspec = pytest.importorskip("fsspec", reason="fsspec is not installed")
    memory = fsspec.filesystem("memory")
    memory.pipe("/bucket/2026-11-22/a.jsonl", text())
    memory.pipe("/bucket/notes.zip", b"PK")
    assert found("memory://bucket/2026-11-22/a.jsonl") == found("memory://bucket") == expected
    assert found(f"file://{tmp_path}/plain.jsonl") == expected
    with pytest.raises(ConformanceError, match="no such file or folder"):
        found("memory://bucket/none")
    with pytest.raises(ConformanceError, match="nowhere"):
        found("nowhere://bucket/a.jsonl")


@pytest.mark.parametrize(
    ("content", "name", "package", "hint"),
    [
        (b"\x28\xb5\x2f\xfd\x04\x00", "a.jsonl", "Zstandard needs (backports|compression)", "[zst]"),
        (b"PAR1PAR1", "a.parquet", "Parquet file needs pyarrow", "[arrow]"),
    ],
)
def test_a_missing_package_is_named_with_its_extra(  # noqa: PLR0917 - columns of the table above
    content: bytes, name: str, package: str, hint: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def missing(module: str) -> Any:
        raise ImportError(module)

    monkeypatch.setattr(extra, "import_module", missing)
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ConformanceError, match=package) as caught:
        found(tmp_path / name)
    assert hint in str(caught.value)


def test_every_extra_that_a_message_names_is_one_of_the_package() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    assert all(f"\n{name} = [" in project for name in ("arrow", "ray", "zst"))
