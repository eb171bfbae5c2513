"""Arrow in, Arrow out: the findings of `check`."""

from __future__ import annotations

import json
from typing import Any

import pytest

from conformance import check
from conformance.inputs import read
from conformance.inputs.jsonl import exchange_of
from conformance.model.exchange import Exchange
from conformance.scale import FINDINGS, judge_batch, judge_group
from devtools.places import CORPUS
from tests.sampling import every
from tests.scale.local import RECORDINGS

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")


def record(exchange: Exchange) -> dict[str, Any]:
    """The exchange as a line of JSONL."""
    request, response = exchange.request, exchange.response
    return {
        "id": exchange.id,
        "conversation": exchange.conversation,
        "request": {
            "method": request.method,
            "url": request.url,
            "headers": request.headers.lists(),
            "body": request.body.json if request.body.parsed_by_recorder else request.body.text,
        },
        "response": {
            "status": response.status,
            "headers": response.headers.lists(),
            "body": response.body.json if response.body.parsed_by_recorder else response.body.text,
        },
    }


def found(table: Any) -> list[tuple[str, str, str, str | None]]:
    rows = table.filter(pa.compute.equal(table["kind"], "finding")).to_pylist()
    return [(row["rule"], row["severity"], row["message"], row["pointer"]) for row in rows]


def expected(records: list[dict[str, Any]]) -> list[tuple[str, str, str, str | None]]:
    exchanges = [exchange_of(each, f"arrow:{number}") for number, each in enumerate(records, 1)]
    return [(each.rule, str(each.severity), each.message, each.pointer) for each in check(exchanges)]


RECORDED = every([*CORPUS.glob("cohere*.gz"), *CORPUS.glob("mistral*.gz")], 2, risk="a value that only Mistral sends")
FILES = [*sorted(RECORDINGS.iterdir()), *RECORDED]


@pytest.mark.parametrize("path", FILES, ids=[path.name for path in FILES])
def test_a_batch_has_the_findings_of_check(path: Any) -> None:
    records = [record(each) for each in read(path)]
    for each in records:
        for side in ("request", "response"):  # a value that a recorder has parsed has no column of one type
            body = each[side]["body"]
            each[side]["body"] = body if body is None or isinstance(body, str) else json.dumps(body)
    texts = pa.table({"exchange": [json.dumps(each) for each in records]})
    flat = pa.Table.from_pylist([
        {
            "id": each["id"],
            "conversation": each["conversation"],
            **{
                f"{side}_{name}": value
                for side in ("request", "response")
                for name, value in each[side].items()
                if name != "headers"
            },
            **{f"{side}.headers": json.dumps(each[side]["headers"]) for side in ("request", "response")},
        }
        for each in records
    ])  # fmt: skip
    assert found(judge_batch(texts)) == found(judge_batch(flat)) == expected(records)
    assert judge_batch(texts).schema == FINDINGS


def test_a_group_is_one_conversation_whatever_its_rows_are_called() -> None:
    exchanges = [record(each) for each in read(RECORDINGS / "vcrpy.yaml")]
    one = [{**each, "conversation": "same"} for each in exchanges]
    other = [{**each, "conversation": str(number)} for number, each in enumerate(exchanges)]
    tables = [pa.table({"exchange": [json.dumps(each) for each in some]}) for some in (one, other)]
    assert found(judge_group(tables[0])) == found(judge_group(tables[1])) == expected(one)


def test_a_row_that_is_no_exchange_is_a_row_of_the_result() -> None:
    table = judge_batch(pa.table({"exchange": ["{}", "{]"], "source": ["here", "there"]}))
    rows = table.filter(pa.compute.equal(table["kind"], "not_judged")).to_pylist()
    assert [row["source"] for row in rows] == ["here", "there"]
    assert "not JSON" in rows[1]["message"]
