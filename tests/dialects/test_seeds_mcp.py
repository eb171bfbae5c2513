"""D07, the seeds' picture of an MCP result: text blocks only. The wire has more, and a block has to be whole."""

from __future__ import annotations

import pytest

from conformance.judge.checker import check
from conformance.judge.proofs.example import Edit, Example, insert, put

CONTENT = "/0/response/body/result/content"
IMAGE = {"type": "image", "data": "aGk=", "mimeType": "image/png"}


def rules(*edits: Edit) -> set[str]:
    return {finding.rule for finding in check(Example("mcp/stateless-call", edits).exchanges())}


@pytest.mark.statement("D07")
@pytest.mark.parametrize(
    "block",
    [
        IMAGE,
        {"type": "audio", "data": "aGk=", "mimeType": "audio/wav"},
        {"type": "resource_link", "uri": "file:///a", "name": "a"},
        {"type": "resource", "resource": {"uri": "file:///a", "text": "a"}},
    ],
    ids=lambda block: str(block["type"]),
)
def test_a_result_may_hold_more_than_text(block: dict[str, object]) -> None:
    assert rules(insert(f"{CONTENT}/1", block)) == set()


@pytest.mark.statement("D07")
@pytest.mark.parametrize("key", ["type", "data", "mimeType"])
def test_a_block_that_lacks_what_its_type_needs_is_found(key: str) -> None:
    block = {name: value for name, value in IMAGE.items() if name != key}
    assert rules(insert(f"{CONTENT}/1", block)) == {"mcp-call-result-malformed"}


@pytest.mark.statement("D07")
def test_a_result_whose_content_is_no_array_is_found() -> None:
    assert rules(put(CONTENT, "14.2")) != set()
